// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "io/file.h"
#include "io/page/page.h"
#include "page_reader.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// a few blocks that fall on each other, a wedge, a ball that comes later
static const char heap_text[] =
    "{\"cairn\": 1, \"title\": \"a small heap\", \"defaults\": {\"material\": {\"mu\": 0.4}},"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
    "  {\"name\": \"b\", \"shape\": {\"kind\": \"box\", \"size\": [0.4, 0.3, 0.2]}, \"at\": [0, 0, "
    "0.3],"
    "   \"turn\": [5, 10, 15], \"grid\": {\"count\": [3, 2, 3], \"pitch\": 0.39}},"
    "  {\"name\": \"wedge\", \"shape\": {\"kind\": \"hull\", \"points\": [[0, 0, 0], [0.5, 0, 0], "
    "[0, 0.5, 0],"
    "   [0.5, 0.5, 0], [0, 0, 0.4], [0, 0.5, 0.4]]}, \"at\": [1.2, 0, 0.3]},"
    "  {\"name\": \"ball\", \"enter\": 0.3, \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1},"
    "   \"at\": [0, -1, 0.5], \"velocity\": [0, 8, 0]}]}";

/// A scene that is looked at.
typedef struct run {
    cairn_scene* scene;
    cairn_stage stage;
    cairn_frame frame;
} run;

static run start(const char* text, const char* name)
{
    run r = {0};
    cairn_error error = {""};
    cairn_stage_origin origin = {.name = name, .text = text, .text_size = strlen(text)};
    ck_assert_msg(cairn_scene_read_text(text, strlen(text), "test.json", NULL, &r.scene, &error) ==
                      CAIRN_OK,
                  "%s", error.text);
    CHECK(cairn_stage_set_origin(&r.stage, &origin, &error) == CAIRN_OK);
    CHECK(cairn_stage_take(&r.stage, r.scene, 1.0 / 60.0, &error) == CAIRN_OK);
    CHECK(cairn_frame_take(&r.frame, &r.stage, r.scene, NULL, 0.0, &error) == CAIRN_OK);
    return r;
}

static void step(run* r)
{
    cairn_error error = {""};
    cairn_step_report report;
    ck_assert_msg(cairn_scene_step(r->scene, 1.0 / 60.0, &report, &error) == CAIRN_OK, "%s",
                  error.text);
    CHECK(cairn_stage_take(&r->stage, r->scene, 1.0 / 60.0, &error) == CAIRN_OK);
    CHECK(cairn_frame_take(&r->frame, &r->stage, r->scene, &report, 1.0, &error) == CAIRN_OK);
}

static void end(run* r)
{
    cairn_frame_destroy(&r->frame);
    cairn_stage_destroy(&r->stage);
    cairn_scene_destroy(r->scene);
}

static json_t* stage_json(const run* r)
{
    cairn_page_bytes bytes = {0};
    cairn_error error = {""};
    CHECK(cairn_page_stage(&r->stage, &bytes, &error) == CAIRN_OK);
    json_t* json = json_loadb((const char*)bytes.data, bytes.size, 0, NULL);
    CHECK(json != NULL);
    cairn_page_bytes_destroy(&bytes);
    return json;
}

// ---------------------------------------------------------------- frames

static void check_vector(const page_frame* f, int column, int i, double unit, cairn_vec3 expected)
{
    CHECK_NEAR(unit * page_body(f, column, i), expected.x, 0.5000001 * unit);
    CHECK_NEAR(unit * page_body(f, column + 1, i), expected.y, 0.5000001 * unit);
    CHECK_NEAR(unit * page_body(f, column + 2, i), expected.z, 0.5000001 * unit);
}

