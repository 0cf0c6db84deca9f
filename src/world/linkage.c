// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of joints alone, without loops, limits, motors and springs: the linear-time solver
// (solve/tree.h) by itself. The structure of the tree is kept between steps; a substep factors
// twice:
//
//     where the rows are taken:    M v' = M v* + J^T λ,   J v' + c = 0,    c = J v at a midpoint
//     where the bodies come out:   M d  = J^T μ,   J d + C = 0   (positions)
//                                  M δ  = J^T ν,   J δ + J v' = 0   (velocities, after a midpoint)
//
// the last two with one factor, as two columns of one solve. When C was large the projection is
// repeated with the same factor. Bodies that are not active are the world: what they do by
// themselves belongs to c.

#include "solve/tree.h"
#include "world/crew.h"
#include "world/island.h"
#include <stdlib.h>
#include <string.h>

enum { most_projections = 6, most_idle_steps = 60 };
static const double far_error = 5e-3;    // m: beyond it a projection needs a factor of its own
static const double coarse_error = 1e-4; // m: below it one Newton step leaves less than 1e-7 m

typedef struct joint_key {
    int a, b, rows;
} joint_key;

// a tree that was built for one island
struct cairn_linkage {
    cairn_linkage* next;
    cairn_tree* tree;
    int body_count, link_count;
    int64_t used;    // the step that needed it last
    int* bodies;     // slots
    joint_key* keys; // of each link
};

// the island under way: rows of all links where they are now, those of link i from 6 i
typedef struct figure {
    const cairn_span* span;
    cairn_linkage* kept;
    cairn_row* rows;
    cairn_link_place* places;
    joint_key* keys;
    int row_count;
    double *c, *y, *lambda; // two columns each
} figure;

// ---------------------------------------------------------------- structure

static void destroy_one(cairn_linkage* kept)
{
    cairn_tree_destroy(kept->tree);
    free(kept->bodies);
    free(kept->keys);
    free(kept);
}

size_t cairn_linkages_memory(const cairn_linkage* first)
{
    size_t bytes = 0;
    for (; first; first = first->next)
        bytes += sizeof *first + sizeof *first->tree + cairn_arena_memory(&first->tree->own) +
                 (size_t)first->body_count * sizeof(int) +
                 (size_t)first->link_count * sizeof(joint_key);
    return bytes;
}

void cairn_linkages_prune(cairn_world* world)
{
    for (cairn_linkage** at = &world->linkages; *at;) {
        cairn_linkage* kept = *at;
        // a restored world may be at an earlier step
        if (kept->used <= world->step && world->step - kept->used <= most_idle_steps) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        destroy_one(kept);
    }
}

void cairn_linkages_destroy(cairn_linkage* first)
{
    while (first) {
        cairn_linkage* next = first->next;
        destroy_one(first);
        first = next;
    }
}

static cairn_link* link_of(const cairn_span* span, int i)
{
    return &span->world->links[span->group->links[span->island->link + i]];
}

static cairn_body* body_of(const cairn_span* span, int i)
{
    return &span->world->bodies[span->group->bodies[span->island->body + i]];
}

static cairn_link_place place_of(const cairn_world* world, const cairn_link* link)
{
    if (link->kind != CAIRN_BALL)
        return cairn_link_where(world, link);
    const cairn_body* b = &world->bodies[link->b];
    cairn_link_place place = {.r_a = link->frame_a.p, .r_b = cairn_rotate(b->q, link->frame_b.p)};
    cairn_vec3 center = cairn_vec(0.0, 0.0, 0.0);
    if (link->a != CAIRN_WORLD) {
        const cairn_body* a = &world->bodies[link->a];
        place.r_a = cairn_rotate(a->q, link->frame_a.p);
        center = a->x;
    }
    place.apart = cairn_sub(cairn_add(b->x, place.r_b), cairn_add(center, place.r_a));
    return place;
}

static bool simple(const cairn_link* link)
{
    return link->kind != CAIRN_GEAR && !link->limited && !link->driven &&
           link->stiffness + link->damping == 0.0;
}

static bool same(const cairn_linkage* kept, const cairn_span* span, const joint_key* keys)
{
    const cairn_island* island = span->island;
    return kept->body_count == island->body_count && kept->link_count == island->link_count &&
           memcmp(kept->bodies, span->group->bodies + island->body,
                  (size_t)island->body_count * sizeof(int)) == 0 &&
           memcmp(kept->keys, keys, (size_t)island->link_count * sizeof *keys) == 0;
}

