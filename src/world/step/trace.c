// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies that move far within a substep, traced from impact to impact. Contacts of a fast body are
// found while it is still apart, and are right to first order; a blow that sets a long body
// spinning by turns takes it elsewhere, and the corner that comes next was not near when the
// substep began. So a body that moves by more than half of its radius is put back to where its
// drift began, and goes on in pieces of a quarter of a turn at most, each no farther than to where
// it first meets another:
//
//     x = x(t),     t = min over its close pairs of the time of impact.
//
// There the pair is struck, if it still comes together: with u the velocity of B's point against
// A's, K what an impulse changes of it, and e the restitution,
//
//     P = K^-1 (-e u_N n - u),  or, outside of the cone of friction,  P = P_N (n - μ u_T/|u_T|)
//
// with u_N' = -e u_N. A blow with friction that would add energy has none. What it touches has a
// plane: as long as the body stays above it, the two need not be looked at, nor any other that does
// not stick out of the plane: what slides over the seams of a floor meets none of them. After a
// number of pieces and blows the body waits for the next substep where it is, and the report says
// so. Balls follow their contacts exactly but on surfaces of many pieces.

#include "world/step/trace.h"
#include "collide/shape/mesh.h"
#include "world/part_filter.h"
#include "world/sleep/sleep.h"
#include "world/step/balance.h"
#include "world/step/contact_law.h"
#include "world/step/refind.h"
#include "world/step/rotation.h"
#include "world/step/seams.h"

enum { most_guards = 8, most_samples = 16 };
enum { most_blows = 64, most_pieces = 32, few_pieces = 1, shared_pieces = 16, most_halves = 8 };
// Distances that all times of impact of a step share (some 20 ms), and what each has in any case:
// who grazes another one while it turns would take a thousand.
enum { shared_looks = 32768, most_looks = 1024, least_looks = 16 };
static const double far_share = 0.5;    // of the radius
static const double wild_share = 500.0; // likewise: beyond it a body is not worth many pieces
static const double largest_turn = 1.5; // rad: of a piece
static const double close_share = 0.25; // of the radius: of a piece of what touches
static const double may_sink = 0.5;     // of a gap that counts as closed: within a piece

static bool has_pieces(const cairn_body* body)
{
    return !cairn_shape_is_convex(&body->shape) && body->shape.kind != CAIRN_SHAPE_HALF_SPACE;
}

bool cairn_body_is_swift(const cairn_body* body, double h)
{
    if (!cairn_body_active(body) || body->advanced || body->proxy < 0 || body->spread)
        return false;
    double way = h * (cairn_norm(body->v) + body->radius * cairn_norm(body->w));
    return way > far_share * body->radius;
}

// whether a pair is traced for a body of it
static bool is_traced(const cairn_body* body, const cairn_body* other)
{
    return !other->frozen && !other->spread && !cairn_body_is_soft(body) &&
           !cairn_body_is_soft(other) &&
           (body->shape.kind != CAIRN_SHAPE_SPHERE || has_pieces(other));
}

// ---------------------------------------------------------------- pairs of bodies

// the pairs of each swift body: those of slot i from first[i] to before first[i + 1]
typedef struct neighbors {
    int *first, *pairs;
} neighbors;

static bool list_neighbors(neighbors* all, const cairn_way* ways, cairn_world* world)
{
    int count, total = 0;
    const cairn_pair* close = cairn_broad_pairs(world->broad, &count);
    all->first = CAIRN_TAKE_ZEROED(&world->arena, int, world->body_count + 2);
    if (!all->first)
        return false;

    // two passes: count the pairs of each swift body, then list them
    int* next = all->first + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const int slots[2] = {world->proxy_body[close[i].a], world->proxy_body[close[i].b]};
            for (int side = 0; side < 2; side++) {
                int slot = slots[side];
                if (!ways[slot].swift ||
                    !is_traced(&world->bodies[slot], &world->bodies[slots[1 - side]]) ||
                    world->pairs[close[i].slot].passes ||
                    cairn_pair_refused(world, slots[0], slots[1]))
                    continue;
                total++;
                if (pass == 0)
                    next[slot + 1]++;
                else
                    all->pairs[next[slot]++] = i;
            }
        }
        for (int i = 0; i < world->body_count && pass == 0; i++)
            next[i + 1] += next[i];
        if (pass == 0)
            all->pairs = CAIRN_TAKE(&world->arena, int, total);
        if (!all->pairs)
            return false;
    }

    return true;
}