TEST(a_frame_tells_every_body_and_contact_to_half_a_unit)
{
    run r = start(heap_text, "heap");
    for (int i = 0; i < 30; i++)
        step(&r);
    cairn_page_bytes bytes = {0};
    cairn_error error = {""};
    CHECK(cairn_page_frame(&r.stage, &r.frame, &bytes, &error) == CAIRN_OK);
    page_frame f = page_read_frame(bytes.data, bytes.size, NULL);
    CHECK(f.key);
    ck_assert_int_eq(f.bodies, r.frame.body_count);
    ck_assert_int_eq(f.contacts, r.frame.contact_count);
    CHECK(f.contacts > 10);
    CHECK_NEAR(f.time, 0.5, 1e-12);
    CHECK_NEAR(f.kinetic, r.frame.report.kinetic, 0.0);
    ck_assert_str_eq(f.method, r.frame.report.method);
    // the smallest thing is the ball of 10 cm: what is lost cannot be seen
    CHECK_BELOW(f.length, 1e-5);
    for (int i = 0; i < f.bodies; i++) {
        const cairn_frame_body* body = &r.frame.bodies[i];
        ck_assert_int_eq(page_body(&f, 0, i) & 1, body->present);
        ck_assert_int_eq(page_body(&f, 1, i) - 1, body->island);
        check_vector(&f, 2, i, f.length, body->pose.p);
        CHECK_NEAR(f.quaternion * page_body(&f, 5, i), body->pose.q.w, 0.5000001 * f.quaternion);
        check_vector(&f, 9, i, f.speed, body->velocity);
        check_vector(&f, 12, i, f.spin, body->spin);
    }
    for (int i = 0; i < f.contacts; i++) {
        const cairn_contact* c = &r.frame.contacts[i];
        ck_assert_int_eq(page_contact(&f, 0, i), (int)c->state);
        ck_assert_int_eq(page_contact(&f, 1, i), c->body_a.index);
        ck_assert_int_eq(page_contact(&f, 2, i), c->body_b.index);
        CHECK_NEAR(f.length * page_contact(&f, 3, i), c->point.x, 0.5000001 * f.length);
        CHECK_NEAR(f.normal * page_contact(&f, 8, i), c->normal.z, 0.5000001 * f.normal);
        CHECK_NEAR(f.impulse * page_contact(&f, 11, i), c->impulse.z, 0.5000001 * f.impulse);
        CHECK_NEAR(page_contact(&f, 12, i) / 1024.0, c->mu, 0.5000001 / 1024.0);
        CHECK(c->mu > 0.0);
    }
    page_frame_free(&f);
    cairn_page_bytes_destroy(&bytes);
    end(&r);
}
END

static void same_frame(const page_frame* a, const page_frame* b)
{
    ck_assert_int_eq(a->bodies, b->bodies);
    ck_assert_int_eq(a->contacts, b->contacts);
    for (int k = 0; k < page_body_columns * a->bodies; k++)
        ck_assert_int_eq(a->body[k], b->body[k]);
    for (int k = 0; k < page_contact_columns * a->contacts; k++)
        ck_assert_int_eq(a->contact[k], b->contact[k]);
}

TEST(differences_from_frame_to_frame_lose_nothing)
{
    run r = start(heap_text, "heap");
    cairn_page_units units = cairn_page_choose_units(&r.stage);
    cairn_shot older = {0}, before = {0}, now = {0};
    page_frame last = {0};
    size_t alone_bytes = 0, difference_bytes = 0;
    // the ball enters on the way: there are more bodies then
    for (int i = 0; i < 60; i++) {
        step(&r);
        CHECK(cairn_shot_take(&now, &r.stage, &r.frame, units));
        cairn_page_bytes alone = {0}, difference = {0};
        CHECK(cairn_shot_encode(&alone, &now, NULL));
        cairn_shot_base base = {
            .bodies = &before, .older = i > 1 ? &older : NULL, .contacts = &before};
        CHECK(cairn_shot_encode(&difference, &now, i > 0 ? &base : NULL));
        page_frame expected = page_read_frame(alone.data, alone.size, NULL);
        page_frame f = page_read_frame(difference.data, difference.size, &last);
        same_frame(&f, &expected);
        alone_bytes += alone.size;
        difference_bytes += difference.size;
        page_frame_free(&expected);
        page_frame_free(&last);
        last = f;
        cairn_shot oldest = older;
        older = before;
        before = now;
        now = oldest;
        cairn_page_bytes_destroy(&alone);
        cairn_page_bytes_destroy(&difference);
    }
    CHECK_BELOW((double)difference_bytes, 0.8 * (double)alone_bytes);
    page_frame_free(&last);
    free(older.numbers);
    free(before.numbers);
    free(now.numbers);
    end(&r);
}
END

