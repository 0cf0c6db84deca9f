// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What bytes of a snapshot say about borrowed data: which asset it is, and a digest of its numbers
// (FNV-1a), so that two programs that loaded different levels find out before they step.

#include "world/snapshot.h"

static const uint64_t digest_start = 0xcbf29ce484222325u;

static uint64_t mix(uint64_t digest, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        digest = (digest ^ ((word >> (8 * i)) & 0xff)) * 0x100000001b3u;
    return digest;
}

static uint64_t mix_real(uint64_t digest, double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return mix(digest, word);
}

static uint64_t mix_vec(uint64_t digest, cairn_vec3 x)
{
    return mix_real(mix_real(mix_real(digest, x.x), x.y), x.z);
}

static uint64_t mix_mesh(uint64_t digest, const cairn_mesh* mesh)
{
    cairn_mesh_def def = cairn_mesh_get_def(mesh);
    for (int i = 0; i < def.vertex_count; i++)
        digest = mix_vec(digest, def.vertices[i]);
    for (int i = 0; i < 3 * def.triangle_count; i++)
        digest = mix(digest, (uint64_t)def.triangles[i]);
    return digest;
}

static uint64_t mix_field(uint64_t digest, const cairn_height_field* field)
{
    cairn_height_field_def def = cairn_height_field_get_def(field);
    digest = mix(mix(digest, (uint64_t)def.count_x), (uint64_t)def.count_y);
    digest = mix_real(mix_real(digest, def.spacing_x), def.spacing_y);
    for (int64_t i = 0; i < (int64_t)def.count_x * def.count_y; i++)
        digest = mix_real(digest, def.heights[i]);
    return digest;
}

static uint64_t mix_hull(uint64_t digest, const cairn_hull* hull)
{
    for (int i = 0; i < hull->vertex_count; i++)
        digest = mix_vec(digest, hull->vertices[i]);
    return digest;
}

static uint64_t mix_simple(uint64_t digest, const cairn_shape* shape)
{
    digest = mix(digest, (uint64_t)shape->kind);
    digest = mix_real(mix_real(digest, shape->radius), shape->half_height);
    digest = mix_real(digest, shape->top_radius);
    digest = mix_vec(digest, shape->half);

    switch (shape->kind) {
    case CAIRN_SHAPE_HULL:
        return mix_hull(digest, shape->data.hull);
    case CAIRN_SHAPE_MESH:
        return mix_mesh(digest, shape->data.mesh);
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return mix_field(digest, shape->data.field);
    default:
        return digest;
    }
}

static uint64_t mix_part(uint64_t digest, const cairn_part* part)
{
    const cairn_material* m = &part->material;
    digest = mix_vec(mix_real(mix_real(digest, m->mu), m->mu_across), m->direction);
    digest = mix_real(mix_real(digest, m->mu_spin), m->restitution);
    digest = mix_real(mix_real(mix_real(digest, m->mu_static), m->mu_roll), part->density);
    digest = mix_real(mix_real(digest, m->stiffness), m->damping);
    digest = mix_vec(digest, m->surface_velocity);
    digest = mix(mix(digest, (uint64_t)m->friction_rule), (uint64_t)m->restitution_rule);
    return part->filtered ? mix(mix(digest, part->category), part->mask) : digest;
}

uint64_t cairn_asset_digest(const cairn_asset* asset)
{
    uint64_t digest = mix_simple(digest_start, &asset->shape);
    if (asset->shape.kind != CAIRN_SHAPE_COMPOUND)
        return digest;

    const cairn_compound* compound = asset->shape.data.compound;
    for (int i = 0; i < compound->count; i++) {
        cairn_transform x = compound->offsets[i];
        digest = mix_simple(digest, &compound->parts[i]);
        digest = mix_vec(mix_vec(digest, x.p), cairn_vec(x.q.x, x.q.y, x.q.z));
        digest = mix_real(digest, x.q.w);
        if (asset->parts)
            digest = mix_part(digest, &asset->parts[i]);
    }
    return digest;
}

// ---------------------------------------------------------------- shapes

static bool is_borrowed(cairn_shape_kind kind)
{
    return kind == CAIRN_SHAPE_HULL || kind == CAIRN_SHAPE_MESH ||
           kind == CAIRN_SHAPE_HEIGHT_FIELD || kind == CAIRN_SHAPE_COMPOUND;
}

