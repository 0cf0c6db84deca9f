// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Elements of "bodies": one body, a rule that makes bodies, or a group, each placed once or at many
// places (grid, stack, ring, repeat) with jitter from a seed.

#include "io/scene/scene.h"
#include <string.h>

enum { deepest = 16 };

typedef enum layout_kind {
    layout_once,
    layout_grid,
    layout_stack,
    layout_ring,
    layout_repeat
} layout_kind;

typedef struct layout {
    layout_kind kind;
    int count[3];
    cairn_vec3 step;         ///< m: from one to the next, by axis for a grid
    cairn_vec3 turn;         ///< rad: likewise, of a repeat
    double radius, from, to; ///< m, rad: of a ring
    cairn_vec3 jitter;       ///< m: greatest offset of each coordinate
    bool tumble;             ///< random orientations
    cairn_random random;
} layout;

static const char* const layout_keys[] = {"grid", "stack", "ring", "repeat", NULL};
static const double degree = 0.017453292519943295;

// ---------------------------------------------------------------- places

// Uniform over all rotations, by rejection from the ball in four dimensions. A draw misses by 0.69,
// all of them by 1e-41.
static cairn_quat random_rotation(cairn_random* random)
{
    enum { most_draws = 256 };
    for (int i = 0; i < most_draws; i++) {
        cairn_vec3 v = cairn_random_vec3(random);
        double w = cairn_random_range(random, -1.0, 1.0), n2 = cairn_dot(v, v) + w * w;
        if (n2 > 1e-2 && n2 <= 1.0)
            return cairn_quat_normalize((cairn_quat){w, v.x, v.y, v.z});
    }
    return (cairn_quat){1.0, 0.0, 0.0, 0.0};
}

static cairn_transform layout_at(layout* l, int i)
{
    cairn_transform x = cairn_transform_identity();
    int nx = l->count[0], ny = l->count[1];

    // a grid about the origin of x and y, which grows upwards
    if (l->kind == layout_grid) {
        int ix = i % nx, iy = i / nx % ny, iz = i / nx / ny;
        x.p = cairn_vec((ix - 0.5 * (nx - 1)) * l->step.x, (iy - 0.5 * (ny - 1)) * l->step.y,
                        iz * l->step.z);
    } else if (l->kind == layout_ring) {
        // a full circle does not meet its first place again
        double sweep = l->to - l->from;
        int gaps = fabs(sweep) > 359.999 * degree ? nx : nx > 1 ? nx - 1 : 1;
        double a = l->from + sweep * i / gaps;
        x.p = cairn_vec(l->radius * cairn_cos(a), l->radius * cairn_sin(a), 0.0);
        x.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, a));
    } else if (l->kind != layout_once) {
        x.p = cairn_scale(i, l->step);
        x.q = cairn_quat_from_rotation_vector(cairn_scale(i, l->turn));
    }

    // places and turns are random, from the seed of the layout
    if (l->jitter.x > 0.0 || l->jitter.y > 0.0 || l->jitter.z > 0.0) {
        cairn_vec3 r = cairn_random_vec3(&l->random);
        x.p = cairn_add(x.p, cairn_vec(l->jitter.x * r.x, l->jitter.y * r.y, l->jitter.z * r.z));
    }

    if (l->tumble)
        x.q = random_rotation(&l->random);
    return x;
}

// ---------------------------------------------------------------- reading

static void read_jitter(layout* l, const cairn_node* node)
{
    cairn_node child;
    l->tumble = cairn_node_flag(node, "tumble", false);
    l->random.state = (uint64_t)cairn_node_integer(node, "seed", 1, 0, 2147483647);
    if (!cairn_node_child(&child, node, "jitter"))
        return;
    if (json_is_array(child.value)) {
        l->jitter = cairn_node_triple(&child);
        if (!(l->jitter.x >= 0.0 && l->jitter.y >= 0.0 && l->jitter.z >= 0.0))
            cairn_node_fail(&child, "has a negative number, expected three lengths >= 0");
    } else {
        double most = cairn_node_number(&child, CAIRN_AT_LEAST_0);
        l->jitter = cairn_vec(most, most, most);
    }
}

static void read_grid(layout* l, const cairn_node* node)
{
    static const char* const keys[] = {"count", "pitch", "jitter", "tumble", "seed", NULL};
    cairn_node child;
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&child, node, "count"))
        return;

    cairn_vec3 count = cairn_node_triple(&child);
    const double n[3] = {count.x, count.y, count.z};
    for (int k = 0; k < 3 && cairn_node_ok(node); k++) {
        if (!(n[k] >= 1.0 && n[k] <= 1000.0 && n[k] == floor(n[k])))
            cairn_node_fail(&child, "has %g, expected three whole numbers from 1 to 1000", n[k]);
        else
            l->count[k] = (int)n[k];
    }

    // one distance for all axes, or one for each
    if (!cairn_node_need(&child, node, "pitch"))
        return;
    if (json_is_array(child.value)) {
        l->step = cairn_node_triple(&child);
    } else {
        double pitch = cairn_node_number(&child, CAIRN_ABOVE_0);
        l->step = cairn_vec(pitch, pitch, pitch);
    }

    read_jitter(l, node);
}

// on top of each other: by the height of the shape unless a pitch is given
static void read_stack(layout* l, const cairn_node* node, const cairn_template* body)
{
    static const char* const keys[] = {"count", "pitch", "jitter", "tumble", "seed", NULL};
    double height = 0.0;
    if (!cairn_node_allow(node, keys, NULL))
        return;
    if (body && body->shaped && cairn_node_ok(node)) {
        cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_transform_identity());
        height = box.hi.z - box.lo.z;
    }
    l->count[0] = cairn_node_integer(node, "count", 1, 1, 1000000);
    l->step.z = cairn_node_real(node, "pitch", height, CAIRN_ABOVE_0);
    if (cairn_node_ok(node) && !(isfinite(l->step.z) && l->step.z > 0.0))
        cairn_node_fail(node,
                        "has no \"pitch\", which is needed for what is not one bounded shape");
    read_jitter(l, node);
}

