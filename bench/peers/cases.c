// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The cases and their descriptions. Boxes, spheres and capsules keep the frame of their shape,
// which is principal; hulls are moved into the principal frame that the world has found.

#include "peers/cases.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// those with bounds first, then the other reference scenes, then smaller and wilder variants
const peer_case peer_cases[] = {
    {"massratio100", "massratio100", 0, 0, 0, 5, 5, 4, PEER_STANDS, "penetration (m)", true},
    {"massratio1000", "massratio", 0, 0, 0, 5, 5, 4, PEER_STANDS, "penetration (m)", true},
    {"massratio10000", "massratio10000", 0, 0, 0, 5, 5, 4, PEER_STANDS, "penetration (m)", true},
    {"incline_lo", "incline_lo", 0, 0, 0, 10, 10, 4, PEER_STICKS, "creep (m)", true},
    {"incline_hi", "incline_hi", 0, 0, 0, 10, 10, 4, PEER_SLIDES, "acceleration (relative)", true},
    {"incline_hi45", "incline_hi45", 0, 0, 0, 10, 10, 4, PEER_SLIDES, "acceleration (relative)",
     true},
    {"chain10", "chain", 0, 0, 0, 2, 2, 4, PEER_SWINGS, "tip (m)", true},
    {"chain100", "chain100", 0, 0, 0, 2, 1, 4, PEER_SWINGS, "tip (m)", true},
    {"chain1000", "chain1000", 0, 0, 0, 2, 0, 8, PEER_SWINGS, "tip (m)", true},
    {"wall10", "wall", 0, 0, 0, 5, 1, 6, PEER_STANDS, "penetration (m)", true},
    {"wall32", "wall32", 0, 0, 0, 5, 0, 40, PEER_STANDS, "penetration (m)", true},
    {"spin", "spin", 0, 0, 0, 1, 1, 4, PEER_SPINS, "spin-down (relative)", false},
    {"arch15", "arch", 0, 0, 0, 10, 2, 4, PEER_STANDS, "penetration (m)", false},
    {"tree127", "tree127", 0, 0, 0, 2, 1, 4, PEER_HANGS, "energy (relative)", false},
    {"pyramid20", "pyramid", 0, 0, 0, 5, 0.25, 6, PEER_STANDS, "penetration (m)", false},
    {"heap1728", "heap", 0, 0, 0, 6, 0, 20, PEER_SETTLES, "penetration (m)", false},
    {"boxes1000", "boxes", 0, 0, 0, 6, 0, 20, PEER_SETTLES, "penetration (m)", false},
    {"wall10_hit", "wall", 0, 0, 1, 3, 0.5, 3, PEER_HIT, "penetration (m)", false},
    {"heap125", NULL, "heap", 5, 0, 6, 1, 3, PEER_SETTLES, "penetration (m)", false},
    {"boxes64", NULL, "boxes", 4, 0, 6, 1, 3, PEER_SETTLES, "penetration (m)", false},
    {0}};

// ---------------------------------------------------------------- the scene file

static void drop_late(json_t* root, bool keep)
{
    json_t* bodies = json_object_get(root, "bodies");
    for (size_t i = json_array_size(bodies); i-- > 0;) {
        json_t* body = json_array_get(bodies, i);
        if (!json_object_get(body, "enter"))
            continue;
        if (keep)
            json_object_del(body, "enter");
        else
            json_array_remove(bodies, i);
    }
}

// containers of half width w: walls 1 m thick around it
static json_t* make_rule(const peer_case* c)
{
    bool heap = strcmp(c->rule, "heap") == 0;
    double pitch = heap ? 1.1 : 1.8, w = 0.5 * pitch * c->size + 0.4, high = 2.0 * pitch * c->size;
    char text[2048];
    snprintf(text, sizeof text,
             "{\"cairn\": 1, \"run\": {\"tolerance\": 1e-3}, \"defaults\": {\"material\": {\"mu\": "
             "0.5}}, \"bodies\": ["
             "{\"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
             "{\"type\": \"static\", \"ring\": {\"count\": 4, \"radius\": %.17g}, \"shape\": "
             "{\"kind\": \"box\", \"size\": [1, %.17g, %.17g]}, \"at\": [0, 0, %.17g]},"
             "{\"grid\": {\"count\": [%d, %d, %d], \"pitch\": %.17g, %s, \"seed\": 1}, \"shape\": "
             "%s, \"at\": [0, 0, 1]}]}",
             w + 0.5, 2.0 * w + 2.0, high, 0.5 * high, c->size, c->size, c->size, pitch,
             heap ? "\"jitter\": 0.04" : "\"tumble\": true",
             heap ? "{\"kind\": \"sphere\", \"radius\": 0.5}"
                  : "{\"kind\": \"box\", \"size\": [1, 1, 1]}");
    return json_loads(text, 0, NULL);
}

