// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the camera of a replay has to see: the points of the whole motion that lie farthest out in
// 26 directions, outliers left out. With c the middle of where the moving bodies start, and r_i the
// distance of c from the farthest corner of the box around the path of body i,
//
//     body i is an outlier  if  r_i > 3/2 r_k,
//
// where r_k is the largest of all r but the tenth of the bodies that go farthest. Of an outlier (a
// ball that flies away) the start counts, of all others the whole path. What does not move counts
// unless it is much larger than what moves.

#include "io/page/page.h"
#include "io/recording/stage.h"
#include <math.h>
#include <stdlib.h>

enum { outliers = 10 }; // at most one body of so many
static const double farther = 1.5, larger = 4.0;

// ---------------------------------------------------------------- boxes

static cairn_aabb no_box(void)
{
    return (cairn_aabb){cairn_vec(INFINITY, INFINITY, INFINITY),
                        cairn_vec(-INFINITY, -INFINITY, -INFINITY)};
}

static bool is_bounded(const cairn_aabb* box)
{
    return isfinite(cairn_dot(box->lo, box->lo)) && isfinite(cairn_dot(box->hi, box->hi));
}

static cairn_aabb join(cairn_aabb a, cairn_aabb b)
{
    return (cairn_aabb){
        cairn_vec(fmin(a.lo.x, b.lo.x), fmin(a.lo.y, b.lo.y), fmin(a.lo.z, b.lo.z)),
        cairn_vec(fmax(a.hi.x, b.hi.x), fmax(a.hi.y, b.hi.y), fmax(a.hi.z, b.hi.z))};
}

static double diagonal(const cairn_aabb* box)
{
    return is_bounded(box) ? cairn_norm(cairn_sub(box->hi, box->lo)) : 0.0;
}

// the distance of the farthest corner
static double reach(const cairn_aabb* box, cairn_vec3 from)
{
    cairn_vec3 a = cairn_sub(box->hi, from), b = cairn_sub(from, box->lo);
    return cairn_norm(cairn_vec(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)));
}

// ---------------------------------------------------------------- points

// the directions to the 26 neighbors of a cell of a grid
static cairn_vec3 direction(int k)
{
    int cell = k < 13 ? k : k + 1;
    return cairn_vec(cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1);
}

static void put_farthest(cairn_vec3* points, cairn_vec3 p)
{
    for (int k = 0; k < cairn_page_view_points; k++) {
        cairn_vec3 d = direction(k);
        if (cairn_dot(d, p) > cairn_dot(d, points[k]))
            points[k] = p;
    }
}

static void put_corners(cairn_vec3* points, const cairn_aabb* box)
{
    for (int k = 0; k < cairn_page_view_points; k++) {
        cairn_vec3 d = direction(k);
        cairn_vec3 p =
            cairn_vec(d.x > 0.0 ? box->hi.x : box->lo.x, d.y > 0.0 ? box->hi.y : box->lo.y,
                      d.z > 0.0 ? box->hi.z : box->lo.z);
        if (cairn_dot(d, p) > cairn_dot(d, points[k]))
            points[k] = p;
    }
}

// ---------------------------------------------------------------- following the bodies

void cairn_page_view_free(cairn_page_view* view)
{
    free(view->tracks);
    *view = (cairn_page_view){0};
}

bool cairn_page_view_follow(cairn_page_view* view, const cairn_stage* stage,
                            const cairn_frame* frame)
{
    if (!cairn_grow((void**)&view->tracks, &view->capacity, frame->body_count,
                    sizeof *view->tracks))
        return false;
    view->count = frame->body_count > view->count ? frame->body_count : view->count;

    for (int i = 0; i < frame->body_count; i++) {
        const cairn_frame_body* now = &frame->bodies[i];
        const cairn_stage_body* body = &stage->bodies[i];
        cairn_page_track* track = &view->tracks[i];

        // a static or sleeping body that was seen once has not moved since
        bool still = track->seen && (now->asleep || body->type == CAIRN_BODY_STATIC);
        if (!now->present || !body->shaped || still)
            continue;

        cairn_transform x = cairn_transform_multiply(now->pose, body->offset);
        cairn_aabb box = cairn_shape_aabb(&body->shape, x);
        if (!is_bounded(&box))
            continue;

        if (!track->seen) {
            track->start = track->path = box;
            for (int k = 0; k < cairn_page_view_points; k++)
                track->points[k] = box.lo;
        }

        track->path = join(track->path, box);
        put_corners(track->points, &box);
        track->moves = body->type != CAIRN_BODY_STATIC;
        track->seen = true;
    }
    return true;
}

