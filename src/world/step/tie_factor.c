// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The linear system of an island without contacts,
//
//     M y = J^T λ,     J y + E λ + c = 0,
//
// with M the masses of a kick (damping included) and E the compliance of springs and dampers. A
// forest of joints is eliminated in linear time (solve/tree), ball joints alone faster still.
// Joints that close loops may repeat each other: then A = J M^-1 J^T + E is factored as it stands,
//
//     A + ε diag(A) = L D L^T,     pivots below ε/2 A_ii left out,     ε = 1e-8,
//
// and the solution is refined against A: a proximal point iteration, which leads to the impulses of
// least norm among those that fit. Many rows of loops go to the sparse factor of
// solve/tree/loops.h, which does the same.

#include "solve/tree/tree_input.h"
#include "world/step/leapfrog.h"
#include <cairn/joint.h>
#include <string.h>

enum { few_rows = 90 };
static const double shift = 1e-8;

// iterations of a solve by an old factor: a new one takes the time of 15, and as many as it saves
enum { patience = 24 };

struct cairn_loop_factor {
    cairn_row* rows;
    int (*bodies)[2]; // of each row: movers, or -1
    double* compliance;

    // few rows: A by rows, of which columns lo_i .. i may be other than zero
    double *A, *L, *D, *x;
    int* lo;

    // many: the sparse factor
    cairn_loops* net;
    bool begun; ///< it has forgotten earlier steps
    bool stale; ///< it has not seen the present rows
    cairn_mass* masses;
};

// ---------------------------------------------------------------- masses

// x / (1 - e^-x)
static double thicken(double x)
{
    return x < 1e-4 ? 1.0 + x / 2.0 + x * x / 12.0 : x / (1.0 - cairn_exp(-x));
}

static const cairn_drag undamped = {1.0, 1.0, 1.0, 1.0};

cairn_drag cairn_mover_drag(const cairn_flight* all, int i)
{
    return all->drags ? all->drags[i] : undamped;
}

static cairn_drag drag_of(const cairn_body* body, double eta)
{
    double x = eta * body->linear_damping, y = eta * body->angular_damping;
    return (cairn_drag){cairn_exp(-x), cairn_exp(-y), thicken(x), thicken(y)};
}

void cairn_flight_weigh(cairn_flight* all, double eta)
{
    if (all->drags && eta != all->eta)
        all->factored = all->weighed = false;
    all->eta = eta;

    if (all->weighed)
        return;
    all->weighed = true;

    // M = φ M_0 with the damping of the kick
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];
        if (all->drags)
            all->drags[i] = drag_of(mover->body, eta);
        cairn_drag drag = cairn_mover_drag(all, i);
        cairn_vec3 I = cairn_scale(drag.phi_w, mover->moments);
        mover->inverse_mass = mover->body->inverse_mass / drag.phi_v;
        mover->inverse_inertia =
            cairn_principal_tensor(mover->at.q, cairn_vec(1.0 / I.x, 1.0 / I.y, 1.0 / I.z));
    }
}

static double mass_of(const cairn_flight* all, int i)
{
    return cairn_mover_drag(all, i).phi_v / all->movers[i].body->inverse_mass;
}

static cairn_mat3 inertia_of(const cairn_flight* all, int i)
{
    const cairn_mover* mover = &all->movers[i];
    return cairn_principal_tensor(mover->at.q,
                                  cairn_scale(cairn_mover_drag(all, i).phi_w, mover->moments));
}

// ---------------------------------------------------------------- forests

static bool factor_balls(cairn_flight* all)
{
    cairn_ball_tree* balls = &all->kept->balls;
    if (all->factored)
        return true;
    for (int i = 0; i < all->body_count; i++)
        cairn_ball_tree_put_body(balls, i, mass_of(all, i), inertia_of(all, i));
    for (int i = 0; i < all->link_count; i++)
        cairn_ball_tree_put_joint(balls, i, all->ties[i].r_a, all->ties[i].r_b);
    return cairn_ball_tree_factor(balls);
}

// compliance of the free row; a row that is off answers to nothing
static double wanted_compliance(const cairn_tie_more* more)
{
    return more->free.mode == CAIRN_FREE_OFF      ? 1.0
           : more->free.mode == CAIRN_FREE_SPRING ? more->free.soft
                                                  : 0.0;
}

