// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shots as bytes: a head of fixed size, then the columns of whole numbers, each number as the
// difference from what the shots before let expect (from 0 in a frame that stands by itself),
// folded to an unsigned one, in groups of seven bits, lowest first. docs/page-format.md describes
// every byte; viewer/src/wire/frame.js reads them.

#include "io/page/page.h"
#include <stdlib.h>
#include <string.h>

enum { version = 4, farthest = 64, method_size = 20 };

// ---------------------------------------------------------------- numbers

// the byte order of the page is the least significant first, whatever that of the machine is
static void put_u32(unsigned char* at, uint32_t x)
{
    for (int k = 0; k < 4; k++)
        at[k] = (unsigned char)(x >> (8 * k));
}

static void put_u64(unsigned char* at, uint64_t x)
{
    put_u32(at, (uint32_t)x);
    put_u32(at + 4, (uint32_t)(x >> 32));
}

static void put_f32(unsigned char* at, double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_u32(at, bits);
}

static void put_f64(unsigned char* at, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u64(at, bits);
}

// 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
static uint32_t fold(uint32_t difference)
{
    return (difference << 1) ^ (difference >> 31 ? UINT32_MAX : 0);
}

// room for five bytes is there
static void put_count(cairn_page_bytes* bytes, uint32_t x)
{
    for (; x >= 128; x >>= 7)
        bytes->data[bytes->size++] = (unsigned char)(x | 128);
    bytes->data[bytes->size++] = (unsigned char)x;
}

// ---------------------------------------------------------------- the head

static unsigned char small(int x)
{
    return (unsigned char)(signed char)x;
}

static void put_motion(unsigned char* at, const cairn_motion* motion)
{
    put_f32(at, motion->penetration);
    put_f32(at + 4, motion->joint_error);
    put_f32(at + 8, motion->energy_defect);
    put_f32(at + 12, motion->work_external);
    put_f32(at + 16, motion->work_motor);
    put_f32(at + 20, motion->dissipated);
    put_f32(at + 24, motion->dissipated_numeric);
    put_f32(at + 28, motion->update_error);
    put_u32(at + 32, (uint32_t)motion->substeps_max);
    put_f32(at + 36, motion->inertia_raised);
}

static void put_head(unsigned char* at, const cairn_shot* shot, const cairn_shot_base* base)
{
    const cairn_shot_report* r = &shot->report;
    memset(at, 0, cairn_shot_head);

    // what to expect: the version, differences or not, and the counts
    at[0] = version;
    at[1] = (unsigned char)((base ? 1 : 0) | (base && base->hold ? 2 : 0));
    at[2] = (unsigned char)r->outcome;
    put_u32(at + 4, (uint32_t)shot->body_count);
    put_u32(at + 8, (uint32_t)shot->contact_count);
    put_u32(at + 12, (uint32_t)r->islands);
    put_u32(at + 16, (uint32_t)shot->change);
    put_f32(at + 20, r->dt);

    // step, time, energies and state hash in full, the rest in single precision
    put_f64(at + 24, r->step);
    put_f64(at + 32, r->time);
    put_f64(at + 40, r->kinetic);
    put_f64(at + 48, r->potential);
    put_u64(at + 56, r->hash);

    put_f32(at + 64, r->residual);
    put_f32(at + 68, r->residual_velocity);
    put_f32(at + 72, r->penetration);
    put_f32(at + 76, r->joint_error);
    put_f32(at + 80, r->ms);

    // times of the stages
    for (int k = 0; k < 5; k++)
        put_f32(at + 84 + 4 * k, r->stages[k]);

    // the units of the whole numbers that follow
    at[104] = small(shot->units.length);
    at[105] = small(shot->units.speed);
    at[106] = small(shot->units.spin);
    at[107] = small(shot->units.impulse);
    put_u32(at + 108, (uint32_t)r->frozen);

    memcpy(at + 112, r->method, strnlen(r->method, method_size));
    at[132] = small(shot->units.quaternion);
    at[133] = small(shot->units.normal);
    put_motion(at + 136, &r->motion);
}

// ---------------------------------------------------------------- columns

// predictor: poses are extrapolated from the last two, 2 x' - x''; everything else stays
static uint32_t expected_number(const cairn_shot_base* base, int column, int i)
{
    enum { first_of_pose = 2, last_of_pose = 8 };
    if (!base || i >= base->bodies->body_count)
        return 0;
    uint32_t last = (uint32_t)cairn_shot_body(base->bodies, column)[i];
    if (!base->older || i >= base->older->body_count || column < first_of_pose ||
        column > last_of_pose)
        return last;
    return 2 * last - (uint32_t)cairn_shot_body(base->older, column)[i];
}

