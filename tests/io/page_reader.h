// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reads pages back, by docs/page-format.md alone: nothing here is shared with the writer.
#ifndef CAIRN_TESTS_PAGE_READER_H
#define CAIRN_TESTS_PAGE_READER_H

#include "check_cairn.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

/// Columns of a frame in the order in which they are written.
enum { page_body_columns = 15, page_contact_columns = 13 };

typedef struct page_frame {
    bool key, hold;
    int bodies, contacts; ///< contacts: those that are told, or held
    double step, time, kinetic, residual;
    double energy_defect, work_motor, inertia_raised; ///< of the motion
    int substeps;
    double length, speed, spin, impulse, quaternion, normal; ///< units
    char method[21];
    int32_t* body;       ///< column by column
    int older_bodies;    ///< of the frame before; 0 in a frame that stands by itself
    int32_t* older_body; ///< likewise
    int32_t* contact;
} page_frame;

static inline int32_t page_body(const page_frame* f, int column, int i)
{
    return f->body[column * f->bodies + i];
}

static inline int32_t page_contact(const page_frame* f, int column, int i)
{
    return f->contact[column * f->contacts + i];
}

// ---------------------------------------------------------------- frames

typedef struct reader {
    const unsigned char* at;
    const unsigned char* end;
} reader;

static uint64_t whole(const unsigned char* at, int bytes)
{
    uint64_t x = 0;
    for (int k = bytes - 1; k >= 0; k--)
        x = x << 8 | at[k];
    return x;
}

