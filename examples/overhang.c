// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Two stacks of nine bricks lean out over their base, one by 99 % and one by 101 % of what statics
// allows: the first stands, the second falls. README.md shows this program, and `make gallery`
// films it.
#include <cairn/cairn.h>
#include <stdio.h>

int main(void)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_body_def body = cairn_default_body_def();
    cairn_shape floor = cairn_shape_half_space();
    cairn_shape brick = cairn_shape_box(cairn_vec(0.5, 0.25, 0.1)); // half sizes: 1 x 0.5 x 0.2 m
    cairn_world* world;
    cairn_body_id id, top[2];
    cairn_body_state state;
    cairn_world_create(&def, &world, NULL);

    body.type = CAIRN_BODY_STATIC, body.shape = &floor;
    cairn_world_add_body(world, &body, &id, NULL);
    body.type = CAIRN_BODY_DYNAMIC, body.shape = &brick;
    for (int stack = 0; stack < 2; stack++) {
        double lean = stack == 0 ? 0.99 : 1.01, x = 0.0;
        for (int i = 0; i < 9; i++) {
            x += lean * 0.5 / (9 - i); // 9 - i bricks lean out over the one below
            body.pose.p = cairn_vec(x, 1.5 * stack, 0.1 + 0.2 * i);
            cairn_world_add_body(world, &body, &top[stack], NULL);
        }
    }

    for (int step = 0; step < 240; step++)
        cairn_world_step(world, 1.0 / 60.0, NULL, NULL);
    for (int stack = 0; stack < 2; stack++) {
        cairn_body_get(world, top[stack], &state, NULL);
        printf("after 4 s top brick %d is at %.3f m\n", stack + 1, state.center.z);
    }
    cairn_world_destroy(world);
    return 0;
}
