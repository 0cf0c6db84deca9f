// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Friction, rolling resistance and restitution of two materials, combined by their rules, and the
// tangents of surfaces with a grain.

#include "world/step/contact_law.h"
#include "world/alerts.h"
#include "world/step/island.h"
#include "world/step/kinematics.h"

static double combine(double a, double b, cairn_combine rule_a, cairn_combine rule_b)
{
    // the rule of higher rank wins, whichever body has it
    cairn_combine rule = rule_a > rule_b ? rule_a : rule_b;
    if (a == b && rule != CAIRN_COMBINE_PRODUCT)
        return a; // what each of the means gives, to the bit

    switch (rule) {
    case CAIRN_COMBINE_MEAN:
        return 0.5 * (a + b);
    case CAIRN_COMBINE_SMALLER:
        return fmin(a, b);
    case CAIRN_COMBINE_LARGER:
        return fmax(a, b);
    case CAIRN_COMBINE_PRODUCT:
        return a * b;
    case CAIRN_COMBINE_GEOMETRIC:
        break;
    }
    return sqrt(a * b);
}

// what a part of a body is made of
static const cairn_material* material_of(const cairn_body* body, int part)
{
    return body->parts ? &body->parts[part].material : &body->material;
}

static bool grained(const cairn_material* material)
{
    return cairn_dot(material->direction, material->direction) > 0.0;
}

// whether a surface moves against its body
static bool runs(const cairn_material* material)
{
    return cairn_dot(material->surface_velocity, material->surface_velocity) > 0.0;
}

// the unit direction of the grain of a body in the plane of a contact; false: it has none there
static bool grain_of(cairn_vec3* t, const cairn_body* body, const cairn_material* material,
                     cairn_vec3 n)
{
    cairn_vec3 grain = cairn_rotate(cairn_body_pose(body).q, material->direction);
    cairn_vec3 across = cairn_add_scaled(grain, -cairn_dot(grain, n), n);
    if (!(cairn_norm(across) > 1e-6 * cairn_norm(grain)))
        return false;
    *t = cairn_normalize(across);
    return true;
}

// the friction of a surface along a unit direction d: how far its ellipse about the grain t reaches
static double friction_along(const cairn_material* m, bool has, cairn_vec3 t, cairn_vec3 d)
{
    double c = cairn_dot(t, d), along = m->mu, across = m->mu_across;
    if (!has || c * c >= 1.0)
        return along;
    if (c == 0.0)
        return across;
    double root = sqrt(c * c * across * across + (1.0 - c * c) * along * along);
    return root > 0.0 ? along * across / root : 0.0;
}

// The tangents and frictions of two surfaces of which one has a grain, or both. The ellipse of a
// surface with the grain t and s square to it is that of the tensor μ t t' + μ_across s s'. The
// tangents are the axes of the sum of both tensors, and along each the frictions of the two
// surfaces are combined by their rule: neither body is the first. False: there is no grain in this
// plane.
static bool combine_grains(cairn_vec3* t, double mu[2], const cairn_body* a,
                           const cairn_material* m, const cairn_body* b, const cairn_material* k,
                           cairn_vec3 n)
{
    cairn_vec3 t_a = {0}, t_b = {0};
    bool has_a = grained(m) && grain_of(&t_a, a, m, n);
    bool has_b = grained(k) && grain_of(&t_b, b, k, n);
    if (!has_a && !has_b)
        return false;
    *t = has_a ? t_a : t_b;

    // `half` is the angle from t_A to an axis; d_a and d_b are the differences of the frictions
    if (has_a && has_b) {
        cairn_vec3 s = cairn_cross(n, t_a);
        double c = cairn_dot(t_a, t_b), sine = cairn_dot(s, t_b);
        double d_a = m->mu - m->mu_across, d_b = k->mu - k->mu_across;
        double half = 0.5 * cairn_atan2(2.0 * d_b * sine * c, d_a + d_b * (c * c - sine * sine));
        *t = cairn_add_scaled(cairn_scale(cairn_cos(half), t_a), cairn_sin(half), s);
    }

    // along each axis the frictions of both surfaces are combined by the rule
    const cairn_vec3 axes[2] = {*t, cairn_cross(n, *t)};
    for (int i = 0; i < 2; i++)
        mu[i] = combine(friction_along(m, has_a, t_a, axes[i]),
                        friction_along(k, has_b, t_b, axes[i]), m->friction_rule, k->friction_rule);
    return true;
}

bool cairn_touch_has_grain(const cairn_touch* touch, const cairn_world* world)
{
    const cairn_material* m = material_of(&world->bodies[touch->a], touch->part_a);
    const cairn_material* k = material_of(&world->bodies[touch->b], touch->part_b);
    return touch->kind != CAIRN_FRICTION_CONE && (grained(m) || grained(k));
}

void cairn_touch_set_grain(cairn_touch* touch, const cairn_world* world)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    const cairn_material* m = material_of(a, touch->part_a);
    const cairn_material* k = material_of(b, touch->part_b);
    if (cairn_touch_has_grain(touch, world))
        combine_grains(&touch->t, touch->mu, a, m, b, k, touch->n);
}

