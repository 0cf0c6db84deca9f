// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of joints alone, without loops, limits, motors and springs: the linear-time solver
// (solve/tree.h, solve/ball_tree.h) by itself. A substep factors twice:
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

#include "problem/natural_map.h"
#include "solve/tree/tree_input.h"
#include "world/step/linkage.h"
#include <string.h>

enum { most_projections = 6 };
static const double far_error = 5e-3;    // m: beyond it a projection needs a factor of its own
static const double coarse_error = 1e-4; // m: below it one Newton step leaves less than 1e-7 m

// a velocity, or a momentum
typedef struct twist {
    cairn_vec3 v, w;
} twist;

// the place and the rows of a joint that is not a ball joint
typedef struct other_joint {
    cairn_link_place place;
    cairn_row rows[6];
} other_joint;

// a joint where it is now
typedef struct tie {
    cairn_link* link;
    int a, b, count; // places, or -1; of its rows
    union {
        cairn_link_points ball; // of a ball joint
        other_joint* other;
    };
} tie;

// the island under way
typedef struct figure {
    const cairn_span* span;
    cairn_linkage* kept;
    tie* ties;
    int width;              // columns of a solve, side by side in these:
    double *y, *c, *lambda; // six numbers for each body; one for each row
    bool no_memory;         // for the tree
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
    return !cairn_joint_is_gear(link->kind) && !link->limited && !link->driven &&
           link->stiffness + link->damping == 0.0;
}

// ---------------------------------------------------------------- a joint

