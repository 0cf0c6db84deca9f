// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the parts of the reader of MJCF share.
#ifndef CAIRN_IO_ROBOT_MJCF_H
#define CAIRN_IO_ROBOT_MJCF_H

#include "io/robot/robot.h"

typedef struct mjcf {
    robot_reader* r;
    bool global;          ///< places and directions are those of the world, not of the body around
    bool radians;         ///< angles are in radians; else in degrees
    bool limits_by_range; ///< a range limits a joint that does not say whether it is limited
    bool masses_of_geoms; ///< also where there is an <inertial>
    char turns[4];        ///< the sequence of Euler angles
    const char* mesh_folder;
    double total_mass; ///< kg, that all bodies are scaled to; 0: none
    int bodies;        ///< so far, for names
} mjcf;

/// An attribute of an element, or of the defaults of its class. `inherited` is the class of the
/// bodies around it, or NULL.
const char* mjcf_text(mjcf* m, xml_element* at, const char* inherited, const char* name);
double mjcf_real(mjcf* m, xml_element* at, const char* inherited, const char* name, double absent);
cairn_vec3 mjcf_vec(mjcf* m, xml_element* at, const char* inherited, const char* name,
                    cairn_vec3 absent);

/// Radians of an angle of the file.
double mjcf_angle(const mjcf* m, double x);

/// pos and one of quat, axisangle, xyaxes, zaxis, euler.
cairn_transform mjcf_pose(mjcf* m, xml_element* at, const char* inherited);

/// A pose of the file, as seen from the frame of a link.
cairn_transform mjcf_in_link(const mjcf* m, int link, cairn_transform x);

/// The shape of a geom (mjcf_geom.c).
void mjcf_read_geom(mjcf* m, xml_element* at, const char* inherited, int link, bool weighs);

/// All bodies of <worldbody> (mjcf_body.c).
void mjcf_read_world(mjcf* m, xml_element* world);

/// Fixed tendons and actuators (mjcf_actuator.c).
void mjcf_read_actuators(mjcf* m, xml_element* root);

/// The controls of the keyframe that was asked for, one for each actuator; or NULL (mjcf_rest.c).
double* mjcf_read_keys(mjcf* m, xml_element* root, int actuators);

/// Sensors (mjcf_sensor.c).
void mjcf_read_sensors(mjcf* m, xml_element* root);

/// Actuators, equality constraints, pairs, exclusions and keyframes (mjcf_rest.c).
void mjcf_read_rest(mjcf* m, xml_element* root);

#endif
