// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A snapshot as bytes:
//
//     "CAIRNSNP"  version (4)  size of what follows (8)  its FNV-1a checksum (8)
//     options  bodies  joints  broad phase  pairs with their manifolds  contacts  events  sensors
//
// The checksum finds accidents. Whoever forges it still meets a reader that believes nothing: every
// number is looked at where it is read, and then what numbers say of each other (snapshot_check.c).

#include "collide/broad.h"
#include "math/accept.h"
#include "math/array.h"
#include "solve/method.h"
#include "world/snapshot.h"

static const char magic[9] = "CAIRNSNP";
enum { head_size = 8 + 4 + 8 + 8, name_size = 32 };

static uint64_t checksum(const unsigned char* bytes, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

// ---------------------------------------------------------------- options

// a name of a method; a reader takes the one of the table
static void code_method(cairn_codec* c, const char** name)
{
    char text[name_size] = {0};
    if (c->writing)
        strncpy(text, *name, name_size - 1);

    for (int i = 0; i < name_size; i++) {
        uint64_t letter = (unsigned char)text[i];
        cairn_code(c, &letter, 1);
        text[i] = (char)letter;
    }

    if (c->writing)
        return;

    const cairn_method* method = text[name_size - 1] == 0 ? cairn_method_find(text) : NULL;
    c->bad = c->bad || !method;
    *name = method ? method->info.name : "auto";
}

static void code_def(cairn_codec* c, cairn_world_def* d)
{
    int preset = (int)d->preset, integrator = (int)d->integrator;
    int stabilization = (int)d->stabilization;

    cairn_code_int(c, &preset, 0, CAIRN_PRESET_EXACT);
    cairn_code_int(c, &integrator, 0, CAIRN_INTEGRATOR_MOREAU);
    cairn_code_int(c, &stabilization, 0, CAIRN_STABILIZE_NONE);
    d->preset = (cairn_preset)preset;
    d->integrator = (cairn_integrator)integrator;
    d->stabilization = (cairn_stabilization)stabilization;

    code_method(c, &d->method);
    cairn_code_vec(c, &d->gravity);

    int* wholes[] = {&d->substeps, &d->most_substeps, &d->max_iterations, &d->sweeps};
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++)
        cairn_code_int(c, wholes[i], 0, INT32_MAX);

    double* reals[] = {
        &d->accuracy,         &d->tolerance, &d->time_limit, &d->budget,      &d->work,
        &d->contact_margin,   &d->slop,      &d->baumgarte,  &d->sleep_speed, &d->sleep_time,
        &d->restitution_speed};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        cairn_code_bound(c, reals[i]);

    cairn_code_bool(c, &d->rest_pass);
    cairn_code_bool(c, &d->sleep);
}

static void code_meter(cairn_codec* c, cairn_meter* m)
{
    cairn_code_bound(c, &m->whole);
    cairn_code_bound(c, &m->each);
    cairn_code_bound(c, &m->around);
    cairn_code_int(c, &m->wait, 0, INT32_MAX);
    cairn_code_int(c, &m->tried, 0, 16);
    cairn_code_int(c, &m->steps, 0, INT32_MAX);
    cairn_code_real(c, &m->h);
    cairn_code_bool(c, &m->stood);
    cairn_code_int(c, &m->contacts, 0, INT32_MAX);
}

// times and counts of steps, which only grow
static void code_clock(cairn_codec* c, cairn_world* w)
{
    int64_t* counts[] = {&w->step, &w->attempt};
    for (int i = 0; i < 2; i++) {
        uint64_t word = (uint64_t)*counts[i];
        cairn_code_u64(c, &word);
        c->bad = c->bad || word > INT64_MAX / 2;
        *counts[i] = (int64_t)word;
    }

    cairn_code_real(c, &w->time);
    cairn_code_real(c, &w->entered);
    cairn_code_real(c, &w->touching);
    cairn_code_real(c, &w->dt);
    code_meter(c, &w->meter);
}

// ---------------------------------------------------------------- pairs

