// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Many copies of one world.

#include "check_cairn.h"
#include <cairn/batch.h>
#include <stdlib.h>
#include <string.h>

enum { copies = 7 };

static const double dt = 0.01;

typedef struct fixture {
    cairn_world* world;
    cairn_joint_id slider, hinge;
} fixture;

static cairn_body_id add(cairn_world* world, double mass, double z)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.mass = mass;
    def.inertia = cairn_mat3_diagonal(0.01, 0.01, 0.01);
    def.pose.p.z = z;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

// a cart of 2 kg that slides along x, a pole of 1 kg that hangs from it, and a box that falls on a
// floor
static fixture make(void)
{
    fixture f;
    cairn_world_def options = cairn_default_world_def();
    CHECK(cairn_world_create(&options, &f.world, NULL) == CAIRN_OK);
    cairn_body_id cart = add(f.world, 2.0, 2.0), pole = add(f.world, 1.0, 1.5);

    // the cart slides along x, and the pole swings about y
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    cairn_quat z_to_x = cairn_quat_from_rotation_vector(cairn_vec(0.0, M_PI / 2.0, 0.0));
    joint.body_b = cart;
    joint.frame_a = (cairn_transform){{0.0, 0.0, 2.0}, z_to_x};
    joint.frame_b.q = z_to_x;
    CHECK(cairn_world_add_joint(f.world, &joint, &f.slider, NULL) == CAIRN_OK);
    joint = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    joint.body_a = cart;
    joint.body_b = pole;
    joint.frame_a.q = joint.frame_b.q =
        cairn_quat_from_rotation_vector(cairn_vec(-M_PI / 2.0, 0.0, 0.0));
    joint.frame_b.p.z = 0.5;
    CHECK(cairn_world_add_joint(f.world, &joint, &f.hinge, NULL) == CAIRN_OK);

    cairn_shape box = cairn_shape_box(cairn_vec(0.1, 0.1, 0.1)), floor = cairn_shape_half_space();
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.shape = &box;
    def.pose.p = cairn_vec(3.0, 0.0, 0.3);
    CHECK(cairn_world_add_body(f.world, &def, &id, NULL) == CAIRN_OK);
    def.type = CAIRN_BODY_STATIC;
    def.shape = &floor;
    def.pose.p = cairn_vec(0.0, 0.0, 0.0);
    CHECK(cairn_world_add_body(f.world, &def, &id, NULL) == CAIRN_OK);
    return f;
}

static cairn_batch* make_batch(const fixture* f, int threads, cairn_variation variation)
{
    cairn_batch_def def = cairn_default_batch_def();
    cairn_joint_id joints[] = {f->slider, f->hinge};
    cairn_batch* batch = NULL;
    cairn_error error = {""};
    def.count = copies;
    def.threads = threads;
    def.variation = variation;
    def.observed = joints;
    def.observed_count = 2;
    def.actuated = joints;
    def.actuated_count = 1;
    cairn_status status = cairn_batch_create(f->world, &def, &batch, &error);

    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return batch;
}

TEST(every_copy_moves_as_the_world_alone_whatever_the_number_of_threads)
{
    fixture f = make();
    cairn_batch* one = make_batch(&f, 1, (cairn_variation){0});
    cairn_batch* three = make_batch(&f, 3, (cairn_variation){0});

    for (int i = 0; i < 30; i++)
        CHECK(cairn_world_step(f.world, dt, NULL, NULL) == CAIRN_OK);

    int missed[copies];

    // thirty steps in one call, and one by one
    CHECK(cairn_batch_step(one, dt, 30, NULL, NULL, missed, NULL) == CAIRN_OK);

    for (int i = 0; i < 30; i++)
        CHECK(cairn_batch_step(three, dt, 1, NULL, NULL, NULL, NULL) == CAIRN_OK);

    for (int i = 0; i < copies; i++) {
        CHECK(cairn_world_hash(cairn_batch_world(one, i)) == cairn_world_hash(f.world));
        CHECK(cairn_world_hash(cairn_batch_world(three, i)) == cairn_world_hash(f.world));
        ck_assert_int_eq(missed[i], 0);
    }
    cairn_batch_destroy(one);
    cairn_batch_destroy(three);
    cairn_world_destroy(f.world);
}
END

TEST(copies_share_the_scratch_memory_of_steps_and_may_be_stepped_by_themselves)
{
    fixture f = make();
    cairn_batch* batch = make_batch(&f, 2, (cairn_variation){0});
    size_t own, lent;

    // every third step is made by the world itself
    for (int i = 0; i < 60; i++) {
        CHECK(cairn_world_step(f.world, dt, NULL, NULL) == CAIRN_OK);
        if (i % 3 != 1)
            CHECK(cairn_batch_step(batch, dt, 1, NULL, NULL, NULL, NULL) == CAIRN_OK);
        for (int k = 0; k < copies && i % 3 == 1; k++)
            CHECK(cairn_world_step(cairn_batch_world(batch, k), dt, NULL, NULL) == CAIRN_OK);

        // before that, they have none of their own
        cairn_world_memory(f.world, &own);
        cairn_world_memory(cairn_batch_world(batch, 3), &lent);
        if (i == 0)
            CHECK(2 * lent < own);
    }

    for (int k = 0; k < copies; k++)
        CHECK(cairn_world_hash(cairn_batch_world(batch, k)) == cairn_world_hash(f.world));
    cairn_batch_destroy(batch);
    cairn_world_destroy(f.world);
}
END