TEST(a_frame_may_hold_the_contacts_of_an_earlier_one)
{
    run r = start(heap_text, "heap");
    cairn_page_units units = cairn_page_choose_units(&r.stage);
    cairn_shot shots[3] = {0};
    page_frame frames[3];
    for (int i = 0; i < 30; i++)
        step(&r);

    // the contacts of the first, none of the second, and differences from the first in the third
    for (int i = 0; i < 3; i++) {
        step(&r);
        CHECK(cairn_shot_take(&shots[i], &r.stage, &r.frame, units));
        cairn_shot_base base = {.bodies = i > 0 ? &shots[i - 1] : NULL,
                                .older = i > 1 ? &shots[0] : NULL,
                                .contacts = &shots[0],
                                .hold = i == 1};
        cairn_page_bytes bytes = {0}, alone = {0};
        CHECK(cairn_shot_encode(&bytes, &shots[i], i > 0 ? &base : NULL));
        CHECK(cairn_shot_encode(&alone, &shots[i], NULL));
        frames[i] = page_read_frame(bytes.data, bytes.size, i > 0 ? &frames[i - 1] : NULL);
        page_frame expected = page_read_frame(alone.data, alone.size, NULL);
        if (i != 1)
            same_frame(&frames[i], &expected);
        page_frame_free(&expected);
        cairn_page_bytes_destroy(&bytes);
        cairn_page_bytes_destroy(&alone);
    }
    CHECK(frames[1].hold);
    ck_assert_int_eq(frames[1].contacts, frames[0].contacts);
    for (int i = 0; i < 3; i++) {
        page_frame_free(&frames[i]);
        free(shots[i].numbers);
    }
    end(&r);
}
END

TEST(numbers_beyond_all_bounds_are_cut_and_no_number_is_zero)
{
    run r = start(heap_text, "heap");
    r.frame.bodies[1].velocity = cairn_vec(1e300, -INFINITY, NAN);
    cairn_page_bytes bytes = {0};
    cairn_error error = {""};
    CHECK(cairn_page_frame(&r.stage, &r.frame, &bytes, &error) == CAIRN_OK);
    page_frame f = page_read_frame(bytes.data, bytes.size, NULL);
    ck_assert_int_eq(page_body(&f, 9, 1), 2147483647);
    ck_assert_int_eq(page_body(&f, 10, 1), -2147483647);
    ck_assert_int_eq(page_body(&f, 11, 1), 0);
    page_frame_free(&f);
    cairn_page_bytes_destroy(&bytes);
    end(&r);
}
END

// ---------------------------------------------------------------- stages

TEST(bodies_of_one_shape_share_it)
{
    run r = start(heap_text, "heap");
    json_t* stage = stage_json(&r);
    const json_t *bodies = json_object_get(stage, "bodies"),
                 *shapes = json_object_get(stage, "shapes");
    ck_assert_uint_eq(json_array_size(bodies), 1 + 18 + 1);
    ck_assert_uint_eq(json_array_size(shapes), 3);
    int boxes = 0;
    for (size_t i = 0; i < json_array_size(bodies); i++) {
        const json_t* body = json_array_get(bodies, i);
        size_t shape = (size_t)json_integer_value(json_object_get(body, "shape"));
        const char* kind =
            json_string_value(json_object_get(json_array_get(shapes, shape), "kind"));
        boxes += strcmp(kind, "box") == 0;
    }
    ck_assert_int_eq(boxes, 18);
    json_decref(stage);
    end(&r);
}
END

