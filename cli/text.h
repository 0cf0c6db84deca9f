// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Text from outside, character by character: which of its characters may go to a terminal.
#ifndef CAIRN_CLI_TEXT_H
#define CAIRN_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One character of a text in UTF-8. A byte that is not UTF-8 stands for itself and is not
/// printable.
typedef struct text_char {
    uint32_t code;
    const char* bytes; ///< in the text
    size_t length;     ///< of them
    bool valid;        ///< UTF-8
    bool printable;    ///< no control character, no override of the writing direction
} text_char;

/// The character at *text, which moves on behind it. Not to be called at the end.
text_char text_next(const char** text);

/// Copies a text with escapes in place of what is not printable (\n, \x1b, \u202e); cut at a
/// character's end where there is no more room. Gives the number of characters copied.
int text_escape(char* to, size_t size, const char* text);

#endif
