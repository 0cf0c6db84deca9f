// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The promises that every call is held to (see api.h).

#include "api.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// what a call may take at most, in seconds of processor time; sanitizers and the branch counters of
// libFuzzer cost a factor of ten
#ifdef CAIRN_SANITIZED
static const double most_seconds = 20.0;
#else
static const double most_seconds = 2.0;
#endif

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void api_broken(api* a, const char* format, ...)
{
    va_list arguments;
    char text[400];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(a->tally->fault, sizeof a->tally->fault, "%s: %s", a->call, text);
    fprintf(stderr, "call %ld, %s\n", a->tally->calls, a->tally->fault);
    abort();
}

// ---------------------------------------------------------------- the digest

static void mix(uint64_t* digest, const void* data, size_t size)
{
    const uint8_t* bytes = data;
    for (size_t i = 0; i < size; i++)
        *digest = (*digest ^ bytes[i]) * 0x100000001b3u;
}

static void mix_real(uint64_t* digest, double x)
{
    mix(digest, &x, sizeof x);
}

static void mix_vec(uint64_t* digest, cairn_vec3 v)
{
    mix(digest, &v, sizeof v);
}

static void mix_contacts(uint64_t* digest, const cairn_world* world)
{
    int count = 0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < count; i++) {
        const cairn_contact* c = &contacts[i];
        mix(digest, &c->body_a, sizeof c->body_a);
        mix(digest, &c->body_b, sizeof c->body_b);
        mix_vec(digest, c->point);
        mix_vec(digest, c->impulse);
        mix_real(digest, c->gap);
    }
    cairn_events events = cairn_world_events(world);
    mix(digest, &events.begun_count, sizeof(int));
    mix(digest, &events.ended_count, sizeof(int));
}

static void mix_body(uint64_t* digest, const cairn_world* world, cairn_body_id id)
{
    cairn_body_state state;
    cairn_material material;
    if (cairn_body_get(world, id, &state, NULL) == CAIRN_OK) {
        mix(digest, &state.pose, sizeof state.pose);
        mix_vec(digest, state.velocity);
        mix_vec(digest, state.spin);
        mix(digest, &state.asleep, sizeof state.asleep);
        mix(digest, &state.frozen, sizeof state.frozen);
        mix(digest, &state.disabled, sizeof state.disabled);
        mix_real(digest, state.mass);
    }
    if (cairn_body_get_material(world, id, &material, NULL) == CAIRN_OK) {
        mix_real(digest, material.mu);
        mix_real(digest, material.restitution);
    }
}

static void mix_joint(uint64_t* digest, const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_state state;
    cairn_joint_def def;
    if (cairn_joint_get(world, id, &state, NULL) == CAIRN_OK) {
        mix_real(digest, state.coordinate);
        mix_vec(digest, state.impulse);
        mix_vec(digest, state.twist);
    }
    if (cairn_joint_get_def(world, id, &def, NULL) == CAIRN_OK) {
        mix_real(digest, def.speed);
        mix_real(digest, def.strength);
    }
}

uint64_t api_digest(const api* a, int w)
{
    const cairn_world* world = a->worlds[w].world;
    uint64_t digest = cairn_world_hash(world);
    cairn_world_def def = cairn_world_get_def(world);
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    mix_real(&digest, kinetic);
    mix_real(&digest, potential);
    mix_vec(&digest, def.gravity);
    mix_real(&digest, def.tolerance);
    mix_real(&digest, cairn_world_time(world));
    mix_contacts(&digest, world);
    for (int i = 0; i < cairn_world_body_slots(world); i++)
        mix_body(&digest, world, cairn_world_body_at(world, i));
    for (int i = 0; i < cairn_world_joint_slots(world); i++)
        mix_joint(&digest, world, cairn_world_joint_at(world, i));
    return digest;
}

// ---------------------------------------------------------------- before and after

void api_begin(api* a)
{
    // inside a hook the world is half way through a step, and the outer call is judged
    for (int w = 0; w < api_worlds && a->nested == 0; w++) {
        api_world* slot = &a->worlds[w];
        if (slot->world && !slot->known) {
            slot->digest = api_digest(a, w);
            slot->known = true;
        }
    }
    memset(a->error.text, 0x55, sizeof a->error.text);
    a->said = api_chance(a, 16) ? NULL : &a->error;
    if (a->tally->watch)
        a->tally->watch();
    a->started = processor_seconds();
}

