// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of joints alone, without loops, limits, motors and springs: the linear-time solver
// (solve/tree.h) by itself. A substep factors twice:
//
//     where the rows are taken:    M v' = M v* + J^T λ,   J v' + c = 0,    c = J v at a midpoint
//     where the bodies come out:   M d  = J^T μ,   J d + C = 0   (positions)
//                                  M δ  = J^T ν,   J δ + J v' = 0   (velocities, after a midpoint)
//
// the last two with one factor, as two columns of one solve. When C was large the projection is
// repeated with the same factor. Bodies that are not active are the world: what they do by
// themselves belongs to c.
//
// Ball joints need no rows: J v = v_b + ω_b x r_b - v_a - ω_a x r_a, C = the gap between the
// points.

#include "solve/tree_input.h"
#include "world/linkage.h"
#include <string.h>

enum { most_projections = 6 };
static const double far_error = 5e-3;    // m: beyond it a projection needs a factor of its own
static const double coarse_error = 1e-4; // m: below it one Newton step leaves less than 1e-7 m

// a velocity, or a momentum
typedef struct twist {
    cairn_vec3 v, w;
} twist;

// a joint where it is now
typedef struct tie {
    cairn_link* link;
    int a, b, count;               // places, or -1; of its rows
    cairn_link_points ball;        // of a ball joint
    const cairn_link_place* place; // of others
    const cairn_row* rows;
} tie;

// the island under way
typedef struct figure {
    const cairn_span* span;
    cairn_linkage* kept;
    tie* ties;
    cairn_link_place* places;
    cairn_row* rows; // 6 for each joint
    int row_count;
    twist* y;           // two columns
    double *c, *lambda; // likewise
} figure;

static cairn_link* link_of(const cairn_span* span, int i)
{
    return &span->world->links[span->group->links[span->island->link + i]];
}

static cairn_body* body_of(const cairn_span* span, int i)
{
    return &span->world->bodies[span->group->bodies[span->island->body + i]];
}

static bool simple(const cairn_link* link)
{
    return link->kind != CAIRN_GEAR && !link->limited && !link->driven &&
           link->stiffness + link->damping == 0.0;
}

// ---------------------------------------------------------------- a joint

// where joint i is; returns how many rows it has
static int place_tie(figure* all, int i)
{
    tie* t = &all->ties[i];
    const cairn_world* world = all->span->world;
    if (t->link->kind == CAIRN_BALL) {
        t->ball = cairn_link_points_of(world, t->link);
        return t->count = 3;
    }
    cairn_link_place* place = &all->places[i];
    cairn_row* rows = all->rows + 6 * (ptrdiff_t)i;
    *place = cairn_link_where(world, t->link);
    t->link->turns = place->coordinate;
    t->count = cairn_link_rows(rows, t->link, place);
    t->place = place;
    t->rows = rows;
    return t->count;
}

static cairn_vec3 point_velocity(const twist* x, cairn_vec3 r)
{
    return cairn_add(x->v, cairn_cross(x->w, r));
}

static double half_row(const double* row, const twist* x)
{
    return row[0] * x->v.x + row[1] * x->v.y + row[2] * x->v.z + row[3] * x->w.x + row[4] * x->w.y +
           row[5] * x->w.z;
}

// u += J x; NULL: a body that does not move
static void add_velocity(double* u, const tie* t, const twist* a, const twist* b)
{
    if (t->link->kind == CAIRN_BALL) {
        cairn_vec3 sum = cairn_vec(u[0], u[1], u[2]);
        if (b)
            sum = cairn_add(sum, point_velocity(b, t->ball.r_b));
        if (a)
            sum = cairn_sub(sum, point_velocity(a, t->ball.r_a));
        u[0] = sum.x;
        u[1] = sum.y;
        u[2] = sum.z;
        return;
    }
    for (int r = 0; r < t->count; r++)
        u[r] += (b ? half_row(t->rows[r].b, b) : 0.0) + (a ? half_row(t->rows[r].a, a) : 0.0);
}

static void add_half_row(twist* x, const double* row, double lambda)
{
    x->v = cairn_add_scaled(x->v, lambda, cairn_vec(row[0], row[1], row[2]));
    x->w = cairn_add_scaled(x->w, lambda, cairn_vec(row[3], row[4], row[5]));
}

// x += J^T λ
static void add_momentum(twist* a, twist* b, const tie* t, const double* lambda)
{
    if (t->link->kind == CAIRN_BALL) {
        cairn_vec3 P = cairn_vec(lambda[0], lambda[1], lambda[2]);
        if (b)
            *b = (twist){cairn_add(b->v, P), cairn_add(b->w, cairn_cross(t->ball.r_b, P))};
        if (a)
            *a = (twist){cairn_sub(a->v, P), cairn_sub(a->w, cairn_cross(t->ball.r_a, P))};
        return;
    }
    for (int r = 0; r < t->count; r++) {
        if (b)
            add_half_row(b, t->rows[r].b, lambda[r]);
        if (a)
            add_half_row(a, t->rows[r].a, lambda[r]);
    }
}

