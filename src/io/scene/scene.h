// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading of scenes: what the parts of the reader share. A node is a JSON value that knows the way
// to it, so that every complaint names its key. The first complaint is kept; after it, getters give
// defaults and the reader runs out.
#ifndef CAIRN_IO_SCENE_H
#define CAIRN_IO_SCENE_H

#include <cairn/random.h>
#include <cairn/recording.h>
#include <jansson.h>

/// Data that shapes borrow, and how it is given back.
typedef struct cairn_scene_data {
    void* data;
    void (*destroy)(void* data);
} cairn_scene_data;

typedef struct cairn_scene_name {
    char* name;
    cairn_body_id id; ///< none while the body has not entered
} cairn_scene_name;

/// A joint with a name.
typedef struct cairn_scene_joint {
    char* name;
    cairn_joint_id id;
} cairn_scene_joint;

/// A body that enters at a time.
typedef struct cairn_scene_late {
    double enter; ///< s
    cairn_body_def def;
    cairn_shape shape;
    int name; ///< index, or -1
    bool glass;
    cairn_look look;
    bool done;       ///< it is in
    int64_t entered; ///< after so many steps, when it last did; -1: never
} cairn_scene_late;

/// A body that is drawn in a way of its own.
typedef struct cairn_scene_look {
    cairn_body_id id;
    bool glass;
    cairn_look look;
} cairn_scene_look;

typedef enum cairn_drive_kind {
    CAIRN_DRIVE_FORCE,
    CAIRN_DRIVE_PATH,
    CAIRN_DRIVE_SPEED,  ///< of a motor
    CAIRN_DRIVE_TARGET, ///< of a servo
} cairn_drive_kind;

/// What acts on a body or a joint while the scene runs, with a table over time.
typedef struct cairn_scene_drive {
    cairn_drive_kind kind;
    cairn_body_id body;
    cairn_joint_id joint;
    cairn_vec3 force, torque; ///< N, N m, times the value of the table; without one times 1
    cairn_vec3 at;            ///< m: in the body frame
    bool local;               ///< force and torque turn with the body
    bool repeat;              ///< the table starts anew when it ends
    double from, to;          ///< s: of forces
    int count;
    double *times, *values; ///< s, ascending; values between them are interpolated
    cairn_transform* poses; ///< of paths
} cairn_scene_drive;

typedef struct cairn_scene_sensor {
    char* name;
    cairn_sensor_id id;
} cairn_scene_sensor;

/// A sensor that measures (scene_instruments.c).
typedef struct cairn_scene_instrument {
    char* name;
    int kind; ///< cairn_instrument_kind
    cairn_body_id body;
    cairn_joint_id joint;
    cairn_transform at; ///< its frame -> body frame; of a joint: of B
    bool placed;        ///< the file says where
    double length;      ///< m: of a range
    double offset;      ///< rad, m: added to the coordinate of a joint
    bool shaped;
    cairn_shape shape; ///< within which a touch counts

    // the last step
    cairn_vec3 velocity, acceleration; ///< m/s before it, m/s² in it
    int64_t made_at;                   ///< steps of the world after it; -1: none
    double dt;
} cairn_scene_instrument;

struct cairn_scene {
    cairn_world* world;
    cairn_world_def def;
    cairn_solve_def tuning; ///< options of the method
    char *title, *group;
    char* ignored;   ///< what the reader of a robot passed over, or NULL
    double time, dt; ///< s: length of a run and of a step
    int body_count;
    int data_count, data_capacity;
    cairn_scene_data* data;
    int name_count, name_capacity;
    cairn_scene_name* names;
    int joint_count, joint_capacity;
    cairn_scene_joint* joints; ///< those with names
    int drive_count, sensor_count, instrument_count;
    cairn_scene_instrument* instruments;
    cairn_scene_drive* drives;
    cairn_scene_sensor* sensors;
    int late_count, late_capacity;
    cairn_scene_late* late;
    int look_count, look_capacity;
    cairn_scene_look* looks;
};

typedef struct cairn_node cairn_node;