static void code_cache(cairn_codec* c, cairn_pair_cache* cache)
{
    cairn_transform* poses[] = {&cache->a, &cache->b, &cache->seen};
    for (int i = 0; i < 3; i++) {
        cairn_code_vec(c, &poses[i]->p);
        double* q[] = {&poses[i]->q.w, &poses[i]->q.x, &poses[i]->q.y, &poses[i]->q.z};
        for (int k = 0; k < 4; k++)
            cairn_code_real(c, q[k]);
    }

    cairn_code_bound(c, &cache->reach_a);
    cairn_code_bound(c, &cache->reach_b);
    cairn_code_bound(c, &cache->drift);
    cairn_code_bound(c, &cache->margin);

    cairn_code_int(c, &cache->axis, INT32_MIN, INT32_MAX); // looked at where they are used
    cairn_code_int(c, &cache->index_a, INT32_MIN, INT32_MAX);
    cairn_code_int(c, &cache->index_b, INT32_MIN, INT32_MAX);

    cairn_code_bool(c, &cache->valid);
    cairn_code_bool(c, &cache->of_b);
}

static void code_patch(cairn_codec* c, cairn_patch* patch, int points)
{
    cairn_code_vec(c, &patch->normal);
    cairn_code_int(c, &patch->part_a, 0, INT32_MAX);
    cairn_code_int(c, &patch->part_b, 0, INT32_MAX);
    cairn_code_int(c, &patch->first, 0, INT32_MAX);
    cairn_code_int(c, &patch->count, 0, CAIRN_MANIFOLD_POINTS);
    c->bad = c->bad || (patch->count > 0 && patch->first > points - patch->count);
    code_cache(c, &patch->cache);
}

static void code_point(cairn_codec* c, cairn_contact_point* point)
{
    cairn_code_vec(c, &point->position);
    cairn_code_real(c, &point->gap);
    cairn_code_u64(c, &point->feature);
}

static void code_contacts(cairn_snapshot_codec* s, cairn_contacts* contacts)
{
    cairn_codec* c = &s->c;
    int count = contacts->count, points = contacts->point_count;

    cairn_code_count(c, &count, 250);
    cairn_code_count(c, &points, 40);
    if (!c->writing && !c->bad && count > 0) {
        s->no_memory = cairn_contacts_reserve(contacts, count, points) != CAIRN_OK;

        // a step compares them byte by byte, gaps between fields included
        if (!s->no_memory)
            memset(contacts->patches, 0, (size_t)count * sizeof *contacts->patches);
        contacts->count = s->no_memory ? 0 : count;
        contacts->point_count = s->no_memory ? 0 : points;
    }

    c->bad = c->bad || (count == 0 && points > 0 && !c->writing);

    for (int i = 0; i < contacts->count && !c->bad; i++) {
        cairn_patch patch = contacts->patches[i];
        code_patch(c, &patch, points);
        if (!c->writing)
            contacts->patches[i] = patch;
    }

    for (int i = 0; i < contacts->point_count && !c->bad; i++)
        code_point(c, &contacts->points[i]);
}

static void code_id(cairn_codec* c, cairn_body_id* id)
{
    cairn_code_int(c, &id->index, INT32_MIN, INT32_MAX);
    cairn_code_u32(c, &id->generation);
}

static void code_pair(cairn_snapshot_codec* s, cairn_pair_state* pair)
{
    cairn_codec* c = &s->c;

    int64_t* attempts[] = {&pair->seen, &pair->noted, &pair->renewed};
    for (int i = 0; i < 3; i++) {
        uint64_t word = (uint64_t)*attempts[i];
        cairn_code_u64(c, &word);
        *attempts[i] = (int64_t)word;
    }

    cairn_code_int(c, &pair->touch, 0, INT32_MAX);
    cairn_code_int(c, &pair->touch_count, 0, INT32_MAX);
    cairn_code_int(c, &pair->renewed_at, INT32_MIN, INT32_MAX);
    cairn_code_bool(c, &pair->asleep);
    cairn_code_bool(c, &pair->touching);
    cairn_code_bool(c, &pair->settled);
    cairn_code_real(c, &pair->margin);

    code_id(c, &pair->body_a);
    code_id(c, &pair->body_b);

    pair->extra = c->writing ? pair->extra : 0; // while a step lasts
    code_contacts(s, &pair->contacts);
}