// ---------------------------------------------------------------- blows

// what an impulse at an arm changes of the velocity there, K = 1/m - [r] I^-1 [r]
static cairn_mat3 response(const cairn_body* body, cairn_vec3 r)
{
    cairn_mat3 none = {0};
    if (!cairn_body_active(body))
        return none;
    cairn_mat3 turn = cairn_mat3_skew(r);
    double m = body->inverse_mass;
    cairn_mat3 K = cairn_mat3_multiply(turn, cairn_mat3_multiply(body->inverse_inertia, turn));
    return cairn_mat3_add(cairn_mat3_diagonal(m, m, m), cairn_mat3_scale(-1.0, K));
}

static void push(cairn_body* body, cairn_vec3 r, cairn_vec3 P)
{
    if (!cairn_body_active(body))
        return;
    body->v = cairn_add_scaled(body->v, body->inverse_mass, P);
    body->w = cairn_add(body->w, cairn_mat3_apply(body->inverse_inertia, cairn_cross(r, P)));
}

// the impulse on B of two points that meet with the velocity u, u·n < 0
static cairn_vec3 blow_of(cairn_mat3 K, cairn_vec3 n, cairn_vec3 u, double mu, double e)
{
    double along = cairn_dot(n, u);
    cairn_vec3 slip = cairn_add_scaled(u, -along, n);
    cairn_vec3 wanted = cairn_add_scaled(cairn_neg(u), -e * along, n);
    cairn_vec3 plain = cairn_scale(-(1.0 + e) * along / cairn_dot(n, cairn_mat3_apply(K, n)), n);

    // stick, or slide, or without friction
    cairn_vec3 P = cairn_mat3_apply(cairn_mat3_inverse(K), wanted);
    double P_n = cairn_dot(n, P);
    if (!(P_n > 0.0) || cairn_norm(cairn_add_scaled(P, -P_n, n)) > mu * P_n) {
        double speed = cairn_norm(slip);
        cairn_vec3 d = speed > 0.0 ? cairn_add_scaled(n, -mu / speed, slip) : n;
        double answer = cairn_dot(n, cairn_mat3_apply(K, d));
        P = answer > 0.0 ? cairn_scale(-(1.0 + e) * along / answer, d) : plain;
    }

    double gained = cairn_dot(P, cairn_add_scaled(u, 0.5, cairn_mat3_apply(K, P)));
    return gained <= 0.0 ? P : plain;
}

// strikes a pair where its shapes are nearest, unless they part already; returns whether it did
static bool strike(cairn_world* world, const cairn_pair* close, const cairn_gap* near)
{
    cairn_body* a = &world->bodies[world->proxy_body[close->a]];
    cairn_body* b = &world->bodies[world->proxy_body[close->b]];

    cairn_patch patch = {.normal = near->normal, .part_a = near->part_a, .part_b = near->part_b};
    cairn_contact_point point = {.gap = near->gap};
    point.position = cairn_scale(0.5, cairn_add(near->point_a, near->point_b));

    cairn_vec3 r_a = cairn_sub(near->point_a, a->x), r_b = cairn_sub(near->point_b, b->x);
    cairn_vec3 u =
        cairn_sub(cairn_add(b->v, cairn_cross(b->w, r_b)), cairn_add(a->v, cairn_cross(a->w, r_a)));
    double along = cairn_dot(near->normal, u);
    if (!(along < 0.0))
        return false;

    // the law of its surfaces
    cairn_touch law = cairn_touch_at(world, close, &patch, &point);
    double e = along < -world->def.restitution_speed ? law.restitution : 0.0;
    cairn_mat3 K = cairn_mat3_add(response(a, r_a), response(b, r_b));
    u = cairn_add(u, cairn_touch_carry(&law, world));
    cairn_vec3 P = blow_of(K, near->normal, u, fmin(law.mu[0], law.mu[1]), e);
    push(a, r_a, cairn_neg(P));
    push(b, r_b, P);
    cairn_balance_carry(world, &law, P);

    // add the impulse to what the user sees
    int c = cairn_pair_first(&world->pairs[close->slot]);
    if (c >= 0)
        world->touches[c].total = cairn_add(world->touches[c].total, P);
    return true;
}