static cairn_linkage* build(const cairn_span* span, const joint_key* keys)
{
    const cairn_island* island = span->island;
    cairn_linkage* kept = calloc(1, sizeof *kept);
    cairn_tree_constraint* constraints = calloc((size_t)island->link_count, sizeof *constraints);
    bool done = kept && constraints;
    if (done) {
        kept->body_count = island->body_count;
        kept->link_count = island->link_count;
        kept->bodies = malloc((size_t)island->body_count * sizeof(int));
        kept->keys = malloc((size_t)island->link_count * sizeof *keys);
        done = kept->bodies && kept->keys;
    }
    if (done) {
        memcpy(kept->bodies, span->group->bodies + island->body,
               (size_t)island->body_count * sizeof(int));
        memcpy(kept->keys, keys, (size_t)island->link_count * sizeof *keys);
        for (int i = 0; i < island->link_count; i++)
            constraints[i] = (cairn_tree_constraint){
                .body_a = keys[i].a == CAIRN_WORLD ? CAIRN_WORLD : span->group->local[keys[i].a],
                .body_b = span->group->local[keys[i].b],
                .row_count = keys[i].rows};
        cairn_tree_topology topology = cairn_default_tree_topology();
        topology.body_count = island->body_count;
        topology.constraint_count = island->link_count;
        topology.constraints = constraints;
        done = cairn_tree_create(&kept->tree, &topology, NULL) == CAIRN_OK;
    }
    free(constraints);
    if (!done && kept)
        destroy_one(kept);
    return done ? kept : NULL;
}

// whether every joint is an edge of the forest
static bool forest(const cairn_linkage* kept)
{
    for (int i = 0; i < kept->link_count; i++)
        if (!cairn_tree_is_primary(kept->tree, i))
            return false;
    return true;
}

// ---------------------------------------------------------------- numbers

// rows of all joints where they are now, and how many each has; false when one has none, or other
// rows than before
static bool place_rows(figure* tie)
{
    const cairn_span* span = tie->span;
    for (int i = 0; i < span->island->link_count; i++) {
        cairn_link* link = link_of(span, i);
        tie->places[i] = place_of(span->world, link);
        link->turns = tie->places[i].coordinate;
        int count = cairn_link_rows(tie->rows + 6 * (ptrdiff_t)i, link, &tie->places[i]);
        if (count == 0 || (tie->kept && count != tie->kept->keys[i].rows))
            return false;
        tie->keys[i] = (joint_key){link->a, link->b, count};
    }
    return true;
}

static void set_masses(const figure* tie)
{
    const cairn_span* span = tie->span;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        cairn_mat3 R = cairn_quat_to_mat3(body->q);
        double I[3] = {body->inertia.x, body->inertia.y, body->inertia.z}, M[36] = {0.0};
        const double r[3][3] = {
            {R.cx.x, R.cy.x, R.cz.x}, {R.cx.y, R.cy.y, R.cz.y}, {R.cx.z, R.cy.z, R.cz.z}};
        for (int k = 0; k < 3; k++)
            M[7 * k] = 1.0 / body->inverse_mass;
        for (int k = 0; k < 3; k++)
            for (int l = 0; l <= k; l++)
                M[6 * (3 + k) + 3 + l] =
                    r[k][0] * I[0] * r[l][0] + r[k][1] * I[1] * r[l][1] + r[k][2] * I[2] * r[l][2];
        cairn_tree_set_mass(tie->kept->tree, i, M);
    }
}

// factors the tree at the present rows; false when it cannot
static bool factor(const figure* tie)
{
    set_masses(tie);
    for (int i = 0; i < tie->kept->link_count; i++) {
        double a[36], b[36];
        for (int r = 0; r < tie->kept->keys[i].rows; r++) {
            const cairn_row* row = &tie->rows[6 * (ptrdiff_t)i + r];
            memcpy(a + 6 * (ptrdiff_t)r, row->a, sizeof row->a);
            memcpy(b + 6 * (ptrdiff_t)r, row->b, sizeof row->b);
        }
        cairn_tree_set_constraint(tie->kept->tree, i, a, b, NULL);
    }
    return cairn_tree_factor(tie->kept->tree) == 0;
}