static bool free_row_changed(const cairn_tie* tie)
{
    const cairn_tie_more* more = tie->more;
    return more && more->extra &&
           (more->on != (more->free.mode != CAIRN_FREE_OFF) ||
            more->compliance != wanted_compliance(more));
}

static void note_free_row(cairn_tie* tie)
{
    if (!tie->more || !tie->more->extra)
        return;
    tie->more->on = tie->more->free.mode != CAIRN_FREE_OFF;
    tie->more->compliance = wanted_compliance(tie->more);
}

static void put_rows(cairn_tree* tree, int i, const cairn_tie* tie)
{
    double a[36] = {0.0}, b[36] = {0.0}, E[6];
    const cairn_tie_more* more = tie->more;
    for (int r = 0; r < tie->width; r++) {
        bool is_free = r >= more->count;
        E[r] = is_free ? more->compliance : more->blank ? 1.0 : 0.0;
        if (is_free && !more->on)
            continue;
        memcpy(a + 6 * (ptrdiff_t)r, more->rows[r].a, sizeof more->rows[r].a);
        memcpy(b + 6 * (ptrdiff_t)r, more->rows[r].b, sizeof more->rows[r].b);
    }
    cairn_tree_set_constraint(tree, i, a, b, E);
}

// 0, or as cairn_tree_factor
static int factor_tree(cairn_flight* all)
{
    cairn_tree* tree = all->kept->tree;
    bool changed = !all->factored;

    for (int i = 0; i < all->body_count && !all->factored; i++)
        cairn_tree_put_body(tree, i, mass_of(all, i), inertia_of(all, i));

    // only joints whose free row came or went are put again
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        if (all->factored && !free_row_changed(tie))
            continue;
        changed = true;
        note_free_row(tie);
        if (tie->more)
            put_rows(tree, i, tie);
        else
            cairn_tree_put_ball(tree, i, tie->r_a, tie->r_b);
    }

    return changed ? cairn_tree_factor(tree) : 0;
}

// ---------------------------------------------------------------- loops

static bool make_loops(cairn_flight* all)
{
    cairn_arena* arena = all->span->arena;
    size_t n = (size_t)all->row_count;
    cairn_loop_factor* loops = CAIRN_TAKE(arena, cairn_loop_factor, 1);
    if (!loops)
        return false;

    *loops = (cairn_loop_factor){.rows = CAIRN_TAKE(arena, cairn_row, n),
                                 .compliance = CAIRN_TAKE_ZEROED(arena, double, n)};
    loops->bodies = cairn_arena_take(arena, n * sizeof *loops->bodies);

    // many rows need the sparse factor, few the dense one
    if (all->row_count > few_rows) {
        loops->masses = CAIRN_TAKE(arena, cairn_mass, all->body_count);
        loops->net = cairn_linkage_net(all->kept, all->span);
        all->no_memory = all->no_memory || !loops->net;
    } else {
        loops->A = CAIRN_TAKE(arena, double, n* n);
        loops->L = CAIRN_TAKE(arena, double, n* n);
        loops->D = CAIRN_TAKE(arena, double, n);
        loops->x = CAIRN_TAKE(arena, double, n);
        loops->lo = CAIRN_TAKE(arena, int, n);
    }

    all->loops = arena->failed || all->no_memory ? NULL : loops;
    return all->loops != NULL;
}

static void gather_rows(cairn_flight* all)
{
    cairn_loop_factor* loops = all->loops;
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        cairn_row* rows = loops->rows + tie->first;
        note_free_row(tie);
        if (tie->more)
            memcpy(rows, tie->more->rows, (size_t)tie->width * sizeof *rows);
        else
            cairn_ball_rows(tie->r_a, tie->r_b, rows);

        // a free row that is not part of the factor is blank
        if (tie->more && tie->more->extra && !tie->more->on)
            rows[tie->more->count] = (cairn_row){{0.0}, {0.0}};

        for (int r = 0; r < tie->width; r++) {
            loops->bodies[tie->first + r][0] = tie->a;
            loops->bodies[tie->first + r][1] = tie->b;
            if (tie->more)
                loops->compliance[tie->first + r] = r >= tie->more->count ? tie->more->compliance
                                                    : tie->more->blank    ? 1.0
                                                                          : 0.0;
        }
    }
}