static cairn_vec3 corner(const json_t* vertices, const json_t* triangles, size_t k)
{
    size_t at = 3 * (size_t)json_integer_value(json_array_get(triangles, k));
    return cairn_vec(json_number_value(json_array_get(vertices, at)),
                     json_number_value(json_array_get(vertices, at + 1)),
                     json_number_value(json_array_get(vertices, at + 2)));
}

// by the divergence theorem, sum a·(b x c) / 6: right only when the triangles close and face
// outwards
static double enclosed(const json_t* shape)
{
    const json_t *vertices = json_object_get(shape, "vertices"),
                 *triangles = json_object_get(shape, "triangles");
    double volume = 0.0;
    for (size_t k = 0; k + 2 < json_array_size(triangles); k += 3)
        volume += cairn_dot(corner(vertices, triangles, k),
                            cairn_cross(corner(vertices, triangles, k + 1),
                                        corner(vertices, triangles, k + 2))) /
                  6.0;
    return volume;
}

TEST(the_triangles_of_a_hull_enclose_its_volume)
{
    run r = start(heap_text, "heap");
    json_t* stage = stage_json(&r);
    const json_t* shapes = json_object_get(stage, "shapes");
    bool found = false;
    for (size_t i = 0; i < json_array_size(shapes); i++) {
        const json_t* shape = json_array_get(shapes, i);
        if (strcmp(json_string_value(json_object_get(shape, "kind")), "hull") != 0)
            continue;
        found = true;
        // half of a box of 0.5 x 0.5 x 0.4; eight digits are written
        CHECK_NEAR(enclosed(shape), 0.05, 1e-8);
    }
    CHECK(found);
    json_decref(stage);
    end(&r);
}
END

// by its key, or by the name of its material; of no meaning for the motion
TEST(what_a_body_is_drawn_as_is_told)
{
    static const char* const looks[] = {"steel", "wood", NULL};
    run r =
        start("{\"cairn\": 1, \"materials\": {\"steel\": {\"mu\": 0.2}}, \"bodies\": ["
              "{\"material\": \"steel\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}},"
              "{\"look\": \"wood\", \"material\": \"steel\", \"at\": [5, 0, 0], \"enter\": 0.01,"
              " \"shape\": {\"kind\": \"sphere\", \"radius\": 1}},"
              "{\"at\": [9, 0, 0], \"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}",
              "looks");
    step(&r);
    step(&r);
    json_t* stage = stage_json(&r);
    for (size_t i = 0; i < 3; i++) {
        // the one that enters later is in the last slot
        const json_t* body = json_array_get(json_object_get(stage, "bodies"), i == 0 ? 0 : 3 - i);
        const char* look = json_string_value(json_object_get(body, "look"));
        CHECK(looks[i] ? look && strcmp(look, looks[i]) == 0 : !look);
    }
    json_decref(stage);
    end(&r);
}
END

TEST(what_is_glass_is_told_and_so_is_the_surface_of_a_joint)
{
    run r = start("{\"cairn\": 1, \"group\": \"g\", \"bodies\": ["
                  " {\"type\": \"static\", \"glass\": true, \"shape\": {\"kind\": \"box\", "
                  "\"size\": [1, 1, 1]}, \"at\": [9, 0, 0]},"
                  " {\"name\": \"bead\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, "
                  "\"at\": [1.5, 0, 0]},"
                  " {\"glass\": true, \"enter\": 0.01, \"shape\": {\"kind\": \"sphere\", "
                  "\"radius\": 0.1}, \"at\": [0, 9, 0]}],"
                  " \"joints\": [{\"kind\": \"surface\", \"b\": \"bead\", \"surface\": "
                  "\"torus\", \"radius\": 1.2, \"tube\": 0.3, \"at_b\": [1.5, 0, 0]}]}",
                  "torus");
    ck_assert_str_eq(cairn_scene_describe(r.scene).group, "g");
    step(&r);
    step(&r);
    json_t* stage = stage_json(&r);
    const json_t* bodies = json_object_get(stage, "bodies");
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(json_is_true(json_object_get(json_array_get(bodies, i), "glass")), i != 1);
    const json_t* joint = json_array_get(json_object_get(stage, "joints"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(joint, "kind")), "surface");
    ck_assert_str_eq(json_string_value(json_object_get(joint, "surface")), "torus");
    CHECK_NEAR(json_number_value(json_object_get(joint, "radius")), 1.2, 0.0);
    CHECK_NEAR(json_number_value(json_object_get(joint, "tube")), 0.3, 0.0);
    json_decref(stage);
    end(&r);
}
END

