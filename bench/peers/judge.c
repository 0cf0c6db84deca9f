// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "peers/judge.h"
#include <stdlib.h>

struct peer_judge {
    const peer_problem* problem;
    cairn_broad* broad;
    int* body;  ///< of each proxy
    int* proxy; ///< of each body, or -1
    double energy_start, energy_scale;
};

static cairn_vec3 vector(const double* x)
{
    return cairn_vec(x[0], x[1], x[2]);
}

static cairn_transform frame(const peer_state* s)
{
    const double* q = s->quaternion;
    return (cairn_transform){vector(s->position), {q[0], q[1], q[2], q[3]}};
}

static double energy(const peer_scene* scene, const peer_state* all)
{
    double sum = 0.0;
    cairn_vec3 g = vector(scene->gravity);
    for (int i = 0; i < scene->body_count; i++) {
        const peer_body* body = &scene->bodies[i];
        if (!(body->mass > 0.0))
            continue;
        cairn_vec3 v = vector(all[i].velocity);
        cairn_vec3 w = cairn_rotate_back(frame(&all[i]).q, vector(all[i].spin));
        sum +=
            0.5 * body->mass * cairn_dot(v, v) - body->mass * cairn_dot(g, vector(all[i].position));
        sum += 0.5 * (body->inertia[0] * w.x * w.x + body->inertia[1] * w.y * w.y +
                      body->inertia[2] * w.z * w.z);
    }
    return sum;
}

static cairn_transform shape_pose(const peer_problem* p, int i, const peer_state* all)
{
    return cairn_transform_multiply(frame(&all[i]), p->offsets[i]);
}

peer_judge* peer_judge_create(const peer_problem* problem)
{
    const peer_scene* scene = &problem->scene;
    size_t n = (size_t)scene->body_count + 1;
    peer_judge* judge = calloc(1, sizeof *judge);
    peer_state* start = calloc(n, sizeof *start);

    judge->problem = problem;
    judge->broad = cairn_broad_create(0.05);
    judge->body = calloc(n, sizeof(int));
    judge->proxy = calloc(n, sizeof(int));

    for (int i = 0; i < scene->body_count; i++) {
        const peer_body* body = &scene->bodies[i];
        cairn_filter filter = cairn_default_filter();
        filter.fixed = !(body->mass > 0.0);
        start[i] = body->start;

        // energies are judged relative to m g |x|
        judge->proxy[i] = -1;
        judge->energy_scale += body->mass * cairn_norm(vector(scene->gravity)) *
                               cairn_norm(vector(body->start.position));

        if (!body->collides)
            continue;
        cairn_aabb box = cairn_shape_aabb(&problem->shapes[i], shape_pose(problem, i, start));
        judge->proxy[i] = cairn_broad_add(judge->broad, box, &filter);
        judge->body[judge->proxy[i]] = i;
    }

    judge->energy_start = energy(scene, start);
    free(start);
    return judge;
}

void peer_judge_destroy(peer_judge* judge)
{
    cairn_broad_destroy(judge->broad);
    free(judge->body);
    free(judge->proxy);
    free(judge);
}

// ---------------------------------------------------------------- contacts

static double deepest(peer_judge* judge, const peer_state* all)
{
    const peer_problem* p = judge->problem;
    cairn_collide_def def = cairn_default_collide_def();
    double depth = 0.0;
    int count;
    def.margin = 0.0;

    // all bodies go to where the engine says they are
    for (int i = 0; i < p->scene.body_count; i++)
        if (judge->proxy[i] >= 0)
            cairn_broad_move(judge->broad, judge->proxy[i],
                             cairn_shape_aabb(&p->shapes[i], shape_pose(p, i, all)),
                             cairn_vec(0.0, 0.0, 0.0));

    if (cairn_broad_update(judge->broad) != CAIRN_OK)
        return INFINITY;
    const cairn_pair* pairs = cairn_broad_pairs(judge->broad, &count);

    // the deepest point of any pair
    for (int k = 0; k < count; k++) {
        int a = judge->body[pairs[k].a], b = judge->body[pairs[k].b];
        cairn_manifold m = {0};
        if (!cairn_collide_convex(&p->shapes[a], shape_pose(p, a, all), &p->shapes[b],
                                  shape_pose(p, b, all), &def, NULL, &m))
            continue;

        for (int i = 0; i < m.count; i++)
            depth = fmax(depth, -m.points[i].gap);
    }

    return depth;
}

// ---------------------------------------------------------------- joints

static double widest(const peer_scene* scene, const peer_state* all)
{
    double gap = 0.0;
    for (int i = 0; i < scene->joint_count; i++) {
        const peer_joint* joint = &scene->joints[i];
        cairn_vec3 a = vector(joint->at_a);
        if (joint->a >= 0)
            a = cairn_transform_point(frame(&all[joint->a]), a);
        cairn_vec3 b = cairn_transform_point(frame(&all[joint->b]), vector(joint->at_b));
        gap = fmax(gap, cairn_norm(cairn_sub(a, b)));
    }
    return gap;
}

cairn_vec3 peer_tip(const peer_scene* scene, const peer_state* all)
{
    const peer_joint* last = &scene->joints[scene->joint_count - 1];
    return cairn_transform_point(frame(&all[last->b]), cairn_neg(vector(last->at_b)));
}

// ---------------------------------------------------------------- a sample

static bool all_finite(const peer_scene* scene, const peer_state* all)
{
    for (int i = 0; i < scene->body_count; i++)
        if (!cairn_is_finite(vector(all[i].position)) ||
            !cairn_is_finite(vector(all[i].velocity)) || !cairn_is_finite(vector(all[i].spin)) ||
            cairn_norm(vector(all[i].position)) > 1e6)
            return false;
    return true;
}

static void measure_way(peer_measure* m, const peer_scene* scene, const peer_state* all)
{
    double sum = 0.0;
    int count = 0;
    m->moved = 0.0;
    for (int i = 0; i < scene->body_count; i++) {
        if (!(scene->bodies[i].mass > 0.0))
            continue;
        cairn_vec3 way =
            cairn_sub(vector(all[i].position), vector(scene->bodies[i].start.position));
        m->drift = fmax(m->drift, hypot(way.x, way.y));
        m->moved = fmax(m->moved, cairn_norm(way));
        sum += cairn_dot(vector(all[i].velocity), vector(all[i].velocity));
        count++;
    }
    m->speed = sqrt(sum / fmax(count, 1.0));
}

void peer_judge_sample(peer_judge* judge, peer_measure* m, const peer_state* all)
{
    const peer_scene* scene = &judge->problem->scene;
    m->finite = m->finite && all_finite(scene, all);
    if (!m->finite)
        return;
    m->penetration = fmax(m->penetration, deepest(judge, all));
    m->joint_error = fmax(m->joint_error, widest(scene, all));
    m->energy = (energy(scene, all) - judge->energy_start) / judge->energy_scale;
    measure_way(m, scene, all);
}
