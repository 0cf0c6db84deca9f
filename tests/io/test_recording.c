// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide/shape/mesh.h"
#include <cairn/recording.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// every kind of shape, a hinge with a motor, a bead on a ring, glass, torsional friction, a body that
// enters later
static const char* const zoo =
    "{\"cairn\": 1, \"title\": \"a zoo\", \"run\": {\"substeps\": 2}, \"bodies\": ["
    "{\"name\": \"ground\", \"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
    "{\"name\": \"box\", \"at\": [0, 0, 0.5], \"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}},"
    "{\"name\": \"hull\", \"at\": [4, 0, 0.5], \"shape\": {\"kind\": \"hull\", \"points\": "
    "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}},"
    "{\"name\": \"ball\", \"at\": [-3, 0, 0.4], \"velocity\": [1, 0, 0], "
    "\"material\": {\"mu\": 0.4, \"mu_spin\": 0.01}, "
    "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.4}},"
    "{\"name\": \"rod\", \"at\": [8, 0, 2], \"shape\": {\"kind\": \"capsule\", \"radius\": 0.2, "
    "\"length\": 1}},"
    "{\"name\": \"can\", \"at\": [12, 0, 0.5], \"shape\": {\"kind\": \"cylinder\", \"radius\": "
    "0.5, "
    "\"height\": 1}},"
    "{\"name\": \"dumbbell\", \"at\": [16, 0, 0.5], \"shape\": {\"kind\": \"compound\", \"parts\": "
    "[{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}, \"at\": [-1, 0, 0]}, "
    "{\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"at\": [1, 0, 0]}]}},"
    "{\"name\": \"bead\", \"at\": [31.5, 0, 2], \"mask\": 0, \"glass\": true, \"look\": \"steel\", "
    "\"shape\": "
    "{\"kind\": "
    "\"sphere\", \"radius\": 0.1}},"
    "{\"name\": \"roof\", \"type\": \"static\", \"at\": [-9, 0, 1], \"shape\": {\"kind\": "
    "\"mesh\", "
    "\"vertices\": [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 1]], "
    "\"triangles\": [[0, 1, 2], [0, 3, 1]]}},"
    "{\"name\": \"hill\", \"type\": \"static\", \"at\": [-20, 0, 0], \"shape\": {\"kind\": "
    "\"height_field\", \"count_x\": 2, \"count_y\": 3, \"spacing\": 1.5, \"heights\": "
    "[0, 1, 2, 3, 4, 5]}},"
    "{\"name\": \"late\", \"at\": [0, 0, 1.6], \"enter\": 0.05, \"shape\": {\"kind\": \"box\", "
    "\"size\": [1, 1, 1]}}],"
    "\"joints\": [{\"kind\": \"hinge\", \"b\": \"rod\", \"at\": [8, 0, 3], \"axis\": [0, 1, 0], "
    "\"motor\": {\"speed\": 1, \"strength\": 5}},"
    "{\"kind\": \"surface\", \"b\": \"bead\", \"surface\": \"torus\", \"radius\": 1.2, \"tube\": "
    "0.3, "
    "\"at_a\": [30, 0, 2], \"at_b\": [31.5, 0, 2]}], \"exclude\": [[\"ball\", \"box\"]]}";

typedef struct run {
    cairn_scene* scene;
    cairn_stage stage;
    cairn_frame frame;
    cairn_recorder* recorder;
} run;

static const char* path_of(const char* name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/cairn-test-recording-%ld-%s.h5", check_cairn_folder(),
             (long)getpid(), name);
    return path;
}