// ---------------------------------------------------------------- the way of a body

// one that the body touches
typedef struct guard {
    int pair, other; // slot of the other body
    cairn_gap near;
    cairn_plane plane; // between the two
    bool holds;        // the body stays above it through the piece
    bool ghost;        // another plane parts the two as well, in another direction
} guard;

// a body on its way through a substep
typedef struct tracing {
    cairn_world* world;
    const cairn_way* ways;
    const int* pairs; // of the body
    int count, slot;
    double h, left; // s
    int* budget;    // pieces that all bodies share
    int* looks;     // distances that were taken in this step
    int touched;    // slot of one that the body touches, or -1
    guard guards[most_guards];
    int guard_count;
    bool free; // it leaves all that it could meet
} tracing;

// the part of the way of the other body of a pair in the next `piece` seconds
static cairn_sweep sweep_of(const tracing* job, int slot, double piece)
{
    const cairn_body* body = &job->world->bodies[slot];
    cairn_sweep whole = {job->ways[slot].from, cairn_body_shape_pose(body)};
    if (body->type == CAIRN_BODY_STATIC)
        return (cairn_sweep){whole.to, whole.to};
    double begin = 1.0 - job->left / job->h, end = begin + piece / job->h;
    return (cairn_sweep){cairn_sweep_at(&whole, begin), cairn_sweep_at(&whole, end)};
}

// the nearest points of a pair, the other body being where it is by now
static cairn_gap nearest(const tracing* job, const cairn_pair* close)
{
    int a = job->world->proxy_body[close->a], b = job->world->proxy_body[close->b];
    const cairn_body *body_a = &job->world->bodies[a], *body_b = &job->world->bodies[b];
    cairn_transform xa =
        a == job->slot ? cairn_body_shape_pose(body_a) : sweep_of(job, a, 0.0).from;
    cairn_transform xb =
        b == job->slot ? cairn_body_shape_pose(body_b) : sweep_of(job, b, 0.0).from;
    return cairn_bodies_distance((cairn_body_pair){body_a, body_b}, xa, xb);
}

// whether the body can come near the other one of a pair within what is left of the substep: balls
// about their centers that hold the shapes tell
static bool may_meet(const tracing* job, const cairn_pair* close)
{
    int a = job->world->proxy_body[close->a], b = job->world->proxy_body[close->b];
    const cairn_body* own = &job->world->bodies[job->slot];
    const cairn_body* other = &job->world->bodies[a == job->slot ? b : a];
    if (!(other->radius > 0.0))
        return true;
    double way = job->left * cairn_norm(own->v) + job->h * cairn_norm(other->v);
    double apart = cairn_norm(cairn_sub(other->x, own->x)) - own->radius - other->radius;
    return apart <= way + job->world->touching;
}

// s: until the body meets the other one of a pair, up to `piece`
static double meeting(const tracing* job, const cairn_pair* close, const cairn_sweep* own,
                      double piece)
{
    cairn_world* world = job->world;
    int a = world->proxy_body[close->a], b = world->proxy_body[close->b];
    cairn_body_pair bodies = {&world->bodies[a], &world->bodies[b]};
    cairn_sweep ma = a == job->slot ? *own : sweep_of(job, a, piece);
    cairn_sweep mb = b == job->slot ? *own : sweep_of(job, b, piece);
    double t = 1.0, gap = cairn_bodies_distance(bodies, ma.from, mb.from).gap;
    if (!(gap < INFINITY))
        return piece;

    // a touching body goes as far as its overlap stays shallow, or no deeper than it is
    if (gap <= world->touching) {
        double deepest = fmin(gap, -may_sink * world->touching);
        for (int k = 0; k < most_halves; k++, t *= 0.5) {
            cairn_transform xa = cairn_sweep_at(&ma, t), xb = cairn_sweep_at(&mb, t);
            if (cairn_bodies_distance(bodies, xa, xb).gap >= deepest)
                return t * piece;
        }
        return 0.0;
    }

    double target = 0.9 * world->touching; // it will be less than touching there
    int most = shared_looks - *job->looks;
    most = most < least_looks ? least_looks : most > most_looks ? most_looks : most;
    int left = most;
    bool hit = cairn_bodies_time_of_impact(bodies, &ma, &mb, target, &t, &left) == CAIRN_IMPACT_HIT;

    if (*job->looks < shared_looks)
        *job->looks += most - left;
    return hit ? t * piece : piece;
}

