// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The joints of an island without contacts: where they are, their rows J at the start of a substep,
// and their errors γ at its end, measured against the rows of its start:
//
//     points       γ = the gap between the points, world axes
//     lines        γ = the gap across the line of A, along the two directions of the rows
//     hinges       γ = z_A x z_B along the two directions of the rows
//     lock rows    γ = ½ Σ a_k x b_k
//     scalars      γ = their value (distance, surface, right angle of a universal joint)
//     gears,       conditions on velocities: γ = h (J_n u + J_{n+1} u⁺)/2, the same to second order
//     rolling      at both ends of the substep
//
// Directions that belong to the end would jump from one substep to the next, and the iteration that
// closes the joints would follow them.

#include "problem/natural_map.h"
#include "world/step/leapfrog.h"
#include <string.h>

// ---------------------------------------------------------------- places

// where a body that moves by itself is after t seconds
static cairn_transform own_pose(const cairn_body* body, double t)
{
    cairn_transform at = {body->x, body->q};
    if (body->type != CAIRN_BODY_KINEMATIC || body->belt || t == 0.0)
        return at;
    at.p = cairn_add_scaled(at.p, t, body->v);
    at.q =
        cairn_quat_normalize(cairn_quat_multiply(cairn_turn_by(cairn_scale(t, body->w)), body->q));
    return at;
}

// a body of a joint that is no mover: one that moves by itself, or NULL, the world
static const cairn_body* own_body(const cairn_flight* all, int slot)
{
    return slot == CAIRN_WORLD_BODY ? NULL : &all->span->world->bodies[slot];
}

// where a side of a joint is t seconds after the step began
static cairn_transform pose_of(const cairn_flight* all, int mover, int slot, bool next, double t)
{
    if (mover >= 0)
        return next ? all->next_at[mover] : all->movers[mover].at;
    const cairn_body* own = own_body(all, slot);
    return own ? own_pose(own, t) : cairn_transform_identity();
}

// rad/s: of a side of a joint
static cairn_vec3 spin_of(const cairn_flight* all, int mover, int slot)
{
    if (mover >= 0)
        return all->movers[mover].u.w;
    const cairn_body* own = own_body(all, slot);
    return own ? cairn_body_turning(own) : cairn_vec(0.0, 0.0, 0.0);
}

static cairn_link_points points_at(const cairn_link* link, cairn_transform a, cairn_transform b)
{
    cairn_vec3 r_b = cairn_rotate(b.q, link->frame_b.p), r_a = cairn_rotate(a.q, link->frame_a.p);
    return (cairn_link_points){r_a, r_b, cairn_sub(cairn_add(b.p, r_b), cairn_add(a.p, r_a))};
}

static void put_arms(cairn_tie* tie, cairn_transform a, cairn_transform b)
{
    tie->r_a = cairn_rotate(a.q, tie->link->frame_a.p);
    tie->r_b = cairn_rotate(b.q, tie->link->frame_b.p);
}

// the rows of a joint at its present place; none where its kind has none there
static void fill_rows(cairn_tie* tie)
{
    cairn_tie_more* more = tie->more;
    int count = cairn_link_rows(more->rows, tie->link, &more->place);
    more->blank = count != more->count;
    if (more->blank)
        memset(more->rows, 0, sizeof more->rows);
    if (more->extra)
        cairn_free_place(tie);
}

void cairn_flight_place(cairn_flight* all)
{
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        cairn_transform a = pose_of(all, tie->a, tie->link->a, false, all->time);
        cairn_transform b = pose_of(all, tie->b, tie->link->b, false, all->time);
        if (!tie->more) {
            put_arms(tie, a, b);
            continue;
        }

        double near = tie->more->free.x;
        tie->more->place = cairn_link_at(tie->link, a, b, near);
        tie->more->free.x = tie->more->place.coordinate;
        fill_rows(tie);
    }

    all->factored = all->weighed = false;
}

void cairn_flight_arrive(cairn_flight* all)
{
    // next_at now holds where the bodies came from
    for (int i = 0; i < all->body_count; i++) {
        cairn_transform from = all->movers[i].at;
        all->movers[i].at = all->next_at[i];
        all->movers[i].u.w = all->next_w[i];
        all->next_at[i] = from;
    }

    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more) {
            put_arms(tie, pose_of(all, tie->a, tie->link->a, false, all->time),
                     pose_of(all, tie->b, tie->link->b, false, all->time));
            continue;
        }
        tie->more->place = tie->more->next;
        tie->more->free.x = tie->more->next.coordinate;
        fill_rows(tie);
    }

    all->arrived = true;
    all->factored = all->weighed = false;
}

