// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Newton's method in the velocities of a few bodies that joints and contacts connect. All rows stand on
// springs that are soft by ε of what the bodies are, and that give way round by round (proximal point method:
// Rockafellar 1976),
//
//     v = A λ + b + S (λ - λ_k),      λ_0 = 0,   S = ε C tr A / tr C,
//
// so that of all impulses that solve the problem the least in the norm of C are found (least_norm.c has C), and
// of all motions, where they are not unique either, the one that shares loads from the beginning. With
// s = S + the compliance of a row, y = J u + b its velocity without springs, and z = λ - ρ v the point that
// tells what the row does next, each block answers λ' = g - B y':
//
//     joint                           λ' = (S λ_k - y') / s
//     bounded   lo < z < hi           the same;       else λ' = lo or hi
//     contact   z_N <= 0              λ' = 0
//               |z_F| <= z_N          as a joint
//               else                  λ'_N as a joint, λ'_F = λ'_N d + λ'_p
//                                     λ'_p = λ_p - (λ_p + τ ρ (y'_p - y_p)) / (1 - τ + τ ρ s)
//
// with d = z_F/|z_F|, τ = z_N/|z_F| and p what is normal to d; friction rows are scaled by μ. Momentum then gives
//
//     (1 + Ĵ^T B Ĵ) w = Ĵ^T (g - B b),
//
// six equations for each body, solved by sparse factors (linalg/six_lu.h): the joints of a tree fill nothing
// in. As long as B stays the factors serve again.
//
// Hard springs under a wrong guess of what sticks carry any load, and the next guess may be as wrong. Where
// the method does not settle soon it begins again on soft springs, which become hard by tens: first on such that
// start from the loads given, then from none. Where that fails, too, other methods have to go on.

#include "solve/newton/few_bodies.h"
#include "math/numbers.h"
#include "problem/delassus.h"
#include "problem/mass.h"
#include "solve/least_norm.h"
#include <math.h>
#include <string.h>

enum {
    most_iterations = 200, // of all attempts: the car of the scenes takes up to 150
    most_blocks = 400      // of the factors: 0.3 ms a step of Newton's
};

static const double softness = 1e-5; // ε

// ---------------------------------------------------------------- the problem

// the half axes of a cone of friction; false: a law of another kind
static bool friction_of(double* mu, const cairn_block* block)
{
    const cairn_friction* friction = &block->friction;
    bool none = friction->kind == CAIRN_FRICTION_NONE, cone = friction->kind == CAIRN_FRICTION_CONE;
    for (int k = 0; k < 3; k++)
        mu[k] = none ? 0.0 : friction->mu[cone ? 0 : k];
    if (block->row_count == 4)
        return friction->kind == CAIRN_FRICTION_ELLIPSOID;
    return none || cone || friction->kind == CAIRN_FRICTION_ELLIPSE;
}

CAIRN_INLINE cairn_double8 scaled_half(const double* j, const cairn_body_factor* factor,
                                       double unit)
{
    // G^-T: j_linear / √m, S^T j_angular
    cairn_vec3 turn = cairn_vec(j[3], j[4], j[5]);
    double x = cairn_dot(factor->S.cx, turn), y = cairn_dot(factor->S.cy, turn);
    double root = unit * factor->inverse_root_mass;
    return (cairn_double8){root * j[0], root * j[1], root * j[2],
                           unit * x,    unit * y,    unit * cairn_dot(factor->S.cz, turn)};
}

static double square(const cairn_double8* x)
{
    const double* e = (const double*)x;
    double sum = e[0] * e[0];
    for (int k = 1; k < 6; k++)
        sum += e[k] * e[k];
    return sum;
}

// the next row of the last block; returns its A_ii
static double add_row(cairn_few_bodies* all, const cairn_body_factor* factors,
                      const cairn_block* block, int row, double unit, double C)
{
    const cairn_problem* problem = all->problem;
    cairn_few_block* own = &all->blocks[all->block_count];
    int to = all->row_count++;
    own->row_count++;
    all->row_of[to] = row;
    all->unit[to] = unit;
    all->ja[to] = all->jb[to] = (cairn_double8){0.0};
    if (own->a >= 0)
        all->ja[to] = scaled_half(problem->rows[row].a, &factors[block->body_a], unit);
    if (own->b >= 0)
        all->jb[to] = scaled_half(problem->rows[row].b, &factors[block->body_b], unit);
    all->offset[to] = unit * problem->b[row];
    all->soft[to] = problem->compliance ? unit * unit * problem->compliance[row] : 0.0;
    all->spring[to] = unit * unit * C;

    // the bounds of its impulse
    bool limit = block->kind == CAIRN_BLOCK_LIMIT, motor = block->kind == CAIRN_BLOCK_MOTOR;
    all->lo[to] = limit ? 0.0 : motor && problem->lo ? problem->lo[row] : -INFINITY;
    all->hi[to] = motor && problem->hi ? problem->hi[row] : INFINITY;
    return square(&all->ja[to]) + square(&all->jb[to]);
}

