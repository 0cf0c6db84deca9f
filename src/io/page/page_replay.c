// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A replay page: the run's frames in whole numbers, kept in memory until the page is written,
// thinned when they become too many. Every so often a frame stands by itself, so that the page can
// begin to read there; the others are differences.

#include "io/page/page.h"
#include "io/recording/stage.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { default_frames = 20000, key_every = 32, most_contacts = 250000 };
static const size_t default_room = (size_t)192 << 20;

/// A stage as JSON, for the frames of some changes in a row: as long as bodies only come and none
/// goes, the last of them serves the others too.
typedef struct replay_stage {
    int to; ///< the last change
    cairn_page_bytes json;
    cairn_page_units units;
    int body_count, body_capacity;
    uint32_t* generations; ///< of the bodies
} replay_stage;

struct cairn_replay {
    cairn_replay_def def;
    int every; ///< steps that a kept frame stands for
    int seen;  ///< frames since the last kept one
    size_t used;
    int count, capacity;
    cairn_shot* shots;
    int stage_count, stage_capacity;
    replay_stage* stages;
    bool waiting; ///< `last` was not kept so far
    cairn_shot last;
    cairn_page_view view;
};

cairn_status cairn_replay_create(const cairn_replay_def* def, cairn_replay** replay,
                                 cairn_error* error)
{
    if (!replay)
        return cairn_refuse_null(error, "the place for the replay");
    cairn_replay* r = calloc(1, sizeof *r);
    if (!r)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a replay");
    if (def)
        r->def = *def;
    r->def.frames = r->def.frames > 1 ? r->def.frames : default_frames;
    r->def.room = r->def.room > 0 ? r->def.room : default_room;
    r->every = 1;
    *replay = r;
    return CAIRN_OK;
}

void cairn_replay_destroy(cairn_replay* replay)
{
    if (!replay)
        return;
    for (int i = 0; i < replay->count; i++)
        free(replay->shots[i].numbers);
    for (int i = 0; i < replay->stage_count; i++) {
        cairn_page_bytes_destroy(&replay->stages[i].json);
        free(replay->stages[i].generations);
    }
    free(replay->shots);
    free(replay->stages);
    free(replay->last.numbers);
    cairn_page_view_free(&replay->view);
    free(replay);
}

int cairn_replay_frames(const cairn_replay* replay, int* every)
{
    if (!replay)
        return 0;
    if (every)
        *every = replay->every;
    return replay->count + (replay->waiting ? 1 : 0);
}

// ---------------------------------------------------------------- thinning

static size_t shot_bytes(const cairn_shot* shot)
{
    return sizeof *shot + shot->capacity * sizeof *shot->numbers;
}

// the errors of a dropped step count for the next one that is kept
static void inherit(cairn_shot_report* to, const cairn_shot_report* from)
{
    to->outcome = from->outcome > to->outcome ? from->outcome : to->outcome;
    to->residual = fmax(to->residual, from->residual);
    to->residual_velocity = fmax(to->residual_velocity, from->residual_velocity);
    to->penetration = fmax(to->penetration, from->penetration);
    to->joint_error = fmax(to->joint_error, from->joint_error);
    to->ms = fmax(to->ms, from->ms);
    to->frozen += from->frozen;
    cairn_motion_add(&to->motion, &from->motion);
    for (int k = 0; k < 5; k++)
        to->stages[k] = fmax(to->stages[k], from->stages[k]);
}

// keeps the first, third, fifth, ... frame; when the last one has to go it waits for the next
static void drop_half(cairn_replay* r)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        cairn_shot* shot = &r->shots[i];
        if (i % 2 == 0) {
            r->shots[kept++] = *shot;
            continue;
        }

        r->used -= shot_bytes(shot);
        if (i + 1 < r->count) {
            inherit(&r->shots[i + 1].report, &shot->report);
            free(shot->numbers);
        } else {
            r->last = *shot;
            r->waiting = true;
            r->seen = r->every;
        }
    }

    r->count = kept;
    r->every *= 2;
}

// ---------------------------------------------------------------- adding

// whether all bodies of an earlier stage are still there
static bool only_grew(const replay_stage* old, const cairn_stage* stage)
{
    if (stage->body_count < old->body_count)
        return false;
    for (int i = 0; i < old->body_count; i++)
        if (old->generations[i] != 0 && old->generations[i] != stage->bodies[i].id.generation)
            return false;
    return true;
}

static cairn_status fill_stage(replay_stage* to, const cairn_stage* stage, cairn_error* error)
{
    if (!cairn_grow((void**)&to->generations, &to->body_capacity, stage->body_count,
                    sizeof *to->generations))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the stage of a replay");
    cairn_status status = cairn_page_stage(stage, &to->json, error);
    to->to = stage->change;
    to->units = cairn_page_choose_units(stage);
    to->body_count = stage->body_count;
    for (int i = 0; i < stage->body_count; i++)
        to->generations[i] = stage->bodies[i].id.generation;
    return status;
}

static cairn_status add_stage(cairn_replay* r, const cairn_stage* stage, cairn_error* error)
{
    replay_stage* last = r->stage_count > 0 ? &r->stages[r->stage_count - 1] : NULL;
    if (last && last->to == stage->change)
        return CAIRN_OK;
    cairn_page_view_hold(&r->view, stage);
    if (last && only_grew(last, stage))
        return fill_stage(last, stage, error);
    if (!cairn_grow((void**)&r->stages, &r->stage_capacity, r->stage_count + 1, sizeof *r->stages))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the stage of a replay");
    return fill_stage(&r->stages[r->stage_count++], stage, error);
}

