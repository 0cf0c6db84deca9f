// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The state in which a run ended, as JSON.

#include "state_json.h"
#include "verb.h"
#include <cairn/drive.h>
#include <cairn/instrument.h>
#include <math.h>

// where a body is and how it moves; null when there is none of that name
json_t* state_of_body(const cairn_scene* scene, const char* name)
{
    cairn_body_id id;
    cairn_body_state s;
    if (!cairn_scene_find(scene, name, &id) ||
        cairn_body_get(cairn_scene_world(scene), id, &s, NULL) != CAIRN_OK)
        return json_null();

    const struct {
        const char* key;
        double value;
    } numbers[] = {{"x", s.center.x},    {"y", s.center.y},    {"z", s.center.z},
                   {"vx", s.velocity.x}, {"vy", s.velocity.y}, {"vz", s.velocity.z},
                   {"wx", s.spin.x},     {"wy", s.spin.y},     {"wz", s.spin.z},
                   {"qw", s.pose.q.w},   {"qx", s.pose.q.x},   {"qy", s.pose.q.y},
                   {"qz", s.pose.q.z}};

    json_t* out = json_object();
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        verb_set_real(out, numbers[k].key, numbers[k].value);
    json_object_set_new(out, "asleep", json_boolean(s.asleep));
    return out;
}

// what each sensor that measures reads at the end
json_t* state_of_sensors(const cairn_scene* scene)
{
    json_t* out = json_object();
    for (int i = 0; i < cairn_scene_instruments(scene); i++) {
        cairn_instrument told = cairn_scene_get_instrument(scene, i);
        double values[CAIRN_INSTRUMENT_VALUES];
        json_t* item = json_object();
        bool reads = cairn_scene_read_instrument(scene, i, values, NULL) == CAIRN_OK;
        for (int k = 0; k < told.count && reads; k++)
            verb_set_real(item, told.columns[k], values[k]);
        json_object_set_new(out, told.name, item);
    }
    return out;
}

// of each joint: the forces are the means of the last step
json_t* state_of_joints(const cairn_world* world, double dt)
{
    json_t* out = json_array();
    for (int slot = 0; slot < cairn_world_joint_slots(world); slot++) {
        cairn_joint_state s;
        json_t* joint = json_object();
        if (cairn_joint_get(world, cairn_world_joint_at(world, slot), &s, NULL) == CAIRN_OK) {
            verb_set_real(joint, "coordinate", s.coordinate);
            verb_set_real(joint, "error", s.error);
            verb_set_real(joint, "force", cairn_norm(s.impulse) / dt);
            verb_set_real(joint, "torque", cairn_norm(s.twist) / dt);
        }
        json_array_append_new(out, joint);
    }
    return out;
}