// what the user sees of a joint
static void add_reaction(const tie* t, const double* lambda)
{
    twist seen = {t->link->impulse, t->link->twist};
    add_momentum(NULL, &seen, t, lambda);
    t->link->impulse = seen.v;
    t->link->twist = seen.w;
}

// ---------------------------------------------------------------- all joints

// where all joints are now; false when one has no rows, or others than before
static bool place_ties(figure* all)
{
    for (int i = 0; i < all->span->island->link_count; i++) {
        int count = place_tie(all, i);
        if (count == 0 || (all->kept && count != all->kept->keys[i].rows))
            return false;
    }
    return true;
}

// factors the tree where the bodies are; false when it cannot
static bool factor(const figure* all)
{
    cairn_tree* tree = all->kept->tree;
    for (int i = 0; i < all->kept->body_count; i++) {
        const cairn_body* body = body_of(all->span, i);
        cairn_tree_put_body(tree, i, 1.0 / body->inverse_mass,
                            cairn_principal_tensor(body->q, body->inertia));
    }
    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        double a[36], b[36];
        if (t->link->kind == CAIRN_BALL) {
            cairn_tree_put_ball(tree, i, t->ball.r_a, t->ball.r_b);
            continue;
        }
        for (int r = 0; r < t->count; r++) {
            memcpy(a + 6 * (ptrdiff_t)r, t->rows[r].a, sizeof t->rows[r].a);
            memcpy(b + 6 * (ptrdiff_t)r, t->rows[r].b, sizeof t->rows[r].b);
        }
        cairn_tree_set_constraint(tree, i, a, b, NULL);
    }
    return cairn_tree_factor(tree) == 0;
}

// finds or builds the tree of the island; false: not one for this file, or no memory
static bool begin(figure* all, const cairn_span* span)
{
    cairn_arena* arena = span->arena;
    const cairn_island* island = span->island;
    size_t bodies = (size_t)island->body_count, links = (size_t)island->link_count;
    *all = (figure){.span = span};
    if (island->touch_count > 0 || links == 0)
        return false;
    for (int i = 0; i < island->link_count; i++)
        if (!simple(link_of(span, i)))
            return false;
    for (int i = 0; i < island->body_count; i++)
        if (!cairn_body_active(body_of(span, i)))
            return false;
    cairn_joint_key* keys = CAIRN_TAKE(arena, cairn_joint_key, links);
    all->ties = CAIRN_TAKE(arena, tie, links);
    all->places = CAIRN_TAKE(arena, cairn_link_place, links);
    all->rows = CAIRN_TAKE(arena, cairn_row, 6 * links);
    if (arena->failed)
        return false;
    for (int i = 0; i < island->link_count; i++) {
        cairn_link* link = link_of(span, i);
        int a = link->a == CAIRN_WORLD ? -1 : span->group->local[link->a];
        all->ties[i] = (tie){.link = link, .a = a, .b = span->group->local[link->b]};
    }
    if (!place_ties(all))
        return false;
    for (int i = 0; i < island->link_count; i++)
        keys[i] = (cairn_joint_key){all->ties[i].link->a, all->ties[i].link->b, all->ties[i].count};
    all->kept = cairn_linkage_find(span, keys);
    if (!all->kept || !all->kept->forest)
        return false;
    all->row_count = (int)cairn_tree_row_offset(all->kept->tree, island->link_count);
    all->y = CAIRN_TAKE(arena, twist, 2 * bodies);
    all->c = CAIRN_TAKE_ZEROED(arena, double, 2 * (size_t)all->row_count);
    all->lambda = CAIRN_TAKE(arena, double, 2 * (size_t)all->row_count);
    return !arena->failed;
}

// the numbers of joint i in a column of rows
static double* at(const figure* all, double* column, int i)
{
    return column + cairn_tree_row_offset(all->kept->tree, i);
}

// the twist of a place in a column of bodies
static twist* in(twist* column, int place)
{
    return place < 0 ? NULL : column + place;
}

// the errors of position of all joints; returns the largest
static double errors(figure* all)
{
    double worst = 0.0;
    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        double* C = at(all, all->c, i);
        if (t->link->kind == CAIRN_BALL)
            memcpy(C, &t->ball.apart, sizeof t->ball.apart);
        else
            cairn_link_errors(C, t->link, t->place, t->rows, t->count);
        for (int r = 0; r < t->count; r++)
            worst = fmax(worst, fabs(C[r]));
    }
    return worst;
}

// ---------------------------------------------------------------- velocities