typedef struct cairn_reader {
    cairn_scene* scene;
    const char* file;
    const char* text; ///< of `size` bytes; the place of a complaint is looked up in it
    size_t size;
    int limit;                ///< bodies, joints and copies that may still be made
    int part, parts, dynamic; ///< as in cairn_scene_def, and dynamic bodies so far
    cairn_status status;
    cairn_error* error;
    const cairn_node* materials; ///< or NULL
    int shape_count;             ///< named shapes, read once
    const char** shape_names;
    cairn_shape* shapes;
    cairn_body_def defaults;
    int scope; ///< first name of the group at hand
    int depth; ///< of groups
} cairn_reader;

struct cairn_node {
    cairn_reader* reader;
    json_t* value;
    const cairn_node* parent; ///< NULL for the whole file
    const char* key;          ///< in an object
    int index;                ///< in an array
};

// ---------------------------------------------------------------- nodes (scene_node.c)

/// Keeps the sentence "file:line:column: key TEXT" when it is the first one.
void cairn_node_fail(const cairn_node* node, const char* format, ...) CAIRN_PRINTF(2, 3);

/// Keeps a sentence of the library in the same way.
void cairn_node_blame(const cairn_node* node, cairn_status status, const cairn_error* error);

/// The system gave no memory for it: CAIRN_NO_MEMORY.
void cairn_node_starve(const cairn_node* node);
bool cairn_node_ok(const cairn_node* node);

/// Whether the node is an object with no keys but those in the lists (NULL-terminated; the second
/// may be NULL).
bool cairn_node_allow(const cairn_node* node, const char* const* keys, const char* const* more);

/// The value of a key; false when it is absent. With `need` that is an error.
bool cairn_node_child(cairn_node* child, const cairn_node* node, const char* key);
bool cairn_node_need(cairn_node* child, const cairn_node* node, const char* key);

/// Item of an array, and how many there are (an error when the node is no array).
cairn_node cairn_node_item(const cairn_node* node, int index);
int cairn_node_count(const cairn_node* node);

typedef enum cairn_bound { CAIRN_ANY, CAIRN_AT_LEAST_0, CAIRN_ABOVE_0 } cairn_bound;

/// Values of keys with a default for absent ones.
double cairn_node_real(const cairn_node* node, const char* key, double absent, cairn_bound bound);
double cairn_node_whole(const cairn_node* node, const char* key, double absent, double least,
                        double most);
int cairn_node_integer(const cairn_node* node, const char* key, int absent, int least, int most);
bool cairn_node_flag(const cairn_node* node, const char* key, bool absent);
const char* cairn_node_string(const cairn_node* node, const char* key, const char* absent);
cairn_vec3 cairn_node_vector(const cairn_node* node, const char* key, cairn_vec3 absent);

/// The index of a string in a list.
int cairn_node_choice(const cairn_node* node, const char* key, const char* const* names, int count,
                      int absent);

/// The same of a value itself.
double cairn_node_number(const cairn_node* node, cairn_bound bound);
cairn_vec3 cairn_node_triple(const cairn_node* node);

/// at, turn (rotation vector in degrees) and quaternion of an object.
cairn_transform cairn_node_pose(const cairn_node* node);

/// Whether the limit leaves room for so many; false with a complaint. Copies ask before the first of them is made.
bool cairn_node_afford(const cairn_node* node, int count);

/// Takes one from the limit; false, with a complaint, when nothing is left.
bool cairn_node_spend(const cairn_node* node);

/// Line and column (from 1) of a node in the text (scene_locate.c).
void cairn_node_locate(const cairn_node* node, int* line, int* column);

// ---------------------------------------------------------------- shapes (scene_shapes.c)

/// A shape given as an object or as the name of one.
cairn_shape cairn_read_shape(const cairn_node* node);

/// A hull of points that the scene keeps.
cairn_shape cairn_scene_hull(const cairn_node* node, const cairn_vec3* points, int count);