static char* scene_text(const peer_case* c, const char* folder)
{
    char path[4096];
    json_t* root = NULL;
    if (c->file) {
        snprintf(path, sizeof path, "%s/%s.json", folder, c->file);
        root = json_load_file(path, 0, NULL);
    } else {
        root = make_rule(c);
    }
    if (!root)
        return NULL;

    drop_late(root, c->late);
    char* text = json_dumps(root, JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}

// ---------------------------------------------------------------- bodies

static void store(double* to, cairn_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// a body as the world gives it, and its frames
typedef struct source_body {
    cairn_body_def def;
    cairn_body_mass mass;
    cairn_transform principal; ///< principal frame -> world
    cairn_transform offset;    ///< shape frame -> principal frame
} source_body;

static source_body source_of(const cairn_world* world, int slot)
{
    source_body s;
    cairn_body_id id = cairn_world_body_at(world, slot);
    cairn_body_get_def(world, id, &s.def, NULL);
    cairn_body_get_mass(world, id, &s.mass, NULL);
    s.principal = cairn_transform_multiply(s.def.pose, s.mass.principal);
    s.offset = cairn_transform_relative(s.mass.principal, s.def.shape_offset);
    return s;
}

static peer_state state_of(const source_body* body, cairn_transform frame)
{
    peer_state s = {.quaternion = {frame.q.w, frame.q.x, frame.q.y, frame.q.z}};
    store(s.position, frame.p);
    store(s.velocity, body->def.velocity);
    store(s.spin, body->def.spin);
    return s;
}

// the polytope in the frame x
static peer_hull copy_hull(const cairn_hull* hull, cairn_transform x)
{
    peer_hull h = {.point_count = hull->vertex_count,
                   .face_count = hull->face_count,
                   .polygon_size = hull->face_count + hull->edge_count};
    h.points = calloc(3 * (size_t)h.point_count, sizeof(double));
    h.planes = calloc(4 * (size_t)h.face_count, sizeof(double));
    h.polygons = calloc((size_t)h.polygon_size, sizeof(unsigned));

    for (int i = 0; i < h.point_count; i++)
        store(h.points + 3 * (size_t)i, cairn_transform_point(x, hull->vertices[i]));

    // planes and polygons, each polygon as its size and its corners
    unsigned* p = h.polygons;
    for (int i = 0; i < h.face_count; i++) {
        const cairn_hull_face* face = &hull->faces[i];
        cairn_vec3 n = cairn_rotate(x.q, face->normal);
        store(h.planes + 4 * (size_t)i, n);
        h.planes[4 * (size_t)i + 3] = face->offset + cairn_dot(n, x.p);

        *p++ = (unsigned)face->edge_count;
        for (int k = 0; k < face->edge_count; k++)
            *p++ = (unsigned)hull->edges[face->edge + k].origin;
    }

    return h;
}

static void describe_shape(peer_body* out, const cairn_shape* shape, cairn_transform offset)
{
    switch (shape->kind) {
    case CAIRN_SHAPE_SPHERE:
        out->shape = PEER_SPHERE;
        out->size[0] = shape->radius;
        break;
    case CAIRN_SHAPE_CAPSULE:
        out->shape = PEER_CAPSULE;
        out->size[0] = shape->radius;
        out->size[1] = shape->half_height;
        break;
    case CAIRN_SHAPE_BOX:
        out->shape = PEER_BOX;
        store(out->size, shape->half);
        break;
    case CAIRN_SHAPE_HULL:
        out->shape = PEER_HULL;
        out->hull = copy_hull(shape->data.hull, offset);
        break;
    default:
        out->shape = PEER_HALF_SPACE;
    }
}

// Iᵢᵢ of the body in the frame that q leads to from the principal axes
static void turn_inertia(double* to, cairn_vec3 principal, cairn_quat q)
{
    cairn_mat3 R = cairn_quat_to_mat3(q);
    cairn_mat3 I = cairn_mat3_multiply(
        cairn_mat3_transpose(R),
        cairn_mat3_multiply(cairn_mat3_diagonal(principal.x, principal.y, principal.z), R));
    store(to, cairn_vec(cairn_mat3_apply(I, cairn_vec(1, 0, 0)).x,
                        cairn_mat3_apply(I, cairn_vec(0, 1, 0)).y,
                        cairn_mat3_apply(I, cairn_vec(0, 0, 1)).z));
}

static bool is_hull(const source_body* body)
{
    return body->def.shape->kind == CAIRN_SHAPE_HULL;
}

// frame of the description in the world, where the body starts
static cairn_transform frame_of(const source_body* body)
{
    return is_hull(body) ? body->principal
                         : cairn_transform_multiply(body->principal, body->offset);
}

static void describe_body(peer_problem* p, int i, const source_body* body)
{
    peer_body* out = &p->scene.bodies[i];
    bool hull = is_hull(body);
    p->shapes[i] = *body->def.shape;
    p->offsets[i] = hull ? body->offset : cairn_transform_identity();
    describe_shape(out, body->def.shape, body->offset);
    out->mass = body->def.mass;
    if (out->mass > 0.0)
        turn_inertia(out->inertia, body->mass.moments,
                     hull ? cairn_quat_identity() : body->offset.q);
    out->mu = body->def.material.mu;
    out->collides = body->def.mask != 0;
    out->start = state_of(body, frame_of(body));
}

// a point of the body in the frame of the description
static void describe_point(double* to, const source_body* body, cairn_vec3 at)
{
    cairn_vec3 point = cairn_transform_point(body->def.pose, at);
    store(to, cairn_transform_point_back(frame_of(body), point));
}

static void describe_joint(peer_joint* out, const cairn_world* world, int slot)
{
    cairn_joint_def def;
    cairn_joint_get_def(world, cairn_world_joint_at(world, slot), &def, NULL);
    out->a = def.body_a.generation ? def.body_a.index : -1;
    out->b = def.body_b.index;
    if (out->a < 0) {
        store(out->at_a, def.frame_a.p);
    } else {
        source_body a = source_of(world, out->a);
        describe_point(out->at_a, &a, def.frame_a.p);
    }
    source_body b = source_of(world, out->b);
    describe_point(out->at_b, &b, def.frame_b.p);
}

static void describe(peer_problem* p)
{
    const cairn_world* world = cairn_scene_world(p->source);
    cairn_scene_info info = cairn_scene_describe(p->source);
    int bodies = cairn_world_body_slots(world), joints = cairn_world_joint_slots(world);

    p->scene.name = p->about->name;
    p->scene.text = p->text;
    p->scene.dt = info.dt;
    store(p->scene.gravity, info.gravity);
    p->scene.body_count = bodies;
    p->scene.joint_count = joints;

    p->scene.bodies = calloc((size_t)bodies + 1, sizeof *p->scene.bodies);
    p->scene.joints = calloc((size_t)joints + 1, sizeof *p->scene.joints);
    p->shapes = calloc((size_t)bodies + 1, sizeof *p->shapes);
    p->offsets = calloc((size_t)bodies + 1, sizeof *p->offsets);

    for (int i = 0; i < bodies; i++) {
        source_body body = source_of(world, i);
        describe_body(p, i, &body);
    }
    for (int i = 0; i < joints; i++)
        describe_joint(&p->scene.joints[i], world, i);
}

bool peer_open(peer_problem* problem, const peer_case* about, const char* folder,
               cairn_error* error)
{
    *problem = (peer_problem){.about = about, .text = scene_text(about, folder)};
    if (!problem->text) {
        cairn_fail(error, CAIRN_BAD_INPUT, "the scene of %s can not be read from %s", about->name,
                   folder);
        return false;
    }

    if (cairn_scene_read_text(problem->text, strlen(problem->text), about->name, NULL,
                              &problem->source, error) != CAIRN_OK) {
        free(problem->text);
        return false;
    }

    describe(problem);
    return true;
}

void peer_close(peer_problem* problem)
{
    for (int i = 0; i < problem->scene.body_count; i++) {
        free(problem->scene.bodies[i].hull.points);
        free(problem->scene.bodies[i].hull.planes);
        free(problem->scene.bodies[i].hull.polygons);
    }
    free(problem->scene.bodies);
    free(problem->scene.joints);
    free(problem->shapes);
    free(problem->offsets);
    cairn_scene_destroy(problem->source);
    free(problem->text);
}