static double real64(const unsigned char* at)
{
    uint64_t bits = whole(at, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double real32(const unsigned char* at)
{
    uint32_t bits = (uint32_t)whole(at, 4);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static uint32_t count(reader* r)
{
    uint32_t x = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        ck_assert_msg(r->at < r->end, "a frame ends too early");
        unsigned char byte = *r->at++;
        x |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return x;
    }
    ck_abort_msg("a number of a frame is too long");
    return 0;
}

static uint32_t difference(uint32_t folded)
{
    return folded >> 1 ^ (folded & 1 ? UINT32_MAX : 0);
}

static int32_t* columns(reader* r, int n, int width, const int32_t* old, int old_n,
                        const int* reference)
{
    int32_t* out = calloc((size_t)n * (size_t)width + 1, sizeof *out);
    for (int k = 0; k < width; k++) {
        for (int i = 0; i < n; i++) {
            int from = reference ? reference[i] : i;
            uint32_t base = old && from >= 0 && from < old_n ? (uint32_t)old[k * old_n + from] : 0;
            out[k * n + i] = (int32_t)(base + difference(count(r)));
        }
    }
    return out;
}

static int* references(reader* r, int n, bool key)
{
    int* list = malloc(((size_t)n + 1) * sizeof *list);
    int expected = 0;
    for (int i = 0; i < n; i++) {
        uint32_t folded = key ? 0 : count(r);
        list[i] = folded == 0 ? -1 : expected + (int)(int32_t)difference(folded - 1);
        expected = list[i] >= 0 ? list[i] + 1 : expected;
    }
    return list;
}

/// Reads a frame; `before` may be NULL. Aborts the test when the bytes are no frame or are not used
/// up. Free with page_frame_free.
static page_frame page_read_frame(const unsigned char* bytes, size_t length,
                                  const page_frame* before)
{
    ck_assert_uint_ge(length, 176);
    ck_assert_int_eq(bytes[0], 4);
    page_frame f = {.key = (bytes[1] & 1) == 0,
                    .hold = (bytes[1] & 2) != 0,
                    .bodies = (int)whole(bytes + 4, 4),
                    .contacts = (int)whole(bytes + 8, 4),
                    .step = real64(bytes + 24),
                    .time = real64(bytes + 32),
                    .kinetic = real64(bytes + 40),
                    .residual = real32(bytes + 64),
                    .energy_defect = real32(bytes + 144),
                    .work_motor = real32(bytes + 152),
                    .substeps = (int)whole(bytes + 168, 4),
                    .inertia_raised = real32(bytes + 172),
                    .length = ldexp(1.0, (signed char)bytes[104]),
                    .speed = ldexp(1.0, (signed char)bytes[105]),
                    .spin = ldexp(1.0, (signed char)bytes[106]),
                    .impulse = ldexp(1.0, (signed char)bytes[107]),
                    .quaternion = ldexp(1.0, (signed char)bytes[132]),
                    .normal = ldexp(1.0, (signed char)bytes[133])};
    memcpy(f.method, bytes + 112, 20);
    ck_assert_msg(f.key || before, "a frame stands on one that is not there");
    const page_frame none = {0};
    const page_frame* b = f.key ? &none : before;
    reader r = {bytes + 176, bytes + length};
    f.body = columns(&r, f.bodies, page_body_columns, b->body, b->bodies, NULL);

    // poses are differences from where the motion would go on
    for (int k = 2; k <= 8; k++)
        for (int i = 0; i < f.bodies && i < b->older_bodies; i++) {
            uint32_t speed =
                (uint32_t)page_body(b, k, i) - (uint32_t)b->older_body[k * b->older_bodies + i];
            f.body[k * f.bodies + i] = (int32_t)((uint32_t)page_body(&f, k, i) + speed);
        }
    if (!f.key) {
        size_t size = (size_t)b->bodies * page_body_columns * sizeof *f.body;
        f.older_body = malloc(size + 1);
        memcpy(f.older_body, b->body, size);
        f.older_bodies = b->bodies;
    }
    if (f.hold) {
        f.contacts = b->contacts;
        size_t size = (size_t)f.contacts * page_contact_columns * sizeof *f.contact;
        f.contact = malloc(size + 1);
        if (size > 0)
            memcpy(f.contact, b->contact, size);
    } else {
        int* reference = references(&r, f.contacts, f.key);
        f.contact =
            columns(&r, f.contacts, page_contact_columns, b->contact, b->contacts, reference);
        free(reference);
    }
    ck_assert_msg(r.at == r.end, "a frame has bytes behind its end");
    return f;
}

static void page_frame_free(page_frame* frame)
{
    free(frame->body);
    free(frame->older_body);
    free(frame->contact);
}

// ---------------------------------------------------------------- pages

/// The blocks that a page carries.
typedef struct page_blocks {
    int count;
    unsigned char* bytes; ///< all of them
    const unsigned char* data[4096];
    size_t size[4096];
} page_blocks;

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static unsigned char* unbase64(const char* text, size_t* size)
{
    unsigned char* out = malloc(strlen(text) + 4);
    size_t n = 0;
    unsigned bits = 0;
    int have = 0;
    for (; digit(*text) >= 0; text++) {
        bits = bits << 6 | (unsigned)digit(*text);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (unsigned char)(bits >> have);
        }
    }
    *size = n;
    return out;
}

/// Takes the blocks out of an HTML file; free `bytes`.
static void page_read_blocks(page_blocks* blocks, const char* html, size_t size)
{
    static const char mark[] = "<script type=\"text/plain\" id=\"cairn-data\">";
    const char* found = NULL;
    for (size_t i = 0; i + sizeof mark <= size && !found; i++)
        if (memcmp(html + i, mark, sizeof mark - 1) == 0)
            found = html + i;
    ck_assert_msg(found, "the page carries no data");
    size_t packed_size;
    unsigned char* packed = unbase64(found + sizeof mark - 1, &packed_size);
    uLongf room = (uLongf)1 << 26;
    blocks->bytes = malloc(room);
    ck_assert_int_eq(uncompress(blocks->bytes, &room, packed, (uLong)packed_size), Z_OK);
    free(packed);
    blocks->count = 0;
    for (size_t at = 0; at < room;) {
        ck_assert_int_lt(blocks->count, 4096);
        size_t length = (size_t)whole(blocks->bytes + at, 4);
        blocks->data[blocks->count] = blocks->bytes + at + 4;
        blocks->size[blocks->count++] = length;
        at += 4 + length;
        ck_assert_msg(at <= room, "a block ends too early");
    }
}

#endif