static void code_pairs(cairn_snapshot_codec* s, cairn_world* w)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(w->broad, &count);
    for (int i = 0; i < count && !s->c.bad && !s->no_memory; i++) {
        cairn_pair_state state = w->pairs[pairs[i].slot];
        code_pair(s, &state);
        if (!s->c.writing)
            w->pairs[pairs[i].slot] = state;
    }
}

// ---------------------------------------------------------------- contacts and events

static void code_touch(cairn_codec* c, cairn_touch* t, int bodies)
{
    cairn_code_int(c, &t->a, 0, bodies - 1);
    cairn_code_int(c, &t->b, 0, bodies - 1);
    cairn_code_int(c, &t->part_a, 0, INT32_MAX);
    cairn_code_int(c, &t->part_b, 0, INT32_MAX);
    cairn_code_u64(c, &t->feature);

    cairn_vec3* vectors[] = {&t->impulse, &t->n, &t->t, &t->total, &t->at_a, &t->at_b};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        cairn_code_vec(c, vectors[i]);

    double* reals[] = {&t->spin_impulse, &t->span,        &t->gap,     &t->mu[0],  &t->mu[1],
                       &t->mu_spin,      &t->restitution, &t->round_a, &t->round_b};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        cairn_code_real(c, reals[i]);

    int kind = t->kind, rows = t->rows, rule = t->rule;
    cairn_code_int(c, &kind, 0, CAIRN_FRICTION_BOX);
    cairn_code_int(c, &rows, 0, 4);
    cairn_code_int(c, &rule, 0, 4);
    t->kind = (unsigned char)kind;
    t->rows = (unsigned)rows & 0x3fu;
    t->rule = (unsigned char)rule;

    // bit fields have no address: they go through an array
    bool flags[] = {t->touching, t->balls, t->gone, t->cut, t->rolls, t->soft, t->carries};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        cairn_code_bool(c, &flags[i]);

    t->touching = flags[0];
    t->balls = flags[1];
    t->gone = flags[2];
    t->cut = flags[3];
    t->rolls = flags[4];
    t->soft = flags[5];
    t->carries = flags[6];
}

// The warm start of an awake contact: all that the next step takes over. (A sleeping contact is
// written as a whole.)
static void code_warmth(cairn_codec* c, cairn_touch* t)
{
    cairn_code_int(c, &t->part_a, 0, INT32_MAX);
    cairn_code_int(c, &t->part_b, 0, INT32_MAX);
    cairn_code_u64(c, &t->feature);
    cairn_code_vec(c, &t->impulse);
    cairn_code_real(c, &t->spin_impulse);
    cairn_code_real(c, &t->span);
}

// what the user sees
static void code_contact(cairn_codec* c, cairn_contact* contact)
{
    code_id(c, &contact->body_a);
    code_id(c, &contact->body_b);

    cairn_vec3* vectors[] = {&contact->point, &contact->normal, &contact->impulse};
    for (int i = 0; i < 3; i++) {
        cairn_code_bits(c, &vectors[i]->x);
        cairn_code_bits(c, &vectors[i]->y);
        cairn_code_bits(c, &vectors[i]->z);
    }

    cairn_code_bits(c, &contact->gap);
    cairn_code_int(c, &contact->part_a, INT32_MIN, INT32_MAX);
    cairn_code_int(c, &contact->part_b, INT32_MIN, INT32_MAX);

    int state = (int)contact->state;
    cairn_code_int(c, &state, 0, CAIRN_CONTACT_SLIDE);
    if (!c->writing)
        contact->state = (cairn_contact_state)state;
}

static void code_touches(cairn_codec* c, cairn_world* w)
{
    for (int i = 0; i < w->slept_count && !c->bad; i++) {
        cairn_touch touch = w->slept[i];
        code_touch(c, &touch, w->body_count);
        if (!c->writing)
            w->slept[i] = touch;
    }

    for (int i = 0; i < w->touch_count && !c->bad; i++) {
        cairn_touch touch = w->touches[i];
        code_warmth(c, &touch);
        if (!c->writing)
            w->touches[i] = touch;
    }

    for (int i = 0; i < w->slept_count + w->touch_count && !c->bad; i++)
        code_contact(c, &w->contacts[i]);
}