TEST(a_force_on_a_slider_gives_the_acceleration_of_all_that_it_moves)
{
    // the pole hangs down and the hinge is free: the cart alone is pushed at first,
    // a = F / (M + m - m² l² / (I + m l²)) with l = 0.5
    fixture f = make();
    cairn_batch* batch = make_batch(&f, 2, (cairn_variation){0});
    double actions[copies], seen[copies][4];

    for (int i = 0; i < copies; i++)
        actions[i] = i;

    const double h = 1e-4, l = 0.5, M = 2.0, m = 1.0, I = 0.01;
    CHECK(cairn_batch_step(batch, h, 1, actions, &seen[0][0], NULL, NULL) == CAIRN_OK);

    for (int i = 0; i < copies; i++) {
        double a = i / (M + m - m * m * l * l / (I + m * l * l));
        CHECK_NEAR(seen[i][2] / h, a, 1e-6 * (1.0 + a));
    }

    // observations are of the end of the step
    double again[copies][4];
    CHECK(cairn_batch_observe(batch, &again[0][0], NULL) == CAIRN_OK);

    CHECK(memcmp(seen, again, sizeof seen) == 0);
    ck_assert_int_eq(cairn_batch_observation_count(batch), 4);
    ck_assert_int_eq(cairn_batch_action_count(batch), 1);
    cairn_batch_destroy(batch);
    cairn_world_destroy(f.world);
}
END

TEST(resets_vary_by_seed_and_repeat_to_the_bit)
{
    fixture f = make();
    cairn_variation variation = {.velocity = 0.1, .spin = 0.2, .friction = 0.3, .gravity = 0.1};
    cairn_batch *a = make_batch(&f, 1, variation), *b = make_batch(&f, 2, variation);
    uint64_t first[copies];

    for (int i = 0; i < copies; i++) {
        first[i] = cairn_world_hash(cairn_batch_world(a, i));
        CHECK(first[i] == cairn_world_hash(cairn_batch_world(b, i)));
        CHECK(i == 0 || first[i] != first[i - 1]);
    }

    // one world alone, then all from the same seed
    bool which[copies] = {[3] = true};
    CHECK(cairn_batch_reset(a, which, NULL) == CAIRN_OK);

    CHECK(cairn_world_hash(cairn_batch_world(a, 3)) != first[3]);
    CHECK(cairn_world_hash(cairn_batch_world(a, 4)) == first[4]);

    CHECK(cairn_batch_step(a, dt, 5, NULL, NULL, NULL, NULL) == CAIRN_OK);
    cairn_batch_seed(a, 1);
    CHECK(cairn_batch_reset(a, NULL, NULL) == CAIRN_OK);

    for (int i = 0; i < copies; i++)
        CHECK(cairn_world_hash(cairn_batch_world(a, i)) == first[i]);
    cairn_batch_destroy(a);
    cairn_batch_destroy(b);
    cairn_world_destroy(f.world);
}
END

TEST(states_that_are_read_can_be_put_into_another_copy)
{
    fixture f = make();
    cairn_batch* batch = make_batch(&f, 1, (cairn_variation){.velocity = 0.3});
    int bodies = cairn_batch_bodies(batch), row = 13 * bodies;
    double* states = calloc((size_t)(row * copies), sizeof *states);
    CHECK(cairn_batch_step(batch, dt, 7, NULL, NULL, NULL, NULL) == CAIRN_OK);
    CHECK(cairn_batch_get_states(batch, states, NULL) == CAIRN_OK);
    CHECK(memcmp(states, states + row, (size_t)row * sizeof *states) != 0);

    CHECK(cairn_batch_set_state(batch, 1, states, NULL) == CAIRN_OK);
    double* back = calloc((size_t)(row * copies), sizeof *back);
    CHECK(cairn_batch_get_states(batch, back, NULL) == CAIRN_OK);

    for (int i = 0; i < row; i++)
        CHECK_NEAR(back[row + i], states[i], 1e-14);
    free(states);
    free(back);
    cairn_batch_destroy(batch);
    cairn_world_destroy(f.world);
}
END

TEST(what_no_batch_can_do_is_refused)
{
    fixture f = make();
    cairn_batch* batch = make_batch(&f, 1, (cairn_variation){0});
    cairn_batch_def def = cairn_default_batch_def();
    cairn_batch* none = NULL;
    cairn_error error = {""};
    double actions[copies] = {NAN};

    CHECK(cairn_batch_step(batch, dt, 1, actions, NULL, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_batch_step(batch, 0.0, 1, NULL, NULL, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_batch_step(batch, dt, -1, NULL, NULL, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_batch_step(NULL, dt, 1, NULL, NULL, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_step_count(cairn_batch_world(batch, 0)) == 0);

    def.count = 0;
    CHECK(cairn_batch_create(f.world, &def, &none, &error) == CAIRN_BAD_INPUT);

    def.count = 1;
    def.threads = 1000;

    CHECK(cairn_batch_create(f.world, &def, &none, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_batch_create(f.world, NULL, &none, &error) == CAIRN_BAD_INPUT);
    CHECK(none == NULL);

    // a batch that is canceled stops, and goes on afterwards
    cairn_batch_cancel(batch);
    CHECK(cairn_batch_step(batch, dt, 1, NULL, NULL, NULL, &error) == CAIRN_INTERRUPTED);

    CHECK(cairn_batch_step(batch, dt, 1, NULL, NULL, NULL, &error) == CAIRN_OK);
    cairn_batch_destroy(batch);
    cairn_batch_destroy(NULL);
    cairn_world_destroy(f.world);
}
END

TESTS(every_copy_moves_as_the_world_alone_whatever_the_number_of_threads,
      copies_share_the_scratch_memory_of_steps_and_may_be_stepped_by_themselves,
      a_force_on_a_slider_gives_the_acceleration_of_all_that_it_moves,
      resets_vary_by_seed_and_repeat_to_the_bit, states_that_are_read_can_be_put_into_another_copy,
      what_no_batch_can_do_is_refused)