static void move(cairn_body* body, double time)
{
    body->x = cairn_add_scaled(body->x, time, body->v);
    cairn_rotate_freely(&body->q, &body->w, body->inertia, time);
    cairn_body_refresh(body);
}

// ---------------------------------------------------------------- planes of what it touches

// Whether a body goes away from another one, farther from the plane between them than any of its
// points are from its center: however it turns, they do not meet.
static bool is_leaving(const tracing* job, const guard* g)
{
    const cairn_body *body = &job->world->bodies[job->slot], *other = &job->world->bodies[g->other];
    cairn_vec3 n = g->plane.normal;
    return !has_pieces(other) && cairn_norm(other->w) == 0.0 &&
           cairn_dot(n, body->x) - g->plane.level >= body->radius &&
           cairn_dot(n, cairn_sub(body->v, other->v)) >= 0.0;
}

// lists the bodies that the traced one touches, with the planes between them
static void list_guards(tracing* job, const cairn_pair* all)
{
    job->guard_count = 0;
    job->touched = -1;
    job->free = true;
    for (int i = 0; i < job->count && job->guard_count < most_guards; i++) {
        const cairn_pair* close = &all[job->pairs[i]];
        if (!may_meet(job, close))
            continue;

        guard g = {.pair = job->pairs[i], .near = nearest(job, close)};
        int a = job->world->proxy_body[close->a], b = job->world->proxy_body[close->b];

        // the plane between the two, as seen by the traced body
        bool first = a == job->slot;
        g.other = first ? b : a;
        g.plane.normal = first ? cairn_neg(g.near.normal) : g.near.normal;
        g.plane.fixed = job->world->bodies[g.other].type == CAIRN_BODY_STATIC;
        g.plane.sunk = fmax(-g.near.gap, 0.0);
        g.plane.level = cairn_dot(g.plane.normal, first ? g.near.point_b : g.near.point_a);

        job->free = job->free && is_leaving(job, &g);
        if (!(g.near.gap <= job->world->touching))
            continue;
        job->touched = g.other;
        job->guards[job->guard_count++] = g;
    }

    job->free = job->free && job->guard_count < most_guards;
}

static int part_of(const tracing* job, const guard* g, const cairn_pair* all, bool own)
{
    bool first = job->world->proxy_body[all[g->pair].a] == job->slot;
    return first == own ? g->near.part_a : g->near.part_b;
}

// From the widest gap to the smallest, and only those that stay make ghosts of others.
static void find_ghosts(tracing* job, const cairn_pair* all)
{
    const cairn_body* body = &job->world->bodies[job->slot];
    bool done[most_guards] = {false};
    for (int k = 0; k < job->guard_count; k++) {
        int widest = -1;
        for (int i = 0; i < job->guard_count; i++)
            if (!done[i] && (widest < 0 || job->guards[i].near.gap > job->guards[widest].near.gap))
                widest = i;

        guard* g = &job->guards[widest];
        done[widest] = true;

        // another contact's plane that separates the pair makes it a ghost
        for (int i = 0; i < job->guard_count && !g->ghost; i++) {
            const guard* other = &job->guards[i];
            if (i == widest || other->ghost)
                continue;
            double turn = 1.0 - cairn_dot(g->plane.normal, other->plane.normal);
            g->ghost =
                cairn_plane_parts(job->world, &other->plane, turn, body, part_of(job, g, all, true),
                                  &job->world->bodies[g->other], part_of(job, g, all, false));
        }
    }
}

