// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Springs and dampers of joints beside contacts. With x the coordinate, x₀ its rest, J its row, h
// the substep and u the velocities of the drift, the force of a spring is that at the middle of the
// drift (implicit midpoint: no energy is lost, stable for every k); half of its impulse acts in the
// kick before the drift, the other half in the kick after it:
//
//     before   -h/2 k (x_n - x₀ + h/2 J u)  =  -h/2 k (x_n - x₀)  -  S J u,      S = h² k / 4
//     after    -h/2 k ((x_n + x_{n+1})/2 - x₀)
//
// Kicks between two drifts have both. What is known when a kick begins is pushed with the other
// forces; -S J u is a row with compliance. A damper c is fitted so that it alone decays by its
// exponential, with D = η c in a kick of η seconds, a = J M^-1 J^T and y = D a:
//
//     -D (θ J u + (1 - θ) J v),      θ = 1/(1 - e^-y) - 1/y,
//     J u + λ / (S + D θ) + D (1 - θ) J v / (S + D θ) = 0.
//
// The rest pass, an aftershock and the integrators of first order take the spring where the kick
// would lead:
//
//     λ = -η (k (x - x₀ + h u) + c u)   ⇔   u + λ / (η (c + h k)) + k (x - x₀) / (c + h k) = 0.

#include "world/step/island.h"

// whether the impulse of a spring is divided between the kicks before and after a drift
static bool is_split(const cairn_span* span)
{
    return span->group->behind && span->phase != CAIRN_PHASE_REST && !span->instant;
}

// M^-1 J^T of one side of a row
static void respond(double* to, const double* row, const cairn_body* body)
{
    cairn_vec3 w = cairn_mat3_apply(body->inverse_inertia, cairn_vec(row[3], row[4], row[5]));
    to[0] = body->inverse_mass * row[0];
    to[1] = body->inverse_mass * row[1];
    to[2] = body->inverse_mass * row[2];
    to[3] = w.x;
    to[4] = w.y;
    to[5] = w.z;
}

// J M^-1 J^T
static double mobility(const cairn_world* world, const cairn_link* link, const cairn_row* row)
{
    const int slots[2] = {link->a, link->b};
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        if (slots[side] == CAIRN_WORLD_BODY || !cairn_body_active(&world->bodies[slots[side]]))
            continue;
        const double* own = side ? row->b : row->a;
        double y[6];
        respond(y, own, &world->bodies[slots[side]]);
        for (int k = 0; k < 6; k++)
            sum += own[k] * y[k];
    }
    return sum;
}

double cairn_link_spring_rate(const cairn_world* world, const cairn_link* link)
{
    cairn_row row;
    if (link->stiffness == 0.0)
        return 0.0;
    cairn_link_place place = cairn_link_where(world, link);
    return cairn_link_free_row(&row, link, &place) ? link->stiffness * mobility(world, link, &row)
                                                   : 0.0;
}

// N s: of a spring at coordinate x, as far as it is known when the kick begins
static double known_impulse(const cairn_span* span, const cairn_link* link, double x)
{
    const cairn_world* world = span->world;
    int slot = cairn_body_active(&world->bodies[link->b]) ? link->b : link->a;
    double behind = span->group->behind[slot];
    double ahead = span->phase == CAIRN_PHASE_END ? 0.0 : 0.5 * span->h;
    return -link->stiffness *
           (behind * (0.5 * (link->x_last + x) - link->rest) + ahead * (x - link->rest));
}

void cairn_span_push_springs(double* velocities, const cairn_span* span)
{
    const cairn_world* world = span->world;
    for (int i = 0; i < world->link_count && is_split(span); i++) {
        const cairn_link* link = &world->links[i];
        cairn_row row;
        if (link->stiffness == 0.0 || !cairn_link_active(world, link))
            continue;
        cairn_link_place place = cairn_link_where(world, link);
        if (!cairn_link_free_row(&row, link, &place))
            continue;

        // the impulse that is known before the kick; the rest is a row with compliance
        double impulse = known_impulse(span, link, place.coordinate);

        const int slots[2] = {link->a, link->b};
        for (int side = 0; side < 2; side++) {
            if (slots[side] == CAIRN_WORLD_BODY || !cairn_body_active(&world->bodies[slots[side]]))
                continue;
            double y[6];
            respond(y, side ? row.b : row.a, &world->bodies[slots[side]]);
            for (int k = 0; k < 6; k++)
                velocities[6 * (ptrdiff_t)slots[side] + k] += impulse * y[k];
        }
    }
}

void cairn_island_keep_springs(const cairn_span* span)
{
    for (int i = 0; i < span->island->link_count && is_split(span); i++) {
        cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        cairn_row row;

        // bodies may have been frozen since the island was made
        if (link->stiffness == 0.0 || !cairn_link_active(span->world, link))
            continue;
        cairn_link_place place = cairn_link_where(span->world, link);
        if (cairn_link_free_row(&row, link, &place))
            cairn_link_add_impulse(link, &row, known_impulse(span, link, place.coordinate));
        link->x_last = place.coordinate;
    }
}

// how much of a damper acts by the velocity after the kick
static double after_share(double y)
{
    return y < 1e-4 ? 0.5 + y / 12.0 : 1.0 / (1.0 - exp(-y)) - 1.0 / y;
}

cairn_spring_law cairn_link_spring_law(const cairn_span* span, const cairn_link* link,
                                       const cairn_link_place* place, const cairn_row* row)
{
    double h = span->h, k = link->stiffness, c = link->damping;
    if (!is_split(span)) {
        double soft = c + h * k;
        return (cairn_spring_law){span->kick * soft, k * (place->coordinate - link->rest) / soft};
    }
    double S = span->phase == CAIRN_PHASE_END ? 0.0 : 0.25 * h * h * k, D = span->kick * c;
    double share = D > 0.0 ? after_share(D * mobility(span->world, link, row)) : 0.0;
    double slope = S + D * share,
           before = D > 0.0 ? cairn_link_velocity(row, span->world, link) : 0.0;
    return (cairn_spring_law){slope, slope > 0.0 ? D * (1.0 - share) * before / slope : 0.0};
}
