// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A ball hits a column of boxes; then time runs again from a snapshot, without the ball.
#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>

static void must(cairn_status status, const cairn_error* error)
{
    if (status == CAIRN_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static double top(const cairn_world* world)
{
    cairn_body_hit hit;
    cairn_error error;
    must(cairn_world_cast_ray(world, cairn_vec(0.0, 0.0, 20.0), cairn_vec(0.0, 0.0, -20.0),
                              CAIRN_MASK_ALL, &hit, &error),
         &error);
    return hit.point.z;
}

static void run(cairn_world* world, int steps)
{
    cairn_step_report report;
    cairn_error error;
    int begun = 0;
    for (int i = 0; i < steps; i++) {
        must(cairn_world_step(world, 1.0 / 60.0, &report, &error), &error);
        begun += cairn_world_events(world).begun_count;
    }
    printf("t = %.2f s: top at %.3f m, %d of %d bodies awake, %d contacts begun\n", report.time,
           top(world), report.awake, report.bodies, begun);
}

int main(void)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_body_def body = cairn_default_body_def();
    cairn_shape plane = cairn_shape_half_space(), ball = cairn_shape_sphere(0.4);
    cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_snapshot* standing;
    cairn_body_id id;
    cairn_world* world;
    cairn_error error;
    must(cairn_world_create(&def, &world, &error), &error);
    body.type = CAIRN_BODY_STATIC;
    body.shape = &plane;
    must(cairn_world_add_body(world, &body, &id, &error), &error);
    body.type = CAIRN_BODY_DYNAMIC;
    body.shape = &cube;
    for (int i = 0; i < 5; i++) {
        body.pose.p = cairn_vec(0.0, 0.0, 0.5 + i);
        must(cairn_world_add_body(world, &body, &id, &error), &error);
    }
    run(world, 60);
    must(cairn_world_snapshot(world, &standing, &error), &error);

    body.shape = &ball;
    body.pose.p = cairn_vec(-6.0, 0.0, 3.0);
    body.velocity = cairn_vec(25.0, 0.0, 0.0);
    must(cairn_world_add_body(world, &body, &id, &error), &error);
    run(world, 120);

    must(cairn_world_restore(world, standing, &error), &error);
    run(world, 120);
    cairn_snapshot_destroy(standing);
    cairn_world_destroy(world);
    return 0;
}