// the velocity of a row with velocities v of all slots (6 each)
static double row_velocity(const cairn_row* row, const cairn_link* link, const double* v)
{
    double sum = 0.0;
    const double* b = v + 6 * (ptrdiff_t)link->b;
    for (int k = 0; k < 6; k++)
        sum += row->b[k] * b[k];
    if (link->a == CAIRN_WORLD)
        return sum;
    const double* a = v + 6 * (ptrdiff_t)link->a;
    for (int k = 0; k < 6; k++)
        sum += row->a[k] * a[k];
    return sum;
}

// ---------------------------------------------------------------- a figure

// the list of trees is common to all threads, a tree belongs to its island
static cairn_linkage* find_or_build(const cairn_span* span, const joint_key* keys)
{
    cairn_world* world = span->world;
    cairn_crew_lock(world->crew);
    cairn_linkage* kept = world->linkages;
    while (kept && !same(kept, span, keys))
        kept = kept->next;
    if (!kept && (kept = build(span, keys)) != NULL) {
        kept->next = world->linkages;
        world->linkages = kept;
    }
    if (kept)
        kept->used = world->step;
    cairn_crew_unlock(world->crew);
    return kept;
}

// finds or builds the tree of the island; false: not one for this file, or no memory
static bool begin(figure* tie, const cairn_span* span)
{
    cairn_arena* arena = span->arena;
    const cairn_island* island = span->island;
    *tie = (figure){.span = span};
    if (island->touch_count > 0 || island->link_count == 0)
        return false;
    for (int i = 0; i < island->link_count; i++)
        if (!simple(link_of(span, i)))
            return false;
    tie->rows = CAIRN_TAKE(arena, cairn_row, 6 * (size_t)island->link_count);
    tie->places = CAIRN_TAKE(arena, cairn_link_place, island->link_count);
    tie->keys = CAIRN_TAKE(arena, joint_key, island->link_count);
    if (arena->failed || !place_rows(tie))
        return false;
    tie->kept = find_or_build(span, tie->keys);
    if (!tie->kept)
        return false;
    tie->row_count = (int)cairn_tree_row_offset(tie->kept->tree, island->link_count);
    size_t bodies = 12 * (size_t)island->body_count, rows = 2 * (size_t)tie->row_count;
    tie->y = CAIRN_TAKE(arena, double, bodies);
    tie->c = CAIRN_TAKE(arena, double, rows);
    tie->lambda = CAIRN_TAKE(arena, double, rows);
    return !arena->failed && forest(tie->kept);
}

// v' = v* + M^-1 J^T λ of the bodies, afresh from the impulses, and the certificate of it
static void apply(const figure* tie, double* residual, double* scale)
{
    const cairn_span* span = tie->span;
    const cairn_tree* tree = tie->kept->tree;
    double* v = tie->y;
    memset(v, 0, 6 * (size_t)span->island->body_count * sizeof(double));
    for (int i = 0; i < span->island->link_count; i++) {
        cairn_link* link = link_of(span, i);
        const double* x = tie->lambda + cairn_tree_row_offset(tree, i);
        int a = link->a == CAIRN_WORLD ? -1 : span->group->local[link->a];
        int b = span->group->local[link->b];
        for (int r = 0; r < tie->kept->keys[i].rows; r++) {
            const cairn_row* row = &tie->rows[6 * (ptrdiff_t)i + r];
            for (int k = 0; k < 6 && a >= 0; k++)
                v[6 * (ptrdiff_t)a + k] += x[r] * row->a[k];
            for (int k = 0; k < 6 && b >= 0; k++)
                v[6 * (ptrdiff_t)b + k] += x[r] * row->b[k];
            link->warm[r] = x[r];
            cairn_link_add_impulse(link, row, x[r]);
        }
    }
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        double* m = v + 6 * (ptrdiff_t)i;
        cairn_vec3 w = cairn_mat3_apply(body->inverse_inertia, cairn_vec(m[3], m[4], m[5]));
        for (int k = 0; k < 3; k++)
            m[k] *= body->inverse_mass;
        m[3] = w.x;
        m[4] = w.y;
        m[5] = w.z;
    }
    // c holds what the rows miss without impulses
    *residual = *scale = 0.0;
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = link_of(span, i);
        const double* b = tie->c + cairn_tree_row_offset(tree, i);
        int places[2] = {link->a == CAIRN_WORLD ? -1 : span->group->local[link->a],
                         span->group->local[link->b]};
        double square = 0.0;
        for (int r = 0; r < tie->kept->keys[i].rows; r++) {
            const cairn_row* row = &tie->rows[6 * (ptrdiff_t)i + r];
            double sum = b[r];
            for (int k = 0; k < 6; k++) {
                sum += places[0] < 0 ? 0.0 : row->a[k] * v[6 * (ptrdiff_t)places[0] + k];
                sum += places[1] < 0 ? 0.0 : row->b[k] * v[6 * (ptrdiff_t)places[1] + k];
            }
            square += sum * sum;
            *scale = fmax(*scale, fabs(b[r]));
        }
        *residual = fmax(*residual, sqrt(square));
    }
    cairn_island_kick(span, v);
}

