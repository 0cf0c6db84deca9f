// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes that grow.

#include "io/page/page.h"
#include <stdlib.h>
#include <string.h>

bool cairn_page_reserve(cairn_page_bytes* bytes, size_t more)
{
    if (more <= bytes->capacity - bytes->size)
        return true;
    size_t wanted = 2 * bytes->capacity;
    if (wanted < bytes->size + more)
        wanted = bytes->size + more;
    unsigned char* grown = realloc(bytes->data, wanted);
    if (!grown)
        return false;
    bytes->data = grown;
    bytes->capacity = wanted;
    return true;
}

bool cairn_page_append(cairn_page_bytes* bytes, const void* data, size_t size)
{
    if (!cairn_page_reserve(bytes, size))
        return false;
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

void cairn_page_bytes_destroy(cairn_page_bytes* bytes)
{
    if (!bytes)
        return;
    free(bytes->data);
    *bytes = (cairn_page_bytes){0};
}