static void code_events(cairn_codec* c, cairn_event_list* list)
{
    for (int i = 0; i < list->count && !c->bad; i++) {
        code_id(c, &list->items[i].body_a);
        code_id(c, &list->items[i].body_b);
    }
}

// ---------------------------------------------------------------- the whole

static void code_counts(cairn_codec* c, cairn_world* w)
{
    cairn_code_count(c, &w->body_count, 13);
    cairn_code_int(c, &w->body_free, -1, w->body_count - 1);
    cairn_code_count(c, &w->link_count, 5);
    cairn_code_int(c, &w->link_free, 0, w->link_count);

    cairn_code_count(c, &w->touch_count, 56);
    cairn_code_count(c, &w->slept_count, 200);
    cairn_code_count(c, &w->begun.count, 16);
    cairn_code_count(c, &w->ended.count, 16);

    cairn_code_int(c, &w->asleep, 0, w->body_count);
    cairn_code_bool(c, &w->slept_stale);
    cairn_code_bool(c, &w->slept_shown);
    cairn_code_real(c, &w->slept_depth);

    c->bad = c->bad || (int64_t)w->touch_count + w->slept_count > INT32_MAX;
}

static bool take_events(cairn_event_list* list)
{
    list->capacity = list->count;
    list->items = CAIRN_COPY_ARRAY(NULL, cairn_contact_event, 0, list->count);
    return list->items != NULL;
}

// zeroed arrays of the sizes that the counts say
static bool take_room(cairn_world* w)
{
    int contacts = w->slept_count + w->touch_count;

    w->bodies = CAIRN_COPY_ARRAY(NULL, cairn_body, 0, w->body_count);
    w->links = CAIRN_COPY_ARRAY(NULL, cairn_link, 0, w->link_count);
    w->touches = CAIRN_COPY_ARRAY(NULL, cairn_touch, 0, w->touch_count);
    w->slept = CAIRN_COPY_ARRAY(NULL, cairn_touch, 0, w->slept_count);
    w->contacts = CAIRN_COPY_ARRAY(NULL, cairn_contact, 0, contacts);
    w->island_reports = CAIRN_COPY_ARRAY(NULL, cairn_island_report, 0, 1);

    bool events = take_events(&w->begun) && take_events(&w->ended);
    if (!events || !w->bodies || !w->links || !w->touches || !w->slept || !w->contacts ||
        !w->island_reports)
        return false;

    w->body_capacity = w->body_count;
    w->link_capacity = w->link_count;
    w->touch_capacity = w->touch_count;
    w->slept_capacity = w->slept_count;
    w->contact_capacity = contacts;
    w->island_capacity = 1;

    memset(w->bodies, 0, (size_t)w->body_count * sizeof *w->bodies);
    memset(w->links, 0, (size_t)w->link_count * sizeof *w->links);
    memset(w->touches, 0, (size_t)w->touch_count * sizeof *w->touches);
    memset(w->slept, 0, (size_t)w->slept_count * sizeof *w->slept);
    memset(w->contacts, 0, (size_t)contacts * sizeof *w->contacts);
    return true;
}

// the pairs' places, and whose the proxies are
static bool take_pairs(cairn_world* w)
{
    int slots = cairn_broad_slot_count(w->broad), proxies = cairn_broad_proxy_count(w->broad);
    w->pairs = CAIRN_COPY_ARRAY(NULL, cairn_pair_state, 0, slots);
    w->proxy_body = CAIRN_COPY_ARRAY(NULL, int, 0, proxies);
    if (!w->pairs || !w->proxy_body)
        return false;
    w->pair_capacity = slots;
    w->proxy_capacity = proxies;
    memset(w->pairs, 0, (size_t)slots * sizeof *w->pairs);
    return true;
}