// points that hold bodies to the world, and the surfaces on which they run
void cairn_page_view_hold(cairn_page_view* view, const cairn_stage* stage)
{
    if (!view->held)
        view->anchors = no_box();

    for (int i = 0; i < stage->joint_count; i++) {
        const cairn_stage_joint* joint = &stage->joints[i];
        bool runs = joint->kind == CAIRN_JOINT_SURFACE || joint->kind == CAIRN_JOINT_ROLLING;
        if (joint->id.generation == 0 || joint->body_a >= 0 || joint->kind == CAIRN_JOINT_GEAR ||
            joint->kind == CAIRN_JOINT_RACK)
            continue;

        // a tube is as wide as its radius, and as long as the scene
        double r =
            runs && joint->surface != CAIRN_SURFACE_PLANE ? joint->radius + joint->tube : 0.0;
        double h = joint->surface == CAIRN_SURFACE_SPHERE ? r : joint->tube;
        for (int k = 0; k < 8; k++) {
            cairn_vec3 corner = cairn_vec(k & 1 ? r : -r, k & 2 ? r : -r, k & 4 ? h : -h);
            cairn_vec3 p = cairn_transform_point(joint->frame_a, corner);
            view->anchors = join(view->anchors, (cairn_aabb){p, p});
        }
        view->held = true;
    }
}

// ---------------------------------------------------------------- outliers

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// how far a body may go from `middle` and still count
static double limit(const cairn_page_view* view, cairn_vec3 middle)
{
    double* list = malloc(((size_t)view->count + 1) * sizeof *list);
    int count = 0;
    if (!list)
        return INFINITY;
    for (int i = 0; i < view->count; i++)
        if (view->tracks[i].seen && view->tracks[i].moves)
            list[count++] = reach(&view->tracks[i].path, middle);
    qsort(list, (size_t)count, sizeof *list, by_size);
    double most = count > 0 ? farther * list[count - 1 - count / outliers] : 0.0;
    free(list);
    return most;
}

bool cairn_page_view_finish(const cairn_page_view* view, cairn_vec3* points)
{
    // where everything starts
    cairn_aabb moving = no_box(), fixed = no_box();
    for (int i = 0; i < view->count; i++) {
        const cairn_page_track* track = &view->tracks[i];
        if (track->seen && track->moves)
            moving = join(moving, track->start);
        else if (track->seen)
            fixed = join(fixed, track->start);
    }
    cairn_vec3 middle = cairn_scale(0.5, cairn_add(moving.lo, moving.hi));
    double most = is_bounded(&moving) ? limit(view, middle) : 0.0;

    // where it goes, without the outliers, and whether what does not move counts
    for (int i = 0; i < view->count; i++)
        if (view->tracks[i].moves && reach(&view->tracks[i].path, middle) <= most)
            moving = join(moving, view->tracks[i].path);
    if (view->held)
        moving = join(moving, view->anchors);
    cairn_aabb all = join(moving, fixed);
    bool with_fixed = !is_bounded(&moving) || diagonal(&all) < larger * diagonal(&moving);

    // the farthest points of all that counts: of an outlier only the start
    cairn_aabb counts = with_fixed ? all : moving;
    for (int k = 0; k < cairn_page_view_points; k++)
        points[k] = cairn_scale(0.5, cairn_add(counts.lo, counts.hi));
    for (int i = 0; i < view->count; i++) {
        const cairn_page_track* track = &view->tracks[i];
        if (!track->seen || (!track->moves && !with_fixed))
            continue;
        bool whole = track->moves && reach(&track->path, middle) <= most;
        for (int k = 0; whole && k < cairn_page_view_points; k++)
            put_farthest(points, track->points[k]);
        if (!whole)
            put_corners(points, &track->start);
    }

    if (view->held)
        put_corners(points, &view->anchors);
    return is_bounded(&counts);
}
