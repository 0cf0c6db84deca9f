// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What every other header stands on: visibility, status codes, error messages, version.
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CAIRN_API __attribute__((visibility("default")))
#define CAIRN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CAIRN_API
#define CAIRN_PRINTF(text, first)
#endif

/// What a function says that can fail for a reason outside the library. Numerical trouble is never
/// a status: it is an outcome in a report (see cairn_outcome). An object that is NULL where one is
/// needed is CAIRN_BAD_INPUT; a function without a status then does nothing and returns zero.
typedef enum cairn_status {
    CAIRN_OK = 0,
    CAIRN_BAD_INPUT,     ///< an argument, a file or a scene is wrong; nothing was changed
    CAIRN_NO_MEMORY,     ///< the system gave no memory; nothing was changed
    CAIRN_NO_FILE,       ///< a file cannot be opened, read or written; nothing was changed
    CAIRN_NOT_SUPPORTED, ///< this build or this method cannot do what was asked
    CAIRN_FAULT,         ///< a fault of ours
    CAIRN_INTERRUPTED,   ///< canceled by the caller before it was done; nothing was changed
    CAIRN_BUSY ///< from a hook or a visitor of the world at hand, which is in the middle of
               ///< a call; nothing was changed
} cairn_status;

/// One sentence for a person: file, place, what is wrong, what was expected. Always terminated.
typedef struct cairn_error {
    char text[512];
} cairn_error;

/// Writes a sentence into `error` (which may be NULL) and returns `status`, so that a function can
/// end with `return cairn_fail(error, CAIRN_BAD_INPUT, "...")`.
CAIRN_API cairn_status cairn_fail(cairn_error* error, cairn_status status, const char* format, ...)
    CAIRN_PRINTF(3, 4);

/// Refuses a call one of whose objects is missing: "the world or the def is NULL, ...". Always
/// CAIRN_BAD_INPUT.
static inline cairn_status cairn_refuse_null(cairn_error* error, const char* names)
{
    return cairn_fail(error, CAIRN_BAD_INPUT, "%s is NULL, expected an object", names);
}

/// A flag by which a caller ends a long computation (cairn_solve_def.cancel). Starts as {0}.
typedef struct cairn_cancel {
    int raised; ///< use the functions below: it is read while others write it
} cairn_cancel;

/// Raises and lowers a flag. Both may be called from any thread, and from a signal handler, while
/// computations poll it. Without effect on NULL.
CAIRN_API void cairn_cancel_raise(cairn_cancel* cancel);
CAIRN_API void cairn_cancel_clear(cairn_cancel* cancel);

/// Whether a flag is raised. NULL is not.
CAIRN_API bool cairn_cancel_is_raised(const cairn_cancel* cancel);

/// Seconds of a steady clock: only differences of two of its values mean something.
CAIRN_API double cairn_clock(void);

// The version of these headers.
#define CAIRN_VERSION_MAJOR 0
#define CAIRN_VERSION_MINOR 1
#define CAIRN_VERSION_PATCH 0

/// The version of the library, "major.minor.patch". Static storage.
CAIRN_API const char* cairn_version(void);

/// Whether the library serves programs that were compiled with headers of this version: before 1.0
/// the same minor version, from then on the same major one and no older minor one.
CAIRN_API bool cairn_version_serves(int major, int minor);

/// Whether the library that a program runs with fits the headers that it was compiled with.
static inline bool cairn_version_check(void)
{
    return cairn_version_serves(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR);
}

#ifdef __cplusplus
}
#endif

#endif
