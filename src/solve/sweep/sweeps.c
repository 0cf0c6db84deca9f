// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `sweeps`: what a step does with large moving piles, on a problem of contacts with cones, ellipses
// or ellipsoids of friction. The contacts are colored and laid out in clusters of sixteen lanes
// (cluster.h); sweeps of projected Gauss-Seidel follow conjugate directions (cluster_solve.c).
// Velocities of bodies count from v*, so that b, as a vector in the world, is what a contact has
// beside them:
//
//     u_i = c_i·(p + Σ b_k e_k),      λ_k = e_k·(n λ_N + t λ_T + s λ_S)
//
// with e_k the directions of the rows and c = (n, t, s) the frame of the lanes. Single precision
// bounds the answer to some 1e-6 of max |b|; loads that go through many bodies and great ratios of
// masses converge slowly. Not for joints, limits, motors, polygons and boxes of friction, or
// compliance.

#include "math/accept.h"
#include "problem/contact_geometry.h"
#include "problem/mass.h"
#include "solve/method.h"
#include "solve/sweep/cluster_law.h"
#include "solve/sweep/cluster_solve.h"
#include "solve/sweep/color.h"
#include <string.h>

enum { lanes = cairn_cluster_lanes, each = cairn_place_stride };
enum { default_sweeps = 2000, least_sweeps = 2, most_between = 64, patience = 16 };

// Geometry to what single precision tells apart: files whose spins are those of body frames, with
// bodies that have hardly turned, are right to this.
static const double roundoff = 1e-6;

// a problem laid out
typedef struct layout {
    cairn_job* job;
    cairn_sweeps s;
    int color[cairn_most_colors + 1];
    int* lane;                        // of each block: cluster times lanes, plus its lane there
    cairn_contact_geometry* geometry; // of each block
    cairn_cluster* clusters;
    cairn_swift* swift;
    cairn_cluster_law* law; // NULL: all friction is of cones
    cairn_bend* bend;
    double* mass;
    float *swift_mass, *weight;
} layout;

// ---------------------------------------------------------------- contacts to clusters

static int clusters_of(int contacts)
{
    return (contacts + lanes - 1) / lanes;
}

// each color fills clusters of its own; what found no color is alone
static bool deal(layout* l)
{
    const cairn_problem* problem = l->job->problem;
    cairn_arena* arena = l->job->arena;
    cairn_coloring coloring;
    int* blocks = CAIRN_TAKE(arena, int, problem->block_count);
    l->lane = CAIRN_TAKE(arena, int, problem->block_count);
    if (arena->failed)
        return false;

    for (int c = 0; c < problem->block_count; c++)
        blocks[c] = c;
    if (!cairn_color_blocks(&coloring, problem, blocks, problem->block_count, arena))
        return false;

    // a color begins a new cluster, since lanes of a cluster must share no body
    for (int k = 0; k < coloring.count; k++) {
        int first = coloring.begin[k], size = coloring.begin[k + 1] - first;
        l->color[k] = l->s.count;
        for (int i = 0; i < size; i++)
            l->lane[coloring.block[first + i]] = lanes * l->s.count + i;
        l->s.count += clusters_of(size);
    }

    // contacts without a color have a cluster each
    l->color[coloring.count] = l->s.count;
    for (int i = coloring.begin[coloring.count]; i < coloring.total; i++)
        l->lane[coloring.block[i]] = lanes * l->s.count++;
    l->s.colors = coloring.count;
    l->s.color = l->color;
    return true;
}

static void put(double (*to)[lanes], float (*swift)[lanes], int l, cairn_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; k++) {
        to[k][l] = x[k];
        if (swift)
            swift[k][l] = (float)x[k];
    }
}

// n, t, s of a lane
static void frame_of(cairn_vec3* c, cairn_vec3 n)
{
    c[0] = n;
    cairn_tangents(n, &c[1], &c[2]);
}