// `last` goes to the end of the list; its numbers belong to it
static bool keep_last(cairn_replay* r)
{
    if (!cairn_grow((void**)&r->shots, &r->capacity, r->count + 1, sizeof *r->shots))
        return false;
    r->shots[r->count++] = r->last;
    r->used += shot_bytes(&r->last);
    r->last = (cairn_shot){0};
    r->waiting = false;
    r->seen = 0;
    return true;
}

cairn_status cairn_replay_add(cairn_replay* replay, const cairn_stage* stage,
                              const cairn_frame* frame, cairn_error* error)
{
    if (!replay || !stage || !frame)
        return cairn_refuse_null(error, "the replay, the stage or the frame");

    cairn_replay* r = replay;
    cairn_status status = add_stage(r, stage, error);
    if (status != CAIRN_OK)
        return status;

    // a skipped frame hands its worst values on to the next one
    bool merge = r->waiting;
    cairn_shot_report skipped = r->last.report;
    bool done = cairn_page_view_follow(&r->view, stage, frame) &&
                cairn_shot_take(&r->last, stage, frame, r->stages[r->stage_count - 1].units);
    if (done && merge)
        inherit(&r->last.report, &skipped);
    r->waiting = done;
    r->seen++;

    // one frame of so many is kept; when they become too many, every second one goes
    if (done && (r->count == 0 || r->seen >= r->every))
        done = keep_last(r);
    if (!done)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for %d frames of a replay", r->count);

    if (r->count > r->def.frames || (r->used > r->def.room && r->count > 2))
        drop_half(r);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- writing

// contacts are told in one frame of so many: those of large piles change all the time and would
// fill the page, which shows them only where one asks for forces
static int contacts_every(const cairn_replay* r)
{
    double count = 0.0;
    for (int i = 0; i < r->count; i++)
        count += r->shots[i].contact_count;
    int every = (int)ceil(count / most_contacts);
    return every < 1 ? 1 : every > key_every ? key_every : every;
}

static bool write_about(cairn_page_file* file, const cairn_replay* r)
{
    json_t* about = json_pack("{s:s,s:s,s:i,s:i,s:i}", "type", "run", "version", cairn_version(),
                              "frames", r->count, "every", r->every, "contacts", contacts_every(r));
    cairn_vec3 points[cairn_page_view_points];
    bool whole = about != NULL;

    if (cairn_page_view_finish(&r->view, points)) {
        json_t* list = json_array();
        for (int k = 0; k < cairn_page_view_points; k++)
            whole = json_array_append_new(
                        list, json_pack("[f,f,f]", points[k].x, points[k].y, points[k].z)) == 0 &&
                    whole;
        whole = json_object_set_new(about, "view", list) == 0 && whole;
    }

    char* text = whole ? json_dumps(about, JSON_COMPACT | JSON_REAL_PRECISION(8)) : NULL;
    bool done = text && cairn_page_file_add(file, text, strlen(text));
    free(text);
    json_decref(about);
    return done;
}

static bool write_shots(cairn_page_file* file, const cairn_replay* r)
{
    // differences are coded against one or two frames before; contacts only in some frames
    cairn_page_bytes bytes = {0};
    bool done = true;
    int stage = 0, every = contacts_every(r);
    cairn_shot_base base = {0};
    for (int i = 0, key = 0; done && i < r->count && !cairn_cancel_is_raised(r->def.cancel); i++) {
        const cairn_shot *shot = &r->shots[i], *before = i > 0 ? &r->shots[i - 1] : NULL;

        // a stage comes before its first frame
        if (!before || shot->change > r->stages[stage].to) {
            while (shot->change > r->stages[stage].to)
                stage++;
            const cairn_page_bytes* json = &r->stages[stage].json;
            done = cairn_page_file_add(file, json->data, json->size);
        }

        // now and then a frame stands by itself, so that the page can begin to read there
        bool alone = !before || i - key >= key_every || !cairn_shot_follows(shot, before);
        key = alone ? i : key;
        base.older = i - key > 1 ? base.bodies : NULL;
        base.bodies = before;
        base.hold = (i - key) % every != 0;

        bytes.size = 0;
        done = done && cairn_shot_encode(&bytes, shot, alone ? NULL : &base) &&
               cairn_page_file_add(file, bytes.data, bytes.size);
        base.contacts = base.hold ? base.contacts : shot;
    }

    cairn_page_bytes_destroy(&bytes);
    return done;
}

cairn_status cairn_replay_write(cairn_replay* replay, const char* path, bool force,
                                cairn_error* error)
{
    if (!replay || !path)
        return cairn_refuse_null(error, "the replay or the path");
    // the end of a run is always kept
    cairn_page_file* file = cairn_page_file_create();
    if (!file || (replay->waiting && !keep_last(replay))) {
        cairn_page_file_destroy(file);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for the page", path);
    }

    if (!write_about(file, replay) || !write_shots(file, replay)) {
        cairn_page_file_destroy(file);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for the page", path);
    }

    if (cairn_cancel_is_raised(replay->def.cancel)) {
        cairn_page_file_destroy(file);
        return cairn_fail(error, CAIRN_INTERRUPTED, "%s: was canceled before it was written", path);
    }

    return cairn_page_file_finish(file, path, force, error);
}