TEST(a_name_that_is_no_text_is_still_told)
{
    run r = start(heap_text, "h\xff\xfe");
    json_t* stage = stage_json(&r);
    ck_assert_str_eq(json_string_value(json_object_get(stage, "name")), "h??");
    json_decref(stage);
    end(&r);
}
END

// ---------------------------------------------------------------- replay pages

static void page_path(char* path, size_t size)
{
    snprintf(path, size, "%s/cairn-test-page-%ld.html", check_cairn_folder(), (long)getpid());
}

static cairn_bytes read_and_remove(const char* path)
{
    cairn_bytes html = {0};
    cairn_error error = {""};
    ck_assert_msg(cairn_file_read(&html, path, &cairn_file_bytes, &error) == CAIRN_OK, "%s",
                  error.text);
    remove(path);
    return html;
}

// a build without npm has no page; then writing one is refused, and the rest cannot be tested
static bool there_is_no_page(void)
{
    size_t size;
    cairn_error error = {""};
    if (cairn_page_html(&size))
        return false;
    CHECK(cairn_page_write_race("/tmp/cairn-no-page.html", "{}", true, &error) ==
          CAIRN_NOT_SUPPORTED);
    CHECK(strstr(error.text, "npm") != NULL);
    return true;
}

static cairn_bytes replay(const char* name, int steps, const cairn_replay_def* def, int worst)
{
    char path[256];
    page_path(path, sizeof path);
    run r = start(heap_text, name);
    cairn_replay* replay = NULL;
    cairn_error error = {""};
    CHECK(cairn_replay_create(def, &replay, &error) == CAIRN_OK);
    CHECK(cairn_replay_add(replay, &r.stage, &r.frame, &error) == CAIRN_OK);
    for (int i = 1; i <= steps; i++) {
        step(&r);
        r.frame.report.residual = i == worst ? 0.5 : 1e-9;
        r.frame.report.motion = (cairn_motion){.energy_defect = i == worst ? -0.5 : 0.125,
                                               .work_motor = 2.0,
                                               .substeps_max = i == worst ? 16 : 4,
                                               .inertia_raised = 1.0};
        CHECK(cairn_replay_add(replay, &r.stage, &r.frame, &error) == CAIRN_OK);
    }
    ck_assert_msg(cairn_replay_write(replay, path, true, &error) == CAIRN_OK, "%s", error.text);
    cairn_replay_destroy(replay);
    end(&r);
    return read_and_remove(path);
}

TEST(a_replay_page_carries_every_frame)
{
    if (there_is_no_page())
        return;
    cairn_bytes html = replay("heap", 40, NULL, 0);
    page_blocks* blocks = malloc(sizeof *blocks);
    page_read_blocks(blocks, html.data, html.size);
    // about the run, one stage although a body came, 41 frames
    ck_assert_int_eq(blocks->count, 1 + 1 + 41);
    CHECK(blocks->data[0][0] == '{' && blocks->data[1][0] == '{');
    page_frame last = {0};
    for (int i = 2; i < blocks->count; i++) {
        page_frame f = page_read_frame(blocks->data[i], blocks->size[i], &last);
        CHECK_NEAR(f.step, i - 2, 0.0);
        page_frame_free(&last);
        last = f;
    }
    page_frame_free(&last);
    free(blocks->bytes);
    free(blocks);
    free(html.data);
}
END