// a block with its rows; adds to the traces of A and C
static bool add_block(cairn_few_bodies* all, const cairn_body_factor* factors,
                      const cairn_block* block, double* trace)
{
    const cairn_problem* problem = all->problem;
    double C[6], mu[3], mean = 0.0;
    cairn_few_block* own = &all->blocks[all->block_count];
    *own = (cairn_few_block){
        .kind = block->kind,
        .a = block->body_a == CAIRN_WORLD_BODY ? -1 : all->index_of[block->body_a],
        .b = block->body_b == CAIRN_WORLD_BODY ? -1 : all->index_of[block->body_b],
        .first = all->row_count};
    bool contact = block->kind == CAIRN_BLOCK_CONTACT;
    if (contact && !friction_of(mu, block))
        return false;
    if ((own->a < 0 && own->b < 0) || own->a == own->b)
        return own->a < 0;

    cairn_share_compliance(C, problem, block);
    for (int k = 0; k < block->row_count; k++) {
        double unit = contact && k > 0 ? mu[k - 1] : 1.0;
        if (unit == 0.0)
            continue;
        double a = add_row(all, factors, block, block->row + k, unit, C[k]);
        a /= unit * unit;
        mean += a + (problem->compliance ? problem->compliance[block->row + k] : 0.0);
        trace[0] += a;
        trace[1] += C[k];
    }
    own->over = own->row_count / mean;
    own->slip_over = own->row_count > 1 && contact
                         ? own->over / (all->unit[own->first + 1] * all->unit[own->first + 1])
                         : own->over;
    if (own->a >= 0 && own->b >= 0)
        cairn_six_lu_join(&all->lu, own->a, own->b);
    all->block_count++;
    return mean > 0.0;
}

static bool take(cairn_few_bodies* all, cairn_arena* arena)
{
    size_t rows = (size_t)all->problem->row_count;
    all->blocks = CAIRN_TAKE(arena, cairn_few_block, all->problem->block_count);
    all->ja = CAIRN_TAKE(arena, cairn_double8, rows);
    all->jb = CAIRN_TAKE(arena, cairn_double8, rows);
    all->w = CAIRN_TAKE(arena, cairn_double8, all->body_count);
    all->rest = CAIRN_TAKE(arena, cairn_double8, all->body_count);
    all->row_of = CAIRN_TAKE(arena, int, rows);
    double** const arrays[] = {&all->unit, &all->offset, &all->soft,        &all->spring, &all->lo,
                               &all->hi,   &all->center, &all->lambda,      &all->y,      &all->g,
                               &all->B,    &all->B_last, &all->lambda_last, &all->y_last};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = CAIRN_TAKE_ZEROED(arena, double, rows);
    return !arena->failed;
}

cairn_few_bodies* cairn_few_bodies_make(const cairn_problem* problem, cairn_arena* arena)
{
    cairn_few_bodies* all = CAIRN_TAKE_ZEROED(arena, cairn_few_bodies, 1);
    int* index_of = CAIRN_TAKE(arena, int, problem->body_count);
    cairn_body_factor* factors = CAIRN_TAKE(arena, cairn_body_factor, problem->body_count);
    if (arena->failed)
        return NULL;
    cairn_simd_level level = cairn_simd_detect();
    all->step = CAIRN_PICK_KERNEL(level, cairn_few_bodies_step_kernel);
    all->error = CAIRN_PICK_KERNEL(level, cairn_few_bodies_error_kernel);
    all->start = CAIRN_PICK_KERNEL(level, cairn_few_bodies_start_kernel);
    all->problem = problem;
    all->index_of = index_of;
    for (int i = 0; i < problem->body_count; i++) {
        bool moves = cairn_mass_moves(&problem->bodies[i]);
        index_of[i] = moves ? all->body_count++ : -1;
        if (moves)
            factors[i] = cairn_factor_body(&problem->bodies[i]);
    }
    if (all->body_count > cairn_six_lu_most || all->body_count == 0 || !take(all, arena))
        return NULL;

    // rows, and the springs that they stand on
    double trace[2] = {0};
    cairn_six_lu_start(&all->lu, all->body_count);
    for (int c = 0; c < problem->block_count; c++)
        if (!add_block(all, factors, &problem->blocks[c], trace))
            return NULL;
    for (int r = 0; r < all->row_count; r++)
        all->spring[r] *= softness * trace[0] / trace[1];
    bool planned = cairn_six_lu_plan(&all->lu, arena) == CAIRN_OK;
    return planned && all->lu.block_count <= most_blocks ? all : NULL;
}

