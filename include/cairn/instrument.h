// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a scene measures: sensors of robots and machines (docs/scene.md). Readings are of the last
// step, without noise. Belongs to the library cairn-io.
#ifndef CAIRN_INSTRUMENT_H
#define CAIRN_INSTRUMENT_H

#include <cairn/io.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_instrument_kind {
    CAIRN_INSTRUMENT_JOINT, ///< coordinate and speed of a joint, and the force of its drives along it
    CAIRN_INSTRUMENT_IMU,   ///< acceleration less gravity (m/s²) and spin (rad/s), in its own axes
    CAIRN_INSTRUMENT_FORCE_TORQUE, ///< what A exerts on B by a joint: N, N m, in its own axes
    CAIRN_INSTRUMENT_TOUCH,        ///< N: the sum of the normal forces of contacts on a body
    CAIRN_INSTRUMENT_RANGE, ///< m: along its z axis to the nearest other body; -1: none in its reach
} cairn_instrument_kind;

/// No instrument has more values.
enum { CAIRN_INSTRUMENT_VALUES = 6 };

/// An instrument. Texts belong to the scene or have static storage.
typedef struct cairn_instrument {
    const char* name;
    cairn_instrument_kind kind;
    int count; ///< of values
    const char* columns[CAIRN_INSTRUMENT_VALUES];
} cairn_instrument;

/// How many instruments a scene has.
CAIRN_API int cairn_scene_instruments(const cairn_scene* scene);

/// All zeros when there is no such instrument.
CAIRN_API cairn_instrument cairn_scene_get_instrument(const cairn_scene* scene, int index);

/// The index of an instrument by its name, or -1.
CAIRN_API int cairn_scene_find_instrument(const cairn_scene* scene, const char* name);

/// What an instrument reads, `count` values. Accelerations and touches are means over the last step
/// that cairn_scene_step has made; before one, and after the world was changed otherwise, they are
/// those of a body that moves steadily and touches nothing. CAIRN_BAD_INPUT when its body or joint is
/// gone, or has not entered.
CAIRN_API cairn_status cairn_scene_read_instrument(const cairn_scene* scene, int index,
                                                   double* values, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
