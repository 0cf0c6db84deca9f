// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Questions about the bodies where they are now: rays, cast shapes, overlaps, the closest point.
//
// The broad phase knows boxes of the last step's start, and a question must not change them: it
// would change the bits of the next step. So bodies that have left their box since (strays) are
// listed once per state of the world and looked at beside the tree; there are few or none of them.

#include "world/query.h"
#include "math/accept.h"
#include "world/part_filter.h"

// ---------------------------------------------------------------- strays

static bool is_stray(const cairn_world* world, const cairn_body* body)
{
    if (!body->alive || body->proxy < 0 || body->frozen || body->asleep ||
        (body->type == CAIRN_BODY_STATIC && !body->moved))
        return false;
    cairn_aabb fat = cairn_broad_box(world->broad, body->proxy);
    cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_body_shape_pose(body));
    return !cairn_aabb_contains(&fat, &box);
}

static cairn_status find_strays(const cairn_world* world, cairn_error* error)
{
    cairn_strays* strays = world->strays;

    // the list holds as long as nothing in the world has changed
    if (strays->version == world->version)
        return CAIRN_OK;

    strays->count = 0;
    for (int i = 0; i < world->body_count; i++) {
        if (!is_stray(world, &world->bodies[i]))
            continue;

        if (strays->count == strays->capacity) {
            int capacity = 2 * strays->capacity + 16;
            int* bodies = realloc(strays->bodies, (size_t)capacity * sizeof(int));
            if (!bodies)
                return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a query");
            strays->bodies = bodies;
            strays->capacity = capacity;
        }

        strays->bodies[strays->count++] = i;
    }

    strays->version = world->version;
    return CAIRN_OK;
}

// the list ascends
static bool listed(const cairn_strays* strays, int body)
{
    int lo = 0, hi = strays->count;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (strays->bodies[middle] < body)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < strays->count && strays->bodies[lo] == body;
}

// ---------------------------------------------------------------- the frame of all questions

typedef struct question question;

// looks at one body; false ends the query
typedef bool (*look)(question* q, const cairn_body* body, cairn_body_id id);

struct question {
    const cairn_world* world;
    uint32_t mask;
    look look;
    bool ended;
    const cairn_shape* shape;
    cairn_transform pose;
    cairn_vec3 point, way;
    double reach; // fraction of the way, or meters
    cairn_body_hit* hit;
    cairn_body_gap* gap;
    cairn_hit_visit visit_hit;
    cairn_body_visit visit;
    void* context;
};

// What a query sees of a body: its shape, or one part after the other where some have filters of
// their own. Starts from part -1.
typedef struct piece {
    const cairn_shape* shape;
    cairn_transform pose;
    int part;
    bool alone; // it is a part, not the whole shape
} piece;

static bool next_piece(piece* p, const question* q, const cairn_body* body)
{
    if (!cairn_body_is_sifted(body)) {
        *p = (piece){&body->shape, cairn_body_shape_pose(body), p->part + 1, false};
        return p->part == 0 && (body->category & q->mask);
    }

    const cairn_compound* compound = body->shape.data.compound;
    for (int i = p->part + 1; i < compound->count; i++) {
        if (!(cairn_part_category(body, i) & q->mask))
            continue;
        cairn_transform pose =
            cairn_transform_multiply(cairn_body_shape_pose(body), compound->offsets[i]);
        *p = (piece){&compound->parts[i], pose, i, true};
        return true;
    }
    return false;
}

static bool ask(question* q, int slot)
{
    const cairn_body* body = &q->world->bodies[slot];
    if (!body->alive || body->frozen)
        return true;
    cairn_body_id id = {slot, body->generation};
    q->ended = !q->look(q, body, id);
    return !q->ended;
}

static bool visit_proxy(void* context, int proxy)
{
    question* q = context;
    int slot = q->world->proxy_body[proxy];
    return listed(q->world->strays, slot) || ask(q, slot);
}

static double visit_proxy_ray(void* context, int proxy, double reach)
{
    question* q = context;
    (void)reach;
    return visit_proxy(q, proxy) ? q->reach : -1.0;
}

static cairn_status ask_strays(question* q)
{
    const cairn_strays* strays = q->world->strays;
    for (int i = 0; i < strays->count && !q->ended; i++)
        ask(q, strays->bodies[i]);
    return CAIRN_OK;
}