/// The part of a ring about the z axis between two radii, `angle` rad wide about the x axis, moved
/// so that its mean radius lies at the origin.
cairn_shape cairn_scene_sector(const cairn_node* node, double inner, double outer, double height,
                               double angle);

/// Gives data to the scene; destroys it at once when there is no memory.
void cairn_scene_keep(const cairn_node* node, void* data, void (*destroy)(void*));

/// More shapes: solids of revolution (scene_revolve.c).
cairn_shape cairn_read_revolve(const cairn_node* node);

/// A compound of convex parts that the scene keeps.
cairn_shape cairn_scene_compound(const cairn_node* node, const cairn_shape* parts,
                                 const cairn_transform* offsets, int count);

// ---------------------------------------------------------------- bodies (scene_bodies.c)

/// What an element of "bodies" says about the bodies that it makes.
typedef struct cairn_template {
    cairn_body_def def; ///< its pose is that of the element within its group
    cairn_shape shape;
    bool shaped;
    double enter; ///< s
    bool glass;
    cairn_look look;
    const char* name;
    bool many; ///< names are numbered
    int made;
} cairn_template;

extern const char* const cairn_body_keys[];

/// Reads all materials of a list, so that each is right; later ones name them. The list must last.
void cairn_read_materials(const cairn_node* list);

/// Reads the keys of a body into the defaults `def`.
void cairn_read_body(cairn_template* body, const cairn_node* node, const cairn_body_def* defaults);

/// Notes how a body is drawn; false when there is no memory. Plain ones need no note.
bool cairn_scene_add_look(cairn_scene* scene, cairn_scene_look look);

/// Adds one body of a template at a pose of the world. Gives its id (none when it enters later).
cairn_body_id cairn_scene_add(const cairn_node* node, cairn_template* body, cairn_transform pose);

/// The body of a name that can be seen from the group at hand, or none with a complaint.
cairn_body_id cairn_scene_body(const cairn_node* node, const char* name);

// ---------------------------------------------------------------- elements

/// All elements of "bodies" and then "joints" of a group, placed by `frame` (scene_elements.c).
void cairn_read_group(const cairn_node* node, cairn_transform frame);

/// Joints, given in the frame of their group (scene_joints.c).
void cairn_read_joints(const cairn_node* node, cairn_transform frame);

/// Whether the coordinate of a joint is an angle, in degrees in a scene.
bool cairn_scene_is_angle(cairn_joint_kind kind);

/// What acts while a scene runs, and sensors (scene_drives.c).
void cairn_read_drives(const cairn_node* list);
void cairn_read_sensors(const cairn_node* list);
void cairn_scene_free_drives(cairn_scene* scene);

/// Gives bodies and joints what the drives ask for in a step of dt seconds; and takes the forces
/// back of a step that was not made.
cairn_status cairn_scene_drive_all(cairn_scene* scene, double dt, cairn_error* error);
void cairn_scene_release(cairn_scene* scene, double dt);

/// Loads the mesh that the key "file" of a shape names, by the key "scale" (scene_files.c); the
/// arrays are the caller's. False with a complaint.
bool cairn_scene_load(cairn_mesh_def* def, const cairn_node* node);

/// Pairs of bodies that do not collide (scene_joints.c).
void cairn_read_exclusions(const cairn_node* node);

/// Bodies by rule: wall, pyramid, arch, chain, tree (scene_procedural.c). Whether the node has one.
bool cairn_find_procedure(cairn_node* procedure, const cairn_node* node);
void cairn_read_procedure(const cairn_node* procedure, cairn_template* body, cairn_transform frame);
extern const char* const cairn_procedure_keys[];

// ---------------------------------------------------------------- scene_instruments.c

/// Whether an element of "sensors" measures; else it tells the bodies inside of a shape.
bool cairn_is_instrument(const cairn_node* node);
void cairn_read_instrument(const cairn_node* node);
void cairn_scene_free_instruments(cairn_scene* scene);

/// Before and after a step of `dt` seconds.
void cairn_instruments_before(cairn_scene* scene);
void cairn_instruments_after(cairn_scene* scene, double dt);

#endif