// ---------------------------------------------------------------- velocities and impulses

static double half_row(const double* row, const cairn_twist* x)
{
    return row[0] * x->v.x + row[1] * x->v.y + row[2] * x->v.z + row[3] * x->w.x + row[4] * x->w.y +
           row[5] * x->w.z;
}

static cairn_vec3 point_velocity(const cairn_twist* x, cairn_vec3 r)
{
    return cairn_add(x->v, cairn_cross(x->w, r));
}

// u += J x of one side; `rows` are those of a joint with more than points
static void add_side(double* u, const cairn_tie* tie, const cairn_row* rows, const cairn_twist* x,
                     bool is_b)
{
    if (!tie->more) {
        cairn_vec3 p = point_velocity(x, is_b ? tie->r_b : tie->r_a);
        double sign = is_b ? 1.0 : -1.0;
        u[0] += sign * p.x;
        u[1] += sign * p.y;
        u[2] += sign * p.z;
        return;
    }
    for (int r = 0; r < tie->width; r++)
        u[r] += half_row(is_b ? rows[r].b : rows[r].a, x);
}

// the kinematic body of a side, or NULL
static const cairn_body* kinematic(const cairn_flight* all, int mover, int slot)
{
    const cairn_body* own = mover < 0 ? own_body(all, slot) : NULL;
    return own && own->type == CAIRN_BODY_KINEMATIC ? own : NULL;
}

void cairn_tie_own_velocity(double* u, const cairn_flight* all, const cairn_tie* tie)
{
    const cairn_row* rows = tie->more ? tie->more->rows : NULL;
    const cairn_body* a = kinematic(all, tie->a, tie->link->a);
    const cairn_body* b = kinematic(all, tie->b, tie->link->b);
    if (a) {
        cairn_twist x = {a->v, a->w};
        add_side(u, tie, rows, &x, false);
    }
    if (b) {
        cairn_twist x = {b->v, b->w};
        add_side(u, tie, rows, &x, true);
    }
}

// with the angular velocities after the drift, if `next`
static void velocity_by(double* u, const cairn_flight* all, const cairn_tie* tie,
                        const cairn_row* rows, bool next)
{
    const int sides[2] = {tie->a, tie->b};
    for (int r = 0; r < tie->width; r++)
        u[r] = 0.0;
    for (int k = 1; k >= 0; k--) {
        if (sides[k] < 0)
            continue;
        cairn_twist x = all->movers[sides[k]].u;
        if (next)
            x.w = all->next_w[sides[k]];
        add_side(u, tie, rows, &x, k == 1);
    }
    if (tie->a < 0 || tie->b < 0)
        cairn_tie_own_velocity(u, all, tie);
}

void cairn_tie_velocity(double* u, const cairn_flight* all, const cairn_tie* tie)
{
    velocity_by(u, all, tie, tie->more ? tie->more->rows : NULL, false);
}

static void add_half_row(cairn_twist* x, const double* row, double lambda)
{
    x->v = cairn_add_scaled(x->v, lambda, cairn_vec(row[0], row[1], row[2]));
    x->w = cairn_add_scaled(x->w, lambda, cairn_vec(row[3], row[4], row[5]));
}

// x += J^T λ; NULL: a body that feels nothing
static void add_momentum(cairn_twist* a, cairn_twist* b, const cairn_tie* tie, const double* lambda)
{
    if (!tie->more) {
        cairn_vec3 P = cairn_vec(lambda[0], lambda[1], lambda[2]);
        if (b)
            *b = (cairn_twist){cairn_add(b->v, P), cairn_add(b->w, cairn_cross(tie->r_b, P))};
        if (a)
            *a = (cairn_twist){cairn_sub(a->v, P), cairn_sub(a->w, cairn_cross(tie->r_a, P))};
        return;
    }

    for (int r = 0; r < tie->width; r++) {
        if (b)
            add_half_row(b, tie->more->rows[r].b, lambda[r]);
        if (a)
            add_half_row(a, tie->more->rows[r].a, lambda[r]);
    }
}

