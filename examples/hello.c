// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Drops a box from 2 m and prints the height of its center: cc hello.c -lcairn -lm -lpthread
#include <cairn/cairn.h>
#include <stdio.h>

int main(void)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_body_def ground = cairn_default_body_def(), box = cairn_default_body_def();
    cairn_shape plane = cairn_shape_half_space();
    cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_body_id ground_id, box_id;
    cairn_world* world;
    cairn_error error;
    ground.type = CAIRN_BODY_STATIC;
    ground.shape = &plane;
    box.shape = &cube;
    box.pose.p = cairn_vec(0.0, 0.0, 2.5);
    if (cairn_world_create(&def, &world, &error) != CAIRN_OK ||
        cairn_world_add_body(world, &ground, &ground_id, &error) != CAIRN_OK ||
        cairn_world_add_body(world, &box, &box_id, &error) != CAIRN_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    cairn_body_state state;
    for (int step = 0; step <= 90; step++) {
        cairn_body_get(world, box_id, &state, NULL);
        if (step % 10 == 0)
            printf("%4.2f s  %6.4f m\n", step / 60.0, state.center.z);
        if (cairn_world_step(world, 1.0 / 60.0, NULL, &error) != CAIRN_OK)
            return 1;
    }
    cairn_world_destroy(world);
    return 0;
}