// n·(I_A^-1 + I_B^-1) n
static double spin_diagonal(const cairn_problem* problem, const int* body, cairn_vec3 n)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++)
        if (body[side] != CAIRN_WORLD_BODY)
            sum += cairn_dot(n, cairn_mat3_apply(problem->bodies[body[side]].inverse_inertia, n));
    return sum;
}

// the law of a contact, with the spin of b and of the start; adds to the mean diagonal
static double fill_law(layout* l, int which, int i, int at, double trace)
{
    const cairn_problem* problem = l->job->problem;
    const cairn_block* block = &problem->blocks[which];
    const int body[2] = {block->body_a, block->body_b};
    cairn_cluster_law* law = &l->law[i];
    cairn_vec3 c[3], n = l->geometry[which].axis[0], e = l->geometry[which].axis[1];
    frame_of(c, n);
    double mu = cairn_cluster_set_law(law, at, &block->friction, block->row_count,
                                      cairn_dot(e, c[1]), cairn_dot(e, c[2]));
    l->clusters[i].mu[at] = mu;
    l->swift[i].mu[at] = (float)mu;
    if (block->row_count < 4)
        return trace / 3.0;

    law->bias[at] = problem->b[block->row + 3];
    law->swift_bias[at] = (float)law->bias[at];
    law->lambda[at] = (float)l->job->lambda[block->row + 3];
    double spin = law->arm[at] * law->arm[at] * spin_diagonal(problem, body, n);
    return spin > 0.0 ? (trace + spin) / 4.0 : trace / 3.0;
}

// one contact, with the impulses of the start
static void fill_lane(layout* l, int which)
{
    const cairn_problem* problem = l->job->problem;
    const cairn_block* block = &problem->blocks[which];
    const cairn_contact_geometry* geometry = &l->geometry[which];
    int i = l->lane[which] / lanes, at = l->lane[which] % lanes;
    cairn_cluster* cluster = &l->clusters[i];
    cairn_swift* swift = &l->swift[i];
    const int body[2] = {block->body_a, block->body_b};

    // arms, bodies and the trace of A
    double trace = 0.0;
    for (int side = 0; side < 2; side++) {
        put(cluster->arm[side], swift->arm[side], at, geometry->arm[side]);
        if (body[side] == CAIRN_WORLD_BODY || !cairn_mass_moves(&problem->bodies[body[side]]))
            continue;
        const cairn_mass* mass = &problem->bodies[body[side]];
        swift->body[side][at] = body[side];
        trace += cairn_mass_trace(mass->inverse_mass, &mass->inverse_inertia, geometry->arm[side]);
    }

    put(cluster->normal, swift->normal, at, geometry->axis[0]);

    bool rough = block->row_count > 1 && block->friction.kind == CAIRN_FRICTION_CONE;
    cluster->mu[at] = rough ? block->friction.mu[0] : 0.0;
    swift->mu[at] = (float)cluster->mu[at];
    cluster->mean[at] = l->law ? fill_law(l, which, i, at, trace) : trace / 3.0;
    swift->mean[at] = (float)cluster->mean[at];

    // b and λ in the frame of the lane
    cairn_vec3 c[3], b = cairn_contact_vector(geometry, block, problem->b);
    cairn_vec3 P = cairn_contact_vector(geometry, block, l->job->lambda);
    frame_of(c, geometry->axis[0]);
    put(l->bend[i].by, NULL, at, b);
    for (int k = 0; k < 3; k++) {
        swift->bias[k][at] = (float)cairn_dot(c[k], b);
        swift->lambda[k][at] = (float)cairn_dot(c[k], P);
    }
}

// ---------------------------------------------------------------- bodies to places

