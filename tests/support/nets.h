// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Nets of joints for tests: bodies at places, joints at points between them.
#ifndef CAIRN_TESTS_NETS_H
#define CAIRN_TESTS_NETS_H

#include <cairn/cairn.h>
#include <cairn/random.h>
#include <stdlib.h>
#include <string.h>

typedef struct net {
    int bodies, joints, rows;
    int body_room, joint_room;
    cairn_mass* mass;
    cairn_vec3* place;
    cairn_tree_constraint* joint;
    cairn_row* row; // 6 for each joint, of which the first row_count count: see net_rows
    double *f, *c;  // 6 per body; by rows
} net;

static inline net net_empty(int body_room, int joint_room)
{
    net n = {.body_room = body_room, .joint_room = joint_room};
    n.mass = calloc((size_t)body_room + 1, sizeof *n.mass);
    n.place = calloc((size_t)body_room + 1, sizeof *n.place);
    n.joint = calloc((size_t)joint_room + 1, sizeof *n.joint);
    n.row = calloc(6 * (size_t)joint_room + 1, sizeof *n.row);
    n.f = calloc(6 * (size_t)body_room + 1, sizeof(double));
    n.c = calloc(6 * (size_t)joint_room + 1, sizeof(double));
    return n;
}

static inline void net_free(net* n)
{
    free(n->mass);
    free(n->place);
    free(n->joint);
    free(n->row);
    free(n->f);
    free(n->c);
}

// a box of this mass and of edges around 1
static inline int net_body(net* n, cairn_vec3 place, double mass, cairn_random* random)
{
    cairn_vec3 I = {cairn_random_range(random, 0.1, 0.3), cairn_random_range(random, 0.1, 0.3),
                    cairn_random_range(random, 0.1, 0.3)};
    n->place[n->bodies] = place;
    n->mass[n->bodies] =
        (cairn_mass){1.0 / mass, cairn_mat3_diagonal(1.0 / (mass * I.x), 1.0 / (mass * I.y),
                                                     1.0 / (mass * I.z))};
    return n->bodies++;
}

static inline void net_half(double* to, cairn_vec3 direction, cairn_vec3 arm, double sign)
{
    cairn_vec3 turn = cairn_cross(arm, direction);
    const double half[6] = {direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++)
        to[i] = sign * half[i];
}

// A joint at a point: up to three rows hold the point, further ones the relative turn about x, y, z.
static inline void net_joint(net* n, int a, int b, cairn_vec3 point, int row_count)
{
    const cairn_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    n->joint[n->joints++] = (cairn_tree_constraint){a, b, row_count};
    for (int i = 0; i < row_count; i++, n->rows++) {
        cairn_row* row = &n->row[n->rows];
        memset(row, 0, sizeof *row);
        const int body[2] = {a, b};
        for (int side = 0; side < 2; side++) {
            double sign = side == 0 ? -1.0 : 1.0, *to = side == 0 ? row->a : row->b;
            if (body[side] == CAIRN_WORLD_BODY)
                continue;
            if (i < 3)
                net_half(to, axis[i], cairn_sub(point, n->place[body[side]]), sign);
            else
                to[i] = sign;
        }
    }
}

static inline cairn_vec3 net_between(const net* n, int a, int b)
{
    return cairn_scale(0.5, cairn_add(n->place[a], n->place[b]));
}

// gravity and noise as forces; velocities to be taken away
static inline void net_load(net* n, uint64_t seed, bool velocities)
{
    cairn_random random = {seed};
    for (int i = 0; i < n->bodies; i++)
        for (int k = 0; k < 6; k++)
            n->f[6 * i + k] = cairn_random_range(&random, -1.0, 1.0) / n->mass[i].inverse_mass -
                              (k == 2 ? 9.81 / n->mass[i].inverse_mass : 0.0);

    // J v of some velocities v: rows that repeat each other agree
    for (int k = 0, r = 0; k < n->joints; k++)
        for (int i = 0; i < n->joint[k].row_count; i++, r++) {
            const int body[2] = {n->joint[k].body_a, n->joint[k].body_b};
            n->c[r] = 0.0;
            for (int side = 0; side < 2 && velocities; side++)
                for (int m = 0; m < 6 && body[side] >= 0; m++)
                    n->c[r] += (side ? n->row[r].b[m] : n->row[r].a[m]) *
                               sin(1.0 + 7.0 * body[side] + 3.0 * m);
        }
}

