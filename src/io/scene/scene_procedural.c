// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies by rule: walls of bricks, pyramids, arches of voussoirs, chains and trees of capsules. The
// frame is that of the element; sizes are meters.

#include "io/scene/scene.h"
#include <stdlib.h>

const char* const cairn_procedure_keys[] = {"wall", "pyramid", "arch", "chain", "tree", NULL};

static const double pi = 3.141592653589793;

static void add_at(const cairn_node* node, cairn_template* body, cairn_transform frame,
                   cairn_vec3 at, cairn_quat q)
{
    cairn_transform local = {at, q};
    cairn_scene_add(node, body, cairn_transform_multiply(frame, local));
}

static cairn_vec3 read_size(const cairn_node* node, const char* key, cairn_vec3 absent)
{
    cairn_vec3 size = cairn_node_vector(node, key, absent);
    if (cairn_node_ok(node) && !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0))
        cairn_node_fail(node, "has a %s of [%g, %g, %g], expected three lengths > 0", key, size.x,
                        size.y, size.z);
    return size;
}

// ---------------------------------------------------------------- masonry

// Rows of bricks along x, each on the one below. Even rows have `bricks` bricks; odd ones are
// shifted by half a pitch and closed by a half brick of length brick - pitch/2 at each end.
static void read_wall(const cairn_node* node, cairn_template* body, cairn_transform frame)
{
    static const char* const keys[] = {"rows", "bricks", "brick", "pitch", NULL};
    if (!cairn_node_allow(node, keys, NULL))
        return;

    int rows = cairn_node_integer(node, "rows", 10, 1, 10000);
    int bricks = cairn_node_integer(node, "bricks", rows, 1, 10000);
    cairn_vec3 size = read_size(node, "brick", cairn_vec(1.0, 0.5, 0.5));
    double pitch = cairn_node_real(node, "pitch", 1.01 * size.x, CAIRN_ABOVE_0);
    double half = size.x - 0.5 * pitch, end = 0.5 * (bricks - 1) * pitch + 0.5 * (size.x - half);

    if (cairn_node_ok(node) && !(pitch >= size.x && half > 0.0))
        cairn_node_fail(node, "has a pitch of %g, expected one to two bricks of %g", pitch, size.x);

    cairn_shape whole = cairn_shape_box(cairn_scale(0.5, size));
    cairn_shape part = cairn_shape_box(cairn_vec(0.5 * half, 0.5 * size.y, 0.5 * size.z));
    body->shaped = true;

    for (int r = 0; r < rows && cairn_node_ok(node); r++) {
        int count = bricks - r % 2;
        double z = (r + 0.5) * size.z;
        body->shape = whole;
        for (int i = 0; i < count; i++)
            add_at(node, body, frame, cairn_vec((i - 0.5 * (count - 1)) * pitch, 0.0, z),
                   cairn_quat_identity());

        // odd rows end in half bricks
        body->shape = part;
        for (int side = -1; r % 2 && side <= 1; side += 2)
            add_at(node, body, frame, cairn_vec(side * end, 0.0, z), cairn_quat_identity());
    }
}

// row r has rows - r blocks
static void read_pyramid(const cairn_node* node, cairn_template* body, cairn_transform frame)
{
    static const char* const keys[] = {"rows", "size", "pitch", NULL};
    if (!cairn_node_allow(node, keys, NULL))
        return;
    int rows = cairn_node_integer(node, "rows", 10, 1, 10000);
    cairn_vec3 size = read_size(node, "size", cairn_vec(1.0, 1.0, 1.0));
    double pitch = cairn_node_real(node, "pitch", 1.05 * size.x, CAIRN_ABOVE_0);
    body->shape = cairn_shape_box(cairn_scale(0.5, size));
    body->shaped = true;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r && cairn_node_ok(node); i++)
            add_at(node, body, frame,
                   cairn_vec((i - 0.5 * (rows - r - 1)) * pitch, 0.0, (r + 0.5) * size.z),
                   cairn_quat_identity());
}

// Equal wedges from one springing at z = 0 to the other, in the xz plane. Block i spans the angles
// [i, i + 1] π / blocks; its x axis points away from the center, its z axis along -y.
static void read_arch(const cairn_node* node, cairn_template* body, cairn_transform frame)
{
    static const char* const keys[] = {"blocks", "radius", "thickness", "depth", NULL};
    if (!cairn_node_allow(node, keys, NULL))
        return;

    int blocks = cairn_node_integer(node, "blocks", 15, 2, 10000);
    double radius = cairn_node_real(node, "radius", 5.0, CAIRN_ABOVE_0);
    double thickness = cairn_node_real(node, "thickness", 1.0, CAIRN_ABOVE_0);
    double depth = cairn_node_real(node, "depth", 1.0, CAIRN_ABOVE_0);
    cairn_quat upright = cairn_quat_from_rotation_vector(cairn_vec(0.5 * pi, 0.0, 0.0));

    if (cairn_node_ok(node) && !(thickness < 2.0 * radius))
        cairn_node_fail(node, "has a thickness of %g, expected less than two radii", thickness);

    body->shape = cairn_scene_sector(node, radius - 0.5 * thickness, radius + 0.5 * thickness,
                                     depth, pi / blocks);
    body->shaped = true;

    for (int i = 0; i < blocks && cairn_node_ok(node); i++) {
        double a = (i + 0.5) * pi / blocks;
        cairn_quat tilt = cairn_quat_from_rotation_vector(cairn_vec(0.0, -a, 0.0));
        add_at(node, body, frame, cairn_vec(radius * cairn_cos(a), 0.0, radius * cairn_sin(a)),
               cairn_quat_multiply(tilt, upright));
    }
}