// b = J v* (+ J v), and Baumgarte's term, of all joints
static void rows_miss(figure* all)
{
    const cairn_world* world = all->span->world;
    bool midpoint = cairn_links_workless(world);
    double back = cairn_link_return(world, all->span->h);
    if (back > 0.0)
        errors(all);
    for (int r = 0; r < all->row_count; r++)
        all->c[r] *= back;
    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        const int slots[2] = {t->link->a, t->link->b};
        twist sum[2];
        for (int side = 0; side < 2; side++) {
            if (slots[side] == CAIRN_WORLD)
                continue;
            const cairn_body* body = &world->bodies[slots[side]];
            const double* v = all->span->free + 6 * (ptrdiff_t)slots[side];
            sum[side] = (twist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
            if (midpoint)
                sum[side] =
                    (twist){cairn_add(sum[side].v, body->v), cairn_add(sum[side].w, body->w)};
        }
        add_velocity(at(all, all->c, i), t, slots[0] == CAIRN_WORLD ? NULL : &sum[0], &sum[1]);
    }
}

// v' = v* + M^-1 J^T λ of the bodies, afresh from the impulses, and the certificate of it
static void apply(const figure* all, cairn_judged* judged)
{
    const cairn_span* span = all->span;
    twist* change = all->y;
    memset(change, 0, (size_t)span->island->body_count * sizeof *change);
    for (int i = 0; i < span->island->link_count; i++) {
        const tie* t = &all->ties[i];
        const double* x = at(all, all->lambda, i);
        add_momentum(in(change, t->a), in(change, t->b), t, x);
        memcpy(t->link->warm, x, (size_t)t->count * sizeof *x);
        add_reaction(t, x);
    }
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        change[i] = (twist){cairn_scale(body->inverse_mass, change[i].v),
                            cairn_mat3_apply(body->inverse_inertia, change[i].w)};
    }
    // c holds what the rows miss without impulses
    for (int i = 0; i < span->island->link_count; i++) {
        const tie* t = &all->ties[i];
        double* u = at(all, all->c, i);
        double square = 0.0;
        for (int r = 0; r < t->count; r++)
            judged->scale = fmax(judged->scale, fabs(u[r]));
        add_velocity(u, t, in(change, t->a), in(change, t->b));
        for (int r = 0; r < t->count; r++)
            square += u[r] * u[r];
        judged->residual = fmax(judged->residual, square);
    }
    judged->residual = sqrt(judged->residual);
    cairn_island_kick(span, &change->v.x);
}

cairn_status cairn_linkage_solve(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    figure all;
    *judged = (cairn_judged){0};
    *solved = begin(&all, span) && factor(&all);
    if (!*solved)
        return span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    // y is the change of velocity: M y = J^T λ, J y + b = 0
    rows_miss(&all);
    cairn_tree_solve(all.kept->tree, &all.y->v.x, all.lambda, NULL, all.c, 1);
    apply(&all, judged);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- positions

static void displace(const figure* all)
{
    for (int i = 0; i < all->span->island->body_count; i++)
        cairn_body_displace(body_of(all->span, i), &all->y[i].v.x);
}

// J v of all joints, the second column
static void rates(const figure* all)
{
    const cairn_world* world = all->span->world;
    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        const cairn_body* b = &world->bodies[t->link->b];
        twist v_a, v_b = {b->v, b->w};
        if (t->link->a != CAIRN_WORLD)
            v_a = (twist){world->bodies[t->link->a].v, world->bodies[t->link->a].w};
        add_velocity(at(all, all->c + all->row_count, i), t,
                     t->link->a == CAIRN_WORLD ? NULL : &v_a, &v_b);
    }
}

// takes the velocity across the joints away, as the second column has found it
static void keep_on(const figure* all)
{
    const twist* change = all->y + all->span->island->body_count;
    for (int i = 0; i < all->kept->link_count; i++)
        add_reaction(&all->ties[i], at(all, all->lambda + all->row_count, i));
    for (int i = 0; i < all->span->island->body_count; i++) {
        cairn_body* body = body_of(all->span, i);
        body->v = cairn_add(body->v, change[i].v);
        body->w = cairn_add(body->w, change[i].w);
    }
}

cairn_status cairn_linkage_stabilize(const cairn_span* span, bool* solved)
{
    figure all;
    bool midpoint = span->world->def.integrator == CAIRN_MIDPOINT;
    *solved = begin(&all, span) && factor(&all);
    if (!*solved)
        return span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    double worst = errors(&all);
    if (midpoint)
        rates(&all);
    cairn_tree_solve(all.kept->tree, &all.y->v.x, all.lambda, NULL, all.c, midpoint ? 2 : 1);
    displace(&all);
    if (midpoint)
        keep_on(&all);
    for (int k = 1; k < most_projections && worst > coarse_error; k++) {
        // far off, the old factor leads nowhere
        bool far = worst > far_error;
        if (!place_ties(&all) || (far && !factor(&all)))
            break;
        worst = errors(&all);
        cairn_tree_solve(all.kept->tree, &all.y->v.x, NULL, NULL, all.c, 1);
        displace(&all);
    }
    return CAIRN_OK;
}
