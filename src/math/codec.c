// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numbers as bytes (see codec.h). Functions of their own, not inline: the lists of fields call them
// hundreds of times.

#include "math/codec.h"

void cairn_code(cairn_codec* c, uint64_t* x, int bytes)
{
    size_t width = (size_t)bytes;
    if (c->writing) {
        for (size_t i = 0; i < width && c->out && c->at + width <= c->size; i++)
            c->out[c->at + i] = (unsigned char)(*x >> (8 * i));
        c->at += width;
        return;
    }
    *x = 0;
    c->bad = c->bad || c->size - c->at < width;
    if (c->bad)
        return;
    for (size_t i = 0; i < width; i++)
        *x |= (uint64_t)c->in[c->at + i] << (8 * i);
    c->at += width;
}

void cairn_code_u64(cairn_codec* c, uint64_t* x)
{
    cairn_code(c, x, 8);
}

void cairn_code_u32(cairn_codec* c, uint32_t* x)
{
    uint64_t word = *x;
    cairn_code(c, &word, 4);
    if (!c->writing)
        *x = (uint32_t)word;
}

void cairn_code_int(cairn_codec* c, int* x, int lo, int hi)
{
    uint64_t word = (uint32_t)*x;
    cairn_code(c, &word, 4);
    if (c->writing)
        return;
    int64_t value = word < 0x80000000u ? (int64_t)word : (int64_t)word - 0x100000000;
    c->bad = c->bad || value < lo || value > hi;
    *x = c->bad ? lo : (int)value;
}

void cairn_code_bool(cairn_codec* c, bool* x)
{
    uint64_t word = *x;
    cairn_code(c, &word, 1);
    c->bad = c->bad || word > 1;
    if (!c->writing)
        *x = word == 1;
}

void cairn_code_bits(cairn_codec* c, double* x)
{
    uint64_t word;
    memcpy(&word, x, sizeof word);
    cairn_code(c, &word, 8);
    if (!c->writing)
        memcpy(x, &word, sizeof word);
}

void cairn_code_bound(cairn_codec* c, double* x)
{
    cairn_code_bits(c, x);
    c->bad = c->bad || (!c->writing && isnan(*x));
}

void cairn_code_real(cairn_codec* c, double* x)
{
    cairn_code_bits(c, x);
    c->bad = c->bad || (!c->writing && !isfinite(*x));
}

void cairn_code_reals(cairn_codec* c, double* x, int count)
{
    for (int i = 0; i < count; i++)
        cairn_code_real(c, &x[i]);
}

void cairn_code_vec(cairn_codec* c, cairn_vec3* x)
{
    cairn_code_real(c, &x->x);
    cairn_code_real(c, &x->y);
    cairn_code_real(c, &x->z);
}

void cairn_code_quat(cairn_codec* c, cairn_quat* q)
{
    double* parts[] = {&q->w, &q->x, &q->y, &q->z};
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        cairn_code_real(c, parts[i]);
        square += *parts[i] * *parts[i];
    }
    c->bad = c->bad || (!c->writing && !(fabs(square - 1.0) < 1e-6));
}

void cairn_code_transform(cairn_codec* c, cairn_transform* x)
{
    cairn_code_vec(c, &x->p);
    cairn_code_quat(c, &x->q);
}

void cairn_code_count(cairn_codec* c, int* count, size_t least)
{
    cairn_code_int(c, count, 0, INT32_MAX);
    if (!c->writing && (size_t)*count > (c->size - c->at) / least)
        c->bad = true;
    if (c->bad)
        *count = 0;
}
