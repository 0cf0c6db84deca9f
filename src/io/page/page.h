// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the parts of the page writer share: shots (frames as whole numbers) and files of blocks.
#ifndef CAIRN_IO_PAGE_H
#define CAIRN_IO_PAGE_H

#include <cairn/page.h>

// ---------------------------------------------------------------- bytes (page_bytes.c)

/// Makes room for `more` bytes behind those that are there; false when there is no memory.
bool cairn_page_reserve(cairn_page_bytes* bytes, size_t more);
bool cairn_page_append(cairn_page_bytes* bytes, const void* data, size_t size);

// ---------------------------------------------------------------- shots (page_shot.c)

/// Numbers of a body: flags, island + 1, position 3, quaternion 4, velocity 3, spin 3.
/// Numbers of a contact: state, pair 2, point 3, normal 3, impulse 3, friction.
enum { cairn_shot_body_columns = 15, cairn_shot_contact_columns = 13, cairn_shot_head = 176 };
/// Exponent of the unit of friction.
enum { cairn_shot_mu_unit = -10 };

/// Units by which numbers are rounded: powers of two, by their exponents.
typedef struct cairn_page_units {
    int length, speed, spin, impulse; ///< m, m/s, rad/s, N s
    int quaternion, normal;           ///< of their parts
} cairn_page_units;

/// The report of a step as the page is told it.
typedef struct cairn_shot_report {
    int outcome, islands, frozen;
    const char* method; ///< static storage
    double step, time, dt, kinetic, potential;
    uint64_t hash;
    double residual, residual_velocity, penetration, joint_error, ms;
    double stages[5]; ///< ms: broad, narrow, assemble, solve, integrate
    cairn_motion motion;
} cairn_shot_report;

/// A frame in whole numbers. Zeroed is empty; free `numbers`.
typedef struct cairn_shot {
    int change;
    cairn_page_units units;
    cairn_shot_report report;
    int body_count, contact_count;
    int32_t* numbers; ///< columns of the bodies, then columns of the contacts
    size_t capacity;  ///< numbers that there is room for
} cairn_shot;

/// Units for a stage: a ten-thousandth of the smallest radius, a two-millionth of the weight of
/// everything during a step, and the like; of many bodies sixteen times as much.
cairn_page_units cairn_page_choose_units(const cairn_stage* stage);

/// Rounds a frame. Reuses `numbers`; false when there is no memory.
bool cairn_shot_take(cairn_shot* shot, const cairn_stage* stage, const cairn_frame* frame,
                     cairn_page_units units);

/// The numbers of a column.
static inline int32_t* cairn_shot_body(const cairn_shot* shot, int column)
{
    return shot->numbers + (size_t)column * (size_t)shot->body_count;
}

static inline int32_t* cairn_shot_contact(const cairn_shot* shot, int column)
{
    return cairn_shot_body(shot, cairn_shot_body_columns) +
           (size_t)column * (size_t)shot->contact_count;
}

// ---------------------------------------------------------------- frames (page_frame.c)

/// What a shot is told as differences from.
typedef struct cairn_shot_base {
    const cairn_shot* bodies;   ///< the shot before
    const cairn_shot* older;    ///< the one before that; NULL when `bodies` stands by itself
    const cairn_shot* contacts; ///< the last shot whose contacts were told
    bool hold;                  ///< the contacts of this shot are not told
} cairn_shot_base;

/// Appends a shot to `bytes`, as differences unless `base` is NULL. False when there is no memory.
bool cairn_shot_encode(cairn_page_bytes* bytes, const cairn_shot* shot,
                       const cairn_shot_base* base);

/// Whether differences from `before` have a meaning.
bool cairn_shot_follows(const cairn_shot* shot, const cairn_shot* before);

// ---------------------------------------------------------------- the camera (page_view.c)

enum { cairn_page_view_points = 26 };

/// Where a body was: boxes around it at the start and around its whole path, and the farthest point
/// of it in each direction.
typedef struct cairn_page_track {
    bool seen, moves;
    cairn_aabb start, path;
    cairn_vec3 points[cairn_page_view_points];
} cairn_page_track;

/// What the camera of a replay has to see. Zeroed is empty.
typedef struct cairn_page_view {
    int count, capacity;
    cairn_page_track* tracks; ///< by slot
    bool held;
    cairn_aabb anchors; ///< of joints with the world, when `held`
} cairn_page_view;

void cairn_page_view_free(cairn_page_view* view);

/// Adds where the bodies of a frame are; false when there is no memory.
bool cairn_page_view_follow(cairn_page_view* view, const cairn_stage* stage,
                            const cairn_frame* frame);

/// Adds where joints hold bodies to the world.
void cairn_page_view_hold(cairn_page_view* view, const cairn_stage* stage);

/// The farthest points of the whole motion, outliers left out; false when there is nothing to see.
bool cairn_page_view_finish(const cairn_page_view* view, cairn_vec3* points);

// ---------------------------------------------------------------- files (page_file.c)

/// A page in the making: blocks that are deflated as they come.
typedef struct cairn_page_file cairn_page_file;
cairn_page_file* cairn_page_file_create(void);
bool cairn_page_file_add(cairn_page_file* file, const void* data, size_t size);

/// Puts the page in place and frees `file`, in any case.
cairn_status cairn_page_file_finish(cairn_page_file* file, const char* path, bool force,
                                    cairn_error* error);
void cairn_page_file_destroy(cairn_page_file* file);

#endif
