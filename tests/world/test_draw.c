// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A world as lines: they lie on the shapes, and forces have their length.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

#define OK(call) CHECK((call) == CAIRN_OK)

typedef struct seen {
    cairn_world* world;
    int lines, points, shapes, texts;
    double farthest, nearest; // m: of ends, from the origin
    double longest;           // m: of lines that begin at a contact
} seen;

static void line(void* context, cairn_vec3 from, cairn_vec3 to, uint32_t color)
{
    seen* s = context;
    (void)color;
    s->lines++;
    s->farthest = fmax(s->farthest, fmax(cairn_norm(from), cairn_norm(to)));
    s->nearest = fmin(s->nearest, fmin(cairn_norm(from), cairn_norm(to)));
    s->longest = fmax(s->longest, cairn_norm(cairn_sub(to, from)));
    CHECK(cairn_world_step(s->world, 0.01, NULL, NULL) == CAIRN_BUSY);
}

static void point(void* context, cairn_vec3 at, uint32_t color)
{
    (void)at;
    (void)color;
    ((seen*)context)->points++;
}

static void shape(void* context, const cairn_shape* drawn, cairn_transform pose, uint32_t color)
{
    (void)pose;
    (void)color;
    CHECK(cairn_shape_check(drawn, NULL) == CAIRN_OK);
    ((seen*)context)->shapes++;
}

static void text(void* context, cairn_vec3 at, const char* words, uint32_t color)
{
    (void)at;
    (void)color;
    CHECK(strlen(words) > 0);
    ((seen*)context)->texts++;
}

static seen draw(cairn_world* world, unsigned what, bool whole)
{
    seen s = {.world = world, .nearest = INFINITY};
    cairn_draw def = cairn_default_draw();
    def.what = what;
    def.context = &s;
    def.line = line;
    def.point = point;
    def.text = text;
    def.shape = whole ? shape : NULL;
    OK(cairn_world_draw(world, &def, NULL));
    return s;
}

static cairn_world* one(cairn_shape body)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_add(world, CAIRN_BODY_STATIC, body, cairn_vec(0.0, 0.0, 0.0));
    return world;
}

TEST(lines_lie_on_the_shapes)
{
    cairn_world* world = one(cairn_shape_box(cairn_vec(1.0, 2.0, 2.0)));
    seen s = draw(world, CAIRN_DRAW_SHAPES, false);

    CHECK(s.lines == 12);
    CHECK_NEAR(s.farthest, 3.0, 1e-12);
    CHECK_NEAR(s.nearest, 3.0, 1e-12);
    cairn_world_destroy(world);

    world = one(cairn_shape_sphere(0.7));
    s = draw(world, CAIRN_DRAW_SHAPES, false);

    CHECK_NEAR(s.farthest, 0.7, 1e-12);
    CHECK_NEAR(s.nearest, 0.7, 1e-12);
    cairn_world_destroy(world);

    world = one(cairn_shape_capsule(0.3, 0.5));
    CHECK_NEAR(draw(world, CAIRN_DRAW_SHAPES, false).farthest, 0.8, 1e-12);
    cairn_world_destroy(world);

    // of every edge of a tetrahedron one line
    const cairn_vec3 corners[4] = {{1., 1., 1.}, {1., -1., -1.}, {-1., 1., -1.}, {-1., -1., 1.}};
    cairn_hull* hull;
    OK(cairn_hull_create(corners, 4, 0.0, &hull, NULL));
    world = one(cairn_shape_hull(hull));
    s = draw(world, CAIRN_DRAW_SHAPES, false);

    CHECK(s.lines == 6);
    CHECK_NEAR(s.longest, sqrt(8.0), 1e-12);
    cairn_world_destroy(world);
    cairn_hull_destroy(hull);
}
END

TEST(contacts_are_drawn_with_their_forces)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(0.0, 0.0, 0.5));

    worlds_run(world, 60);
    seen s = draw(world, CAIRN_DRAW_CONTACTS, false);
    CHECK(s.points == 1 && s.lines == 1);

    double mass = worlds_state(world, cairn_world_body_at(world, 1)).mass;
    CHECK_NEAR(s.longest, 1e-3 * mass * 9.81, 1e-6);

    s = draw(world, CAIRN_DRAW_SHAPES | CAIRN_DRAW_SLOTS, true);
    CHECK(s.shapes == 2 && s.texts == 2 && s.lines == 0);

    cairn_draw none = {0};
    CHECK(cairn_world_draw(world, &none, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_draw(NULL, &none, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_draw(world, NULL, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TESTS(lines_lie_on_the_shapes, contacts_are_drawn_with_their_forces)