TEST(a_raised_flag_ends_the_writing_of_a_page)
{
    if (there_is_no_page())
        return;
    char path[256];
    page_path(path, sizeof path);
    cairn_cancel flag = {0};
    run r = start(heap_text, "heap");
    cairn_replay* replay = NULL;
    cairn_error error = {""};
    CHECK(cairn_replay_create(&(cairn_replay_def){.cancel = &flag}, &replay, &error) == CAIRN_OK);
    CHECK(cairn_replay_add(replay, &r.stage, &r.frame, &error) == CAIRN_OK);
    cairn_cancel_raise(&flag);
    CHECK(cairn_replay_write(replay, path, true, &error) == CAIRN_INTERRUPTED);
    CHECK(access(path, F_OK) != 0);

    // nothing is lost: it can be written later
    cairn_cancel_clear(&flag);
    CHECK(cairn_replay_write(replay, path, true, &error) == CAIRN_OK);
    CHECK(remove(path) == 0);
    cairn_replay_destroy(replay);
    end(&r);
}
END

TEST(a_long_run_is_thinned_and_its_worst_step_still_shows)
{
    if (there_is_no_page())
        return;
    const cairn_replay_def def = {.frames = 10};
    for (int worst = 1; worst <= 50; worst += CHECK_FEWER(7, 49)) {
        cairn_bytes html = replay("heap", 50, &def, worst);
        page_blocks* blocks = malloc(sizeof *blocks);
        page_read_blocks(blocks, html.data, html.size);
        ck_assert_int_le(blocks->count, 2 + 11);
        ck_assert_int_ge(blocks->count, 2 + 5);
        page_frame last = {0};
        double most = 0.0, work = 0.0, defect = 0.0;
        int substeps = 0;
        for (int i = 2; i < blocks->count; i++) {
            page_frame f = page_read_frame(blocks->data[i], blocks->size[i], &last);
            most = fmax(most, f.residual);
            work += f.work_motor;
            defect += f.energy_defect;
            substeps = f.substeps > substeps ? f.substeps : substeps;
            page_frame_free(&last);
            last = f;
        }
        CHECK_NEAR(most, 0.5, 0.0);
        CHECK_NEAR(last.step, 50.0, 0.0);

        // energies of steps that were left out are added to those of the next
        CHECK_NEAR(work, 100.0, 0.0);
        CHECK_NEAR(defect, 49 * 0.125 - 0.5, 0.0);
        ck_assert_int_eq(substeps, 16);
        page_frame_free(&last);
        free(blocks->bytes);
        free(blocks);
        free(html.data);
    }
}
END

static int count_of(const cairn_bytes* html, const char* text)
{
    int count = 0;
    for (const char* at = html->data; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

TEST(a_name_cannot_become_markup)
{
    if (there_is_no_page())
        return;
    cairn_bytes plain = replay("heap", 1, NULL, 0);
    cairn_bytes evil = replay("</script><script>alert(1)</script><!--", 1, NULL, 0);
    CHECK(count_of(&plain, "</script>") > 0);
    ck_assert_int_eq(count_of(&evil, "</script>"), count_of(&plain, "</script>"));
    ck_assert_int_eq(count_of(&evil, "alert(1)"), 0);
    free(plain.data);
    free(evil.data);
}
END

TESTS(a_raised_flag_ends_the_writing_of_a_page, a_frame_tells_every_body_and_contact_to_half_a_unit,
      differences_from_frame_to_frame_lose_nothing, a_frame_may_hold_the_contacts_of_an_earlier_one,
      numbers_beyond_all_bounds_are_cut_and_no_number_is_zero, bodies_of_one_shape_share_it,
      the_triangles_of_a_hull_enclose_its_volume, what_a_body_is_drawn_as_is_told,
      what_is_glass_is_told_and_so_is_the_surface_of_a_joint, a_name_that_is_no_text_is_still_told,
      a_replay_page_carries_every_frame, a_long_run_is_thinned_and_its_worst_step_still_shows,
      a_name_cannot_become_markup)
