// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Mass, center and principal axes of bodies, from what is given and from their shapes.

#include "linalg/eigen3.h"
#include "math/accept.h"
#include "world/state.h"

// R m R^T: a tensor of the shape frame in body axes
static cairn_mat3 turned(cairn_mat3 m, cairn_quat q)
{
    cairn_mat3 R = cairn_quat_to_mat3(q);
    return cairn_mat3_multiply(R, cairn_mat3_multiply(m, cairn_mat3_transpose(R)));
}

static bool is_given(cairn_mat3 m)
{
    return cairn_norm(m.cx) > 0.0 || cairn_norm(m.cy) > 0.0 || cairn_norm(m.cz) > 0.0;
}

// The parts of a compound with a density each: the mass, and center and inertia as of a shape of
// density 1 and that volume.
static cairn_status weigh_parts(cairn_mass_properties* sum, const cairn_body_def* def,
                                cairn_error* error)
{
    const cairn_compound* compound = def->shape->data.compound;
    *sum = (cairn_mass_properties){0};
    cairn_vec3 moment = {0.0, 0.0, 0.0};

    // the center first, then the inertia about it
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            sum->center = cairn_scale(1.0 / sum->volume, moment);
        for (int i = 0; i < compound->count; i++) {
            cairn_mass_properties own;
            cairn_status status = cairn_shape_mass(&compound->parts[i], &own, error);
            if (status != CAIRN_OK)
                return status;

            double mass = def->parts[i].density * own.volume;
            cairn_vec3 at = cairn_transform_point(compound->offsets[i], own.center);

            if (pass == 0) {
                sum->volume += mass;
                moment = cairn_add_scaled(moment, mass, at);
                continue;
            }

            // I = Σ ρ R I R^T - m [r] [r], r from the common center
            cairn_mat3 skew = cairn_mat3_skew(cairn_sub(at, sum->center));
            cairn_mat3 turning = cairn_mat3_scale(def->parts[i].density,
                                                  turned(own.inertia, compound->offsets[i].q));
            turning =
                cairn_mat3_add(turning, cairn_mat3_scale(-mass, cairn_mat3_multiply(skew, skew)));
            sum->inertia = cairn_mat3_add(sum->inertia, turning);
        }
    }
    return CAIRN_OK;
}

// mass, center and inertia (body axes, about the center) of a dynamic body
static cairn_status weigh(double* mass, cairn_vec3* center, cairn_mat3* inertia,
                          const cairn_body_def* def, cairn_error* error)
{
    bool given = is_given(def->inertia);
    *mass = def->mass;
    *inertia = def->inertia;
    *center = def->centered ? def->center : cairn_vec(0.0, 0.0, 0.0);

    if (!def->shape) {
        if (!(def->mass > 0.0) || !given)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "a dynamic body without a shape needs a mass > 0 and an inertia");
        return CAIRN_OK;
    }

    // a body of which all is given may have a shape without a volume of its own
    if (def->mass > 0.0 && given && def->centered)
        return CAIRN_OK;

    cairn_mass_properties shape;
    cairn_status status =
        def->parts ? weigh_parts(&shape, def, error) : cairn_shape_mass(def->shape, &shape, error);
    if (status != CAIRN_OK)
        return status;

    // what the def does not give comes from the shape
    if (!(def->mass > 0.0))
        *mass = def->parts ? shape.volume : def->density * shape.volume;
    if (!def->centered)
        *center = cairn_transform_point(def->shape_offset, shape.center);
    if (!given)
        *inertia =
            cairn_mat3_scale(*mass / shape.volume, turned(shape.inertia, def->shape_offset.q));

    return CAIRN_OK;
}

static cairn_status check_mass(double mass, cairn_vec3 inertia, cairn_error* error)
{
    cairn_status status = cairn_accept(error, "the body's mass", mass, CAIRN_A_MASS);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "a principal moment of the body", inertia, CAIRN_A_MOMENT);
    return status;
}

// zero (not given), or symmetric and finite; that it is positive shows in its moments
cairn_status cairn_accept_inertia(cairn_mat3 m, cairn_error* error)
{
    double scale = cairn_norm(m.cx) + cairn_norm(m.cy) + cairn_norm(m.cz);
    double skew = fabs(m.cx.y - m.cy.x) + fabs(m.cx.z - m.cz.x) + fabs(m.cy.z - m.cz.y);
    if (isfinite(scale) && skew <= 1e-9 * scale)
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_BAD_INPUT, "the body's inertia is not finite or not symmetric");
}

cairn_status cairn_body_weigh(cairn_body* body, const cairn_body_def* def, cairn_error* error)
{
    cairn_transform principal = cairn_transform_identity();
    if (def->type == CAIRN_BODY_DYNAMIC) {
        double mass;
        cairn_mat3 inertia;
        cairn_status status = weigh(&mass, &principal.p, &inertia, def, error);
        if (status != CAIRN_OK)
            return status;

        cairn_eigen3(&body->inertia, &principal.q, inertia);

        status = check_mass(mass, body->inertia, error);
        if (status != CAIRN_OK)
            return status;

        body->mass = mass;
        body->weighed = true;
        body->inverse_mass = 1.0 / mass;
    }

    // the shape as seen from the principal frame
    cairn_transform back = cairn_transform_relative(principal, cairn_transform_identity());
    cairn_body_set_principal(body, principal);
    body->offset = cairn_transform_multiply(back, def->shape_offset);
    return CAIRN_OK;
}

double cairn_body_mass_of(const cairn_body_def* def)
{
    cairn_mass_properties shape;
    bool simple = def->shape &&
                  (cairn_shape_is_convex(def->shape) || def->shape->kind == CAIRN_SHAPE_COMPOUND);
    if (!simple || cairn_shape_mass(def->shape, &shape, NULL) != CAIRN_OK)
        return 0.0;
    return def->density * shape.volume;
}