static void code_broad(cairn_snapshot_codec* s, cairn_world* w)
{
    cairn_codec* c = &s->c;

    if (c->writing) {
        cairn_broad_write(c, w->broad);
    } else {
        w->broad = cairn_broad_read(c);
        s->no_memory = !c->bad && (!w->broad || !take_pairs(w));
    }

    if (c->bad || s->no_memory)
        return;

    // a slot without a proxy may still name a body that is gone
    for (int i = 0; i < cairn_broad_proxy_count(w->broad); i++) {
        int body = w->proxy_body[i];
        if (c->writing && !cairn_broad_has(w->broad, i) && (body < 0 || body >= w->body_count))
            body = 0; // nobody's
        cairn_code_int(c, &body, 0, w->body_count - 1);

        if (!c->writing)
            w->proxy_body[i] = body;
    }
}

static void code_bodies(cairn_snapshot_codec* s, cairn_world* w)
{
    for (int i = 0; i < w->body_count && !s->c.bad; i++) {
        cairn_body body = w->bodies[i];
        cairn_code_body(s, &body, w->body_count);
        if (!s->c.writing)
            w->bodies[i] = body;
    }

    for (int i = 0; i < w->link_count && !s->c.bad; i++) {
        cairn_link link = w->links[i];
        cairn_code_link(&s->c, &link, w->body_count);
        if (!s->c.writing)
            w->links[i] = link;
    }
}

// one section after the other, until one is wrong
static void code_world(cairn_snapshot_codec* s, cairn_world* w)
{
    cairn_codec* c = &s->c;

    // `what` names the section for the message of a failed read
    s->what = "its options";
    code_def(c, &w->def);
    code_clock(c, w);

    s->what = "its counts";
    code_counts(c, w);

    if (!c->writing && !c->bad)
        s->no_memory = !take_room(w);
    if (c->bad || s->no_memory)
        return;

    s->what = "a body or a joint";
    code_bodies(s, w);
    if (c->bad)
        return;

    s->what = "the broad phase";
    code_broad(s, w);
    if (c->bad || s->no_memory)
        return;

    s->what = "a pair of bodies";
    code_pairs(s, w);
    if (c->bad || s->no_memory)
        return;

    s->what = "a contact";
    code_touches(c, w);
    code_events(c, &w->begun);
    code_events(c, &w->ended);
    if (c->bad)
        return;

    s->what = "a sensor";
    cairn_code_alerts(s, &w->alerts);
}

static void code_head(cairn_codec* c, uint32_t* version, uint64_t* size, uint64_t* sum)
{
    for (int i = 0; i < 8; i++) {
        uint64_t letter = (unsigned char)magic[i];
        cairn_code(c, &letter, 1);
        c->bad = c->bad || letter != (unsigned char)magic[i];
    }
    cairn_code_u32(c, version);
    cairn_code_u64(c, size);
    cairn_code_u64(c, sum);
}