// J_i M^-1 J_j^T of two rows, through the bodies that they share
static double coupling(const cairn_flight* all, int i, int j)
{
    const cairn_loop_factor* loops = all->loops;
    double sum = 0.0;

    for (int s = 0; s < 2; s++) {
        int body = loops->bodies[i][s];
        for (int t = 0; t < 2 && body >= 0; t++) {
            if (loops->bodies[j][t] != body)
                continue;

            const double* x = s ? loops->rows[i].b : loops->rows[i].a;
            const double* y = t ? loops->rows[j].b : loops->rows[j].a;
            const cairn_mover* mover = &all->movers[body];
            cairn_vec3 turned =
                cairn_mat3_apply(mover->inverse_inertia, cairn_vec(y[3], y[4], y[5]));
            sum += mover->inverse_mass * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) +
                   cairn_dot(cairn_vec(x[3], x[4], x[5]), turned);
        }
    }
    return sum;
}

static void fill_loops(cairn_flight* all)
{
    cairn_loop_factor* loops = all->loops;
    int n = all->row_count;
    for (int i = 0; i < n; i++) {
        loops->lo[i] = i;
        for (int j = 0; j <= i; j++) {
            double x = coupling(all, i, j);
            loops->A[(ptrdiff_t)i * n + j] = x;
            if (x != 0.0 && j < loops->lo[i])
                loops->lo[i] = j;
        }
    }
    for (ptrdiff_t k = 0; k < n; k++)
        loops->A[k * n + k] += loops->compliance[k];
}

// Gives the present rows to the sparse factor. That is made when a solve asks for it first, of the
// rows of this step and nothing of earlier ones, so that a restored world goes on with the same
// bits: a net that hangs at rest needs none. Within the step it serves rows that have changed
// since, as a preconditioner, until iterations grow many.
static void load_net(cairn_flight* all)
{
    cairn_loop_factor* loops = all->loops;

    gather_rows(all);
    for (int i = 0; i < all->body_count; i++)
        loops->masses[i] =
            (cairn_mass){all->movers[i].inverse_mass, all->movers[i].inverse_inertia};

    // the first load of a step forgets the factor of the last one
    if (!loops->begun) {
        cairn_loops_def def = cairn_default_loops_def();
        def.redundancy = shift;
        def.patience = patience;
        cairn_loops_forget(loops->net, &def);
    }

    cairn_loops_load(loops->net, loops->masses, loops->rows, loops->compliance);
    loops->begun = true;
    loops->stale = false;
}

static void factor_dense(cairn_flight* all)
{
    cairn_loop_factor* loops = all->loops;
    const int n = all->row_count;
    fill_loops(all);
    for (int i = 0; i < n; i++) {
        double* l = loops->L + (ptrdiff_t)i * n;
        const double* a = loops->A + (ptrdiff_t)i * n;

        // first L D, then L
        for (int j = loops->lo[i]; j < i; j++) {
            const double* other = loops->L + (ptrdiff_t)j * n;
            double sum = a[j];
            for (int k = loops->lo[i] > loops->lo[j] ? loops->lo[i] : loops->lo[j]; k < j; k++)
                sum -= l[k] * other[k];
            l[j] = sum;
        }

        // the pivot, shifted; a row that repeats others is left out
        double d = a[i] * (1.0 + shift);
        for (int j = loops->lo[i]; j < i; j++) {
            double x = loops->D[j] > 0.0 ? l[j] / loops->D[j] : 0.0;
            d -= l[j] * x;
            l[j] = x;
        }
        loops->D[i] = d > 0.5 * shift * a[i] ? d : 0.0;
    }
}

static void substitute(const cairn_flight* all, double* x)
{
    const cairn_loop_factor* loops = all->loops;
    const int n = all->row_count;
    for (int i = 0; i < n; i++)
        for (int j = loops->lo[i]; j < i; j++)
            x[i] -= loops->L[(ptrdiff_t)i * n + j] * x[j];
    for (int i = 0; i < n; i++)
        x[i] = loops->D[i] > 0.0 ? x[i] / loops->D[i] : 0.0;
    for (int i = n - 1; i >= 0; i--)
        for (int j = loops->lo[i]; j < i; j++)
            x[j] -= loops->L[(ptrdiff_t)i * n + j] * x[i];
}