static const void* data_of(const cairn_shape* shape)
{
    switch (shape->kind) {
    case CAIRN_SHAPE_HULL:
        return shape->data.hull;
    case CAIRN_SHAPE_MESH:
        return shape->data.mesh;
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return shape->data.field;
    default:
        return shape->data.compound;
    }
}

// the place of a shape in the list, or -1; a sensor does not ask for parts
static int find_asset(const cairn_snapshot_codec* s, const cairn_shape* shape,
                      const cairn_part** parts)
{
    for (int i = 0; i < s->asset_count; i++) {
        const cairn_asset* asset = &s->assets[i];
        if (asset->shape.kind == shape->kind && data_of(&asset->shape) == data_of(shape) &&
            (!parts || asset->parts == *parts))
            return i;
    }
    return -1;
}

static void code_asset(cairn_snapshot_codec* s, cairn_shape* shape, const cairn_part** parts)
{
    cairn_codec* c = &s->c;

    int place = c->writing ? find_asset(s, shape, parts) : 0;

    if (place < 0) {
        if (!c->bad)
            cairn_fail(s->error, CAIRN_BAD_INPUT,
                       "a %s of the snapshot, or its parts, is not among the %d assets",
                       cairn_shape_name(shape->kind), s->asset_count);
        c->bad = true;
        return;
    }

    uint64_t digest = c->writing ? s->digests[place] : 0;
    cairn_code_int(c, &place, 0, INT32_MAX);
    cairn_code_u64(c, &digest);

    if (c->writing || c->bad)
        return;

    // the digest tells whether the reader's asset is the one that was written
    if (place >= s->asset_count || s->assets[place].shape.kind != shape->kind ||
        s->digests[place] != digest) {
        cairn_fail(s->error, CAIRN_BAD_INPUT,
                   "the bytes of a snapshot need a %s as asset %d of %d, with other numbers than "
                   "there are",
                   cairn_shape_name(shape->kind), place, s->asset_count);
        c->bad = true;
        return;
    }

    *shape = s->assets[place].shape;
    if (parts)
        *parts = s->assets[place].parts;
}

void cairn_code_shape(cairn_snapshot_codec* s, cairn_shape* shape, const cairn_part** parts)
{
    cairn_codec* c = &s->c;
    int kind = (int)shape->kind;
    cairn_code_int(c, &kind, 0, CAIRN_SHAPE_KIND_COUNT - 1);
    shape->kind = (cairn_shape_kind)kind;
    cairn_code_real(c, &shape->radius);
    cairn_code_real(c, &shape->half_height);
    cairn_code_real(c, &shape->top_radius);
    cairn_code_vec(c, &shape->half);
    if (!c->bad && is_borrowed(shape->kind))
        code_asset(s, shape, parts);
    if (!c->writing && !c->bad)
        c->bad = cairn_shape_check(shape, s->error) != CAIRN_OK;
}

void cairn_code_material(cairn_codec* c, cairn_material* m)
{
    int friction = (int)m->friction_rule, restitution = (int)m->restitution_rule;

    cairn_code_real(c, &m->mu);
    cairn_code_real(c, &m->mu_across);
    cairn_code_vec(c, &m->direction);
    cairn_code_real(c, &m->mu_spin);
    cairn_code_real(c, &m->restitution);
    cairn_code_real(c, &m->mu_static);
    cairn_code_real(c, &m->mu_roll);
    cairn_code_real(c, &m->stiffness);
    cairn_code_real(c, &m->damping);
    cairn_code_vec(c, &m->surface_velocity);

    cairn_code_int(c, &friction, 0, CAIRN_COMBINE_PRODUCT);
    cairn_code_int(c, &restitution, 0, CAIRN_COMBINE_PRODUCT);
    m->friction_rule = (cairn_combine)friction;
    m->restitution_rule = (cairn_combine)restitution;

    bool sound = m->mu >= 0.0 && m->mu_across >= 0.0 && m->mu_spin >= 0.0 && m->mu_static >= 0.0 &&
                 m->mu_roll >= 0.0 && m->stiffness >= 0.0 && m->damping >= 0.0 &&
                 m->restitution >= 0.0 && m->restitution <= 1.0;
    c->bad = c->bad || (!c->writing && !sound);
}