static void judge_sentence(api* a)
{
    const char* end = memchr(a->error.text, 0, sizeof a->error.text);
    if (!end || end == a->error.text)
        api_broken(a, "a refusal without a sentence");
    for (const char* c = a->error.text; c < end; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            api_broken(a, "a sentence with the byte 0x%02x", (unsigned)(unsigned char)*c);
}

static void judge_worlds(api* a, cairn_status status, int changed)
{
    for (int w = 0; w < api_worlds; w++) {
        api_world* slot = &a->worlds[w];
        if (slot->world && status == CAIRN_OK && w == changed)
            slot->known = false;
        else if (slot->world && slot->known && api_digest(a, w) != slot->digest)
            api_broken(a, "%s changed world %d: %.200s", status == CAIRN_OK ? "OK" : "refused", w,
                       status != CAIRN_OK && a->said ? a->error.text : "");
    }
}

bool api_end(api* a, cairn_status status, int changed)
{
    double seconds = processor_seconds() - a->started;
    api_tally* tally = a->tally;
    tally->calls++;
    tally->refused += status != CAIRN_OK;
    if (tally->told)
        fprintf(stderr, "%6ld %-32s world %2d  status %d %s\n", tally->calls, a->call, changed,
                (int)status, status != CAIRN_OK && a->said ? a->error.text : "");
    if (seconds > tally->slowest) {
        tally->slowest = seconds;
        snprintf(tally->slow_call, sizeof tally->slow_call, "%s", a->call);
    }
    if (seconds > most_seconds)
        api_broken(a, "took %.2f s of processor time", seconds);

    // a fault of ours is never right, whatever the call was
    if ((int)status < CAIRN_OK || (int)status > CAIRN_BUSY || status == CAIRN_FAULT)
        api_broken(a, "status %d: %.200s", (int)status, a->said ? a->error.text : "");
    if (status != CAIRN_OK && a->said)
        judge_sentence(a);
    if (status == CAIRN_OK && changed >= 0 && a->worlds[changed].busy)
        api_broken(a, "a hook or visitor changed its own world");
    if (a->nested == 0)
        judge_worlds(a, status, changed);
    else if (changed >= 0)
        a->worlds[changed].known = false;
    return status == CAIRN_OK;
}

// ---------------------------------------------------------------- steps

static void judge_bodies(api* a, const cairn_world* world)
{
    for (int i = 0; i < cairn_world_body_slots(world); i++) {
        cairn_body_state s;
        if (cairn_body_get(world, cairn_world_body_at(world, i), &s, NULL) != CAIRN_OK)
            continue;
        if (!cairn_is_finite(s.pose.p) || !cairn_is_finite(s.center) ||
            !cairn_is_finite(s.velocity) || !cairn_is_finite(s.spin) ||
            !isfinite(s.pose.q.w + s.pose.q.x + s.pose.q.y + s.pose.q.z))
            api_broken(a, "a body%s is not finite after a step", s.frozen ? " that is frozen" : "");
    }
}

static void judge_contacts(api* a, const cairn_world* world)
{
    int count = 0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < count; i++)
        if (!cairn_is_finite(contacts[i].point) || !cairn_is_finite(contacts[i].normal) ||
            !cairn_is_finite(contacts[i].impulse) || !isfinite(contacts[i].gap))
            api_broken(a, "contact %d of %d is not finite after a step", i, count);
}

static void judge_joints(api* a, const cairn_world* world)
{
    for (int i = 0; i < cairn_world_joint_slots(world); i++) {
        cairn_joint_state s;
        if (cairn_joint_get(world, cairn_world_joint_at(world, i), &s, NULL) == CAIRN_OK &&
            (!isfinite(s.coordinate) || !isfinite(s.error) || !cairn_is_finite(s.impulse) ||
             !cairn_is_finite(s.twist)))
            api_broken(a, "a joint is not finite after a step");
    }
}

// energies may leave the range of numbers with speeds of 1e160 m/s, but are numbers
static void judge_report(api* a, const cairn_step_report* report)
{
    if (isnan(report->residual) || isnan(report->residual_velocity) || isnan(report->penetration) ||
        isnan(report->joint_error) || isnan(report->kinetic) || isnan(report->potential))
        api_broken(a,
                   "the report of a step has a NaN: residual %g, penetration %g, joint error "
                   "%g, energies %g and %g",
                   report->residual, report->penetration, report->joint_error, report->kinetic,
                   report->potential);
    if (!report->method || (int)report->outcome < 0 || report->outcome > CAIRN_OUTCOME_STEP_LIMIT)
        api_broken(a, "the report of a step has no method or outcome");
}

bool api_step(api* a, int w, double dt)
{
    cairn_world* world = a->worlds[w].world;
    cairn_step_report report;
    memset(&report, 0, sizeof report);
    api_begin(a);
    cairn_status status = cairn_world_step(world, dt, &report, a->said);
    if (!api_end(a, status, w))
        return false;
    a->tally->steps++;
    judge_bodies(a, world);
    judge_contacts(a, world);
    judge_joints(a, world);
    judge_report(a, &report);
    return true;
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// a step that came near its limit of time may end otherwise the next time
static bool far_from_limit(const api_world* slot, double seconds)
{
    return slot->time_limit == 0.0 || seconds < 0.1 * slot->time_limit;
}

void api_step_twice(api* a, int w, double dt)
{
    api_world* slot = &a->worlds[w];
    cairn_snapshot* before = NULL;
    if (a->nested > 0 || slot->reentries > 0 || slot->scene)
        return;
    api_begin(a);
    cairn_status status = cairn_world_snapshot(slot->world, &before, a->said);
    if (!api_end(a, status, API_NOTHING))
        api_broken(a, "no snapshot of a world");

    // once, and once more from where it was; a step that was canceled may succeed the next time
    double start = wall_seconds();
    if (!api_step(a, w, dt)) {
        cairn_snapshot_destroy(before);
        return;
    }
    uint64_t once = api_digest(a, w);
    bool quick = far_from_limit(slot, wall_seconds() - start);
    api_begin(a);
    status = cairn_world_restore(slot->world, before, a->said);
    if (!api_end(a, status, w))
        api_broken(a, "a snapshot of its own world is refused");
    start = wall_seconds();
    bool again = api_step(a, w, dt);
    quick = quick && far_from_limit(slot, wall_seconds() - start);
    if (quick && (!again || api_digest(a, w) != once))
        api_broken(a, "a step after a restore is another than before");
    cairn_snapshot_destroy(before);
}
