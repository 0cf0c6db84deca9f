// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Worlds as lines. Round shapes are circles of 24 chords, the others their edges.

#include "math/accept.h"
#include "world/query.h"
#include <cairn/draw.h>
#include <stdio.h>

enum { chords = 24 };
enum {
    white = 0xe0e0e0,
    gray = 0x808080,
    blue = 0x6080c0,
    green = 0x60c080,
    red = 0xe04040,
    yellow = 0xe0c040
};

cairn_draw cairn_default_draw(void)
{
    return (cairn_draw){.cookie = cairn_cookie,
                        .what = CAIRN_DRAW_SHAPES | CAIRN_DRAW_JOINTS | CAIRN_DRAW_CONTACTS,
                        .force_scale = 1e-3,
                        .extent = 10.0};
}

// lines of one color in the frame of a shape
typedef struct pen {
    const cairn_draw* draw;
    cairn_transform frame;
    uint32_t color;
} pen;

static void line(const pen* p, cairn_vec3 from, cairn_vec3 to)
{
    p->draw->line(p->draw->context, cairn_transform_point(p->frame, from),
                  cairn_transform_point(p->frame, to), p->color);
}

// a part of a circle about a center: cos t u + sin t v, t from `begin` to `end` turns
static void arc(const pen* p, cairn_vec3 center, cairn_vec3 u, cairn_vec3 v, double begin,
                double end)
{
    const double round_turn = 6.283185307179586;
    int count = (int)(chords * (end - begin) + 0.5);
    cairn_vec3 last = {0.0, 0.0, 0.0};
    for (int i = 0; i <= count; i++) {
        double t = round_turn * (begin + (end - begin) * i / count);
        cairn_vec3 at =
            cairn_add_scaled(cairn_add_scaled(center, cairn_cos(t), u), cairn_sin(t), v);
        if (i > 0)
            line(p, last, at);
        last = at;
    }
}

static void draw_ellipsoid(const pen* p, cairn_vec3 half)
{
    cairn_vec3 none = {0.0, 0.0, 0.0}, x = {half.x, 0.0, 0.0}, y = {0.0, half.y, 0.0};
    cairn_vec3 z = {0.0, 0.0, half.z};
    arc(p, none, x, y, 0.0, 1.0);
    arc(p, none, y, z, 0.0, 1.0);
    arc(p, none, z, x, 0.0, 1.0);
}

// a cylinder or a cone, or with round ends a capsule
static void draw_tube(const pen* p, double lower, double upper, double half, bool round)
{
    const cairn_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    cairn_vec3 top = {0.0, 0.0, half}, bottom = {0.0, 0.0, -half};
    const cairn_vec3 sides[4] = {x, y, cairn_neg(x), cairn_neg(y)};

    if (upper > 0.0)
        arc(p, top, cairn_scale(upper, x), cairn_scale(upper, y), 0.0, 1.0);
    arc(p, bottom, cairn_scale(lower, x), cairn_scale(lower, y), 0.0, 1.0);

    for (int i = 0; i < 4; i++)
        line(p, cairn_add_scaled(top, upper, sides[i]), cairn_add_scaled(bottom, lower, sides[i]));

    for (int i = 0; i < 2 && round; i++) {
        arc(p, top, cairn_scale(upper, sides[i]), cairn_scale(upper, z), 0.0, 0.5);
        arc(p, bottom, cairn_scale(lower, sides[i]), cairn_scale(lower, z), 0.5, 1.0);
    }
}

static void draw_box(const pen* p, cairn_vec3 h)
{
    for (int i = 0; i < 8; i++)
        for (int bit = 1; bit < 8; bit *= 2) {
            if (i & bit)
                continue;
            int k = i | bit;
            line(p, cairn_vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z),
                 cairn_vec(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z));
        }
}

static void draw_hull(const pen* p, const cairn_hull* hull)
{
    for (int i = 0; i < hull->edge_count; i++) {
        const cairn_hull_edge* edge = &hull->edges[i];
        if (i < edge->twin)
            line(p, hull->vertices[edge->origin], hull->vertices[hull->edges[edge->twin].origin]);
    }
}