static cairn_status check_assets(const cairn_asset* assets, int count, cairn_error* error)
{
    if (count < 0 || (count > 0 && !assets))
        return cairn_fail(error, CAIRN_BAD_INPUT, "a list of %d assets, or one that is NULL",
                          count);
    for (int i = 0; i < count; i++) {
        cairn_status status = cairn_shape_check(&assets[i].shape, error);
        if (status == CAIRN_OK)
            status = cairn_accept_parts(&assets[i].shape, assets[i].parts, error);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static uint64_t* digests_of(const cairn_asset* assets, int count)
{
    uint64_t* digests = CAIRN_COPY_ARRAY(NULL, uint64_t, 0, count);
    for (int i = 0; digests && i < count; i++)
        digests[i] = cairn_asset_digest(&assets[i]);
    return digests;
}

cairn_status cairn_snapshot_write(const cairn_snapshot* snapshot, const cairn_asset* assets,
                                  int asset_count, void* bytes, size_t room, size_t* size,
                                  cairn_error* error)
{
    if (!snapshot || !size)
        return cairn_refuse_null(error, "the snapshot or the place for its size");

    cairn_status status = check_assets(assets, asset_count, error);
    if (status != CAIRN_OK)
        return status;

    uint64_t* digests = digests_of(assets, asset_count);
    if (!digests)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to write a snapshot");

    // a first round counts, so that nothing is written where there is no room
    cairn_snapshot_codec s = {.c = {.writing = true},
                              .assets = assets,
                              .digests = digests,
                              .asset_count = asset_count,
                              .error = error};

    cairn_world state = snapshot->state;
    uint32_t version = CAIRN_SNAPSHOT_VERSION;
    uint64_t none = 0;
    code_head(&s.c, &version, &none, &none);
    code_world(&s, &state);

    size_t need = s.c.at;

    if (!s.c.bad && bytes && room >= need) {
        s.c = (cairn_codec){.writing = true, .out = bytes, .at = head_size, .size = need};
        code_world(&s, &state);

        uint64_t length = need - head_size;
        uint64_t sum = checksum((unsigned char*)bytes + head_size, need - head_size);
        s.c.at = 0;
        code_head(&s.c, &version, &length, &sum);
    }

    free(digests);
    if (s.c.bad)
        return CAIRN_BAD_INPUT;

    *size = need;
    if (bytes && room < need)
        return cairn_fail(error, CAIRN_BAD_INPUT, "room for %zu bytes, and the snapshot has %zu",
                          room, need);
    return CAIRN_OK;
}

static cairn_status read_head(cairn_codec* c, cairn_error* error)
{
    uint32_t version = 0;
    uint64_t size = 0, sum = 0;
    code_head(c, &version, &size, &sum);

    // the checksum is the last test: it needs the right length
    if (c->bad)
        return cairn_fail(error, CAIRN_BAD_INPUT, "these %zu bytes are not a snapshot", c->size);

    if (version != CAIRN_SNAPSHOT_VERSION)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "a snapshot of version %u, expected version %d of this library", version,
                          CAIRN_SNAPSHOT_VERSION);

    if (size != c->size - head_size)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the bytes of a snapshot are %zu, expected %llu: some are missing or too "
                          "many",
                          c->size - head_size, (unsigned long long)size);

    if (sum != checksum(c->in + head_size, c->size - head_size))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the checksum of a snapshot is wrong: its bytes were changed");

    return CAIRN_OK;
}

static cairn_status read_world(cairn_snapshot_codec* s, cairn_world* w)
{
    // an error of a field is kept apart: the message says where it was, too
    cairn_error said = {0};
    cairn_error* asked = s->error;
    s->error = &said;
    code_world(s, w);
    s->error = asked;

    bool whole = !s->c.bad && s->c.at == s->c.size;
    cairn_status agrees = whole ? cairn_snapshot_agrees(w, &s->what) : CAIRN_BAD_INPUT;
    if ((s->no_memory && !s->c.bad) || agrees == CAIRN_NO_MEMORY)
        return cairn_fail(asked, CAIRN_NO_MEMORY, "no memory to read a snapshot");
    if (agrees != CAIRN_OK)
        return cairn_fail(asked, CAIRN_BAD_INPUT,
                          "the bytes of a snapshot are wrong in %s at byte %zu%s%s", s->what,
                          s->c.at, said.text[0] ? ": " : "", said.text);

    return cairn_world_take_def(w, &w->def, asked);
}

cairn_status cairn_snapshot_read(const void* bytes, size_t size, const cairn_asset* assets,
                                 int asset_count, cairn_snapshot** snapshot, cairn_error* error)
{
    if (!bytes || !snapshot)
        return cairn_refuse_null(error, "the bytes or the place for the snapshot");

    cairn_status status = check_assets(assets, asset_count, error);
    cairn_snapshot_codec s = {.c = {.in = bytes, .size = size},
                              .assets = assets,
                              .asset_count = asset_count,
                              .error = error};

    if (status == CAIRN_OK)
        status = read_head(&s.c, error);
    if (status != CAIRN_OK)
        return status;

    uint64_t* digests = digests_of(assets, asset_count);
    cairn_snapshot* out = calloc(1, sizeof *out);
    s.digests = digests;

    if (digests && out) {
        out->state.def = cairn_default_world_def();
        out->state.version = 1;
        status = read_world(&s, &out->state);
    } else {
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory to read a snapshot");
    }

    free(digests);
    if (status == CAIRN_OK)
        *snapshot = out;
    else
        cairn_snapshot_destroy(out);
    return status;
}
