// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// UTF-8 as in RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.

#include "text.h"
#include <stdio.h>
#include <string.h>

// control characters, marks and overrides of the writing direction, separators of lines, tags
static bool is_printable(uint32_t c)
{
    static const uint32_t hidden[][2] = {{0x00, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},
                                         {0x061c, 0x061c}, {0x180e, 0x180e},  {0x200b, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (c >= hidden[i][0] && c <= hidden[i][1])
            return false;
    return true;
}

text_char text_next(const char** text)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char* s = (const unsigned char*)*text;

    // the first byte tells the length
    size_t length = s[0] < 0x80             ? 1
                    : (s[0] & 0xe0) == 0xc0 ? 2
                    : (s[0] & 0xf0) == 0xe0 ? 3
                    : (s[0] & 0xf8) == 0xf0 ? 4
                                            : 0;
    uint32_t code = length < 2 ? s[0] : s[0] & (0x7fu >> length);
    bool valid = length > 0;

    // the end of the text is no continuation, so nothing behind it is read
    for (size_t i = 1; valid && i < length; i++) {
        valid = (s[i] & 0xc0) == 0x80;
        code = code << 6 | (s[i] & 0x3f);
    }

    // overlong forms, surrogates and codes beyond Unicode are invalid: one byte is taken as it is
    valid = valid && (length == 1 || code >= smallest[length]) && code <= 0x10ffff &&
            !(code >= 0xd800 && code <= 0xdfff);
    if (!valid) {
        code = s[0];
        length = 1;
    }

    text_char c = {code, *text, length, valid, valid && is_printable(code)};
    *text += length;
    return c;
}

int text_escape(char* to, size_t size, const char* text)
{
    size_t have = 0;
    int count = 0;
    while (*text) {
        text_char c = text_next(&text);
        char escape[16];
        const char* bytes = escape;
        size_t length = c.length;

        // printable characters stay; of the others the short escapes come first
        if (c.printable)
            bytes = c.bytes;
        else if (c.code == '\n' || c.code == '\r' || c.code == '\t')
            length = (size_t)snprintf(escape, sizeof escape, "\\%c",
                                      c.code == '\n'   ? 'n'
                                      : c.code == '\r' ? 'r'
                                                       : 't');
        else if (!c.valid || c.code < 0x80)
            length = (size_t)snprintf(escape, sizeof escape, "\\x%02x", (unsigned)c.code);
        else
            length = (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c.code);

        // an escape is never cut in half
        if (have + length >= size)
            break;
        memcpy(to + have, bytes, length);
        have += length;
        count += c.printable ? 1 : (int)length;
    }

    if (size > 0)
        to[have] = 0;
    return count;
}