// ---------------------------------------------------------------- shapes

// rows x columns of bodies, joined to their neighbors, the first row to the world
static inline net net_grid(int rows, int columns, int joint_rows, double ratio)
{
    net n = net_empty(rows * columns, 2 * rows * columns);
    cairn_random random = {5};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double mass = pow(ratio, cairn_random_unit(&random));
            int id = net_body(&n, cairn_vec(j, 0.0, -i), mass, &random);
            if (i == 0)
                net_joint(&n, CAIRN_WORLD_BODY, id, cairn_vec(j, 0.0, 0.5), joint_rows);
            else
                net_joint(&n, id - columns, id, net_between(&n, id - columns, id), joint_rows);
            if (j > 0)
                net_joint(&n, id - 1, id, net_between(&n, id - 1, id), joint_rows);
        }
    return n;
}

// bodies at random places, joined at random
static inline net net_random(int bodies, int joints, uint64_t seed, double ratio)
{
    net n = net_empty(bodies, joints);
    cairn_random random = {seed};
    for (int i = 0; i < bodies; i++)
        net_body(&n, cairn_scale(3.0, cairn_random_vec3(&random)),
                 pow(ratio, cairn_random_unit(&random)), &random);
    for (int k = 0; k < joints; k++) {
        int a = cairn_random_index(&random, bodies + 1) - 1,
            b = cairn_random_index(&random, bodies);
        if (a == b)
            a = CAIRN_WORLD_BODY;
        net_joint(&n, a, b, cairn_scale(3.0, cairn_random_vec3(&random)),
                  1 + cairn_random_index(&random, 6));
    }
    return n;
}

// a ring of bodies
static inline net net_ring(int bodies, int joint_rows)
{
    net n = net_empty(bodies, bodies);
    cairn_random random = {9};
    for (int i = 0; i < bodies; i++) {
        double angle = 6.283185307179586 * i / bodies, radius = bodies / 6.0;
        net_body(&n, cairn_vec(radius * cos(angle), radius * sin(angle), 0.1 * (i % 3)), 1.0,
                 &random);
    }
    for (int i = 0; i < bodies; i++)
        net_joint(&n, i, (i + 1) % bodies, net_between(&n, i, (i + 1) % bodies), joint_rows);
    return n;
}

// size³ bodies, joined to their neighbors
static inline net net_lattice(int size, int joint_rows)
{
    net n = net_empty(size * size * size, 3 * size * size * size);
    cairn_random random = {11};
    for (int x = 0; x < size; x++)
        for (int y = 0; y < size; y++)
            for (int z = 0; z < size; z++) {
                int id = net_body(&n, cairn_vec(x, y, z), 1.0, &random);
                const int back[3] = {x > 0 ? size * size : 0, y > 0 ? size : 0, z > 0 ? 1 : 0};
                for (int k = 0; k < 3; k++)
                    if (back[k] > 0)
                        net_joint(&n, id - back[k], id, net_between(&n, id - back[k], id),
                                  joint_rows);
            }
    return n;
}

// a ladder: two chains with rungs, hung up at one end, or at both (a bridge)
static inline net net_ladder(int length, bool bridge)
{
    net n = net_empty(2 * length, 3 * length + 2);
    cairn_random random = {13};
    for (int i = 0; i < length; i++)
        for (int side = 0; side < 2; side++) {
            int id = net_body(&n, cairn_vec(i, side, 0.0), 1.0, &random);
            if (i == 0)
                net_joint(&n, CAIRN_WORLD_BODY, id, cairn_vec(-0.5, side, 0.0), 3);
            else
                net_joint(&n, id - 2, id, net_between(&n, id - 2, id), side == 0 ? 5 : 3);
            if (side == 1)
                net_joint(&n, id - 1, id, net_between(&n, id - 1, id), 3);
            if (bridge && i == length - 1)
                net_joint(&n, id, CAIRN_WORLD_BODY, cairn_vec(i + 0.5, side, 0.0), 3);
        }
    return n;
}

#endif
