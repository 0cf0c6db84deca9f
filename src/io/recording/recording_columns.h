// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The columns of a recording; docs/recording.md tells what each holds. One line each: name in the
// file, table that it belongs to, type, elements of a row. Columns of a table have as many rows;
// those of Y came later, and files that lack them are read, too.
// The order is that in which rows become visible: steps last, so that a step that can be seen is
// complete.
#ifndef CAIRN_IO_RECORDING_COLUMNS_H
#define CAIRN_IO_RECORDING_COLUMNS_H

#include "io/hdf5/columns.h"

#define CAIRN_RECORDING_COLUMNS(X, Y)                                                              \
    X(vertices_point, "/shapes/vertices", VERTICES, F64, 3)                                        \
    X(triangles_corner, "/shapes/triangles", TRIANGLES, I32, 3)                                    \
    X(parts_shape, "/shapes/part_shape", PARTS, I32, 1)                                            \
    X(parts_offset, "/shapes/part_offset", PARTS, F64, 7)                                          \
    X(shapes_kind, "/shapes/kind", SHAPES, I32, 1)                                                 \
    X(shapes_size, "/shapes/size", SHAPES, F64, 5)                                                 \
    X(shapes_vertex, "/shapes/vertex", SHAPES, I64, 2)                                             \
    X(shapes_triangle, "/shapes/triangle", SHAPES, I64, 2)                                         \
    X(shapes_part, "/shapes/part", SHAPES, I64, 2)                                                 \
    X(shapes_grid, "/shapes/grid", SHAPES, I32, 2)                                                 \
    X(bodies_id, "/bodies/id", BODIES, I64, 2)                                                     \
    X(bodies_type, "/bodies/type", BODIES, I32, 1)                                                 \
    X(bodies_shape, "/bodies/shape", BODIES, I32, 1)                                               \
    X(bodies_offset, "/bodies/offset", BODIES, F64, 7)                                             \
    X(bodies_mass, "/bodies/mass", BODIES, F64, 1)                                                 \
    Y(bodies_principal, "/bodies/principal", BODIES, F64, 7)                                       \
    Y(bodies_moments, "/bodies/moments", BODIES, F64, 3)                                           \
    Y(bodies_gravity, "/bodies/gravity_scale", BODIES, F64, 1)                                     \
    Y(bodies_filter, "/bodies/filter", BODIES, I64, 2)                                             \
    X(bodies_name, "/bodies/name", BODIES, NAME, 1)                                                \
    Y(bodies_look, "/bodies/look", BODIES, U8, 1)                                                  \
    X(joints_id, "/joints/id", JOINTS, I64, 2)                                                     \
    X(joints_kind, "/joints/kind", JOINTS, I32, 1)                                                 \
    X(joints_slots, "/joints/slots", JOINTS, I32, 2)                                               \
    Y(joints_flags, "/joints/flags", JOINTS, U8, 1)                                                \
    Y(joints_size, "/joints/size", JOINTS, F64, 2)                                                 \
    Y(joints_spring, "/joints/spring", JOINTS, F64, 2)                                             \
    X(joints_frames, "/joints/frames", JOINTS, F64, 14)                                            \
    Y(joints_surface, "/joints/surface", JOINTS, I32, 1)                                           \
    Y(joints_surface_size, "/joints/surface_size", JOINTS, F64, 2)                                 \
    Y(excluded_slots, "/excluded/slots", EXCLUDED, I32, 2)                                         \
    X(states_body, "/states/body", STATES, I32, 1)                                                 \
    X(states_pose, "/states/pose", STATES, F64, 7)                                                 \
    X(states_velocity, "/states/velocity", STATES, F64, 6)                                         \
    X(states_flags, "/states/flags", STATES, U8, 1)                                                \
    X(states_island, "/states/island", STATES, I32, 1)                                             \
    X(contacts_bodies, "/contacts/bodies", CONTACTS, I32, 2)                                       \
    X(contacts_point, "/contacts/point", CONTACTS, F64, 3)                                         \
    X(contacts_normal, "/contacts/normal", CONTACTS, F64, 3)                                       \
    X(contacts_impulse, "/contacts/impulse", CONTACTS, F64, 3)                                     \
    X(contacts_gap, "/contacts/gap", CONTACTS, F64, 1)                                             \
    X(contacts_state, "/contacts/state", CONTACTS, U8, 1)                                          \
    Y(contacts_mu, "/contacts/mu", CONTACTS, F64, 1)                                               \
    X(masses_slot, "/problem/mass_slot", MASSES, I32, 1)                                           \
    X(masses_inverse, "/problem/mass_inverse", MASSES, F64, 7)                                     \
    X(points_masses, "/problem/contact_masses", POINTS, I32, 2)                                    \
    X(points_friction, "/problem/contact_friction", POINTS, I32, 3)                                \
    X(points_mu, "/problem/contact_mu", POINTS, F64, 3)                                            \
    X(points_frame, "/problem/contact_frame", POINTS, F64, 6)                                      \
    X(points_arms, "/problem/contact_arms", POINTS, F64, 6)                                        \
    X(points_b, "/problem/contact_b", POINTS, F64, 4)                                              \
    X(points_impulse, "/problem/contact_impulse", POINTS, F64, 4)                                  \
    Y(points_compliance, "/problem/contact_compliance", POINTS, F64, 1)                            \
    X(rows_jacobian, "/problem/row_jacobian", ROWS, F64, 12)                                       \
    X(rows_b, "/problem/row_b", ROWS, F64, 1)                                                      \
    X(rows_bounds, "/problem/row_bounds", ROWS, F64, 2)                                            \
    X(rows_compliance, "/problem/row_compliance", ROWS, F64, 1)                                    \
    X(rows_impulse, "/problem/row_impulse", ROWS, F64, 1)                                          \
    X(blocks_masses, "/problem/block_masses", BLOCKS, I32, 2)                                      \
    X(blocks_kind, "/problem/block_kind", BLOCKS, I32, 1)                                          \
    X(blocks_rows, "/problem/block_rows", BLOCKS, I32, 1)                                          \
    X(solves_masses, "/problem/solve_masses", SOLVES, I64, 2)                                      \
    X(solves_contacts, "/problem/solve_contacts", SOLVES, I64, 2)                                  \
    X(solves_blocks, "/problem/solve_blocks", SOLVES, I64, 2)                                      \
    X(solves_rows, "/problem/solve_rows", SOLVES, I64, 2)                                          \
    X(solves_law, "/problem/solve_law", SOLVES, I32, 2)                                            \
    X(solves_residual, "/problem/solve_residual", SOLVES, F64, 2)                                  \
    Y(steps_motion, "/steps/motion", STEPS, F64, 10)                                               \
    Y(steps_excluded, "/steps/excluded", STEPS, I64, 2)                                            \
    X(steps_states, "/steps/states", STEPS, I64, 2)                                                \
    X(steps_contacts, "/steps/contacts", STEPS, I64, 2)                                            \
    X(steps_solves, "/steps/solves", STEPS, I64, 2)                                                \
    X(steps_joints, "/steps/joints", STEPS, I64, 2)                                                \
    X(steps_step, "/steps/step", STEPS, I64, 1)                                                    \
    X(steps_time, "/steps/time", STEPS, F64, 1)                                                    \
    X(steps_counts, "/steps/counts", STEPS, I32, 6)                                                \
    X(steps_residual, "/steps/residual", STEPS, F64, 2)                                            \
    X(steps_tolerance, "/steps/tolerance", STEPS, F64, 1)                                          \
    X(steps_penetration, "/steps/penetration", STEPS, F64, 1)                                      \
    X(steps_joint_error, "/steps/joint_error", STEPS, F64, 1)                                      \
    X(steps_energy, "/steps/energy", STEPS, F64, 2)                                                \
    X(steps_ms, "/steps/ms", STEPS, F64, 6)                                                        \
    X(steps_method, "/steps/method", STEPS, WORD, 1)                                               \
    X(steps_outcome, "/steps/outcome", STEPS, WORD, 1)                                             \
    X(steps_hash, "/steps/hash", STEPS, U64, 1)

#define CAIRN_RECORDING_ENUM(id, name, table, type, width) CAIRN_COLUMN_##id,
enum { CAIRN_RECORDING_COLUMNS(CAIRN_RECORDING_ENUM, CAIRN_RECORDING_ENUM) CAIRN_COLUMN_COUNT };
#undef CAIRN_RECORDING_ENUM

enum { cairn_name_size = 64, cairn_word_size = 24 };

/// Bits of /bodies/look and of /joints/flags.
enum {
    cairn_look_glass = 1,
    cairn_look_soft = 128,
    cairn_look_shift = 1, ///< what it is drawn as stands between these bits
    cairn_joint_collides = 1,
    cairn_joint_wheel = 2,
    cairn_joint_driven = 4
};

/// The version of the format that is written, and the only one that is read.
enum { cairn_recording_version = 1 };
#define CAIRN_RECORDING_FORMAT "cairn recording"

extern const cairn_column_def cairn_recording_columns[CAIRN_COLUMN_COUNT];

#endif