// ---------------------------------------------------------------- linkages

typedef struct links {
    int count;
    double radius, length;
    bool fixed;
} links;

static links read_links(const cairn_node* node, cairn_template* body)
{
    static const char* const keys[] = {"links", "radius", "length", "fixed", "collide", NULL};
    links l = {0};
    if (!cairn_node_allow(node, keys, NULL))
        return l;

    l.count = cairn_node_integer(node, "links", 10, 1, 1000000);
    l.radius = cairn_node_real(node, "radius", 0.05, CAIRN_ABOVE_0);
    l.length = cairn_node_real(node, "length", 0.5, CAIRN_ABOVE_0);
    l.fixed = cairn_node_flag(node, "fixed", true);

    if (!cairn_node_flag(node, "collide", false))
        body->def.mask = 0;

    body->shape = cairn_shape_capsule(l.radius, 0.5 * l.length);
    body->shaped = true;

    if (cairn_node_ok(node) && body->enter > 0.0)
        cairn_node_fail(node, "enters later, expected linkages from the start");
    return l;
}

// the pose of a link that starts at a point of the xy plane and heads along an angle there
static cairn_transform link_pose(const links* l, cairn_vec3 from, double heading)
{
    cairn_quat lying = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.5 * pi, 0.0));
    cairn_quat turn = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, heading));
    cairn_vec3 along = cairn_vec(cairn_cos(heading), cairn_sin(heading), 0.0);
    return (cairn_transform){cairn_add_scaled(from, 0.5 * l->length, along),
                             cairn_quat_multiply(turn, lying)};
}

// a ball joint between the tip of a link (or the world at `frame`) and the start of the next
static void join(const cairn_node* node, const links* l, cairn_body_id a, cairn_body_id b,
                 cairn_transform frame)
{
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id id;
    cairn_error error;
    if (!cairn_node_ok(node) || !cairn_node_spend(node))
        return;

    def.body_a = a;
    def.body_b = b;
    def.frame_a = frame;
    if (a.generation) {
        def.frame_a = cairn_transform_identity();
        def.frame_a.p.z = 0.5 * l->length;
    }

    def.frame_b.p.z = -0.5 * l->length;

    cairn_status status = cairn_world_add_joint(node->reader->scene->world, &def, &id, &error);
    if (status != CAIRN_OK)
        cairn_node_blame(node, status, &error);
}

// capsules along x, a ball joint at each inner center, the first at the origin to the world
static void read_chain(const cairn_node* node, cairn_template* body, cairn_transform frame)
{
    links l = read_links(node, body);
    cairn_body_id last = {0, 0};
    for (int i = 0; i < l.count && cairn_node_ok(node); i++) {
        cairn_transform pose = link_pose(&l, cairn_vec(i * l.length, 0.0, 0.0), 0.0);
        cairn_body_id id = cairn_scene_add(node, body, cairn_transform_multiply(frame, pose));
        if (i > 0 || l.fixed)
            join(node, &l, last, id, frame);
        last = id;
    }
}

// Link i hangs on the tip of link (i - 1)/2 and heads off by ± 1/level rad in the xy plane, odd
// links to the left; link 0 is that of a chain.
static void read_tree(const cairn_node* node, cairn_template* body, cairn_transform frame)
{
    links l = read_links(node, body);
    typedef struct branch {
        cairn_body_id id;
        cairn_vec3 tip;
        double heading;
        int level;
    } branch;

    branch* made = cairn_node_ok(node) ? calloc((size_t)l.count + 1, sizeof *made) : NULL;
    if (!made) {
        cairn_node_starve(node);
        return;
    }

    for (int i = 0; i < l.count && cairn_node_ok(node); i++) {
        // a binary heap: the parent of link i is link (i - 1)/2
        branch root = {.level = -1}, *parent = i > 0 ? &made[(i - 1) / 2] : &root;
        branch* here = &made[i];
        here->level = parent->level + 1;
        here->heading = parent->heading;
        if (i > 0)
            here->heading += (i % 2 ? 1.0 : -1.0) / here->level;

        cairn_transform pose = link_pose(&l, parent->tip, here->heading);
        here->tip =
            cairn_add_scaled(parent->tip, l.length,
                             cairn_vec(cairn_cos(here->heading), cairn_sin(here->heading), 0.0));

        here->id = cairn_scene_add(node, body, cairn_transform_multiply(frame, pose));
        if (i > 0 || l.fixed)
            join(node, &l, parent->id, here->id, frame);
    }

    free(made);
}

// ---------------------------------------------------------------- the rule of a node

bool cairn_find_procedure(cairn_node* procedure, const cairn_node* node)
{
    bool found = false;
    cairn_node child;
    for (int k = 0; cairn_procedure_keys[k]; k++) {
        if (!cairn_node_child(&child, node, cairn_procedure_keys[k]))
            continue;
        if (found)
            cairn_node_fail(&child, "is a second rule, expected one");
        *procedure = child;
        procedure->index = k;
        found = true;
    }
    return found;
}

void cairn_read_procedure(const cairn_node* procedure, cairn_template* body, cairn_transform frame)
{
    static void (*const rules[])(const cairn_node*, cairn_template*, cairn_transform) = {
        read_wall, read_pyramid, read_arch, read_chain, read_tree};
    rules[procedure->index](procedure, body, frame);
}