static void draw_mesh(const pen* p, const cairn_mesh* mesh)
{
    cairn_mesh_def def = cairn_mesh_get_def(mesh);
    for (int t = 0; t < def.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            line(p, def.vertices[def.triangles[3 * t + k]],
                 def.vertices[def.triangles[3 * t + (k + 1) % 3]]);
}

static cairn_vec3 field_point(const cairn_height_field_def* def, int i, int j)
{
    return cairn_vec(i * def->spacing_x, j * def->spacing_y,
                     def->heights[(ptrdiff_t)j * def->count_x + i]);
}

static void draw_field(const pen* p, const cairn_height_field* field)
{
    cairn_height_field_def def = cairn_height_field_get_def(field);
    for (int j = 0; j < def.count_y; j++)
        for (int i = 0; i < def.count_x; i++) {
            if (i + 1 < def.count_x)
                line(p, field_point(&def, i, j), field_point(&def, i + 1, j));
            if (j + 1 < def.count_y)
                line(p, field_point(&def, i, j), field_point(&def, i, j + 1));
        }
}

static void draw_plane(const pen* p)
{
    enum { cells = 10 };
    double reach = p->draw->extent;
    for (int i = 0; i <= cells; i++) {
        double at = reach * (2.0 * i / cells - 1.0);
        line(p, cairn_vec(at, -reach, 0.0), cairn_vec(at, reach, 0.0));
        line(p, cairn_vec(-reach, at, 0.0), cairn_vec(reach, at, 0.0));
    }
}

static void draw_lines(const pen* p, const cairn_shape* shape)
{
    switch (shape->kind) {
    case CAIRN_SHAPE_SPHERE:
        draw_ellipsoid(p, cairn_vec(shape->radius, shape->radius, shape->radius));
        break;
    case CAIRN_SHAPE_ELLIPSOID:
        draw_ellipsoid(p, shape->half);
        break;
    case CAIRN_SHAPE_CAPSULE:
    case CAIRN_SHAPE_CYLINDER:
        draw_tube(p, shape->radius, shape->radius, shape->half_height,
                  shape->kind == CAIRN_SHAPE_CAPSULE);
        break;
    case CAIRN_SHAPE_CONE:
        draw_tube(p, shape->radius, 0.0, shape->half_height, false);
        break;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        draw_tube(p, shape->radius, shape->top_radius, shape->half_height, true);
        break;
    case CAIRN_SHAPE_BOX:
        draw_box(p, shape->half);
        break;
    case CAIRN_SHAPE_HULL:
        draw_hull(p, shape->data.hull);
        break;
    case CAIRN_SHAPE_HALF_SPACE:
        draw_plane(p);
        break;
    case CAIRN_SHAPE_MESH:
        draw_mesh(p, shape->data.mesh);
        break;
    case CAIRN_SHAPE_HEIGHT_FIELD:
        draw_field(p, shape->data.field);
        break;
    case CAIRN_SHAPE_COMPOUND: // its parts, none of which is a compound
        for (int i = 0; i < shape->data.compound->count; i++) {
            pen part = *p;
            part.frame = cairn_transform_multiply(p->frame, shape->data.compound->offsets[i]);
            draw_lines(&part, &shape->data.compound->parts[i]);
        }
        break;
    case CAIRN_SHAPE_KIND_COUNT:
        break;
    }
}

// ---------------------------------------------------------------- what a world holds

static void draw_body(const cairn_draw* draw, const cairn_world* world, int slot)
{
    const cairn_body* body = &world->bodies[slot];

    pen p = {draw, cairn_body_shape_pose(body), white};
    p.color = body->type == CAIRN_BODY_STATIC || body->frozen ? gray
              : body->type == CAIRN_BODY_KINEMATIC            ? green
              : body->asleep                                  ? blue
                                                              : white;

    if ((draw->what & CAIRN_DRAW_SHAPES) && body->shaped && draw->shape)
        draw->shape(draw->context, &body->shape, p.frame, p.color);
    else if ((draw->what & CAIRN_DRAW_SHAPES) && body->shaped && draw->line)
        draw_lines(&p, &body->shape);

    // axes of 0.3 of the radius
    if ((draw->what & CAIRN_DRAW_CENTERS) && draw->line) {
        double size = body->radius > 0.0 ? 0.3 * body->radius : 0.3;
        p.frame = (cairn_transform){body->x, body->q};
        p.color = yellow;
        line(&p, cairn_vec(0.0, 0.0, 0.0), cairn_vec(size, 0.0, 0.0));
        line(&p, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, size, 0.0));
        line(&p, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 0.0, size));
    }

    if ((draw->what & CAIRN_DRAW_SLOTS) && draw->text) {
        char text[16];
        snprintf(text, sizeof text, "%d", slot);
        draw->text(draw->context, body->x, text, p.color);
    }
}

static void draw_joint(const cairn_draw* draw, const cairn_world* world, const cairn_link* link)
{
    const double open = 1e-3; // m
    cairn_link_points points = cairn_link_points_of(world, link);
    const cairn_body* b = &world->bodies[link->b];
    cairn_vec3 at_b = cairn_add(b->x, points.r_b), at_a = cairn_sub(at_b, points.apart);
    uint32_t color = cairn_link_gap(world, link) > open ? red : yellow;
    draw->line(draw->context, b->x, at_b, color);
    draw->line(draw->context, at_a, at_b, color);
    if (link->a != CAIRN_WORLD_BODY)
        draw->line(draw->context, world->bodies[link->a].x, at_a, color);
}

static void draw_contacts(const cairn_draw* draw, const cairn_world* world)
{
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    double scale = world->dt > 0.0 ? draw->force_scale / world->dt : 0.0;
    for (int i = 0; i < count; i++) {
        const cairn_contact* c = &contacts[i];
        uint32_t color = c->state == CAIRN_CONTACT_SLIDE ? red : yellow;

        if (draw->point)
            draw->point(draw->context, c->point, color);
        if (draw->line && cairn_norm(c->impulse) > 0.0)
            draw->line(draw->context, c->point, cairn_add_scaled(c->point, scale, c->impulse),
                       color);
    }
}

cairn_status cairn_world_draw(const cairn_world* world, const cairn_draw* draw, cairn_error* error)
{
    cairn_status status = cairn_world_may_ask(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!draw)
        return cairn_refuse_null(error, "who draws");

    const cairn_given numbers[] = {{"the scale of forces", draw->force_scale, CAIRN_A_DISTANCE},
                                   {"the extent of half-spaces", draw->extent, CAIRN_A_DISTANCE}};

    status = cairn_accept_def(error, draw->cookie, "cairn_default_draw");
    if (status == CAIRN_OK)
        status = cairn_accept_all(error, numbers, 2);
    if (status != CAIRN_OK)
        return status;

    // callbacks must not change the world, as those of a query must not
    world->strays->visiting++;

    for (int i = 0; i < world->body_count; i++)
        if (world->bodies[i].alive)
            draw_body(draw, world, i);
    for (int i = 0; i < world->link_count; i++)
        if ((draw->what & CAIRN_DRAW_JOINTS) && draw->line && world->links[i].alive)
            draw_joint(draw, world, &world->links[i]);
    if (draw->what & CAIRN_DRAW_CONTACTS)
        draw_contacts(draw, world);

    world->strays->visiting--;
    return CAIRN_OK;
}
