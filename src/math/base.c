// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Error sentences, the version, and the hooks of the process that hear of both kinds of trouble.

#include "math/assert.h"
#include <cairn/hooks.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// of the process: set before other threads use the library
static cairn_log_hook log_hook;
static void* log_context;
static cairn_assert_hook assert_hook;
static void* assert_context;

void cairn_set_log_hook(cairn_log_hook hook, void* context)
{
    log_hook = hook;
    log_context = context;
}

void cairn_set_assert_hook(cairn_assert_hook hook, void* context)
{
    assert_hook = hook;
    assert_context = context;
}

void cairn_assert_failed(const char* condition, const char* file, int line)
{
    if (assert_hook)
        assert_hook(assert_context, condition, file, line);
    else
        fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

cairn_status cairn_fail(cairn_error* error, cairn_status status, const char* format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        if (log_hook)
            log_hook(log_context, status, error->text);
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
