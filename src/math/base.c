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

const char* cairn_version(void)
{
    return CAIRN_VERSION_STRING;
}
