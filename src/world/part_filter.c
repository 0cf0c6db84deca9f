// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A part of a compound may have a filter of its own. The broad phase knows a body by what all of its
// parts have together; the narrow phase asks for each pair of parts. Distances and times of impact of
// such bodies are taken of one pair of parts after the other, each as a compound of one part: it moves
// with the frame of the whole.

#include "world/part_filter.h"
#include "collide/query/time_of_impact.h"

static int part_count(const cairn_body* body)
{
    return body->shape.kind == CAIRN_SHAPE_COMPOUND ? body->shape.data.compound->count : 1;
}

bool cairn_body_is_sifted(const cairn_body* body)
{
    for (int i = 0; body->parts && i < part_count(body); i++)
        if (body->parts[i].filtered)
            return true;
    return false;
}

uint32_t cairn_part_category(const cairn_body* body, int part)
{
    return body->parts && body->parts[part].filtered ? body->parts[part].category : body->category;
}

static uint32_t mask_of(const cairn_body* body, int part)
{
    return body->parts && body->parts[part].filtered ? body->parts[part].mask : body->mask;
}

cairn_filter cairn_body_filter(const cairn_body* body)
{
    cairn_filter filter = {.owner = -1, .fixed = body->type != CAIRN_BODY_DYNAMIC};
    if (body->frozen)
        return filter;

    filter.category = body->category;
    filter.mask = body->mask;
    if (!cairn_body_is_sifted(body))
        return filter;

    // what its parts have together
    filter.category = filter.mask = 0;
    for (int i = 0; i < part_count(body); i++) {
        filter.category |= cairn_part_category(body, i);
        filter.mask |= mask_of(body, i);
    }
    return filter;
}

bool cairn_parts_meet(const void* bodies, int part_a, int part_b)
{
    const cairn_body_pair* pair = bodies;
    return (cairn_part_category(pair->a, part_a) & mask_of(pair->b, part_b)) &&
           (cairn_part_category(pair->b, part_b) & mask_of(pair->a, part_a));
}

// ---------------------------------------------------------------- one pair of parts after the other

// a part of a body alone, in the frame of its shape
typedef struct lone_part {
    cairn_compound compound;
    cairn_shape shape;
} lone_part;

static void part_alone(lone_part* lone, const cairn_body* body, int part)
{
    lone->shape = body->shape;
    if (body->shape.kind != CAIRN_SHAPE_COMPOUND)
        return;
    const cairn_compound* all = body->shape.data.compound;
    lone->compound = (cairn_compound){1, all->parts + part, all->offsets + part,
                                      all->boxes ? all->boxes + part : NULL};
    lone->shape.data.compound = &lone->compound;
}

// the next two parts that may collide, after those of the last call; from -1, -1
static bool next_parts(cairn_body_pair bodies, int* part_a, int* part_b, lone_part* a, lone_part* b)
{
    int count_b = part_count(bodies.b), count = part_count(bodies.a) * count_b;
    for (int i = *part_a < 0 ? 0 : *part_a * count_b + *part_b + 1; i < count; i++) {
        *part_a = i / count_b;
        *part_b = i % count_b;
        if (!cairn_parts_meet(&bodies, *part_a, *part_b))
            continue;
        part_alone(a, bodies.a, *part_a);
        part_alone(b, bodies.b, *part_b);
        return true;
    }
    return false;
}

static bool is_sifted(cairn_body_pair bodies)
{
    return cairn_body_is_sifted(bodies.a) || cairn_body_is_sifted(bodies.b);
}

cairn_gap cairn_bodies_distance(cairn_body_pair bodies, cairn_transform xa, cairn_transform xb)
{
    if (!is_sifted(bodies))
        return cairn_distance(&bodies.a->shape, xa, &bodies.b->shape, xb);

    cairn_gap least = {.gap = INFINITY, .normal = cairn_vec(0.0, 0.0, 1.0)};
    lone_part a, b;
    for (int i = -1, k = -1; next_parts(bodies, &i, &k, &a, &b);) {
        cairn_gap gap = cairn_distance(&a.shape, xa, &b.shape, xb);
        if (gap.gap >= least.gap)
            continue;
        least = gap;
        if (bodies.a->shape.kind == CAIRN_SHAPE_COMPOUND)
            least.part_a = i;
        if (bodies.b->shape.kind == CAIRN_SHAPE_COMPOUND)
            least.part_b = k;
    }
    return least;
}

cairn_impact cairn_bodies_time_of_impact(cairn_body_pair bodies, const cairn_sweep* ma,
                                         const cairn_sweep* mb, double target, double* t,
                                         int* looks)
{
    if (!is_sifted(bodies))
        return cairn_time_of_impact_within(&bodies.a->shape, ma, &bodies.b->shape, mb, target, t,
                                           looks);

    // the first of all
    cairn_impact first = CAIRN_IMPACT_NONE;
    double earliest = 1.0;
    lone_part a, b;
    for (int i = -1, k = -1; next_parts(bodies, &i, &k, &a, &b);) {
        double at = 1.0;
        cairn_impact impact =
            cairn_time_of_impact_within(&a.shape, ma, &b.shape, mb, target, &at, looks);
        if (impact == CAIRN_IMPACT_NONE || (first != CAIRN_IMPACT_NONE && at >= earliest))
            continue;
        first = impact;
        earliest = at;
    }

    *t = earliest;
    return first;
}
