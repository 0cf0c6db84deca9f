// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How many substeps small islands of contacts take beyond those that were asked for, without joints but
// for what is soft, always a power of two times these:
//
//     update     what the last step's drifts made of the gaps of loaded contacts misses their rows by
//                more than 2e-6 of the size of a body: a coin that rolls fast, a disk that wobbles. The
//                miss is of fourth order in h, what it costs of the motion of second. As many
//                powers more as that asks for; one less after 30 steps in a row with less than 1/64 of it.
//     arrival    a body that stands on a contact will meet another one within the step, as a block that
//                rocks from edge to edge. When it does is known to a substep only, and the forces of
//                the two contacts turn it to opposite sides: an error of first order in h. As many
//                substeps as there is work for.
//     spring     a soft contact that meets within the step, or swings so far that it opens, has the rate
//                ω² = Σ k J M^-1 J^T, the sum over the points of its pair. Its bounce lasts π/ω; it is
//                right where h ω <= 1/6. What swings at v < g/ω stays closed: that needs none.
//
// The work is bounded: 512 contacts in all substeps of a step together.

#include "world/step/contact_law.h"
#include "world/step/kinematics.h"
#include "world/step/step.h"

enum {
    most_work = 512, // contacts times substeps
    patience = 30,   // steps before fewer substeps are taken
    most_doublings = 6,
};
static const double soft_turn = 1.0 / 6.0;     // rad: h ω of a soft contact
static const double slow = 1e-3;               // m/s: what closes slower does not matter
static const double rough = 2e-6;              // of the size of a body
static const double per_doubling = 1.0 / 16.0; // of what is missed
static const double smooth = 1.0 / 64.0;       // of that

static cairn_body* body_of(const cairn_group* group, const cairn_island* island,
                           const cairn_world* world, int k)
{
    return &world->bodies[group->bodies[island->body + k]];
}

static bool is_moving(const cairn_island* island)
{
    return !island->rested && !island->advanced && island->touch_count > 0;
}

static bool is_paced(const cairn_island* island)
{
    return is_moving(island) && island->link_count == 0 && island->touch_count <= most_work;
}

// whether one of the bodies of a contact stands on another contact of the island
static bool is_borne(const cairn_touch* arriving, const cairn_group* group,
                     const cairn_island* island, const cairn_world* world)
{
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[group->touches[island->touch + c]];
        bool shared = cairn_body_active(&world->bodies[touch->a]) &&
                      (touch->a == arriving->a || touch->a == arriving->b);
        shared = shared || (cairn_body_active(&world->bodies[touch->b]) &&
                            (touch->b == arriving->a || touch->b == arriving->b));
        if (shared && touch->span > 0.0 && cairn_dot(touch->impulse, touch->n) > 0.0)
            return true;
    }
    return false;
}

static bool has_arrival(const cairn_group* group, const cairn_island* island,
                        const cairn_world* world, double dt, int substeps)
{
    // s: what closes sooner does so in the first substep, however short these are
    double shortest = dt / ldexp(substeps, most_doublings);
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[group->touches[island->touch + c]];
        if (!(touch->gap > 0.0))
            continue;
        cairn_reach reach = cairn_touch_reach(touch, world);
        double closing = -cairn_dot(reach.n, cairn_touch_slip(touch, world, &reach));
        bool within = reach.gap < dt * closing && reach.gap > shortest * closing;
        if (closing > slow && within && is_borne(touch, group, island, world))
            return true;
    }
    return false;
}

// J M^-1 J^T of one side of a normal
static double mobility(const cairn_body* body, cairn_vec3 r, cairn_vec3 n)
{
    if (!cairn_body_active(body))
        return 0.0;
    cairn_vec3 turn = cairn_cross(r, n);
    return body->inverse_mass + cairn_dot(turn, cairn_mat3_apply(body->inverse_inertia, turn));
}

