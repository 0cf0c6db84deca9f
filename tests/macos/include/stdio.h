// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <stdio.h> of C17, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_STDIO_H
#define CAIRN_MACOS_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct FILE FILE;
#define stderr cairn_macos_stderr
extern FILE* stderr;

int snprintf(char* text, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
int vsnprintf(char* text, size_t size, const char* format, va_list values)
    __attribute__((format(printf, 3, 0)));
int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE* file, const char* format, ...) __attribute__((format(printf, 2, 3)));

#endif