// where joint i is; returns how many rows it has
static int place_tie(figure* all, int i)
{
    tie* t = &all->ties[i];
    const cairn_world* world = all->span->world;
    if (t->link->kind == CAIRN_JOINT_BALL) {
        t->ball = cairn_link_points_of(world, t->link);
        return t->count = 3;
    }
    t->other->place = cairn_link_where(world, t->link);
    t->link->turns = t->other->place.coordinate;
    t->count = cairn_link_rows(t->other->rows, t->link, &t->other->place);
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
    if (t->link->kind == CAIRN_JOINT_BALL) {
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
        u[r] += (b ? half_row(t->other->rows[r].b, b) : 0.0) +
                (a ? half_row(t->other->rows[r].a, a) : 0.0);
}

static void add_half_row(twist* x, const double* row, double lambda)
{
    x->v = cairn_add_scaled(x->v, lambda, cairn_vec(row[0], row[1], row[2]));
    x->w = cairn_add_scaled(x->w, lambda, cairn_vec(row[3], row[4], row[5]));
}

// x += J^T λ
static void add_momentum(twist* a, twist* b, const tie* t, const double* lambda)
{
    if (t->link->kind == CAIRN_JOINT_BALL) {
        cairn_vec3 P = cairn_vec(lambda[0], lambda[1], lambda[2]);
        if (b)
            *b = (twist){cairn_add(b->v, P), cairn_add(b->w, cairn_cross(t->ball.r_b, P))};
        if (a)
            *a = (twist){cairn_sub(a->v, P), cairn_sub(a->w, cairn_cross(t->ball.r_a, P))};
        return;
    }

    for (int r = 0; r < t->count; r++) {
        if (b)
            add_half_row(b, t->other->rows[r].b, lambda[r]);
        if (a)
            add_half_row(a, t->other->rows[r].a, lambda[r]);
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

static bool factor_balls(const figure* all)
{
    cairn_ball_tree* balls = &all->kept->balls;
    for (int i = 0; i < all->kept->body_count; i++) {
        const cairn_body* body = body_of(all->span, i);
        cairn_ball_tree_put_body(balls, i, 1.0 / body->inverse_mass,
                                 cairn_principal_tensor(body->q, body->inertia));
    }
    for (int i = 0; i < all->kept->link_count; i++)
        cairn_ball_tree_put_joint(balls, i, all->ties[i].ball.r_a, all->ties[i].ball.r_b);
    return cairn_ball_tree_factor(balls);
}

// factors the tree where the bodies are; false when it cannot
static bool factor(const figure* all)
{
    cairn_tree* tree = all->kept->tree;
    if (!tree)
        return factor_balls(all);

    for (int i = 0; i < all->kept->body_count; i++) {
        const cairn_body* body = body_of(all->span, i);
        cairn_tree_put_body(tree, i, 1.0 / body->inverse_mass,
                            cairn_principal_tensor(body->q, body->inertia));
    }

    // ball joints need their arms alone, other joints their rows
    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        double a[36], b[36];
        if (t->link->kind == CAIRN_JOINT_BALL) {
            cairn_tree_put_ball(tree, i, t->ball.r_a, t->ball.r_b);
            continue;
        }
        for (int r = 0; r < t->count; r++) {
            memcpy(a + 6 * (ptrdiff_t)r, t->other->rows[r].a, sizeof t->other->rows[r].a);
            memcpy(b + 6 * (ptrdiff_t)r, t->other->rows[r].b, sizeof t->other->rows[r].b);
        }
        cairn_tree_set_constraint(tree, i, a, b, NULL);
    }

    return cairn_tree_factor(tree) == 0;
}

// M y = J^T λ, J y + c = 0 for all columns; `multipliers` tells whether λ is wanted
static void solve(const figure* all, bool multipliers)
{
    double* lambda = multipliers ? all->lambda : NULL;
    if (!all->kept->tree)
        cairn_ball_tree_solve(&all->kept->balls, all->y, lambda, all->c, all->width);
    else if (all->width == 2)
        cairn_tree_solve_pair(all->kept->tree, all->y, lambda, all->c);
    else
        cairn_tree_solve(all->kept->tree, NULL, all->c, 1, all->y, lambda);
}

// the first row of a joint
static ptrdiff_t row_of(const cairn_linkage* kept, int joint)
{
    return kept->tree ? cairn_tree_row_offset(kept->tree, joint) : 3 * (ptrdiff_t)joint;
}

// finds or builds the tree of the island, for solves of up to `width` columns; false: not one for
// this file, or no memory
static bool begin(figure* all, const cairn_span* span, int width)
{
    cairn_arena* arena = span->arena;
    const cairn_island* island = span->island;
    size_t bodies = (size_t)island->body_count, links = (size_t)island->link_count, others = 0;
    *all = (figure){.span = span, .width = width};

    if (island->touch_count > 0 || links == 0)
        return false;
    for (int i = 0; i < island->link_count; i++) {
        if (!simple(link_of(span, i)))
            return false;
        others += link_of(span, i)->kind != CAIRN_JOINT_BALL;
    }
    for (int i = 0; i < island->body_count; i++)
        if (!cairn_body_active(body_of(span, i)))
            return false;

    cairn_joint_key* keys = CAIRN_TAKE(arena, cairn_joint_key, links);
    all->ties = CAIRN_TAKE(arena, tie, links);
    other_joint* other = CAIRN_TAKE(arena, other_joint, others);
    if (arena->failed)
        return false;

    for (int i = 0; i < island->link_count; i++) {
        cairn_link* link = link_of(span, i);
        int a = link->a == CAIRN_WORLD_BODY ? -1 : span->group->local[link->a];
        all->ties[i] = (tie){.link = link, .a = a, .b = span->group->local[link->b]};
        if (link->kind != CAIRN_JOINT_BALL)
            all->ties[i].other = other++;
    }
    if (!place_ties(all))
        return false;

    // the tree of a former step serves if its bodies and joints are the same
    for (int i = 0; i < island->link_count; i++)
        keys[i] = (cairn_joint_key){all->ties[i].link->a, all->ties[i].link->b,
                                    (int16_t)all->ties[i].count, (int16_t)all->ties[i].link->kind};
    all->kept = cairn_linkage_find(span, keys);
    all->no_memory = !all->kept;
    if (!all->kept || !all->kept->forest)
        return false;

    size_t rows = (size_t)(width * row_of(all->kept, island->link_count));
    all->y = CAIRN_TAKE(arena, double, 6 * (size_t)width * bodies);
    all->c = CAIRN_TAKE(arena, double, rows);
    all->lambda = CAIRN_TAKE(arena, double, rows);
    return !arena->failed;
}

// the numbers of joint i in a column of rows, to and from a place of their own
static void put(const figure* all, int i, int column, const double* u)
{
    double* to = all->c + all->width * row_of(all->kept, i) + column;
    for (int r = 0; r < all->ties[i].count; r++)
        to[all->width * r] = u[r];
}

static void get(double* u, const figure* all, const double* rows, int i, int column)
{
    rows += all->width * row_of(all->kept, i) + column;
    for (int r = 0; r < all->ties[i].count; r++)
        u[r] = rows[all->width * r];
}

// the twist of body i in a column of bodies
static twist change_of(const figure* all, int i, int column)
{
    const double* y = all->y + 6 * all->width * (ptrdiff_t)i + column;
    const int w = all->width;
    return (twist){{y[0], y[w], y[2 * w]}, {y[3 * w], y[4 * w], y[5 * w]}};
}

// the twist of a place
static twist* in(twist* bodies, int place)
{
    return place < 0 ? NULL : bodies + place;
}

// the errors of position of joint i
static void error_of(double* C, const tie* t)
{
    if (t->link->kind == CAIRN_JOINT_BALL)
        memcpy(C, &t->ball.apart, sizeof t->ball.apart);
    else
        cairn_link_errors(C, t->link, &t->other->place, t->other->rows, t->count);
}

// those of all joints, the first column; returns the largest
static double errors(const figure* all)
{
    double worst = 0.0;
    for (int i = 0; i < all->kept->link_count; i++) {
        double C[6];
        error_of(C, &all->ties[i]);
        put(all, i, 0, C);
        for (int r = 0; r < all->ties[i].count; r++)
            worst = fabs(C[r]) > worst ? fabs(C[r]) : worst;
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

    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        const int slots[2] = {t->link->a, t->link->b};
        twist sum[2];
        double b[6] = {0.0};
        if (back > 0.0)
            error_of(b, t);
        for (int r = 0; r < t->count; r++)
            b[r] *= back;

        // the velocities of the kick; a midpoint adds those before it
        for (int side = 0; side < 2; side++) {
            if (slots[side] == CAIRN_WORLD_BODY)
                continue;
            const cairn_body* body = &world->bodies[slots[side]];
            const double* v = all->span->free + 6 * (ptrdiff_t)slots[side];
            sum[side] = (twist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
            if (midpoint)
                sum[side] =
                    (twist){cairn_add(sum[side].v, body->v), cairn_add(sum[side].w, body->w)};
        }

        add_velocity(b, t, slots[0] == CAIRN_WORLD_BODY ? NULL : &sum[0], &sum[1]);
        put(all, i, 0, b);
    }
}

// v' = v* + M^-1 J^T λ of the bodies, afresh from the impulses, and the certificate of it
static void apply(const figure* all, cairn_judged* judged)
{
    const cairn_span* span = all->span;
    twist* change = (twist*)all->y;
    memset(change, 0, (size_t)span->island->body_count * sizeof *change);

    for (int i = 0; i < span->island->link_count; i++) {
        const tie* t = &all->ties[i];
        double x[6];
        get(x, all, all->lambda, i, 0);
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
        double u[6], square = 0.0;
        get(u, all, all->c, i, 0);
        for (int r = 0; r < t->count; r++)
            judged->scale = fmax(judged->scale, fabs(u[r]));
        add_velocity(u, t, in(change, t->a), in(change, t->b));
        for (int r = 0; r < t->count; r++)
            square += u[r] * u[r];
        judged->residual = cairn_worst(judged->residual, square);
    }

    judged->residual = sqrt(judged->residual);
    cairn_island_kick(span, &change->v.x);
}

cairn_status cairn_linkage_solve(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    figure all;
    *judged = (cairn_judged){0};
    *solved = begin(&all, span, 1) && factor(&all);
    if (!*solved)
        return all.no_memory || span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    // y is the change of velocity: M y = J^T λ, J y + b = 0
    rows_miss(&all);
    solve(&all, true);
    apply(&all, judged);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- positions

static void displace(const figure* all)
{
    for (int i = 0; i < all->span->island->body_count; i++) {
        twist d = change_of(all, i, 0);
        cairn_body_displace(body_of(all->span, i), &d.v.x);
    }
}

// J v of all joints, the second column
static void rates(const figure* all)
{
    const cairn_world* world = all->span->world;
    for (int i = 0; i < all->kept->link_count; i++) {
        const tie* t = &all->ties[i];
        const cairn_body* b = &world->bodies[t->link->b];
        twist v_a, v_b = {b->v, b->w};
        if (t->link->a != CAIRN_WORLD_BODY)
            v_a = (twist){world->bodies[t->link->a].v, world->bodies[t->link->a].w};
        double u[6] = {0.0};
        add_velocity(u, t, t->link->a == CAIRN_WORLD_BODY ? NULL : &v_a, &v_b);
        put(all, i, 1, u);
    }
}

// takes the velocity across the joints away, as the second column has found it
static void keep_on(const figure* all)
{
    for (int i = 0; i < all->kept->link_count; i++) {
        double x[6];
        get(x, all, all->lambda, i, 1);
        add_reaction(&all->ties[i], x);
    }
    for (int i = 0; i < all->span->island->body_count; i++) {
        cairn_body* body = body_of(all->span, i);
        twist change = change_of(all, i, 1);
        body->v = cairn_add(body->v, change.v);
        body->w = cairn_add(body->w, change.w);
    }
}

cairn_status cairn_linkage_stabilize(const cairn_span* span, bool* solved)
{
    figure all;
    bool midpoint = span->world->def.integrator == CAIRN_INTEGRATOR_MOREAU;
    *solved = begin(&all, span, midpoint ? 2 : 1) && factor(&all);
    if (!*solved)
        return all.no_memory || span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;

    double worst = errors(&all);
    if (midpoint)
        rates(&all);
    solve(&all, midpoint);
    displace(&all);
    if (midpoint)
        keep_on(&all);
    all.width = 1;

    // Newton's method on positions, with the factor of the start while the error is small
    for (int k = 1; k < most_projections && worst > coarse_error; k++) {
        // far from closed, the old factor does not converge
        bool far = worst > far_error;
        if (!place_ties(&all) || (far && !factor(&all)))
            break;
        worst = errors(&all);
        solve(&all, false);
        displace(&all);
    }
    return CAIRN_OK;
}