static void factor_loops(cairn_flight* all)
{
    if (all->loops->net) {
        all->loops->stale = true;
        return;
    }
    gather_rows(all);
    factor_dense(all);
}

static void solve_net(cairn_flight* all, double accuracy)
{
    if (all->loops->stale)
        load_net(all);
    all->loops->net->def.tolerance = accuracy;
    all->loops->net->def.velocity = all->enough;
    memset(all->delta, 0, (size_t)all->row_count * sizeof *all->delta);
    cairn_loops_solve(all->loops->net, NULL, all->c, 1, &all->momentum->v.x, all->delta);
}

// δ = -A^-1 c, with one step of refinement
static void solve_dense(cairn_flight* all)
{
    const cairn_loop_factor* loops = all->loops;
    const int n = all->row_count;
    double *x = all->delta, *r = loops->x;

    for (int i = 0; i < n; i++)
        x[i] = -all->c[i];
    substitute(all, x);

    // one step of refinement against A itself
    for (int i = 0; i < n; i++)
        r[i] = -all->c[i];
    for (int i = 0; i < n; i++) {
        const double* a = loops->A + (ptrdiff_t)i * n;
        for (int j = loops->lo[i]; j < i; j++) {
            r[i] -= a[j] * x[j];
            r[j] -= a[j] * x[i];
        }
        r[i] -= a[i] * x[i];
    }

    substitute(all, r);
    for (int i = 0; i < n; i++)
        x[i] += r[i];
}

// ---------------------------------------------------------------- any of them

bool cairn_flight_choose(cairn_flight* all)
{
    cairn_arena* arena = all->span->arena;
    cairn_joint_key* keys = CAIRN_TAKE(arena, cairn_joint_key, all->link_count);
    if (!keys)
        return false;

    // an island with the same keys has the tree of the last step
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        enum { not_a_ball_alone = 100 };
        int kind = (int)tie->link->kind + (tie->more ? not_a_ball_alone : 0);
        keys[i] = (cairn_joint_key){tie->link->a, tie->link->b, (int16_t)tie->width, (int16_t)kind};
    }

    all->kept = cairn_linkage_find(all->span, keys);
    all->no_memory = !all->kept;
    if (!all->kept)
        return false;

    // rows are numbered as the tree wants them
    const cairn_tree* tree = all->kept->tree;
    int rows = 0;
    for (int i = 0; i < all->link_count; i++) {
        all->ties[i].first = tree ? (int)cairn_tree_row_offset(tree, i) : rows;
        rows += all->ties[i].width;
    }

    all->row_count = rows;
    return all->kept->forest || make_loops(all);
}

bool cairn_flight_is_net(const cairn_flight* all)
{
    return all->loops && all->loops->net;
}

bool cairn_flight_factor(cairn_flight* all)
{
    bool done = true;
    if (!all->loops && !all->kept->tree) {
        done = factor_balls(all);
    } else if (!all->loops) {
        int redundant = factor_tree(all);

        // rows that repeat each other: as in a loop
        if (redundant > 0)
            all->factored = false;
        done = redundant == 0 || (redundant > 0 && make_loops(all));
    }

    // the factor of the loops serves while no free row has come or gone
    if (done && all->loops) {
        bool changed = !all->factored;
        for (int i = 0; i < all->link_count && !changed; i++)
            changed = free_row_changed(&all->ties[i]);
        if (changed)
            factor_loops(all);
    }

    all->factored = done;
    return done;
}

void cairn_flight_solve(cairn_flight* all, double accuracy)
{
    all->solves++;
    if (all->loops && all->loops->net)
        solve_net(all, accuracy);
    else if (all->loops)
        solve_dense(all);
    else if (all->kept->tree)
        cairn_tree_solve(all->kept->tree, NULL, all->c, 1, &all->momentum->v.x, all->delta);
    else
        cairn_ball_tree_solve(&all->kept->balls, &all->momentum->v.x, all->delta, all->c, 1);
}