static double rolling_of(const cairn_material* m, const cairn_material* k)
{
    return combine(m->mu_roll, k->mu_roll, m->friction_rule, k->friction_rule);
}

double cairn_touch_rolling(const cairn_touch* touch, const cairn_world* world)
{
    return rolling_of(material_of(&world->bodies[touch->a], touch->part_a),
                      material_of(&world->bodies[touch->b], touch->part_b));
}

// m/s, world: a surface against its body
static cairn_vec3 surface_of(const cairn_body* body, int part)
{
    const cairn_material* m = material_of(body, part);
    return cairn_rotate(cairn_body_pose(body).q, m->surface_velocity);
}

// with the surface velocities s of A and B: s_B - s_A, less what of it is along n
cairn_vec3 cairn_touch_carried(const cairn_touch* touch, const cairn_world* world)
{
    cairn_vec3 s = cairn_sub(surface_of(&world->bodies[touch->b], touch->part_b),
                             surface_of(&world->bodies[touch->a], touch->part_a));
    return cairn_add_scaled(s, -cairn_dot(s, touch->n), touch->n);
}

cairn_spring cairn_touch_spring(const cairn_touch* touch, const cairn_world* world)
{
    return cairn_spring_of(material_of(&world->bodies[touch->a], touch->part_a),
                           material_of(&world->bodies[touch->b], touch->part_b));
}

bool cairn_body_is_soft(const cairn_body* body)
{
    bool compound = body->parts && body->shape.kind == CAIRN_SHAPE_COMPOUND;
    for (int i = 0; compound && i < body->shape.data.compound->count; i++)
        if (body->parts[i].material.stiffness > 0.0)
            return true;
    return !compound && body->material.stiffness > 0.0;
}

// friction and restitution, and the tangents
static void set_material(cairn_contact_law* common, const cairn_body* a, const cairn_body* b)
{
    const cairn_material* m = material_of(a, common->part_a);
    const cairn_material* k = material_of(b, common->part_b);
    cairn_vec3 across;

    cairn_tangents(common->n, &common->t, &across);
    common->kind = CAIRN_FRICTION_CONE;
    common->rows = 3;
    common->mu[0] = common->mu[1] = combine(m->mu, k->mu, m->friction_rule, k->friction_rule);
    common->mu[2] = combine(m->mu_spin, k->mu_spin, m->friction_rule, k->friction_rule);

    // grain makes the friction anisotropic: an ellipse along the axes of both grains
    common->grained =
        (grained(m) || grained(k)) && combine_grains(&common->t, common->mu, a, m, b, k, common->n);
    if (common->grained)
        common->kind = CAIRN_FRICTION_ELLIPSE;

    common->mu_static = 0.0;
    if (m->mu_static > 0.0 || k->mu_static > 0.0)
        common->mu_static = combine(fmax(m->mu, m->mu_static), fmax(k->mu, k->mu_static),
                                    m->friction_rule, k->friction_rule);

    // torsional friction adds a fourth row
    if (common->mu[2] > 0.0) {
        common->kind = CAIRN_FRICTION_ELLIPSOID;
        common->rows = 4;
    }

    // a soft contact bounces by its spring instead of by restitution
    common->restitution =
        combine(m->restitution, k->restitution, m->restitution_rule, k->restitution_rule);
    common->soft = m->stiffness > 0.0 || k->stiffness > 0.0;
    if (common->soft)
        common->restitution = 0.0;

    common->carries = runs(m) || runs(k);
    common->rolls = (m->mu_roll > 0.0 || k->mu_roll > 0.0) && rolling_of(m, k) > 0.0;
}

// a hook of the user may set another law
static void ask_material(cairn_contact_law* common, cairn_world* world)
{
    cairn_law_of_pair law = {common->mu[0], common->mu_static, common->mu[2], common->restitution};
    cairn_world_ask_material(world, common->a, common->part_a, common->b, common->part_b, &law);
    if (!common->grained)
        common->mu[0] = common->mu[1] = law.mu;
    common->mu_static = law.mu_static;
    common->mu[2] = law.mu_spin;
    common->restitution = common->soft ? 0.0 : law.restitution;
    common->rows = law.mu_spin > 0.0 ? 4 : 3;
    common->kind = law.mu_spin > 0.0 ? CAIRN_FRICTION_ELLIPSOID
                   : common->grained ? CAIRN_FRICTION_ELLIPSE
                                     : CAIRN_FRICTION_CONE;
}

void cairn_contact_law_set(cairn_contact_law* common, const cairn_world* world,
                           const cairn_pair* pair, cairn_vec3 n, int part_a, int part_b)
{
    common->a = world->proxy_body[pair->a];
    common->b = world->proxy_body[pair->b];
    common->part_a = part_a;
    common->part_b = part_b;
    common->pair = pair->slot;
    common->touching = world->pairs[pair->slot].touching;
    common->n = n;
    set_material(common, &world->bodies[common->a], &world->bodies[common->b]);
    if (world->material_hook)
        ask_material(common, (cairn_world*)world);
}