static cairn_status ask_box(question* q, cairn_aabb box, cairn_error* error)
{
    cairn_status status = find_strays(q->world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_broad_query(q->world->broad, box, visit_proxy, q);
    return ask_strays(q);
}

static cairn_status ask_ray(question* q, cairn_vec3 origin, cairn_vec3 half, cairn_error* error)
{
    cairn_status status = find_strays(q->world, error);
    if (status != CAIRN_OK)
        return status;
    q->reach = 1.0;
    cairn_broad_ray(q->world->broad, origin, q->way, half, visit_proxy_ray, q);
    return ask_strays(q);
}

// whether a question may be asked, and its answer has a place
static cairn_status check_question(const cairn_world* world, bool complete, const char* names,
                                   cairn_error* error)
{
    cairn_status status = cairn_world_may_ask(world, error);
    return status == CAIRN_OK && !complete ? cairn_refuse_null(error, names) : status;
}

static cairn_status check_line(cairn_vec3 origin, cairn_vec3 way, cairn_error* error)
{
    cairn_status status =
        cairn_accept_vec(error, "the start of the cast", origin, CAIRN_A_COORDINATE);
    return status == CAIRN_OK
               ? cairn_accept_vec(error, "the way of the cast", way, CAIRN_A_COORDINATE)
               : status;
}

static cairn_status check_placed(const cairn_shape* shape, cairn_transform pose, cairn_error* error)
{
    cairn_status status = cairn_shape_check(shape, error);
    return status == CAIRN_OK ? cairn_accept_pose(error, "a coordinate of the shape's pose", pose)
                              : status;
}

// ---------------------------------------------------------------- casts

static cairn_body_hit named(const cairn_hit* hit, cairn_body_id id)
{
    return (cairn_body_hit){id, hit->t, hit->point, hit->normal, hit->part};
}

// of two hits at the same fraction the body with the smaller index counts
static void keep_nearest(question* q, const cairn_hit* hit, cairn_body_id id)
{
    bool none = q->hit->body.generation == 0;
    if (!none && (hit->t > q->hit->t || (hit->t == q->hit->t && id.index > q->hit->body.index)))
        return;
    *q->hit = named(hit, id);
    q->reach = hit->t;
}

// the first hit of a ray, or of a shape that is cast, on what the query sees of a body
static bool first_hit(cairn_hit* first, const question* q, const cairn_body* body)
{
    bool any = false;
    for (piece p = {.part = -1}; next_piece(&p, q, body);) {
        cairn_hit hit;
        bool met = q->shape
                       ? cairn_shape_cast_shape(q->shape, q->pose, q->way, p.shape, p.pose, &hit)
                       : cairn_shape_cast_ray(p.shape, p.pose, q->point, q->way, &hit);
        if (!met || (any && hit.t >= first->t))
            continue;
        any = true;
        *first = hit;
        if (p.alone)
            first->part = p.part;
    }
    return any;
}

static bool nearest_hit(question* q, const cairn_body* body, cairn_body_id id)
{
    cairn_hit hit;
    if (first_hit(&hit, q, body))
        keep_nearest(q, &hit, id);
    return true;
}

static bool any_on_ray(question* q, const cairn_body* body, cairn_body_id id)
{
    cairn_hit hit;
    if (!first_hit(&hit, q, body))
        return true;
    cairn_body_hit out = named(&hit, id);
    q->world->strays->visiting++;
    bool more = q->visit_hit(q->context, &out);
    q->world->strays->visiting--;
    return more;
}

cairn_status cairn_world_cast_ray(const cairn_world* world, cairn_vec3 origin, cairn_vec3 way,
                                  uint32_t mask, cairn_body_hit* hit, cairn_error* error)
{
    cairn_body_hit found = {0};

    question q = {.world = world,
                  .mask = mask,
                  .look = nearest_hit,
                  .point = origin,
                  .way = way,
                  .hit = &found};

    cairn_status status = check_question(world, hit, "the place for the hit", error);
    if (status == CAIRN_OK)
        status = check_line(origin, way, error);
    if (status == CAIRN_OK)
        status = ask_ray(&q, origin, cairn_vec(0.0, 0.0, 0.0), error);
    if (status == CAIRN_OK)
        *hit = found;
    return status;
}

cairn_status cairn_world_cast_ray_all(const cairn_world* world, cairn_vec3 origin, cairn_vec3 way,
                                      uint32_t mask, cairn_hit_visit visit, void* context,
                                      cairn_error* error)
{
    question q = {.world = world,
                  .mask = mask,
                  .look = any_on_ray,
                  .point = origin,
                  .way = way,
                  .visit_hit = visit,
                  .context = context};
    cairn_status status = check_question(world, visit, "the visitor", error);
    if (status == CAIRN_OK)
        status = check_line(origin, way, error);
    return status == CAIRN_OK ? ask_ray(&q, origin, cairn_vec(0.0, 0.0, 0.0), error) : status;
}

cairn_status cairn_world_cast_shape(const cairn_world* world, const cairn_shape* shape,
                                    cairn_transform from, cairn_vec3 way, uint32_t mask,
                                    cairn_body_hit* hit, cairn_error* error)
{
    cairn_body_hit found = {0};

    cairn_status status =
        check_question(world, shape && hit, "the shape or the place for the hit", error);
    if (status == CAIRN_OK)
        status = check_placed(shape, from, error);
    if (status == CAIRN_OK)
        status = check_line(from.p, way, error);

    if (status != CAIRN_OK)
        return status;

    if (!cairn_shape_is_convex(shape))
        return cairn_fail(error, CAIRN_BAD_INPUT, "a %s cannot be cast, expected a convex shape",
                          cairn_shape_name(shape->kind));

    from.q = cairn_quat_normalize(from.q);
    question q = {.world = world,
                  .mask = mask,
                  .look = nearest_hit,
                  .shape = shape,
                  .pose = from,
                  .way = way,
                  .hit = &found};

    // a ray of the middle of the box, against boxes grown by half of it
    cairn_aabb box = cairn_shape_aabb(shape, from);
    cairn_vec3 middle = cairn_scale(0.5, cairn_add(box.lo, box.hi));
    status = ask_ray(&q, middle, cairn_sub(box.hi, middle), error);

    if (status == CAIRN_OK)
        *hit = found;
    return status;
}

// ---------------------------------------------------------------- overlaps

// tells the caller of a body
static bool tell(question* q, cairn_body_id id)
{
    q->world->strays->visiting++;
    bool more = q->visit(q->context, id);
    q->world->strays->visiting--;
    return more;
}

static bool overlapping(question* q, const cairn_body* body, cairn_body_id id)
{
    for (piece p = {.part = -1}; next_piece(&p, q, body);)
        if (cairn_overlap(p.shape, p.pose, q->shape, q->pose))
            return tell(q, id);
    return true;
}

static bool containing(question* q, const cairn_body* body, cairn_body_id id)
{
    for (piece p = {.part = -1}; next_piece(&p, q, body);)
        if (cairn_contains(p.shape, p.pose, q->point))
            return tell(q, id);
    return true;
}

cairn_status cairn_world_overlap(const cairn_world* world, const cairn_shape* shape,
                                 cairn_transform pose, uint32_t mask, cairn_body_visit visit,
                                 void* context, cairn_error* error)
{
    cairn_status status = check_question(world, shape && visit, "the shape or the visitor", error);
    if (status == CAIRN_OK)
        status = check_placed(shape, pose, error);

    if (status != CAIRN_OK)
        return status;

    pose.q = cairn_quat_normalize(pose.q);
    question q = {.world = world,
                  .mask = mask,
                  .look = overlapping,
                  .shape = shape,
                  .pose = pose,
                  .visit = visit,
                  .context = context};
    return ask_box(&q, cairn_shape_aabb(shape, pose), error);
}

cairn_status cairn_world_overlap_box(const cairn_world* world, cairn_aabb box, uint32_t mask,
                                     cairn_body_visit visit, void* context, cairn_error* error)
{
    cairn_vec3 middle = cairn_scale(0.5, cairn_add(box.lo, box.hi));
    cairn_shape shape = cairn_shape_box(cairn_sub(box.hi, middle));
    cairn_transform pose = {middle, cairn_quat_identity()};
    return cairn_world_overlap(world, &shape, pose, mask, visit, context, error);
}

cairn_status cairn_world_overlap_point(const cairn_world* world, cairn_vec3 point, uint32_t mask,
                                       cairn_body_visit visit, void* context, cairn_error* error)
{
    question q = {.world = world,
                  .mask = mask,
                  .look = containing,
                  .point = point,
                  .visit = visit,
                  .context = context};
    cairn_aabb box = {point, point};
    cairn_status status = check_question(world, visit, "the visitor", error);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the point", point, CAIRN_A_COORDINATE);
    return status == CAIRN_OK ? ask_box(&q, box, error) : status;
}

// ---------------------------------------------------------------- the closest point

static bool closer(question* q, const cairn_body* body, cairn_body_id id)
{
    cairn_shape dot = {.kind = CAIRN_SHAPE_SPHERE};
    cairn_transform at = {q->point, cairn_quat_identity()};
    for (piece p = {.part = -1}; next_piece(&p, q, body);) {
        cairn_gap g = cairn_distance(p.shape, p.pose, &dot, at);
        bool none = q->gap->body.generation == 0;
        if (g.gap > q->reach || (!none && g.gap == q->reach && id.index > q->gap->body.index))
            continue;
        q->reach = g.gap;
        *q->gap = (cairn_body_gap){id, g.gap, g.point_a, g.normal, p.alone ? p.part : g.part_a};
    }
    return true;
}

cairn_status cairn_world_closest(const cairn_world* world, cairn_vec3 point, double reach,
                                 uint32_t mask, cairn_body_gap* closest, cairn_error* error)
{
    cairn_body_gap found = {0};

    question q = {.world = world,
                  .mask = mask,
                  .look = closer,
                  .point = point,
                  .reach = reach,
                  .gap = &found};

    cairn_aabb box = {point, point};
    cairn_status status = check_question(world, closest, "the place for the point", error);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the point", point, CAIRN_A_COORDINATE);

    if (status == CAIRN_OK && reach != INFINITY)
        status = cairn_accept(error, "the reach", reach, CAIRN_A_DISTANCE);
    if (status == CAIRN_OK)
        status = ask_box(&q, cairn_aabb_grow(box, reach), error);

    if (status == CAIRN_OK)
        *closest = found;
    return status;
}
