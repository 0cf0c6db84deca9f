// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sensors, hits and broken joints of a world; see alerts.c.
#ifndef CAIRN_WORLD_ALERTS_H
#define CAIRN_WORLD_ALERTS_H

#include "world/state.h"

/// Items of one size.
typedef struct cairn_alert_list {
    void* items;
    int count, capacity;
} cairn_alert_list;

typedef struct cairn_sensor {
    uint32_t generation;
    bool alive, gone; ///< gone: its body is, as the step under way has found
    bool bound;       ///< to a body
    cairn_body_id body;
    cairn_shape shape;
    cairn_transform pose; ///< -> user's frame of the body, or -> world
    uint32_t mask;
    void* user;
    cairn_alert_list inside, next; ///< cairn_body_id by slot: as seen, and as the step under way
                                   ///< has found
} cairn_sensor;

struct cairn_alerts {
    cairn_sensor* sensors;
    int sensor_count, sensor_capacity;
    double hit_speed;    ///< m/s; 0: no hits
    const double* start; ///< velocities when the step began: 6 for each body; or NULL
    cairn_alert_list begun, ended, hits, broken;  ///< of the last step
    cairn_alert_list begins, ends, meets, breaks; ///< of the step under way
};

/// Those of a world, made when they are first needed; NULL without memory.
cairn_alerts* cairn_world_alerts(cairn_world* world);
void cairn_alerts_destroy(cairn_alerts* alerts);
bool cairn_alerts_copy(cairn_alerts** to, const cairn_alerts* from);
size_t cairn_alerts_memory(const cairn_alerts* alerts);

/// Notes what the step changes that hits are judged by. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_alerts_begin(cairn_world* world);

/// Finds out what the step of dt seconds has to tell; nothing that the user sees changes.
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_alerts_find(cairn_world* world, double dt);

/// Makes it visible, and removes the joints that broke.
void cairn_alerts_publish(cairn_world* world);

/// Asks the hook of materials; the law is within its ranges afterwards.
void cairn_world_ask_material(cairn_world* world, int a, int part_a, int b, int part_b,
                              cairn_law_of_pair* law);

#endif
