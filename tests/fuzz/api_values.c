// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as values. One byte makes a plausible number between two bounds; of 256 bytes `hostility`
// many announce a hostile one, which the next byte chooses. After the last byte all are zero.

#include "api.h"
#include <float.h>
#include <limits.h>
#include <string.h>

static const double hostile_reals[] = {
    NAN,     INFINITY, -INFINITY,    0.0,          -0.0,  5e-324, -5e-324, 1e-308, 1e-300,
    -1e-300, 1e300,    -1e300,       DBL_MAX,      1e155, -1e155, 1e40,    -1e40,  1e18,
    -1e18,   1e9,      -1e9,         1e-9,         -1e-9, 1e-16,  1.0,     -1.0,   1e6,
    1e3,     -1e3,     2147483648.0, 4294967296.0, 1e-4,  1e-6,
};

static const int hostile_ints[] = {
    0, -1, INT_MAX, INT_MIN, INT_MAX - 1, 1, 2, -2, 65536, 1 << 30, 255, 1000,
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

bool api_ended(const api* a)
{
    return a->at >= a->size;
}

int api_byte(api* a)
{
    return a->at < a->size ? a->data[a->at++] : 0;
}

int api_below(api* a, int count)
{
    return count > 0 ? api_byte(a) % count : 0;
}

bool api_chance(api* a, int of_256)
{
    return api_byte(a) >= 256 - of_256;
}

bool api_hostile(api* a)
{
    return api_chance(a, a->hostility);
}

static double hostile_real(api* a)
{
    int choice = api_below(a, COUNT(hostile_reals) + 1);
    if (choice < COUNT(hostile_reals))
        return hostile_reals[choice];

    // any bits at all
    uint8_t bits[sizeof(double)];
    double x;
    for (size_t i = 0; i < sizeof bits; i++)
        bits[i] = (uint8_t)api_byte(a);
    memcpy(&x, bits, sizeof x);
    return x;
}

double api_real(api* a, double lo, double hi)
{
    int b = api_byte(a);
    if (b >= 256 - a->hostility)
        return hostile_real(a);
    return lo + (hi - lo) * b / 255.0;
}

int api_int(api* a, int lo, int hi)
{
    int b = api_byte(a);
    if (b >= 256 - a->hostility)
        return hostile_ints[api_below(a, COUNT(hostile_ints))];
    return lo + b % (hi - lo + 1);
}

cairn_vec3 api_vec(api* a, double lo, double hi)
{
    double x = api_real(a, lo, hi), y = api_real(a, lo, hi), z = api_real(a, lo, hi);
    return cairn_vec(x, y, z);
}

cairn_vec3 api_unit(api* a)
{
    static const cairn_vec3 axes[] = {
        {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.6, 0.8, 0.0}, {0.0, 0.6, -0.8}};
    int choice = api_below(a, COUNT(axes) + 1);
    return choice < COUNT(axes) ? axes[choice] : cairn_normalize(api_vec(a, -1.0, 1.0));
}

// half of all poses are not turned, so that faces lie flat on each other
cairn_transform api_pose(api* a)
{
    cairn_transform x = cairn_transform_identity();
    int b = api_byte(a);
    x.p.x = api_real(a, -2.0, 2.0);
    x.p.y = api_real(a, -2.0, 2.0);
    x.p.z = api_real(a, 0.0, 4.0);
    if (b & 1)
        x.q = cairn_quat_from_rotation_vector(api_vec(a, -3.0, 3.0));

    // a quaternion that is none
    if ((b & 6) == 6 && api_hostile(a)) {
        x.q.w = hostile_real(a);
        x.q.x = api_real(a, -1.0, 1.0);
    }
    return x;
}

cairn_mat3 api_inertia(api* a)
{
    cairn_mat3 m = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    m.cx.x = api_real(a, 0.1, 2.0);
    m.cy.y = api_real(a, 0.1, 2.0);
    m.cz.z = api_real(a, 0.1, 2.0);
    if (api_chance(a, 32)) {
        m.cx.y = m.cy.x = api_real(a, -0.1, 0.1);
        m.cx.z = api_real(a, -0.1, 0.1);
        m.cz.x = api_hostile(a) ? api_real(a, -1.0, 1.0) : m.cx.z;
    }
    return m;
}

const void* api_or_null(api* a, const void* pointer)
{
    return a->nulls && api_hostile(a) ? NULL : pointer;
}

// ---------------------------------------------------------------- objects

int api_pick_world(api* a)
{
    int first = api_below(a, api_worlds);
    for (int i = 0; i < api_worlds; i++) {
        int w = (first + i) % api_worlds;
        if (a->worlds[w].world)
            return w;
    }
    return -1;
}

cairn_body_id api_pick_body(api* a, int world)
{
    // an id that nobody gave out
    if (api_hostile(a)) {
        int index = api_int(a, 0, 8), generation = api_int(a, 0, 3);
        return (cairn_body_id){index, (uint32_t)generation};
    }
    if (a->body_count == 0)
        return (cairn_body_id){0};

    // the next one of this world, or whatever stands there: of another world, or stale
    int first = api_below(a, a->body_count);
    for (int i = 0; i < a->body_count && !api_hostile(a); i++) {
        const api_body* b = &a->bodies[(first + i) % a->body_count];
        if (b->world == world)
            return b->id;
    }
    return a->bodies[first].id;
}

cairn_joint_id api_pick_joint(api* a, int world)
{
    if (api_hostile(a)) {
        int index = api_int(a, 0, 8), generation = api_int(a, 0, 3);
        return (cairn_joint_id){index, (uint32_t)generation};
    }
    if (a->joint_count == 0)
        return (cairn_joint_id){0};
    int first = api_below(a, a->joint_count);
    for (int i = 0; i < a->joint_count && !api_hostile(a); i++) {
        const api_joint* j = &a->joints[(first + i) % a->joint_count];
        if (j->world == world)
            return j->id;
    }
    return a->joints[first].id;
}

void api_keep_body(api* a, int world, cairn_body_id id)
{
    if (a->body_count < api_most_bodies)
        a->bodies[a->body_count++] = (api_body){id, world};
}

void api_keep_joint(api* a, int world, cairn_joint_id id)
{
    if (a->joint_count < api_most_joints)
        a->joints[a->joint_count++] = (api_joint){id, world};
}

void api_keep_shape(api* a, cairn_shape shape)
{
    if (a->held.count < api_most_shapes)
        a->held.shapes[a->held.count++] = shape;
}

// a size of some decimeters, where bodies of a session meet
static cairn_shape simple_shape(api* a)
{
    int choice = api_below(a, 9);
    double radius = choice < 5 ? api_real(a, 0.05, 0.5) : 0.0;
    switch (choice) {
    case 0:
        return cairn_shape_sphere(radius);
    case 1:
        return cairn_shape_capsule(radius, api_real(a, 0.0, 0.5));
    case 2:
        return cairn_shape_cylinder(radius, api_real(a, 0.05, 0.5));
    case 3:
        return cairn_shape_cone(radius, api_real(a, 0.05, 0.5));
    case 4:
        return cairn_shape_tapered_capsule(radius, api_real(a, 0.05, 0.5), api_real(a, 0.25, 0.6));
    case 5:
        return cairn_shape_half_space();
    case 6:
        return cairn_shape_ellipsoid(api_vec(a, 0.1, 0.6));
    default:
        return cairn_shape_box(api_vec(a, 0.1, 0.6));
    }
}

cairn_shape api_pick_shape(api* a)
{
    int choice = api_below(a, 4);
    cairn_shape shape = a->held.count > 0 && choice < 2
                            ? a->held.shapes[api_below(a, a->held.count)]
                            : simple_shape(a);

    // a kind that does not fit its data, which is missing then
    if (api_hostile(a)) {
        shape.kind = (cairn_shape_kind)api_int(a, 0, CAIRN_SHAPE_KIND_COUNT);
        shape.data.hull = NULL;
    }
    return shape;
}

cairn_shape api_good_shape(api* a)
{
    cairn_shape shape = api_pick_shape(a);
    if (cairn_shape_check(&shape, NULL) != CAIRN_OK)
        shape = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    return shape;
}

const char* api_pick_method(api* a)
{
    if (api_hostile(a))
        return api_chance(a, 128) ? "" : "no such method";
    return cairn_method_at(api_below(a, cairn_method_count())).name;
}

int api_pick_problem(api* a)
{
    int first = api_below(a, api_most_problems);
    for (int i = 0; i < api_most_problems; i++) {
        int p = (first + i) % api_most_problems;
        if (a->problems[p].made)
            return p;
    }
    return -1;
}