// rad²/s²: of the stiffest pair of soft contacts that bounces within the step
static double soft_rate(const cairn_group* group, const cairn_island* island,
                        const cairn_world* world, double dt)
{
    double most = 0.0, rate = 0.0, fastest = 0.0, g = cairn_norm(world->def.gravity);
    int pair = -1;
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[group->touches[island->touch + c]];
        const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
        if (!touch->soft)
            continue;

        // contacts come in the order of their pairs
        if (touch->pair != pair)
            rate = fastest = 0.0;
        pair = touch->pair;
        cairn_reach reach = cairn_touch_reach(touch, world);
        double speed = cairn_dot(reach.n, cairn_touch_slip(touch, world, &reach));
        if (reach.gap > 0.0 && reach.gap + dt * (speed - g * dt) > 0.0)
            continue;
        rate += cairn_touch_spring(touch, world).stiffness *
                (mobility(a, reach.r_a, reach.n) + mobility(b, reach.r_b, reach.n));
        fastest = fmax(fastest, fabs(speed));
        if (fastest > slow && fastest * fastest * rate > g * g)
            most = fmax(most, rate);
    }
    return most;
}

// how often the substeps are doubled so that the soft contacts of an island bounce as they should
static int soft_doublings(const cairn_group* group, cairn_island* island, const cairn_world* world,
                          double dt, int substeps)
{
    int doublings = 0;
    if (!island->soft || !is_moving(island) || island->touch_count > most_work)
        return 0;
    island->bounce = soft_rate(group, island, world, dt);
    double turn = dt * sqrt(island->bounce);
    while (doublings < most_doublings && turn > soft_turn * (substeps << doublings))
        doublings++;
    return doublings;
}

void cairn_pace_contacts(int* substeps, const cairn_group* group, const cairn_world* world,
                         double dt)
{
    int contacts = 0, doublings = 0;
    for (int i = 0; i < group->count; i++)
        contacts += is_moving(&group->islands[i]) ? group->islands[i].touch_count : 0;

    for (int i = 0; i < group->count && contacts * *substeps < most_work; i++) {
        cairn_island* island = &group->islands[i];
        int soft = soft_doublings(group, island, world, dt, *substeps);
        doublings = soft > doublings ? soft : doublings;
        if (!is_paced(island))
            continue;
        for (int k = 0; k < island->body_count; k++) {
            cairn_pace* pace = &body_of(group, island, world, k)->pace;
            doublings = pace->by_update > doublings ? pace->by_update : doublings;
            pace->missed = 0.0;
        }

        if (doublings < most_doublings && has_arrival(group, island, world, dt, *substeps))
            doublings = most_doublings;
    }

    // double the substeps while the work stays within its bound
    for (; doublings > 0; doublings--)
        if (2 * *substeps <= world->def.most_substeps && 2 * *substeps * contacts <= most_work)
            *substeps *= 2;
}

void cairn_pace_miss(cairn_world* world, const cairn_touch* touch, double error)
{
    cairn_body* bodies[2] = {&world->bodies[touch->a], &world->bodies[touch->b]};
    double a = bodies[0]->radius, b = bodies[1]->radius;
    double size = a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
    for (int side = 0; side < 2; side++)
        if (cairn_body_active(bodies[side]))
            bodies[side]->pace.missed = fmax(bodies[side]->pace.missed, error / size);
}

void cairn_pace_learn(const cairn_group* group, const cairn_world* world, int substeps)
{
    int taken = 0;
    while (world->def.substeps << (taken + 1) <= substeps)
        taken++;

    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        if (!is_paced(island))
            continue;
        double missed = 0.0;
        int doublings = 0, calm = patience;
        for (int k = 0; k < island->body_count; k++) {
            const cairn_pace* pace = &body_of(group, island, world, k)->pace;
            missed = fmax(missed, pace->missed);
            doublings = pace->by_update > doublings ? pace->by_update : doublings;
            calm = pace->smooth < calm ? pace->smooth : calm;
        }

        // more substeps at once where the update missed its rows; one power less after a calm while
        calm = missed < smooth * rough ? calm + 1 : 0;
        int wanted = missed > rough ? taken : 0;
        for (double rest = missed; rest > rough && wanted < most_doublings; rest *= per_doubling)
            wanted++;
        doublings = wanted > doublings ? wanted : doublings;
        if (calm >= patience && doublings > 0) {
            doublings--;
            calm = 0;
        }

        for (int k = 0; k < island->body_count; k++) {
            cairn_pace* pace = &body_of(group, island, world, k)->pace;
            pace->by_update = (uint8_t)doublings;
            pace->smooth = (uint8_t)(doublings > 0 ? calm : 0);
        }
    }
}