// Whether the body stays above a plane for `piece` seconds, the plane going along with its owner.
// The lowest point of what turns at ω dips by ρ ω² τ²/8 at most between two looks τ apart.
static bool stays_above(const tracing* job, const guard* g, double piece)
{
    const cairn_body* body = &job->world->bodies[job->slot];
    double slack = may_sink * job->world->touching, spin = cairn_norm(body->w);
    double looks = ceil(spin * piece * sqrt(body->radius / (8.0 * slack)));
    if (!(looks <= most_samples) || !cairn_shape_is_convex(&body->shape))
        return false;

    // the plane moves with its owner
    cairn_sweep owner = sweep_of(job, g->other, piece);
    cairn_vec3 at = cairn_scale(g->plane.level, g->plane.normal);
    cairn_vec3 own = cairn_transform_point_back(owner.from, at);
    cairn_vec3 n_own = cairn_rotate_back(owner.from.q, g->plane.normal);

    double deepest = fmax(-g->near.gap, slack);
    int count = looks > 1.0 ? (int)looks : 1;
    for (int k = 1; k <= count; k++) {
        cairn_body ahead = *body;
        double t = k / (double)count;
        move(&ahead, t * piece);
        cairn_transform then = cairn_sweep_at(&owner, t);
        cairn_vec3 n = cairn_rotate(then.q, n_own);
        double level = cairn_dot(n, cairn_transform_point(then, own));
        if (level + cairn_body_reach(&ahead, 0, cairn_neg(n)) > deepest)
            return false;
    }
    return true;
}

// whether no triangle of a surface about the way of the body sticks out of a plane
static bool is_surface_below(const cairn_plane* plane, const cairn_sweep* own,
                             const cairn_shape* shape, const cairn_body* other)
{
    enum { most_triangles = 256 };
    cairn_transform x = cairn_body_shape_pose(other);
    cairn_sweep seen = {cairn_transform_relative(x, own->from),
                        cairn_transform_relative(x, own->to)};
    cairn_aabb box =
        cairn_aabb_join(cairn_shape_aabb(shape, seen.from), cairn_shape_aabb(shape, seen.to));

    // the plane in the frame of the surface
    cairn_vec3 n = cairn_rotate_back(x.q, plane->normal);
    double level = plane->level - cairn_dot(plane->normal, x.p);
    cairn_surface_walk walk = cairn_surface_start(&other->shape, box);
    int count = 0;

    for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
        cairn_facet facet = cairn_surface_facet(&other->shape, i);
        for (int k = 0; k < 3; k++)
            if (cairn_dot(n, facet.corner[k]) - level > cairn_flush)
                return false;
        if (++count > most_triangles)
            return false;
    }
    return true;
}

// whether no part of another body sticks out of a plane between it and the body
static bool is_below(const cairn_world* world, const cairn_plane* plane, const cairn_body* body,
                     const cairn_body* other)
{
    enum { most_parts = 64 };
    bool compound = other->shape.kind == CAIRN_SHAPE_COMPOUND;
    int count = compound ? other->shape.data.compound->count : 1;
    if (count > most_parts)
        return false;
    for (int part = 0; part < count; part++)
        if (!cairn_plane_parts(world, plane, 1.0, body, 0, other, part))
            return false;
    return true;
}

// Whether a pair can be left alone on a piece of the way: a plane above which the body stays is
// between the two. Others than the owner of the plane must not move.
static bool is_guarded(const tracing* job, int pair, const cairn_pair* all, const cairn_sweep* own)
{
    const cairn_world* world = job->world;
    int a = world->proxy_body[all[pair].a], b = world->proxy_body[all[pair].b];
    const cairn_body *body = &world->bodies[job->slot],
                     *other = &world->bodies[a == job->slot ? b : a];

    for (int i = 0; i < job->guard_count; i++) {
        const guard* g = &job->guards[i];
        bool simple = g->pair == pair && !has_pieces(other);
        if (!g->holds || (!simple && other->type != CAIRN_BODY_STATIC))
            continue;
        bool below = !simple && other->shape.kind != CAIRN_SHAPE_COMPOUND && has_pieces(other)
                         ? is_surface_below(&g->plane, own, &body->shape, other)
                         : simple || is_below(world, &g->plane, body, other);
        if (below)
            return true;
    }
    return false;
}

// where the body is on its way now, and `piece` seconds later if it meets nobody
static cairn_sweep way_ahead(const tracing* job, double piece)
{
    cairn_body ahead = job->world->bodies[job->slot];
    cairn_transform from = cairn_body_shape_pose(&ahead);
    move(&ahead, piece);
    return (cairn_sweep){from, cairn_body_shape_pose(&ahead)};
}

