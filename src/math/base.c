// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Error sentences and the version.

#include <cairn/base.h>
#include <stdarg.h>
#include <stdio.h>

cairn_status cairn_fail(cairn_error* error, cairn_status status, const char* format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char* cairn_version(void)
{
    return TEXT(CAIRN_VERSION_MAJOR) "." TEXT(CAIRN_VERSION_MINOR) "." TEXT(CAIRN_VERSION_PATCH);
}

bool cairn_version_serves(int major, int minor)
{
    if (major == 0)
        return CAIRN_VERSION_MAJOR == 0 && CAIRN_VERSION_MINOR == minor;
    return CAIRN_VERSION_MAJOR == major && CAIRN_VERSION_MINOR >= minor;
}