static void read_ring(layout* l, const cairn_node* node)
{
    static const char* const keys[] = {"count",  "radius", "from", "to",
                                       "jitter", "tumble", "seed", NULL};
    cairn_node child;
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&child, node, "radius"))
        return;
    l->radius = cairn_node_number(&child, CAIRN_AT_LEAST_0);
    l->count[0] = cairn_node_integer(node, "count", 1, 1, 1000000);
    l->from = degree * cairn_node_real(node, "from", 0.0, CAIRN_ANY);
    l->to = degree * cairn_node_real(node, "to", 360.0, CAIRN_ANY);
    read_jitter(l, node);
}

static void read_repeat(layout* l, const cairn_node* node)
{
    static const char* const keys[] = {"count", "step", "turn", "jitter", "tumble", "seed", NULL};
    cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
    if (!cairn_node_allow(node, keys, NULL))
        return;
    l->count[0] = cairn_node_integer(node, "count", 1, 1, 1000000);
    l->step = cairn_node_vector(node, "step", none);
    l->turn = cairn_scale(degree, cairn_node_vector(node, "turn", none));
    read_jitter(l, node);
}

static layout read_layout(const cairn_node* node, const cairn_template* body)
{
    layout l = {.kind = layout_once, .count = {1, 1, 1}};
    for (int k = 0; layout_keys[k]; k++) {
        cairn_node child;
        if (!cairn_node_child(&child, node, layout_keys[k]))
            continue;

        if (l.kind != layout_once)
            cairn_node_fail(&child,
                            "is a second layout, expected one of grid, stack, ring, repeat");

        l.kind = (layout_kind)(k + 1);
        if (l.kind == layout_grid)
            read_grid(&l, &child);
        else if (l.kind == layout_stack)
            read_stack(&l, &child, body);
        else if (l.kind == layout_ring)
            read_ring(&l, &child);
        else
            read_repeat(&l, &child);
    }

    return l;
}

// ---------------------------------------------------------------- elements

// the names of a copy of a group are looked up in it first
static void read_copies(const cairn_node* node, cairn_transform frame)
{
    static const char* const keys[] = {"at",     "turn",    "quaternion", "bodies",
                                       "joints", "comment", NULL};
    cairn_reader* reader = node->reader;
    if (!cairn_node_allow(node, keys, layout_keys))
        return;

    if (reader->depth >= deepest) {
        cairn_node_fail(node, "is a group in too many groups, expected at most %d", deepest);
        return;
    }

    layout l = read_layout(node, NULL);
    cairn_transform place = cairn_transform_multiply(frame, cairn_node_pose(node));
    int scope = reader->scope, count = l.count[0] * l.count[1] * l.count[2];
    if (!cairn_node_ok(node) || !cairn_node_afford(node, count))
        return;

    reader->depth++;
    for (int i = 0; i < count && cairn_node_ok(node) && cairn_node_spend(node); i++) {
        reader->scope = reader->scene->name_count;
        cairn_read_group(node, cairn_transform_multiply(place, layout_at(&l, i)));
    }

    reader->depth--;
    reader->scope = scope;
}

static void read_element(const cairn_node* node, cairn_transform frame)
{
    const char* more[16];
    int extra = 0;
    cairn_node procedure, child;
    cairn_template body;

    // a group with a layout of its own
    if (cairn_node_child(&child, node, "bodies")) {
        read_copies(node, frame);
        return;
    }

    // a body, and the layout or procedure that makes many of it
    for (int k = 0; layout_keys[k]; k++)
        more[extra++] = layout_keys[k];
    for (int k = 0; cairn_procedure_keys[k]; k++)
        more[extra++] = cairn_procedure_keys[k];
    more[extra++] = "comment";
    more[extra] = NULL;
    if (!cairn_node_allow(node, cairn_body_keys, more))
        return;

    cairn_read_body(&body, node, &node->reader->defaults);
    bool ruled = cairn_find_procedure(&procedure, node);
    if (ruled && body.shaped)
        cairn_node_fail(&procedure, "makes its own shapes, expected no \"shape\" beside it");

    layout l = read_layout(node, &body);
    cairn_transform place = cairn_transform_multiply(frame, body.def.pose);
    int count = l.count[0] * l.count[1] * l.count[2];
    body.many = ruled || l.kind != layout_once;
    if (!cairn_node_ok(node) || !cairn_node_afford(node, count))
        return;

    // a group may be turned: velocities turn with it
    body.def.velocity = cairn_rotate(frame.q, body.def.velocity);
    body.def.spin = cairn_rotate(frame.q, body.def.spin);

    for (int i = 0; i < count && cairn_node_ok(node); i++) {
        cairn_transform at = cairn_transform_multiply(place, layout_at(&l, i));
        if (ruled && cairn_node_spend(node))
            cairn_read_procedure(&procedure, &body, at);
        else if (!ruled)
            cairn_scene_add(node, &body, at);
    }
}

void cairn_read_group(const cairn_node* node, cairn_transform frame)
{
    cairn_node list;
    if (cairn_node_child(&list, node, "bodies")) {
        int count = cairn_node_count(&list);
        for (int i = 0; i < count && cairn_node_ok(node); i++) {
            cairn_node item = cairn_node_item(&list, i);
            read_element(&item, frame);
        }
    }
    if (cairn_node_child(&list, node, "joints"))
        cairn_read_joints(&list, frame);
}
