// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of multibody.h: each makes a small tree of links, asks it, and destroys it.

#include "api.h"
#include <stdlib.h>
#include <string.h>

enum { most_links = 6 };

static cairn_multibody_link draw_link(api* a, int index)
{
    return (cairn_multibody_link){.parent = index == 0 ? -1 : api_int(a, -1, index - 1),
                                  .at = api_pose(a),
                                  .mobility = (cairn_mobility)api_int(a, 0, 4),
                                  .axis = api_unit(a),
                                  .anchor = api_vec(a, -1.0, 1.0),
                                  .mass = api_real(a, 0.0, 10.0),
                                  .center = api_vec(a, -1.0, 1.0),
                                  .inertia = api_inertia(a),
                                  .armature = api_chance(a, 64) ? api_real(a, 0.0, 1.0) : 0.0};
}

// a tree, or NULL when it was refused
static cairn_multibody* draw(api* a)
{
    cairn_multibody_link links[most_links];
    cairn_multibody* mb = NULL;
    int count = 1 + api_below(a, most_links);
    for (int i = 0; i < count; i++)
        links[i] = draw_link(a, i);
    cairn_vec3 gravity = api_vec(a, -10.0, 10.0);
    const cairn_multibody_link* given = API_OR_NULL(a, links);
    api_begin(a);
    cairn_status status = cairn_multibody_create(given, count, gravity, &mb, a->said);
    return api_end(a, status, API_NOTHING) ? mb : NULL;
}

static double* draw_numbers(api* a, int count)
{
    double* x = calloc((size_t)count + 1, sizeof *x);
    for (int i = 0; x && i < count; i++)
        x[i] = api_real(a, -2.0, 2.0);
    return x;
}

static void create(api* a)
{
    cairn_multibody_destroy(draw(a));
}

static void destroy(api* a)
{
    cairn_multibody* mb = draw(a);
    api_begin(a);
    cairn_multibody_destroy(mb);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void counts(api* a)
{
    cairn_multibody* mb = draw(a);
    const cairn_multibody* asked = API_OR_NULL(a, mb);
    int link = api_int(a, -1, most_links);
    double q[7 * most_links];
    api_begin(a);
    int n = cairn_multibody_links(asked), nq = cairn_multibody_q_count(asked);
    int nv = cairn_multibody_v_count(asked);
    int at = cairn_multibody_q_offset(asked, link), to = cairn_multibody_v_offset(asked, link);
    cairn_multibody_link got = cairn_multibody_get(asked, link);
    cairn_multibody_zero(asked, q);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (n < 0 || n > most_links || nv > nq || at > nq || to > nv || got.parent >= most_links)
        api_broken(a, "counts that do not fit");
    cairn_multibody_destroy(mb);
}

typedef enum question { KINEMATICS, JACOBIAN, MASS_MATRIX, INVERSE, FORWARD, ENERGY } question;

static cairn_status ask(api* a, cairn_multibody* mb, question what, const double* q,
                        const double* v, const double* x, double* out)
{
    cairn_transform poses[most_links];
    cairn_vec3 velocities[most_links], spins[most_links];
    double kinetic, potential;
    switch (what) {
    case KINEMATICS:
        return cairn_multibody_kinematics(mb, q, v, poses, velocities, spins, a->said);
    case JACOBIAN:
        return cairn_multibody_jacobian(mb, q, api_int(a, 0, most_links), api_vec(a, -1.0, 1.0),
                                        out, a->said);
    case MASS_MATRIX:
        return cairn_multibody_mass_matrix(mb, q, out, a->said);
    case INVERSE:
        return cairn_multibody_inverse(mb, q, v, x, out, a->said);
    case FORWARD:
        return cairn_multibody_forward(mb, q, v, x, out, a->said);
    default:
        return cairn_multibody_energy(mb, q, v, &kinetic, &potential, a->said);
    }
}

static void question_of(api* a, question what)
{
    cairn_multibody* mb = draw(a);
    int nq = cairn_multibody_q_count(mb), nv = cairn_multibody_v_count(mb);
    double *q = draw_numbers(a, nq), *v = draw_numbers(a, nv), *x = draw_numbers(a, nv);
    double* out = calloc((size_t)(nv * nv + 6 * nv) + 1, sizeof *out);
    if (mb && q && v && x && out) {
        const double* speeds = API_OR_NULL(a, v);
        double* place = API_OR_NULL(a, out);
        api_begin(a);
        api_end(a, ask(a, mb, what, q, speeds, x, place), API_NOTHING);
    }
    free(q);
    free(v);
    free(x);
    free(out);
    cairn_multibody_destroy(mb);
}

static void kinematics(api* a)
{
    question_of(a, KINEMATICS);
}

static void jacobian(api* a)
{
    question_of(a, JACOBIAN);
}

static void mass_matrix(api* a)
{
    question_of(a, MASS_MATRIX);
}

static void inverse(api* a)
{
    question_of(a, INVERSE);
}

static void forward(api* a)
{
    question_of(a, FORWARD);
}

static void energy(api* a)
{
    question_of(a, ENERGY);
}

const api_call api_multibody_calls[] = {
    {"cairn_multibody_create", create, 1},     {"cairn_multibody_destroy", destroy, 1},
    {"cairn_multibody_links", counts, 1},      {"cairn_multibody_q_count", counts, 1},
    {"cairn_multibody_v_count", counts, 1},    {"cairn_multibody_q_offset", counts, 1},
    {"cairn_multibody_v_offset", counts, 1},   {"cairn_multibody_get", counts, 1},
    {"cairn_multibody_zero", counts, 1},       {"cairn_multibody_kinematics", kinematics, 1},
    {"cairn_multibody_jacobian", jacobian, 1}, {"cairn_multibody_mass_matrix", mass_matrix, 1},
    {"cairn_multibody_inverse", inverse, 1},   {"cairn_multibody_forward", forward, 1},
    {"cairn_multibody_energy", energy, 1},     {0},
};
