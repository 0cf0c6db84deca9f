// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn diff A.h5 B.h5: the first step, body and contact in which two recordings differ.

#include "verb.h"
#include <cairn/recording.h>
#include <math.h>
#include <string.h>

typedef struct options {
    verb_common common;
    double tolerance; ///< m, m/s, N s; 0: every bit
} options;

static const verb_option own[] = {
    {"tolerance", "X", "Ignore differences up to X (m, m/s, N s); 0 compares every bit (0)",
     VERB_AT_LEAST_0, offsetof(options, tolerance), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Compare two recordings step by step and name the first step, body and contact "
    "that differ. Computing times are ignored. The exit status is 1 if the "
    "recordings differ.\v"
    "Example:\n  cairn run wall --record a.h5\n  cairn run wall --method exact --record b.h5\n"
    "  cairn diff a.h5 b.h5";

// ---------------------------------------------------------------- comparing

// a recording at a frame
typedef struct side {
    cairn_recording* recording;
    cairn_stage stage;
    cairn_frame frame;
} side;

typedef struct difference {
    bool differ;
    int64_t step;
    double time;
    int body;         ///< slot; -1: none
    const char* what; ///< of the body
    double body_by;   ///< m, m/s or rad/s; infinite: only one has it
    int contact;      ///< number; -1: none
    const char* contact_what;
    double contact_by;
    const char* other; ///< a sentence when neither body nor contact differ
} difference;

static double larger(cairn_vec3 a, cairn_vec3 b)
{
    cairn_vec3 d = cairn_abs(cairn_sub(a, b));
    return fmax(d.x, fmax(d.y, d.z));
}

// 0 exactly when all bits that matter are the same: -0 and 0 are one
static double turned(cairn_quat a, cairn_quat b)
{
    double w = fabs(a.w - b.w), x = fabs(a.x - b.x), y = fabs(a.y - b.y), z = fabs(a.z - b.z);
    return fmax(fmax(w, x), fmax(y, z));
}

static bool compare_body(difference* d, const cairn_frame_body* a, const cairn_frame_body* b,
                         int slot, double tolerance)
{
    static const char* const names[] = {"place", "orientation", "velocity", "spin"};
    if (!a->present && !b->present)
        return false;

    // a body that only one side has differs by infinity
    double by[4] = {INFINITY, 0.0, 0.0, 0.0};
    const char* what = "presence";
    bool both = a->present && b->present;

    if (both) {
        by[0] = larger(a->pose.p, b->pose.p);
        by[1] = turned(a->pose.q, b->pose.q);
        by[2] = larger(a->velocity, b->velocity);
        by[3] = larger(a->spin, b->spin);
    }

    // the first measure beyond the tolerance names the difference
    for (int k = 0; k < 4; k++)
        if (by[k] > tolerance) {
            d->body = slot;
            d->what = both ? names[k] : what;
            d->body_by = by[k];
            return true;
        }
    return false;
}

static bool compare_contact(difference* d, const cairn_contact* a, const cairn_contact* b,
                            int number, double tolerance)
{
    static const char* const names[] = {"bodies", "point", "normal", "impulse", "gap", "state"};

    // within a tolerance a contact may stick here and slide there: states count only without one
    bool same = a->body_a.index == b->body_a.index && a->body_b.index == b->body_b.index;
    double by[6] = {same ? 0.0 : (double)INFINITY,
                    larger(a->point, b->point),
                    larger(a->normal, b->normal),
                    larger(a->impulse, b->impulse),
                    fabs(a->gap - b->gap),
                    a->state == b->state || tolerance > 0.0 ? 0.0 : (double)INFINITY};

    for (int k = 0; k < 6; k++)
        if (by[k] > tolerance) {
            d->contact = number;
            d->contact_what = names[k];
            d->contact_by = by[k];
            return true;
        }

    return false;
}

static void compare_bodies(difference* d, const cairn_frame* a, const cairn_frame* b,
                           double tolerance)
{
    static const cairn_frame_body none = {0};
    int count = a->body_count > b->body_count ? a->body_count : b->body_count;
    for (int i = 0; i < count; i++)
        if (compare_body(d, i < a->body_count ? &a->bodies[i] : &none,
                         i < b->body_count ? &b->bodies[i] : &none, i, tolerance))
            return;
}

static void compare_contacts(difference* d, const cairn_frame* a, const cairn_frame* b,
                             double tolerance)
{
    int count = a->contact_count < b->contact_count ? a->contact_count : b->contact_count;
    for (int i = 0; i < count; i++)
        if (compare_contact(d, &a->contacts[i], &b->contacts[i], i, tolerance))
            return;
    if (a->contact_count != b->contact_count) {
        d->contact = count;
        d->contact_what = "presence";
        d->contact_by = INFINITY;
    }
}

static void compare_frames(difference* d, const side* a, const side* b, double tolerance)
{
    *d = (difference){
        .step = a->frame.report.step, .time = a->frame.report.time, .body = -1, .contact = -1};

    // the same hash: all bits are the same
    if (tolerance == 0.0 && a->frame.hash == b->frame.hash &&
        a->frame.body_count == b->frame.body_count &&
        a->frame.contact_count == b->frame.contact_count &&
        a->frame.report.time == b->frame.report.time)
        return;

    compare_bodies(d, &a->frame, &b->frame, tolerance);
    compare_contacts(d, &a->frame, &b->frame, tolerance);
    d->differ = d->body >= 0 || d->contact >= 0;

    if (d->differ || tolerance > 0.0)
        return;

    // no number that is recorded differs
    d->differ = true;
    d->other = a->frame.report.time != b->frame.report.time
                   ? "the times differ"
                   : "the state hashes differ, but all bodies and contacts agree: the warm-start "
                     "impulses differ";
}

static cairn_status compare(difference* d, side* a, side* b, double tolerance, cairn_error* error)
{
    int frames[2] = {cairn_recording_frame_count(a->recording),
                     cairn_recording_frame_count(b->recording)};
    int count = frames[0] < frames[1] ? frames[0] : frames[1];
    cairn_status status = CAIRN_OK;

    for (int i = 0; status == CAIRN_OK && i < count && !d->differ; i++) {
        status = cairn_recording_show(a->recording, i, &a->stage, &a->frame, error);
        if (status == CAIRN_OK)
            status = cairn_recording_show(b->recording, i, &b->stage, &b->frame, error);
        if (status == CAIRN_OK)
            compare_frames(d, a, b, tolerance);
    }

    if (status == CAIRN_OK && !d->differ && frames[0] != frames[1]) {
        d->differ = true;
        d->step = count;
        d->other = "one recording ends before the other";
    }

    return status;
}

// ---------------------------------------------------------------- telling

static const char* name_of(const side* s, int slot)
{
    const char* name = slot >= 0 && slot < s->stage.body_count ? s->stage.bodies[slot].name : NULL;
    return name ? name : "";
}

static const side* side_with_contact(const side* a, const side* b, int contact)
{
    return contact < a->frame.contact_count ? a : b;
}

static void set_by(json_t* item, const char* what, double by)
{
    verb_set_string(item, "differs", what);
    verb_set_real(item, "by", by);
}

// what is shown
typedef struct result {
    const difference* d;
    const side *a, *b;
} result;

static json_t* to_json(const void* from)
{
    const result* r = from;
    const difference* d = r->d;
    const side *a = r->a, *b = r->b;
    json_t *out = json_object(), *body = json_null(), *contact = json_null();

    json_object_set_new(out, "same", json_boolean(!d->differ));
    verb_set_integer(out, "frames_a", cairn_recording_frame_count(a->recording));
    verb_set_integer(out, "frames_b", cairn_recording_frame_count(b->recording));
    json_object_set_new(out, "step", d->differ ? json_integer(d->step) : json_null());

    // a body removed on one side still has its name on the other
    if (d->differ && d->body >= 0) {
        body = json_object();
        verb_set_integer(body, "slot", d->body);
        verb_set_string(body, "name",
                        *name_of(a, d->body) ? name_of(a, d->body) : name_of(b, d->body));
        set_by(body, d->what, d->body_by);
    }

    // the recordings may have different numbers of contacts
    if (d->differ && d->contact >= 0) {
        const side* s = side_with_contact(a, b, d->contact);
        const cairn_contact* c = &s->frame.contacts[d->contact];
        contact = json_object();
        verb_set_integer(contact, "number", d->contact);
        verb_set_integer(contact, "slot_a", c->body_a.index);
        verb_set_integer(contact, "slot_b", c->body_b.index);
        verb_set_string(contact, "name_a", name_of(s, c->body_a.index));
        verb_set_string(contact, "name_b", name_of(s, c->body_b.index));
        set_by(contact, d->contact_what, d->contact_by);
    }

    json_object_set_new(out, "body", body);
    json_object_set_new(out, "contact", contact);
    if (d->other)
        verb_set_string(out, "note", d->other);
    return out;
}

// "its pose differs by 0.1"
static void describe(char* text, size_t size, const char* what, double by)
{
    if (isfinite(by))
        snprintf(text, size, "its %s differs by %.3g", what, by);
    else
        snprintf(text, size, "its %s differs", what);
}

static void to_text(const void* from)
{
    const result* r = from;
    const difference* d = r->d;
    const side *a = r->a, *b = r->b;
    char how[128];

    if (!d->differ) {
        verb_print("the same: %d frames", cairn_recording_frame_count(a->recording));
        return;
    }

    verb_print("they differ first in step %lld", (long long)d->step);
    if (d->other)
        verb_print("%s", d->other);

    if (d->body >= 0) {
        const char* name = *name_of(a, d->body) ? name_of(a, d->body) : name_of(b, d->body);
        describe(how, sizeof how, d->what, d->body_by);
        verb_print("body %d%s%s%s: %s", d->body, *name ? " (" : "", name, *name ? ")" : "", how);
    }

    if (d->contact >= 0) {
        const side* s = side_with_contact(a, b, d->contact);
        const cairn_contact* c = &s->frame.contacts[d->contact];
        describe(how, sizeof how, d->contact_what, d->contact_by);
        verb_print("contact %d between bodies %d (%s) and %d (%s): %s", d->contact,
                   (int)c->body_a.index, name_of(s, c->body_a.index), (int)c->body_b.index,
                   name_of(s, c->body_b.index), how);
    }
}

static void close_side(side* s)
{
    cairn_stage_destroy(&s->stage);
    cairn_frame_destroy(&s->frame);
    cairn_recording_destroy(s->recording);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    const options* o = (const options*)common;
    side a = {0}, b = {0};
    difference d = {.body = -1, .contact = -1};
    cairn_status status = cairn_recording_open(common->arguments[0], &a.recording, error);
    if (status == CAIRN_OK)
        status = cairn_recording_open(common->arguments[1], &b.recording, error);
    if (status == CAIRN_OK)
        status = compare(&d, &a, &b, o->tolerance, error);
    if (status == CAIRN_OK)
        verb_show(common, to_json, to_text, &(result){&d, &a, &b});
    common->missed = d.differ;
    close_side(&a);
    close_side(&b);
    return status;
}

const verb verb_diff = {
    .name = "diff",
    .summary = "find the first difference between two recordings",
    .arguments = "A B",
    .least = 2,
    .most = 2,
    .noun = "recording",
    .expected = "two",
    .doc = doc,
    .options = own,
    .size = sizeof(options),
    .run = run,
};