cairn_status cairn_linkage_solve(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    figure tie;
    bool midpoint = span->world->def.integrator == CAIRN_MIDPOINT;
    *solved = begin(&tie, span) && factor(&tie);
    if (!*solved)
        return span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    // y is the change of velocity: M y = J^T λ, J y + b = 0, b = J v* (+ J v)
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = link_of(span, i);
        double* b = tie.c + cairn_tree_row_offset(tie.kept->tree, i);
        for (int r = 0; r < tie.kept->keys[i].rows; r++) {
            const cairn_row* row = &tie.rows[6 * (ptrdiff_t)i + r];
            b[r] = row_velocity(row, link, span->free);
            if (midpoint)
                b[r] += cairn_link_velocity(row, span->world, link);
        }
    }
    cairn_tree_solve(tie.kept->tree, tie.y, tie.lambda, NULL, tie.c, 1);
    apply(&tie, &judged->residual, &judged->scale);
    return CAIRN_OK;
}

// the errors of position of all joints; returns the largest
static double errors(figure* tie)
{
    const cairn_span* span = tie->span;
    double worst = 0.0;
    for (int i = 0; i < span->island->link_count; i++) {
        double* C = tie->c + cairn_tree_row_offset(tie->kept->tree, i);
        int count = tie->kept->keys[i].rows;
        cairn_link_errors(C, link_of(span, i), &tie->places[i], tie->rows + 6 * (ptrdiff_t)i,
                          count);
        for (int r = 0; r < count; r++)
            worst = fmax(worst, fabs(C[r]));
    }
    return worst;
}

static void displace(const figure* tie)
{
    for (int i = 0; i < tie->span->island->body_count; i++)
        if (cairn_body_active(body_of(tie->span, i)))
            cairn_body_displace(body_of(tie->span, i), tie->y + 6 * (ptrdiff_t)i);
}

cairn_status cairn_linkage_stabilize(const cairn_span* span, bool* solved)
{
    figure tie;
    bool midpoint = span->world->def.integrator == CAIRN_MIDPOINT;
    *solved = begin(&tie, span) && factor(&tie);
    if (!*solved)
        return span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    double worst = errors(&tie);
    double* slow = tie.c + tie.row_count;
    for (int i = 0; i < span->island->link_count && midpoint; i++) {
        double* b = slow + cairn_tree_row_offset(tie.kept->tree, i);
        for (int r = 0; r < tie.kept->keys[i].rows; r++)
            b[r] =
                cairn_link_velocity(&tie.rows[6 * (ptrdiff_t)i + r], span->world, link_of(span, i));
    }
    cairn_tree_solve(tie.kept->tree, tie.y, tie.lambda, NULL, tie.c, midpoint ? 2 : 1);
    displace(&tie);
    for (int i = 0; i < span->island->link_count && midpoint; i++) {
        const double* x = tie.lambda + tie.row_count + cairn_tree_row_offset(tie.kept->tree, i);
        for (int r = 0; r < tie.kept->keys[i].rows; r++)
            cairn_link_add_impulse(link_of(span, i), &tie.rows[6 * (ptrdiff_t)i + r], x[r]);
    }
    for (int i = 0; i < span->island->body_count && midpoint; i++) {
        cairn_body* body = body_of(span, i);
        const double* d = tie.y + 6 * ((ptrdiff_t)span->island->body_count + i);
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_add(body->v, cairn_vec(d[0], d[1], d[2]));
        body->w = cairn_add(body->w, cairn_vec(d[3], d[4], d[5]));
    }
    for (int k = 1; k < most_projections && worst > coarse_error; k++) {
        // far off, the old factor leads nowhere
        bool far = worst > far_error;
        if (!place_rows(&tie) || (far && !factor(&tie)))
            break;
        worst = errors(&tie);
        cairn_tree_solve(tie.kept->tree, tie.y, NULL, NULL, tie.c, 1);
        displace(&tie);
    }
    return CAIRN_OK;
}