static cairn_twist* momentum_of(cairn_flight* all, int mover)
{
    return mover < 0 ? NULL : &all->momentum[mover];
}

static void give(cairn_mover* mover, const cairn_twist* p)
{
    mover->u.v = cairn_add_scaled(mover->u.v, mover->inverse_mass, p->v);
    mover->u.w = cairn_add(mover->u.w, cairn_mat3_apply(mover->inverse_inertia, p->w));
}

void cairn_flight_push(cairn_flight* all, const double* lambda)
{
    memset(all->momentum, 0, (size_t)all->body_count * sizeof *all->momentum);
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        add_momentum(momentum_of(all, tie->a), momentum_of(all, tie->b), tie, lambda + tie->first);
    }
    for (int i = 0; i < all->body_count; i++)
        give(&all->movers[i], &all->momentum[i]);
}

void cairn_flight_push_free(cairn_flight* all, const cairn_tie* tie, double impulse)
{
    const cairn_row* row = &tie->more->rows[tie->more->count];
    cairn_twist p;
    if (tie->b >= 0) {
        p = (cairn_twist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        add_half_row(&p, row->b, impulse);
        give(&all->movers[tie->b], &p);
    }
    if (tie->a >= 0) {
        p = (cairn_twist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        add_half_row(&p, row->a, impulse);
        give(&all->movers[tie->a], &p);
    }
}

void cairn_flight_react(cairn_flight* all, const double* lambda)
{
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        cairn_twist seen = {tie->impulse, tie->twist};
        add_momentum(NULL, &seen, tie, lambda + tie->first);

        // impulses that were not solved for: a saturated motor and the known spring
        if (tie->more && tie->more->extra) {
            const cairn_free* free = &tie->more->free;
            tie->more->shares[0] += free->side * free->limit;
            tie->more->shares[1] += free->motor;
            tie->more->shares[2] += free->pull + free->spring;
            add_half_row(&seen, tie->more->rows[tie->more->count].b, free->pressed + free->spring);
        }

        tie->impulse = seen.v;
        tie->twist = seen.w;
    }
}

// ---------------------------------------------------------------- errors

static bool on_line(cairn_joint_kind kind)
{
    return kind == CAIRN_JOINT_SLIDER || kind == CAIRN_JOINT_CYLINDRICAL ||
           kind == CAIRN_JOINT_WHEEL;
}

static bool by_velocity(cairn_joint_kind kind)
{
    return cairn_joint_is_gear(kind) || kind == CAIRN_JOINT_ROLLING;
}

// the largest error of a joint at a place; INFINITY where B is upside down in A
static double worst_of(const cairn_link* link, const cairn_link_place* p, const double* C,
                       int count)
{
    double worst = 0.0;
    for (int r = 0; r < count; r++)
        worst = cairn_worst(worst, fabs(C[r]));

    switch (link->kind) {
    case CAIRN_JOINT_HINGE:
    case CAIRN_JOINT_CYLINDRICAL:
        worst = cairn_worst(worst, cairn_norm(cairn_cross(p->axes_a.cz, p->axes_b.cz)));
        break;
    case CAIRN_JOINT_FIXED:
    case CAIRN_JOINT_SLIDER:
        if (!(cairn_dot(p->axes_a.cx, p->axes_b.cx) > 0.0))
            return INFINITY;
        break;
    default:
        return worst;
    }
    return cairn_dot(p->axes_a.cz, p->axes_b.cz) > 0.0 ? worst : INFINITY;
}

double cairn_link_drifted(double* C, const cairn_link* link, const cairn_link_place* at,
                          const cairn_row* rows, int count)
{
    cairn_link_place p = *at;
    if (on_line(link->kind)) {
        cairn_vec3 axis = p.axes_a.cz;
        p.apart = cairn_add_scaled(p.apart, -cairn_dot(p.apart, axis), axis);
    }
    cairn_link_errors(C, link, &p, rows, count);
    if (link->kind == CAIRN_JOINT_SURFACE || link->kind == CAIRN_JOINT_ROLLING)
        C[0] = cairn_dot(p.normal, p.apart);
    for (int r = 1; r < count && link->kind == CAIRN_JOINT_ROLLING; r++)
        C[r] = 0.0;
    return worst_of(link, &p, C, count);
}

static double position_errors(double* C, const cairn_tie* tie, const cairn_link_place* at)
{
    return cairn_link_drifted(C, tie->link, at, tie->more->rows, tie->more->count);
}

// rows that hold velocities alone: the mean of both ends
static double slip(double* C, const cairn_flight* all, const cairn_tie* tie, double h)
{
    cairn_row rows[6] = {{{0.0}, {0.0}}};
    double now[6], then[6], worst = 0.0;
    int first = tie->link->kind == CAIRN_JOINT_ROLLING ? 1 : 0;
    cairn_link_rows(rows, tie->link, &tie->more->next);
    cairn_tie_velocity(now, all, tie);
    velocity_by(then, all, tie, rows, true);
    for (int r = first; r < tie->more->count; r++) {
        C[r] = 0.5 * h * (now[r] + then[r]);
        worst = cairn_worst(worst, fabs(C[r]));
    }
    return worst;
}

// the error of a coordinate that a motor or a limit holds
static double coordinate_error(const cairn_tie* tie, double h)
{
    const cairn_free* free = &tie->more->free;
    if (free->mode == CAIRN_FREE_MOTOR)
        return free->x_next - free->x - h * tie->link->speed;
    if (free->mode == CAIRN_FREE_LIMIT)
        return free->x_next - (free->side > 0.0 ? tie->more->lo : tie->more->hi);
    return 0.0;
}

static double errors_of(double* C, cairn_flight* all, cairn_tie* tie, double h)
{
    cairn_transform a = pose_of(all, tie->a, tie->link->a, true, all->time + h);
    cairn_transform b = pose_of(all, tie->b, tie->link->b, true, all->time + h);
    if (!tie->more) {
        cairn_vec3 apart = points_at(tie->link, a, b).apart;
        memcpy(C, &apart, sizeof apart);
        return cairn_norm(apart);
    }

    // an angle on which something acts, or that counts in a length, is followed by its velocity, however
    // far it turns; the others wait for the end of the step (angles.c)
    cairn_tie_more* more = tie->more;
    cairn_joint_kind kind = tie->link->kind;
    bool counts = more->extra || kind == CAIRN_JOINT_RACK || kind == CAIRN_JOINT_SCREW;
    double near = more->free.x;
    cairn_vec3 axis;
    if (counts && cairn_link_angle_axis(&axis, tie->link, &more->place))
        near += h * cairn_dot(axis, cairn_sub(spin_of(all, tie->b, tie->link->b),
                                              spin_of(all, tie->a, tie->link->a)));

    more->next = cairn_link_at(tie->link, a, b, near);
    more->free.x_next = more->next.coordinate;
    double worst = position_errors(C, tie, &more->next);
    if (by_velocity(tie->link->kind))
        worst = cairn_worst(worst, slip(C, all, tie, h));

    if (more->extra) {
        C[more->count] = coordinate_error(tie, h);
        worst = cairn_worst(worst, fabs(C[more->count]));
    }
    return worst;
}

double cairn_flight_errors(cairn_flight* all, double h)
{
    double worst = 0.0;
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        double C[6], own = errors_of(C, all, tie, h);
        for (int r = 0; r < tie->width; r++)
            all->c[tie->first + r] = C[r] / h;
        worst = cairn_worst(worst, own);
    }
    return worst;
}

double cairn_flight_gaps(cairn_flight* all)
{
    double worst = 0.0;
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        double *C = all->c + tie->first, own;

        if (!tie->more) {
            cairn_transform a = pose_of(all, tie->a, tie->link->a, false, all->time);
            cairn_transform b = pose_of(all, tie->b, tie->link->b, false, all->time);
            cairn_vec3 apart = points_at(tie->link, a, b).apart;
            memcpy(C, &apart, sizeof apart);
            own = cairn_norm(apart);
        } else {
            own = position_errors(C, tie, &tie->more->place);
            if (tie->more->extra) {
                const cairn_free* free = &tie->more->free;
                double edge = free->side > 0.0 ? tie->more->lo : tie->more->hi;
                C[tie->more->count] = free->mode == CAIRN_FREE_LIMIT ? free->x - edge : 0.0;
                own = cairn_worst(own, fabs(C[tie->more->count]));
            }
        }
        worst = cairn_worst(worst, own);
    }
    return worst;
}
