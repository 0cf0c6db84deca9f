// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The state hashes of eight small worlds after two seconds, one line each. tests/cross/test_cross_hashes.sh
// compares those of other compilers and machines with the native ones. The core alone, without Check, so
// that it builds wherever there is a C compiler.

#include <cairn/cairn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void must(cairn_status status, const cairn_error* error)
{
    if (status == CAIRN_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static cairn_body_id add(cairn_world* world, cairn_body_type type, cairn_shape shape, cairn_vec3 at,
                         cairn_vec3 velocity)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    cairn_error error;
    def.type = type;
    def.shape = &shape;
    def.pose.p = at;
    def.velocity = velocity;
    def.material.mu = 0.6;
    def.material.restitution = at.x > 5.0 ? 0.5 : 0.0;
    must(cairn_world_add_body(world, &def, &id, &error), &error);
    return id;
}

static cairn_body_id box(cairn_world* world, double side, double x, double y, double z)
{
    double h = 0.5 * side;
    return add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(h, h, h)), cairn_vec(x, y, z),
               cairn_vec(0.0, 0.0, 0.0));
}

static cairn_joint_id join(cairn_world* world, cairn_joint_def def, cairn_body_id a,
                           cairn_body_id b)
{
    cairn_joint_id id;
    cairn_error error;
    def.body_a = a;
    def.body_b = b;
    must(cairn_world_add_joint(world, &def, &id, &error), &error);
    return id;
}

// ---------------------------------------------------------------- the worlds

static void wall(cairn_world* world)
{
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 4; i++)
            add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.25, 0.25)),
                cairn_vec(i + 0.5 * (row % 2), 0.0, 0.25 + 0.5 * row), cairn_vec(0.0, 0.0, 0.0));
    add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.4), cairn_vec(2.0, -2.0, 1.0),
        cairn_vec(0.0, 8.0, 0.0));
}

static void pyramid(cairn_world* world)
{
    for (int row = 0; row < 5; row++)
        for (int i = row; i < 5; i++)
            box(world, 1.0, i - 0.5 * row, 0.0, 0.5 + row);
}

static void heap(cairn_world* world)
{
    for (int i = 0; i < 27; i++)
        add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3),
            cairn_vec(0.62 * (i % 3) + 0.01 * i, 0.62 * (i / 3 % 3), 0.4 + 0.7 * (i / 9)),
            cairn_vec(0.0, 0.0, 0.0));
}

static void chain(cairn_world* world)
{
    cairn_body_id last = {0};
    for (int i = 0; i < 8; i++) {
        cairn_body_id link = add(world, CAIRN_BODY_DYNAMIC, cairn_shape_capsule(0.05, 0.2),
                                 cairn_vec(0.0, 0.0, 6.0 - 0.5 * i), cairn_vec(0.3 * i, 0.1, 0.0));
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_BALL);
        def.frame_a.p = i ? cairn_vec(0.0, 0.0, -0.25) : cairn_vec(0.0, 0.0, 6.25);
        def.frame_b.p = cairn_vec(0.0, 0.0, 0.25);
        join(world, def, last, link);
        last = link;
    }
}

static void machine(cairn_world* world)
{
    cairn_body_id none = {0}, arm = box(world, 0.5, 0.0, 0.0, 3.0),
                  cart = box(world, 0.5, 2.0, 0.0, 3.0);
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    def.frame_a.p = cairn_vec(0.0, 0.0, 3.0);
    def.driven = true;
    def.speed = 3.0;
    def.strength = 20.0;
    join(world, def, none, arm);
    def = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    def.frame_a.p = cairn_vec(2.0, 0.0, 3.0);
    def.stiffness = 4000.0;
    def.damping = 5.0;
    join(world, def, none, cart);
    def = cairn_default_joint_def(CAIRN_JOINT_RACK);
    def.ratio = 0.3;
    def.frame_a.q = (cairn_quat){0.5, 0.5, 0.5, 0.5};
    join(world, def, arm, cart);
}

static void shapes(cairn_world* world)
{
    cairn_shape kinds[7] = {cairn_shape_cylinder(0.4, 0.3),
                            cairn_shape_capsule(0.2, 0.4),
                            cairn_shape_box(cairn_vec(0.3, 0.5, 0.2)),
                            cairn_shape_sphere(0.35),
                            cairn_shape_ellipsoid(cairn_vec(0.3, 0.5, 0.2)),
                            cairn_shape_cone(0.3, 0.4),
                            cairn_shape_tapered_capsule(0.3, 0.15, 0.3)};
    for (int i = 0; i < 14; i++)
        add(world, CAIRN_BODY_DYNAMIC, kinds[i % 7],
            cairn_vec(0.4 * (i % 3), 0.3 * (i % 2), 0.8 + 0.9 * i), cairn_vec(0.1 * i, 0.0, 0.0));
}

static void bounces(cairn_world* world)
{
    for (int i = 0; i < 5; i++)
        add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.2),
            cairn_vec(6.0 + 0.3 * i, 0.1 * i, 1.0 + i), cairn_vec(-1.0, 0.0, 0.0));
}

static void soft(cairn_world* world)
{
    cairn_body_id wheel = box(world, 0.4, 0.0, 0.0, 2.0), weight = box(world, 0.3, 3.0, 0.0, 2.0);
    cairn_bushing bushing = {.body_b = wheel,
                             .frame_a = {{0.1, 0.0, 2.1}, {1.0, 0.0, 0.0, 0.0}},
                             .frame_b = cairn_transform_identity()};
    cairn_joint_id ids[6];
    cairn_error error;
    for (int k = 0; k < 6; k++) {
        bushing.stiffness[k] = 900.0 + 50.0 * k;
        bushing.damping[k] = 2.0;
    }
    must(cairn_world_add_bushing(world, &bushing, ids, &error), &error);
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_PULLEY);
    def.anchor_a = cairn_vec(0.0, 0.0, 5.0);
    def.anchor_b = cairn_vec(3.0, 0.5, 5.0);
    join(world, def, wheel, weight);
}

int main(void)
{
    static const struct {
        const char* name;
        void (*fill)(cairn_world* world);
    } worlds[] = {{"wall", wall},       {"pyramid", pyramid}, {"heap", heap},
                  {"chain", chain},     {"machine", machine}, {"shapes", shapes},
                  {"bounces", bounces}, {"soft", soft}};
    for (size_t k = 0; k < sizeof worlds / sizeof worlds[0]; k++) {
        cairn_world_def def = cairn_default_world_def();
        cairn_world* world;
        cairn_error error;
        must(cairn_world_create(&def, &world, &error), &error);
        add(world, CAIRN_BODY_STATIC, cairn_shape_half_space(), cairn_vec(0.0, 0.0, 0.0),
            cairn_vec(0.0, 0.0, 0.0));
        worlds[k].fill(world);
        for (int n = 0; n < 120; n++)
            must(cairn_world_step(world, 1.0 / 60.0, NULL, &error), &error);
        printf("%s %016" PRIx64 "\n", worlds[k].name, cairn_world_hash(world));
        cairn_world_destroy(world);
    }
    return 0;
}
