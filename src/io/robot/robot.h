// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A robot while it is read and afterwards: links, joints and geometry, as both formats say them. A
// reader keeps its first complaint; after it, getters give defaults and the reader runs out.
#ifndef CAIRN_IO_ROBOT_H
#define CAIRN_IO_ROBOT_H

#include "io/robot/xml.h"
#include <cairn/robot.h>

/// A shape of a link.
typedef struct robot_geom {
    int link;
    cairn_shape_kind kind; ///< of hulls: `points`
    double radius, half_height;
    cairn_vec3 half;
    int point_count;
    const cairn_vec3* points; ///< shape frame
    cairn_transform at;       ///< shape frame -> link frame
    bool collides;            ///< else it is for the eye or for the mass alone
    uint32_t type, affinity;  ///< MuJoCo's contype and conaffinity
    double mu, mu_spin;       ///< mu < 0: not told
    const char* name;         ///< or NULL
} robot_geom;

/// A joint of a link: the link turns or moves against what stands before it.
typedef struct robot_joint {
    const char* name;
    int link;
    cairn_mobility mobility;
    cairn_vec3 axis, anchor; ///< link frame
    bool limited;
    double lo, hi; ///< rad or m, from the pose of the model
    double effort; ///< N m or N; 0: not told
    double damping, friction, stiffness, rest, armature;
    double servo_stiffness, servo_damping, servo_target; ///< of actuators
    double servo_strength;                               ///< N m or N; 0: no bound
    double push;      ///< N m or N, always: of actuators that are no springs
    double reduction; ///< of the gears of its motor
    double ref;       ///< what a keyframe calls the pose of the model
    double start;     ///< where it is when the scene begins
    int model;        ///< its link in the multibody
    xml_element* from;
} robot_joint;

typedef struct robot_link {
    const char* name;
    int parent;         ///< link, or -1
    cairn_transform at; ///< link frame where all joints are at zero -> parent frame
    bool weighed;       ///< mass, center and inertia are known
    double mass;
    cairn_vec3 center;
    cairn_mat3 inertia; ///< about the center, link axes
    int first_joint, joint_count;
    xml_element* from;

    // what comes of it (robot_model.c)
    int body;                ///< the link that it is a part of, which moves; -1: the world
    cairn_transform in_body; ///< link frame -> frame of that link, or of the world
    int model;               ///< in the multibody, of links that are bodies; -1
} robot_link;

/// Two links, or two joints, that something else ties together.
typedef struct robot_tie {
    enum { ROBOT_CONNECT, ROBOT_WELD, ROBOT_COUPLE, ROBOT_EXCLUDE, ROBOT_PAIR } kind;
    int a, b;          ///< links (-1: the world); of couplings joints: q_a = offset + ratio q_b; of
                       ///< pairs geoms, which collide whatever their types are
    cairn_vec3 anchor; ///< in the frame of link a
    double ratio, offset;
    xml_element* from;
} robot_tie;

/// What measures something of a link or of a joint.
typedef struct robot_sensor {
    const char *name, *kind; ///< as scenes have it
    int link, joint;         ///< -1: not of one
    cairn_transform at;      ///< its frame -> link frame
    robot_geom zone;         ///< of touches
    double length;           ///< m: of ranges; 0: not told
    xml_element* from;
} robot_sensor;

enum { robot_own = -2 }; ///< the coupler itself, as an end of a screw

/// A screw of a coupler: b moves along the coupler's axis by `ratio` for each radian that it turns.
typedef struct robot_screw {
    int a, b;      ///< links of the multibody, -1: the world, or robot_own
    cairn_vec3 at; ///< world, at the start
    double ratio;
} robot_screw;

/// What makes one joint follow another (robot_couple.c): screws, and often a body between them,
/// which slides or turns on its carrier.
typedef struct robot_coupler {
    int tie;
    const char* name;
    cairn_vec3 axis; ///< world, at the start
    int screw_count;
    robot_screw screws[2];

    // the body
    bool made;
    bool turns;           ///< else it slides
    int carrier;          ///< link of the multibody, -1: the world
    int joint;            ///< that it goes with: by `rate` for each rad or m
    double rate;          ///< rad or m
    double mass, inertia; ///< kg, kg m²
    cairn_transform pose; ///< world, at the start
} robot_coupler;

struct cairn_robot {
    xml_pool pool;
    xml_element* root;
    const char *name, *format, *file;
    robot_link* links;
    int link_count, link_capacity;
    robot_joint* joints;
    int joint_count, joint_capacity;
    robot_geom* geoms;
    int geom_count, geom_capacity;
    robot_tie* ties;
    int tie_count, tie_capacity;
    robot_sensor* sensors;
    int sensor_count, sensor_capacity;
    cairn_vec3 gravity;
    double dt;           ///< s; 0: not told
    bool self_collision; ///< links collide with links by their types; else not at all
    bool floor;          ///< a floor is added under it
    xml_element* key;    ///< the keyframe that it starts from, or NULL
    double *key_q, *key_v;