static void put_bodies(cairn_page_bytes* bytes, const cairn_shot* shot, const cairn_shot_base* base)
{
    for (int k = 0; k < cairn_shot_body_columns; k++) {
        const int32_t* now = cairn_shot_body(shot, k);
        for (int i = 0; i < shot->body_count; i++)
            put_count(bytes, fold((uint32_t)now[i] - expected_number(base, k, i)));
    }
}

static bool same_pair(const cairn_shot* a, int i, const cairn_shot* b, int j)
{
    return cairn_shot_contact(a, 1)[i] == cairn_shot_contact(b, 1)[j] &&
           cairn_shot_contact(a, 2)[i] == cairn_shot_contact(b, 2)[j];
}

// the contact of the shot before that joins the same bodies, at or near where it is expected
static int find_reference(const cairn_shot* shot, int i, const cairn_shot* before, int expected)
{
    for (int d = 0; d <= farthest; d++) {
        if (expected + d < before->contact_count && same_pair(shot, i, before, expected + d))
            return expected + d;
        if (d > 0 && expected - d >= 0 && expected - d < before->contact_count &&
            same_pair(shot, i, before, expected - d))
            return expected - d;
    }
    return -1;
}

// for each contact the reference in the shot before, or -1; written as 0, or as 1 plus the folded
// difference from the expected one
static void put_references(cairn_page_bytes* bytes, int* reference, const cairn_shot* shot,
                           const cairn_shot* before)
{
    int expected = 0;
    for (int i = 0; i < shot->contact_count; i++) {
        reference[i] = find_reference(shot, i, before, expected);
        if (reference[i] < 0) {
            put_count(bytes, 0);
            continue;
        }
        put_count(bytes, fold((uint32_t)(reference[i] - expected)) + 1);
        expected = reference[i] + 1;
    }
}

// `reference` may be NULL: every number stands for itself
static void put_contacts(cairn_page_bytes* bytes, const cairn_shot* shot, const int* reference,
                         const cairn_shot* before)
{
    for (int k = 0; k < cairn_shot_contact_columns; k++) {
        const int32_t* now = cairn_shot_contact(shot, k);
        for (int i = 0; i < shot->contact_count; i++) {
            uint32_t old = 0;
            if (reference && reference[i] >= 0)
                old = (uint32_t)cairn_shot_contact(before, k)[reference[i]];
            put_count(bytes, fold((uint32_t)now[i] - old));
        }
    }
}

bool cairn_shot_follows(const cairn_shot* shot, const cairn_shot* before)
{
    const cairn_page_units *a = &shot->units, *b = &before->units;
    return a->length == b->length && a->speed == b->speed && a->spin == b->spin &&
           a->impulse == b->impulse && a->quaternion == b->quaternion && a->normal == b->normal;
}

bool cairn_shot_encode(cairn_page_bytes* bytes, const cairn_shot* shot, const cairn_shot_base* base)
{
    // no number takes more than five bytes
    size_t most = 5 * ((size_t)shot->body_count * cairn_shot_body_columns +
                       (size_t)shot->contact_count * (cairn_shot_contact_columns + 1));
    int* reference = base ? malloc(sizeof(int) * ((size_t)shot->contact_count + 1)) : NULL;
    if ((base && !reference) || !cairn_page_reserve(bytes, cairn_shot_head + most)) {
        free(reference);
        return false;
    }

    put_head(bytes->data + bytes->size, shot, base);
    bytes->size += cairn_shot_head;
    put_bodies(bytes, shot, base);
    if (base && !base->hold)
        put_references(bytes, reference, shot, base->contacts);
    if (!base || !base->hold)
        put_contacts(bytes, shot, reference, base ? base->contacts : NULL);
    free(reference);
    return true;
}

cairn_status cairn_page_frame(const cairn_stage* stage, const cairn_frame* frame,
                              cairn_page_bytes* bytes, cairn_error* error)
{
    if (!bytes || !stage || !frame)
        return cairn_refuse_null(error, "the place for the bytes, the stage or the frame");
    cairn_shot shot = {0};
    bytes->size = 0;
    bool done = cairn_shot_take(&shot, stage, frame, cairn_page_choose_units(stage)) &&
                cairn_shot_encode(bytes, &shot, NULL);
    free(shot.numbers);
    return done ? CAIRN_OK
                : cairn_fail(error, CAIRN_NO_MEMORY, "no memory to show a frame of %d bodies",
                             frame->body_count);
}
