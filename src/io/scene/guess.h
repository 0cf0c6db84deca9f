// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a mistyped word most likely meant: a key of a scene, a command, a method, a scene.
#ifndef CAIRN_IO_SCENE_GUESS_H
#define CAIRN_IO_SCENE_GUESS_H

#include <stddef.h>

/// Of all candidates the one that a mistyped word most likely meant. Zero before the first is
/// offered; `best` is NULL when none is near.
typedef struct cairn_guess {
    const char* word;
    const char* best;
    int distance;
} cairn_guess;

void cairn_guess_offer(cairn_guess* guess, const char* candidate);

/// "; did you mean 'wall'?" when a candidate was near, else "". `text` has room for it.
const char* cairn_guess_hint(const cairn_guess* guess, char* text, size_t size);

#endif