// ---------------------------------------------------------------- the method

static void copy(const cairn_few_bodies* all, double* to, const double* from)
{
    memcpy(to, from, (size_t)all->row_count * sizeof(double));
}

// halfway back to where the last step began
static void halve(cairn_few_bodies* all)
{
    for (int r = 0; r < all->row_count; r++) {
        all->lambda[r] = 0.5 * (all->lambda[r] + all->lambda_last[r]);
        all->y[r] = 0.5 * (all->y[r] + all->y_last[r]);
    }
}

// Newton's method on the springs as they are, until the error there is below `goal`. A step that makes the map
// larger than it was in all of the last four is halved, at most twice.
static bool settle(cairn_few_bodies* all, int most_steps, double goal, const cairn_stop* stop)
{
    enum { remembered = 4, most_halvings = 2 };
    double history[remembered] = {0};
    for (int k = 0; k < most_steps; k++) {
        copy(all, all->lambda_last, all->lambda);
        copy(all, all->y_last, all->y);
        if (all->iterations >= most_iterations || cairn_stop_now(stop) || !all->step(all))
            return false;
        all->iterations++;
        all->sprung = true;
        double worst, now = all->error(all, 1.0, &worst), most = 0.0;
        for (int i = 0; i < remembered; i++)
            most = fmax(most, history[i]);
        for (int i = 0; i < most_halvings && k > 0 && now > most; i++) {
            halve(all);
            now = all->error(all, 1.0, &worst);
        }
        history[k % remembered] = now;
        if (worst <= goal)
            return true;
    }
    return false;
}

static void soften(cairn_few_bodies* all, double times)
{
    for (int r = 0; r < all->row_count; r++)
        all->spring[r] *= times;
}

// From soft springs to hard ones, by tens. Those that `follow` are unloaded at the impulses of the ones before.
static bool settle_softly(cairn_few_bodies* all, double goal, bool follow, const cairn_stop* stop)
{
    enum { decades = 4, most_steps = 20 };
    const double roughly = 1e2;
    bool done = false;
    soften(all, 1e4);
    for (int k = 0; k <= decades; k++) {
        if (follow)
            copy(all, all->center, all->lambda);
        done = settle(all, most_steps, k < decades ? roughly * goal : goal, stop);
        if (k < decades)
            soften(all, 0.1);
    }
    return done;
}

static double error_without_springs(const cairn_few_bodies* all)
{
    double worst;
    all->error(all, 0.0, &worst);
    return worst;
}

// Springs give way until the error is below `goal`; returns it. Where that is slow they become harder, now that
// what sticks and bears is known: a load that hardly moves anything, or wheels that can roll on their ways only
// until one of them slides a little.
static double give_way(cairn_few_bodies* all, double goal, const cairn_stop* stop)
{
    enum { most_rounds = 10, most_steps = 20 };
    const double slow = 0.1, hardest = 1e-4;
    double error = error_without_springs(all), last = INFINITY, softened = 1.0;
    for (int k = 0; k < most_rounds && error > goal; k++) {
        copy(all, all->center, all->lambda);
        if (error > slow * last && softened > hardest) {
            soften(all, 0.1);
            softened *= 0.1;
        }
        last = error;
        if (!settle(all, most_steps, 0.1 * goal, stop)) {
            error = INFINITY;
            break;
        }
        error = error_without_springs(all);
    }
    soften(all, 1.0 / softened);
    return error;
}

bool cairn_few_bodies_solve(cairn_few_bodies* all, double* lambda, double goal, double enough,
                            const cairn_stop* stop)
{
    enum { first_steps = 8 };
    double error = INFINITY;
    all->iterations = 0;
    for (int attempt = 0; attempt < 3 && !(error <= enough); attempt++) {
        all->start(all, lambda);
        bool settled = attempt == 0 ? settle(all, first_steps, 0.1 * goal, stop)
                                    : settle_softly(all, 0.1 * goal, attempt == 1, stop);
        error = settled ? give_way(all, goal, stop) : (double)INFINITY;
    }
    if (!(error <= enough))
        return false;
    memset(lambda, 0, (size_t)all->problem->row_count * sizeof(double));
    for (int r = 0; r < all->row_count; r++)
        lambda[all->row_of[r]] = all->unit[r] * all->lambda[r];
    return true;
}