// s: how long the next piece is, once what touches and comes together is struck. Where no plane
// tells how far what touches may go, it grazes or rolls, and goes a little.
static double next_piece(tracing* job, const cairn_pair* all, int* blows)
{
    cairn_body* body = &job->world->bodies[job->slot];
    list_guards(job, all);
    find_ghosts(job, all);
    for (int i = 0; i < job->guard_count; i++)
        if (!job->guards[i].ghost)
            *blows += strike(job->world, &all[job->guards[i].pair], &job->guards[i].near);

    double spin = cairn_norm(body->w), piece = job->left;
    if (job->free)
        return piece;

    piece = spin * piece > largest_turn ? largest_turn / spin : piece;
    for (int i = 0; i < job->guard_count; i++)
        job->guards[i].holds = !job->guards[i].ghost && stays_above(job, &job->guards[i], piece);

    cairn_sweep own = way_ahead(job, piece);
    bool all_hold = true;
    for (int i = 0; i < job->guard_count && all_hold; i++)
        all_hold = is_guarded(job, job->guards[i].pair, all, &own);
    if (all_hold)
        return piece;

    double speed = cairn_norm(body->v) + body->radius * spin;
    return fmin(piece, close_share * body->radius / speed);
}

// sets the shape of a body to a place
static void put(cairn_body* body, cairn_transform shape)
{
    cairn_transform centered = cairn_transform_relative(body->offset, cairn_transform_identity());
    cairn_transform at = cairn_transform_multiply(shape, centered);
    body->x = at.p;
    body->q = cairn_quat_normalize(at.q);
    cairn_body_refresh(body);
}

// a body that waits goes along with the one that it touches, for what is left of the substep
static void carry(const tracing* job)
{
    cairn_body* body = &job->world->bodies[job->slot];
    if (!(job->left > 0.0) || job->touched < 0 || job->ways[job->touched].swift)
        return;
    cairn_sweep carrier = sweep_of(job, job->touched, job->left);
    cairn_transform seen = cairn_transform_relative(carrier.from, cairn_body_shape_pose(body));
    put(body, cairn_transform_multiply(carrier.to, seen));
}

static void trace(tracing* job)
{
    int count, blows = 0;
    cairn_body* body = &job->world->bodies[job->slot];
    const cairn_pair* all = cairn_broad_pairs(job->world->broad, &count);
    double way = job->h * (cairn_norm(body->v) + body->radius * cairn_norm(body->w));
    int most = way > wild_share * body->radius ? few_pieces : most_pieces;

    for (int k = 0; k < most && blows < most_blows && job->left > 0.0; k++) {
        if (k >= few_pieces && --*job->budget < 0)
            break;
        double piece = next_piece(job, all, &blows), until = piece;

        // the first body that it meets on this piece
        cairn_sweep own = way_ahead(job, piece);
        for (int i = 0; i < job->count; i++)
            if (!job->free && may_meet(job, &all[job->pairs[i]]) &&
                !is_guarded(job, job->pairs[i], all, &own))
                until = fmin(until, meeting(job, &all[job->pairs[i]], &own, piece));

        // go there; the next piece begins with the blow
        move(body, until);
        job->left = until < job->left ? job->left - until : 0.0;
    }

    carry(job);
}

cairn_status cairn_world_trace(cairn_group* group, cairn_world* world, const cairn_way* ways,
                               double h)
{
    neighbors all = {0};
    int budget = shared_pieces;
    if (!list_neighbors(&all, ways, world))
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        int count = all.first[i + 1] - all.first[i];
        if (!ways[i].swift || count == 0 || body->frozen)
            continue;

        tracing job = {.world = world,
                       .ways = ways,
                       .pairs = all.pairs + all.first[i],
                       .count = count,
                       .slot = i,
                       .h = h,
                       .left = h,
                       .budget = &budget,
                       .looks = &group->looks,
                       .touched = -1};

        // back to where the drift began
        body->w = ways[i].w;
        put(body, ways[i].from);

        trace(&job);
        if (job.left * cairn_norm(body->v) > far_share * body->radius)
            cairn_reports_tell_waiting(group, world, i);
    }
    return CAIRN_OK;
}
