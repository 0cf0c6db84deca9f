// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Runs and races as web pages: what the page is told (stages as JSON, frames as packed numbers;
// docs/page-format.md) and files that carry the page and all of its data, so that they open from
// the disk in any browser without network. Belongs to the library cairn-io.
#ifndef CAIRN_PAGE_H
#define CAIRN_PAGE_H

#include <cairn/recording.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The page without data: an HTML file of `size` bytes, static storage. NULL when this library was
/// built without npm, which makes the page.
CAIRN_API const char* cairn_page_html(size_t* size);

/// Refuses with one sentence when there is no page.
CAIRN_API cairn_status cairn_page_check(cairn_error* error);

/// Bytes that grow. Zeroed is empty; free with cairn_page_bytes_destroy.
typedef struct cairn_page_bytes {
    unsigned char* data;
    size_t size, capacity;
} cairn_page_bytes;

/// Frees the bytes; what is left is empty.
CAIRN_API void cairn_page_bytes_destroy(cairn_page_bytes* bytes);

/// A stage for the page: JSON in UTF-8, which begins with '{'. Replaces what `bytes` held.
CAIRN_API cairn_status cairn_page_stage(const cairn_stage* stage, cairn_page_bytes* bytes,
                                        cairn_error* error);

/// A frame for the page that stands by itself; begins with the byte 2. Lengths, velocities and
/// impulses are rounded to units that follow from the stage, far below what can be seen. Replaces
/// what `bytes` held.
CAIRN_API cairn_status cairn_page_frame(const cairn_stage* stage, const cairn_frame* frame,
                                        cairn_page_bytes* bytes, cairn_error* error);

/// A replay page in the making.
typedef struct cairn_replay cairn_replay;

/// What a replay may hold; zero: the default.
typedef struct cairn_replay_def {
    int frames;  ///< at most so many frames; default 20,000
    size_t room; ///< bytes of memory for them; default 192 MB, of which about a tenth is written
    const cairn_cancel* cancel; ///< or NULL: when it is raised, cairn_replay_write ends at once
} cairn_replay_def;

/// `def` may be NULL.
CAIRN_API cairn_status cairn_replay_create(const cairn_replay_def* def, cairn_replay** replay,
                                           cairn_error* error);

/// Adds the frame of a step. When the limits are reached every other frame is dropped, and from
/// then on only every second, fourth, ... is kept; the residuals, errors and milliseconds of a kept
/// frame are then the largest of those that it stands for. The page says so.
CAIRN_API cairn_status cairn_replay_add(cairn_replay* replay, const cairn_stage* stage,
                                        const cairn_frame* frame, cairn_error* error);

/// Writes the page, which takes seconds where many bodies move. An existing file is refused unless
/// `force`. CAIRN_INTERRUPTED when the flag of the definition was raised: there is no file then.
CAIRN_API cairn_status cairn_replay_write(cairn_replay* replay, const char* path, bool force,
                                          cairn_error* error);

/// Frames that are kept, and how many steps each stands for.
CAIRN_API int cairn_replay_frames(const cairn_replay* replay, int* every);
CAIRN_API void cairn_replay_destroy(cairn_replay* replay);

/// Writes a page that shows a race: `json` is the object of `cairn race --json`
/// (docs/page-format.md).
CAIRN_API cairn_status cairn_page_write_race(const char* path, const char* json, bool force,
                                             cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