static void start(run* r, const char* text, const char* path)
{
    cairn_error error = {""};
    cairn_stage_origin origin = {"zoo.json", text, strlen(text)};
    *r = (run){0};
    cairn_status status =
        cairn_scene_read_text(text, strlen(text), "zoo.json", NULL, &r->scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    CHECK(cairn_stage_set_origin(&r->stage, &origin, &error) == CAIRN_OK);
    CHECK(cairn_stage_take(&r->stage, r->scene, 0.01, &error) == CAIRN_OK);
    CHECK(cairn_frame_take(&r->frame, &r->stage, r->scene, NULL, 0.0, &error) == CAIRN_OK);
    status = cairn_recorder_create(path, &r->stage, true, &r->recorder, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    CHECK(cairn_recorder_add(r->recorder, &r->stage, &r->frame, &error) == CAIRN_OK);
    cairn_world_set_solve_hook(cairn_scene_world(r->scene), cairn_recorder_solve, r->recorder);
}

static void advance(run* r)
{
    cairn_error error = {""};
    cairn_step_report report;
    CHECK(cairn_scene_step(r->scene, 0.01, &report, &error) == CAIRN_OK);
    CHECK(cairn_stage_take(&r->stage, r->scene, 0.01, &error) == CAIRN_OK);
    CHECK(cairn_frame_take(&r->frame, &r->stage, r->scene, &report, 1.5, &error) == CAIRN_OK);
    cairn_status status = cairn_recorder_add(r->recorder, &r->stage, &r->frame, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
}

static void end(run* r)
{
    cairn_error error = {""};
    cairn_status status = cairn_recorder_destroy(r->recorder, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    cairn_stage_destroy(&r->stage);
    cairn_frame_destroy(&r->frame);
    cairn_scene_destroy(r->scene);
}

static cairn_recording* open_file(const char* path)
{
    cairn_error error = {""};
    cairn_recording* recording = NULL;
    cairn_status status = cairn_recording_open(path, &recording, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return recording;
}

// What is checked in a child goes nowhere: killed amid a message, it would leave half of it to the
// parent, whose file it shares.
static void turn_away_messages(int tell)
{
    int nowhere = open("/dev/null", O_WRONLY);
    for (int file = STDERR_FILENO + 1; file < 256; file++)
        if (file != tell && file != nowhere && fcntl(file, F_GETFD) >= 0)
            dup2(nowhere, file);
}

// runs until it is killed; writes a byte for every frame added
_Noreturn static void run_forever(const char* path, int tell)
{
    run r;
    turn_away_messages(tell);
    start(&r, zoo, path);
    for (;;) {
        char byte = 1;
        advance(&r);
        if (write(tell, &byte, 1) != 1)
            _exit(1);
    }
}

// frames that the child had added when it was killed after some milliseconds
static int kill_after(const char* path, useconds_t us)
{
    int ends[2], frames = 1;
    char bytes[4096];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0)
        run_forever(path, ends[1]);
    close(ends[1]);

    // the first frame tells that it runs
    CHECK(read(ends[0], bytes, 1) == 1);
    usleep(us);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
        frames += (int)got;
    close(ends[0]);
    return frames;
}

static void check_same_frame(const cairn_frame* a, const cairn_frame* b)
{
    CHECK(a->hash == b->hash && a->ms == b->ms && a->report.residual == b->report.residual);
    CHECK(a->report.step == b->report.step && a->report.kinetic == b->report.kinetic);
    const cairn_motion *m = &a->report.motion, *n = &b->report.motion;
    CHECK(m->penetration == n->penetration && m->joint_error == n->joint_error);
    CHECK(m->energy_defect == n->energy_defect && m->work_external == n->work_external);
    CHECK(m->work_motor == n->work_motor && m->dissipated == n->dissipated);
    CHECK(m->dissipated_numeric == n->dissipated_numeric && m->update_error == n->update_error);
    CHECK(m->substeps_max == n->substeps_max && m->inertia_raised == n->inertia_raised);
    ck_assert_str_eq(a->report.method, b->report.method);
    ck_assert_int_eq(a->body_count, b->body_count);
    ck_assert_int_eq(a->island_count, b->island_count);
    ck_assert_int_eq(a->contact_count, b->contact_count);
    for (int i = 0; i < a->body_count; i++) {
        const cairn_frame_body *x = &a->bodies[i], *y = &b->bodies[i];
        CHECK(x->present == y->present && x->island == y->island && x->asleep == y->asleep);
        CHECK(memcmp(&x->pose, &y->pose, sizeof x->pose) == 0);
        CHECK(memcmp(&x->velocity, &y->velocity, sizeof x->velocity) == 0);
        CHECK(memcmp(&x->spin, &y->spin, sizeof x->spin) == 0);
    }
    for (int i = 0; i < a->contact_count; i++) {
        const cairn_contact *x = &a->contacts[i], *y = &b->contacts[i];
        CHECK(x->body_a.index == y->body_a.index && x->body_b.index == y->body_b.index);
        CHECK(memcmp(&x->point, &y->point, sizeof x->point) == 0 && x->gap == y->gap);
        CHECK(memcmp(&x->impulse, &y->impulse, sizeof x->impulse) == 0 && x->state == y->state);
        CHECK(x->mu == y->mu);
    }
}

static void check_same_surface(const cairn_shape* x, const cairn_shape* y)
{
    int count = cairn_surface_triangle_count(x);
    ck_assert_int_eq(count, cairn_surface_triangle_count(y));
    for (int i = 0; i < count; i++) {
        cairn_facet a = cairn_surface_facet(x, i), b = cairn_surface_facet(y, i);
        CHECK(memcmp(a.corner, b.corner, sizeof a.corner) == 0);
    }
}

static void check_same_data(const cairn_shape* x, const cairn_shape* y)
{
    if (x->kind == CAIRN_SHAPE_HULL) {
        ck_assert_int_eq(x->data.hull->face_count, y->data.hull->face_count);
        ck_assert_int_eq(x->data.hull->vertex_count, y->data.hull->vertex_count);
    } else if (x->kind == CAIRN_SHAPE_COMPOUND) {
        const cairn_compound *a = x->data.compound, *b = y->data.compound;
        ck_assert_int_eq(a->count, b->count);
        for (int i = 0; i < a->count; i++) {
            ck_assert_int_eq(a->parts[i].kind, b->parts[i].kind);
            CHECK(memcmp(&a->offsets[i], &b->offsets[i], sizeof a->offsets[i]) == 0);
        }
    } else if (x->kind == CAIRN_SHAPE_MESH || x->kind == CAIRN_SHAPE_HEIGHT_FIELD) {
        check_same_surface(x, y);
    }
}

static void check_same_stage(const cairn_stage* a, const cairn_stage* b)
{
    ck_assert_str_eq(a->text, b->text);
    ck_assert_str_eq(a->title, b->title);
    ck_assert_str_eq(a->version, b->version);
    ck_assert_int_eq(a->body_count, b->body_count);
    ck_assert_int_eq(a->joint_count, b->joint_count);
    for (int i = 0; i < a->body_count; i++) {
        const cairn_stage_body *x = &a->bodies[i], *y = &b->bodies[i];
        CHECK(x->id.generation == y->id.generation && x->type == y->type && x->mass == y->mass);
        ck_assert_str_eq(x->name, y->name);
        ck_assert_int_eq(x->shape.kind, y->shape.kind);
        CHECK(x->shape.radius == y->shape.radius && x->shape.half.z == y->shape.half.z);
        check_same_data(&x->shape, &y->shape);
        CHECK(memcmp(&x->offset, &y->offset, sizeof x->offset) == 0);
        CHECK(x->look == y->look);
        CHECK(x->glass == y->glass && x->category == y->category && x->mask == y->mask);
        CHECK(memcmp(&x->principal, &y->principal, sizeof x->principal) == 0);
        CHECK(memcmp(&x->moments, &y->moments, sizeof x->moments) == 0);
        CHECK(x->gravity_scale == y->gravity_scale);
    }
    ck_assert_int_eq(a->excluded_count, b->excluded_count);
    for (int i = 0; i < a->excluded_count; i++)
        CHECK(a->excluded[i][0] == b->excluded[i][0] && a->excluded[i][1] == b->excluded[i][1]);
    for (int i = 0; i < a->joint_count; i++) {
        const cairn_stage_joint *x = &a->joints[i], *y = &b->joints[i];
        CHECK(memcmp(&x->frame_b, &y->frame_b, sizeof(cairn_transform)) == 0);
        CHECK(x->surface == y->surface && x->radius == y->radius && x->tube == y->tube);
        CHECK(x->length == y->length && x->stiffness == y->stiffness && x->rest == y->rest);
        CHECK(x->roller == y->roller && x->wheel == y->wheel && x->collide == y->collide);
        CHECK(x->driven == y->driven);
    }
}

TEST(a_recording_from_before_the_motion_was_recorded_is_read)
{
    cairn_recording* recording = open_file(CAIRN_SOURCE_DIR "/tests/fuzz/corpus/recording/zoo.h5");
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    cairn_error error = {""};
    cairn_status status = cairn_recording_show(recording, 3, &stage, &frame, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    ck_assert(frame.report.motion.inertia_raised == 0.0 && stage.bodies[1].moments.x == 0.0);
    ck_assert(cairn_recording_frame_count(recording) > 3 && stage.excluded_count == 0);
    ck_assert(stage.bodies[1].mask == CAIRN_MASK_ALL && stage.bodies[1].gravity_scale == 1.0);
    cairn_stage_destroy(&stage);
    cairn_frame_destroy(&frame);
    cairn_recording_destroy(recording);
}
END

TEST(what_is_read_is_what_was_recorded_bit_for_bit)
{
    const char* path = path_of("same");
    run recorded, again;
    start(&recorded, zoo, path);
    for (int i = 0; i < 40; i++)
        advance(&recorded);
    end(&recorded);

    // the same run once more, beside the recording of the first
    cairn_recording* recording = open_file(path);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    start(&again, zoo, path_of("again"));
    ck_assert_int_eq(cairn_recording_frame_count(recording), 41);
    for (int i = 0; i <= 40; i++) {
        cairn_error error = {""};
        cairn_status status = cairn_recording_show(recording, i, &stage, &frame, &error);
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);

        // all but the clock
        frame.report.ms_solve = again.frame.report.ms_solve;
        check_same_frame(&frame, &again.frame);
        check_same_stage(&stage, &again.stage);
        ck_assert_int_eq(stage.change, again.stage.change);
        advance(&again);
    }
    end(&again);
    unlink(path_of("again"));
    unlink(path_of("same"));
    cairn_recording_destroy(recording);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
}
END

TEST(the_recorded_problems_have_the_residuals_that_were_reported)
{
    const char* path = path_of("check");
    run r;
    start(&r, zoo, path);
    for (int i = 0; i < 40; i++)
        advance(&r);
    end(&r);
    cairn_recording* recording = open_file(path);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    int blocks = 0;
    for (int i = 0; i <= 40; i++) {
        int count = cairn_recording_solve_count(recording, i);
        CHECK(i == 0 ? count == 0 : count >= 3);
        double worst = 0.0, most = 0.0; // m/s: the largest |b| so far
        for (int k = 0; k < count; k++) {
            cairn_error error = {""};
            cairn_recorded_solve solve;
            cairn_residual residual;
            cairn_status status = cairn_recording_solve(recording, i, k, &solve, &error);
            ck_assert_msg(status == CAIRN_OK, "%s", error.text);
            CHECK(cairn_problem_residual(&solve.problem, solve.lambda, solve.law, solve.facets,
                                         &residual) == CAIRN_OK);

            // rows are made again from frames and arms: round-off of the largest b
            double own = residual.relative > 0.0 ? residual.velocity / residual.relative : 0.0;
            double scale = solve.residual > 0.0 ? solve.residual_velocity / solve.residual : own;
            most = fmax(most, own);
            CHECK(scale >= own * (1.0 - 1e-9) && scale <= most * (1.0 + 1e-9));
            if (scale > 0.0)
                CHECK_NEAR(residual.velocity / scale, solve.residual, 1e-12);
            worst = fmax(worst, solve.residual);
            blocks += solve.problem.block_count;
            cairn_recorded_solve_destroy(&solve);
        }
        CHECK(cairn_recording_show(recording, i, &stage, &frame, NULL) == CAIRN_OK);
        CHECK(frame.report.residual == worst);
    }
    ck_assert_int_gt(blocks, 40 * 5);
    cairn_recording_destroy(recording);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    unlink(path_of("check"));
}
END

TEST(a_recording_longer_than_its_chunks_is_read_back)
{
    static const char* const one =
        "{\"cairn\": 1, \"bodies\": [{\"name\": \"p\", \"at\": [0, 0, 1], "
        "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}}]}";
    enum { steps = 20000 }; // more than 64 chunks of 256 steps
    const char* path = path_of("long");
    run r;
    start(&r, one, path);
    double* height = malloc((steps + 1) * sizeof(double));
    height[0] = r.frame.bodies[0].pose.p.z;
    for (int i = 1; i <= steps; i++) {
        advance(&r);
        height[i] = r.frame.bodies[0].pose.p.z;
    }
    end(&r);
    cairn_recording* recording = open_file(path);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    ck_assert_int_eq(cairn_recording_frame_count(recording), steps + 1);
    for (int i = steps; i >= 0; i -= 17) {
        CHECK(cairn_recording_show(recording, i, &stage, &frame, NULL) == CAIRN_OK);
        CHECK(frame.bodies[0].pose.p.z == height[i] && frame.report.step == i);
    }
    free(height);
    cairn_recording_destroy(recording);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    unlink(path_of("long"));
}
END

TEST(a_killed_run_leaves_a_recording_that_can_be_read)
{
    unsigned random = 12345;
    int complete = 0;
    for (int trial = 0; trial < (CHECK_SLOW_BUILD ? 2 : 8); trial++) {
        const char* path = path_of("killed");
        random = random * 1103515245u + 12345u;
        int added = kill_after(path, 20000 + random % 700000);
        cairn_recording* recording = open_file(path);
        cairn_stage stage = {0};
        cairn_frame frame = {0};
        int count = cairn_recording_frame_count(recording);
        for (int i = 0; i < count; i++) {
            cairn_error error = {""};
            cairn_status status = cairn_recording_show(recording, i, &stage, &frame, &error);
            ck_assert_msg(status == CAIRN_OK, "frame %d of %d: %s", i, count, error.text);
            ck_assert_int_eq(frame.report.step, i);
        }
        CHECK(count >= 1 && count <= added + 2);
        complete += count > added / 2;
        cairn_recording_destroy(recording);
        cairn_frame_destroy(&frame);
        cairn_stage_destroy(&stage);
        unlink(path_of("killed"));
    }
    ck_assert_int_ge(complete, 1);
}
END

TEST(an_existing_file_is_not_replaced_unasked)
{
    const char* path = path_of("exists");
    cairn_error error = {""};
    cairn_recorder* recorder = NULL;
    run r;
    start(&r, zoo, path);
    cairn_status status = cairn_recorder_create(path, &r.stage, false, &recorder, &error);
    CHECK(status != CAIRN_OK && strstr(error.text, "exists already"));
    end(&r);
    unlink(path_of("exists"));
}
END

TEST(a_file_with_a_changed_byte_is_refused_or_read_without_harm)
{
    const char* path = path_of("bytes");
    run r;
    start(&r, zoo, path);
    for (int i = 0; i < 10; i++)
        advance(&r);
    end(&r);
    FILE* file = fopen(path, "rb");
    CHECK(file != NULL);
    struct stat about;
    CHECK(fstat(fileno(file), &about) == 0);
    size_t size = (size_t)about.st_size;
    unsigned char* bytes = malloc(size);
    CHECK(fread(bytes, 1, size, file) == size);
    fclose(file);
    unlink(path_of("bytes"));
    int refused = 0, trials = 0;
    for (size_t at = 0; at < size; at += CHECK_SLOW_BUILD ? 389 : 97) {
        cairn_recording* recording = NULL;
        cairn_error error = {""};
        bytes[at] ^= 0x55;
        trials++;
        if (cairn_recording_open_bytes(bytes, size, "changed", &recording, &error) != CAIRN_OK) {
            CHECK(error.text[0] != 0);
            refused++;
        } else {
            cairn_stage stage = {0};
            cairn_frame frame = {0};
            int count = cairn_recording_frame_count(recording);
            for (int i = 0; i < count; i += 5)
                refused += cairn_recording_show(recording, i, &stage, &frame, &error) != CAIRN_OK;
            cairn_recording_destroy(recording);
            cairn_frame_destroy(&frame);
            cairn_stage_destroy(&stage);
        }
        bytes[at] ^= 0x55;
    }
    ck_assert_int_gt(refused, trials / 10);
    free(bytes);
}
END

TESTS(a_recording_from_before_the_motion_was_recorded_is_read,
      what_is_read_is_what_was_recorded_bit_for_bit,
      the_recorded_problems_have_the_residuals_that_were_reported,
      a_recording_longer_than_its_chunks_is_read_back,
      a_killed_run_leaves_a_recording_that_can_be_read, an_existing_file_is_not_replaced_unasked,
      a_file_with_a_changed_byte_is_refused_or_read_without_harm)