    // made at the end
    cairn_multibody* model;
    int* model_joint; ///< the joint of each link of the model
    double *start_q, *start_v;
    cairn_transform* poses; ///< of the links of the model, at the start
    cairn_vec3 *velocities, *spins;
    robot_coupler* couplers;
    int coupler_count;
    char* ignored;
    char* scene;
};

typedef struct robot_reader {
    cairn_robot* robot;
    const cairn_robot_def* def;
    cairn_status status;
    cairn_error* error;
    int files; ///< that were included
} robot_reader;

// ---------------------------------------------------------------- robot_reader.c

/// Keeps the sentence "file:line: <name> TEXT" when it is the first one.
void robot_fail(robot_reader* r, const xml_element* at, const char* format, ...) CAIRN_PRINTF(3, 4);

/// Keeps a sentence of the library in the same way.
void robot_blame(robot_reader* r, const xml_element* at, cairn_status status,
                 const cairn_error* error);
void robot_starve(robot_reader* r);
bool robot_ok(const robot_reader* r);

/// Numbers of a text, as many as `least` to `most`; gives their count. Attributes of `at` are
/// blamed.
int robot_numbers(robot_reader* r, const xml_element* at, const char* name, const char* text,
                  double* out, int least, int most);

/// Attributes with defaults for absent ones.
double robot_real(robot_reader* r, xml_element* at, const char* name, double absent);
cairn_vec3 robot_vec(robot_reader* r, xml_element* at, const char* name, cairn_vec3 absent);

/// An attribute that must be there; "" after a complaint.
const char* robot_need(robot_reader* r, xml_element* at, const char* name);

/// New ones, or NULL after a complaint. What is new is zero but for names and identities.
robot_link* robot_add_link(robot_reader* r, xml_element* from, const char* name, int parent);
robot_joint* robot_add_joint(robot_reader* r, xml_element* from, const char* name, int link);
robot_geom* robot_add_geom(robot_reader* r, int link);
robot_tie* robot_add_tie(robot_reader* r, xml_element* from);
void robot_add_sensor(robot_reader* r, const robot_sensor* sensor);

/// Indices by name, or -1.
int robot_find_link(const cairn_robot* robot, const char* name);
int robot_find_joint(const cairn_robot* robot, const char* name);

/// Text of the pool, printed; "" after a complaint.
const char* robot_print(robot_reader* r, const char* format, ...) CAIRN_PRINTF(2, 3);

/// Lists what was not taken, or refuses it when strict.
void robot_list_ignored(robot_reader* r);

// ---------------------------------------------------------------- the formats

/// The file of another file: beside `file`, or of a package. "" after a complaint.
const char* robot_path(robot_reader* r, const xml_element* at, const char* name,
                       const char* folder);

/// The corners of a mesh as points of a hull, scaled. False when its format is none that is read,
/// or after a complaint (robot_mesh.c).
bool robot_read_mesh(robot_reader* r, xml_element* at, const char* name, const char* folder,
                     cairn_vec3 scale, robot_geom* geom);

/// The vertices of a COLLADA file, which `at` names, in meters and with z up (collada.c); free.
/// NULL after a complaint.
cairn_vec3* robot_read_collada(robot_reader* r, const xml_element* at, const char* path,
                               int* count);

void robot_read_urdf(robot_reader* r);
void robot_read_mjcf(robot_reader* r);

// ---------------------------------------------------------------- what comes of it

/// The shape of a geom with the points of its hull given as one; false after a complaint.
bool robot_shape(robot_reader* r, const robot_geom* geom, const xml_element* at, cairn_shape* shape,
                 cairn_hull** hull);

/// Adds a mass at a pose to a link.
void robot_add_mass(robot_link* link, double mass, cairn_vec3 center, cairn_mat3 inertia);

/// Which links are bodies, what they weigh, and the multibody (robot_model.c).
void robot_make_model(robot_reader* r);

/// How joints follow each other, where screws can do that (robot_couple.c).
void robot_couple_joints(robot_reader* r);

/// How a body moves: its pose, the velocity of its center of mass and its spin.
typedef struct robot_motion {
    cairn_transform pose;
    cairn_vec3 velocity, spin;
} robot_motion;

/// The same of all links of the multibody, as cairn_multibody_kinematics tells it.
typedef struct robot_motions {
    const cairn_transform* poses;
    const cairn_vec3 *velocities, *spins;
} robot_motions;

/// How the body of a coupler moves where the links move so; `v` may be NULL: at rest.
robot_motion robot_move_coupler(const cairn_robot* robot, const robot_coupler* coupler,
                                const robot_motions* links, const double* q, const double* v);

/// The scene (robot_scene.c).
void robot_make_scene(robot_reader* r);

#endif
