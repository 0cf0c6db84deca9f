// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <string.h> of C17 and POSIX, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_STRING_H
#define CAIRN_MACOS_STRING_H

#include <stddef.h>

void* memcpy(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* memory, int byte, size_t size);
int memcmp(const void* a, const void* b, size_t size);
void* memchr(const void* memory, int byte, size_t size);
char* strcpy(char* to, const char* from);
char* strncpy(char* to, const char* from, size_t size);
char* strcat(char* to, const char* from);
char* strncat(char* to, const char* from, size_t size);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t size);
char* strchr(const char* text, int letter);
char* strrchr(const char* text, int letter);
char* strstr(const char* text, const char* part);
size_t strspn(const char* text, const char* letters);
size_t strcspn(const char* text, const char* letters);
size_t strlen(const char* text);
char* strerror(int error);

// of POSIX
char* strdup(const char* text);
size_t strnlen(const char* text, size_t most);

#endif
