// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A page with its data: the page that the viewer's build made, and in the place that it keeps for
// them the blocks, each a 32-bit length and so many bytes, deflated together and written in base64.
// Nothing that comes from a scene is ever part of the HTML itself.

#include "io/file.h"
#include "io/page/page.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct cairn_page_file {
    z_stream stream;
    cairn_page_bytes packed;
    bool failed;
};

cairn_page_file* cairn_page_file_create(void)
{
    cairn_page_file* file = calloc(1, sizeof *file);
    if (file && deflateInit(&file->stream, 9) != Z_OK) {
        free(file);
        return NULL;
    }
    return file;
}

void cairn_page_file_destroy(cairn_page_file* file)
{
    if (!file)
        return;
    deflateEnd(&file->stream);
    cairn_page_bytes_destroy(&file->packed);
    free(file);
}

// ---------------------------------------------------------------- blocks

static bool pack(cairn_page_file* file, const void* data, size_t size, int flush)
{
    enum { piece = 1 << 16 };
    const unsigned char* next = data;
    int status = Z_OK;
    do {
        // zlib counts in unsigned int
        uInt part = size < (1u << 30) ? (uInt)size : 1u << 30;
        file->stream.next_in = (unsigned char*)(uintptr_t)next;
        file->stream.avail_in = part;
        next += part;
        size -= part;

        // deflate until the output no longer fills the room that it was given
        do {
            if (!cairn_page_reserve(&file->packed, piece))
                return false;
            file->stream.next_out = file->packed.data + file->packed.size;
            file->stream.avail_out = piece;
            status = deflate(&file->stream, size > 0 ? Z_NO_FLUSH : flush);
            if (status == Z_STREAM_ERROR)
                return false;
            file->packed.size += piece - file->stream.avail_out;
        } while (file->stream.avail_out == 0);
    } while (size > 0);

    return flush != Z_FINISH || status == Z_STREAM_END;
}

bool cairn_page_file_add(cairn_page_file* file, const void* data, size_t size)
{
    unsigned char length[4];
    for (int k = 0; k < 4; k++)
        length[k] = (unsigned char)(size >> (8 * k));
    file->failed = file->failed || size > UINT32_MAX || !pack(file, length, 4, Z_NO_FLUSH) ||
                   !pack(file, data, size, Z_NO_FLUSH);
    return !file->failed;
}

// ---------------------------------------------------------------- the page

static bool append_base64(cairn_page_bytes* out, const unsigned char* data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!cairn_page_reserve(out, size / 3 * 4 + 4))
        return false;

    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned b = left > 1 ? data[i + 1] : 0u, c = left > 2 ? data[i + 2] : 0u;
        unsigned bits = (unsigned)data[i] << 16 | b << 8 | c;
        unsigned char* to = out->data + out->size;

        to[0] = (unsigned char)digits[bits >> 18];
        to[1] = (unsigned char)digits[bits >> 12 & 63];
        to[2] = (unsigned char)(left > 1 ? digits[bits >> 6 & 63] : '=');
        to[3] = (unsigned char)(left > 2 ? digits[bits & 63] : '=');
        out->size += 4;
    }

    return true;
}

// the last place of a text in the page, where the page keeps room for data
static const char* find_last(const char* page, size_t size, const char* text)
{
    size_t length = strlen(text);
    for (size_t i = size; i >= length; i--)
        if (memcmp(page + i - length, text, length) == 0)
            return page + i - length;
    return NULL;
}

static bool fill_page(cairn_page_bytes* out, const cairn_page_bytes* packed, const char* page,
                      size_t size)
{
    static const char mark[] = "<!--cairn-data-->";
    static const char before[] = "<script type=\"text/plain\" id=\"cairn-data\">";
    static const char after[] = "</script>";
    const char* at = find_last(page, size, mark);
    size_t head = at ? (size_t)(at - page) : size;
    return at && cairn_page_append(out, page, head) &&
           cairn_page_append(out, before, sizeof before - 1) &&
           append_base64(out, packed->data, packed->size) &&
           cairn_page_append(out, after, sizeof after - 1) &&
           cairn_page_append(out, at + sizeof mark - 1, size - head - (sizeof mark - 1));
}

cairn_status cairn_page_check(cairn_error* error)
{
    size_t size;
    if (cairn_page_html(&size))
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                      "this program was built without its web page, which needs npm; install npm "
                      "and build again");
}

static cairn_status finish(cairn_page_file* file, const char* path, bool force, cairn_error* error)
{
    size_t size;
    const char* page = cairn_page_html(&size);
    cairn_page_bytes out = {0};
    cairn_status status = cairn_page_check(error);
    if (status != CAIRN_OK)
        return status;
    if (file->failed || !pack(file, "", 0, Z_FINISH) || !fill_page(&out, &file->packed, page, size))
        status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for the page", path);
    else
        status = cairn_file_write(path, out.data, out.size, force, error);
    cairn_page_bytes_destroy(&out);
    return status;
}

cairn_status cairn_page_file_finish(cairn_page_file* file, const char* path, bool force,
                                    cairn_error* error)
{
    cairn_status status = finish(file, path, force, error);
    cairn_page_file_destroy(file);
    return status;
}

cairn_status cairn_page_write_race(const char* path, const char* json, bool force,
                                   cairn_error* error)
{
    if (!path || !json)
        return cairn_refuse_null(error, "the path or the JSON text");
    cairn_page_file* file = cairn_page_file_create();
    if (!file)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for the page", path);
    cairn_page_file_add(file, json, strlen(json));
    return cairn_page_file_finish(file, path, force, error);
}
