// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reads a scene, lets it run for four seconds and says where a brick is:
//     cc overhang.c $(pkg-config --cflags --libs cairn-io)
#include <cairn/io.h>
#include <stdio.h>

int main(void)
{
    cairn_scene* scene;
    cairn_body_id id;
    cairn_body_state top;
    if (cairn_scene_read("overhang.json", NULL, &scene, NULL) != CAIRN_OK)
        return 1;
    for (int step = 0; step < 240; step++)
        cairn_scene_step(scene, 1.0 / 60.0, NULL, NULL);
    cairn_scene_find(scene, "front", &id);
    cairn_body_get(cairn_scene_world(scene), id, &top, NULL);
    printf("the stack in front stands: its top brick is at %.3f m\n", top.center.z);
    cairn_scene_destroy(scene);
    return 0;
}