static void load_masses(layout* l)
{
    const cairn_problem* problem = l->job->problem;
    double largest = 0.0;

    // weights count in units of the heaviest mass
    for (int i = 0; i < problem->body_count; i++)
        if (problem->bodies[i].inverse_mass > 0.0)
            largest = fmax(largest, 1.0 / problem->bodies[i].inverse_mass);

    for (int i = 0; i < problem->body_count; i++) {
        const cairn_mass* mass = &problem->bodies[i];
        const cairn_mat3* J = &mass->inverse_inertia;
        const double inverse[each] = {
            mass->inverse_mass, J->cx.x, J->cy.y, J->cz.z, J->cy.x, J->cz.x, J->cz.y, 0.0};
        double mean = (inverse[1] + inverse[2] + inverse[3]) / 3.0;
        ptrdiff_t at = each * (ptrdiff_t)i;
        for (int k = 0; k < each; k++) {
            l->mass[at + k] = inverse[k];
            l->swift_mass[at + k] = (float)inverse[k];
        }

        // an immovable body has weight zero in the norm of the kinetic energy
        double linear = largest * inverse[0], angular = largest * mean;
        for (int k = 0; k < 3; k++) {
            l->weight[at + k] = linear > 0.0 ? (float)(1.0 / linear) : 0.0f;
            l->weight[at + 3 + k] = angular > 0.0 ? (float)(1.0 / angular) : 0.0f;
        }
    }
}

// whether a contact has another law than a cone
static bool is_curved(const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].row_count == 4 ||
            problem->blocks[c].friction.kind == CAIRN_FRICTION_ELLIPSE ||
            problem->blocks[c].friction.kind == CAIRN_FRICTION_ELLIPSOID)
            return true;
    return false;
}

// all lanes are empty at first, and on the ground, the place after those of the bodies
static bool take_room(layout* l)
{
    cairn_arena* arena = l->job->arena;
    int bodies = l->job->problem->body_count;
    size_t count = (size_t)l->s.count, numbers = cairn_sweeps_numbers(bodies + 1);
    l->geometry = CAIRN_TAKE(arena, cairn_contact_geometry, l->job->problem->block_count);
    l->clusters = CAIRN_TAKE_ZEROED(arena, cairn_cluster, count);
    l->swift = CAIRN_TAKE_ZEROED(arena, cairn_swift, count);
    l->bend = CAIRN_TAKE_ZEROED(arena, cairn_bend, count);
    if (is_curved(l->job->problem))
        l->law = CAIRN_TAKE_ZEROED(arena, cairn_cluster_law, count);
    l->mass = CAIRN_TAKE_ZEROED(arena, double, numbers);
    l->swift_mass = CAIRN_TAKE_ZEROED(arena, float, numbers);
    l->weight = CAIRN_TAKE_ZEROED(arena, float, numbers);
    l->s.velocity = CAIRN_TAKE_ZEROED(arena, double, numbers);
    l->s.before = CAIRN_TAKE_ZEROED(arena, float, numbers);
    l->s.way = CAIRN_TAKE_ZEROED(arena, float, numbers);
    double* momentum = CAIRN_TAKE_ZEROED(arena, double, numbers);
    float* swift_velocity = CAIRN_TAKE_ZEROED(arena, float, numbers);
    if (arena->failed)
        return false;

    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < lanes; k++)
            l->swift[i].body[0][k] = l->swift[i].body[1][k] = bodies;

    l->s.body_count = bodies;
    l->s.place_count = bodies + 1;
    l->s.weight = l->weight;
    l->s.level = cairn_simd_detect();
    l->s.pass = (cairn_cluster_pass){.clusters = l->clusters,
                                     .swift = l->swift,
                                     .law = l->law,
                                     .velocity = l->s.velocity,
                                     .momentum = momentum,
                                     .mass = l->mass,
                                     .bend = l->bend,
                                     .swift_velocity = swift_velocity,
                                     .swift_mass = l->swift_mass};
    return true;
}

// ---------------------------------------------------------------- solving

// the certified impulses of the clusters as those of the problem
static void store(const layout* l, double* lambda)
{
    const cairn_problem* problem = l->job->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_cluster* cluster = &l->clusters[l->lane[c] / lanes];
        int at = l->lane[c] % lanes;
        cairn_vec3 frame[3], P = {0};
        frame_of(frame, l->geometry[c].axis[0]);
        for (int k = 0; k < 3; k++)
            P = cairn_add_scaled(P, cluster->lambda[k][at], frame[k]);
        cairn_contact_components(&l->geometry[c], &problem->blocks[c], P, lambda);
        if (problem->blocks[c].row_count == 4)
            lambda[problem->blocks[c].row + 3] = l->law[l->lane[c] / lanes].spin[at];
    }
}

// velocities count from v*
static double certify(layout* l)
{
    memset(l->s.velocity, 0, cairn_sweeps_numbers(l->s.place_count) * sizeof(double));
    return cairn_sweeps_certify(&l->s);
}

// the sweeps until the next certificate; returns the largest violation that the last one met
static double sweep_on(layout* l, double target, double share, int limit)
{
    cairn_cluster_kernel kernel = CAIRN_PICK_KERNEL(l->s.level, cairn_cluster_sweep);
    double worst = INFINITY;
    cairn_sweeps_load(&l->s);
    for (int begun = l->s.sweeps; l->s.sweeps < limit && !cairn_job_stopped(l->job);) {
        int done = l->s.sweeps - begun;
        if ((share * worst <= target && done >= least_sweeps) || done >= most_between)
            break;
        cairn_job_spend(l->job, 1.0);
        worst = cairn_sweeps_sweep(&l->s, kernel);
    }
    return worst;
}

static cairn_status solve(layout* l)
{
    cairn_job* job = l->job;
    cairn_report* report = job->report;
    size_t rows = (size_t)job->problem->row_count;
    double* lambda = CAIRN_TAKE_ZEROED(job->arena, double, rows);
    if (!lambda)
        return CAIRN_NO_MEMORY;

    double scale = 0.0;
    for (size_t i = 0; i < rows; i++)
        scale = fmax(scale, fabs(job->problem->b[i]));
    int limit = job->def->max_iterations ? job->def->max_iterations : default_sweeps;

    // What a sweep meets and what it leaves are in proportion: that tells when to certify. The
    // kernels' own certificate decides about more sweeps, that of the front door about the answer.
    cairn_residual best = {.relative = INFINITY};
    bool done = cairn_job_done(job, job->lambda, &best);
    double residual = certify(l), least = residual, share = 0.5;
    report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    for (int idle = 0; !done && l->s.sweeps < limit && idle < patience;) {
        double worst = sweep_on(l, job->def->tolerance * scale, share, limit);
        residual = certify(l);
        share = fmin(4.0, residual / worst);
        idle = residual < 0.9 * least ? 0 : idle + 1;
        least = fmin(least, residual);

        cairn_residual measured = {.relative = INFINITY};
        store(l, lambda);
        done = cairn_job_done(job, lambda, &measured);
        cairn_job_trace(job, l->s.sweeps, measured.relative);
        if (done || measured.relative < best.relative) {
            best = measured;
            memcpy(job->lambda, lambda, rows * sizeof(double));
        }
        if (!done && cairn_job_stopped(job)) {
            report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            break;
        }
    }

    if (done)
        report->outcome = CAIRN_OUTCOME_CONVERGED;
    report->iterations = l->s.sweeps;
    report->row_visits = (int64_t)l->s.sweeps * job->problem->row_count;
    return CAIRN_OK;
}

cairn_status cairn_method_sweeps(cairn_job* job, cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    cairn_status status = cairn_contacts_check(problem, "sweeps", false, roundoff, error);
    if (status != CAIRN_OK || problem->row_count == 0)
        return status;

    layout l = {.job = job};
    if (!deal(&l) || !take_room(&l))
        return CAIRN_NO_MEMORY;

    for (int c = 0; c < problem->block_count; c++) {
        cairn_contact_geometry_read(&l.geometry[c], problem, &problem->blocks[c], roundoff);
        fill_lane(&l, c);
    }
    load_masses(&l);
    cairn_sweeps_over_apart(&l.s, CAIRN_PICK_KERNEL(l.s.level, cairn_cluster_diagonal));
    return solve(&l);
}
