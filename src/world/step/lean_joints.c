// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints in a lean step: their rows anew in each small step, where the bodies are, and swept one by
// one. With C the error of a row and η the small step:
//
//     equality   u = 0, C pulled back softly
//     limit      u + room/η >= 0, λ >= 0; beyond it the room is pulled back
//     motor      u = speed, |λ| <= η strength
//     spring     λ = -η (k (q + η u - rest) + c u)

#include "world/step/lean.h"
#include "world/step/rotation.h"

static const double joint_hertz = 60.0, joint_damping = 2.0;
static const double fastest_return = 10.0; // m/s, rad/s: at which errors are pulled back

// where the impulses of the last small step lie in cairn_link.warm
enum { few_rows = 600 }; // joints of a larger net are swept once, and not closed at the end

enum { limit_at = 6, motor_at = 7, spring_at = 8, most_rows = 9 };

typedef enum lean_rule { EQUALITY, LIMIT, MOTOR, SPRING } lean_rule;

typedef struct lean_row {
    cairn_row row;
    lean_rule rule;
    int joint, warm;   // its joint, and its place among the impulses of it
    double mass;       // kg
    double fixed;      // m/s: of bodies that nothing moves
    double C;          // m: the error, or the room to the limit
    double lo, hi;     // N s
    double compliance; // 1/kg
    double bias;       // m/s
    double pulled;     // kg m: while joints are closed
} lean_row;

typedef struct lean_joint {
    cairn_link* link;
    int a, b; // places, or -1
    double lambda[most_rows];
} lean_joint;

struct cairn_lean_joints {
    int count, row_count;
    lean_joint* joints;
    lean_row* rows;
    cairn_vec3* kept; // v and w of each body
    cairn_softness soft;
    double h, elapsed; // s
};

cairn_lean_joints* cairn_lean_joints_make(const cairn_span* span, bool* none)
{
    int count = span->island->link_count;
    *none = count == 0;
    cairn_lean_joints* out = count > 0 ? CAIRN_TAKE(span->arena, cairn_lean_joints, 1) : NULL;
    lean_joint* joints = CAIRN_TAKE(span->arena, lean_joint, count);
    lean_row* rows = CAIRN_TAKE(span->arena, lean_row, most_rows * (size_t)count);
    cairn_vec3* kept = CAIRN_TAKE(span->arena, cairn_vec3, 2 * (size_t)span->island->body_count);
    if (!out || span->arena->failed)
        return NULL;

    // only impulses of a lean step are a warm start: those of other steps are of another kind
    double last = span->world->meter.h;
    *out = (cairn_lean_joints){.count = count,
                               .joints = joints,
                               .rows = rows,
                               .kept = kept,
                               .h = last > 0.0 ? last : span->h};

    for (int i = 0; i < count; i++) {
        cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        joints[i] = (lean_joint){.link = link,
                                 .a = link->a < 0 ? -1 : span->group->local[link->a],
                                 .b = span->group->local[link->b]};
        for (int k = 0; k < most_rows; k++)
            joints[i].lambda[k] = last > 0.0 ? link->warm[k] : 0.0;
    }

    return out;
}

// ---------------------------------------------------------------- rows

// where a body of a joint is; those that nothing moves go on with the velocity that they have
static cairn_transform transform_of(const cairn_lean_joints* all, const cairn_span* span,
                                    const cairn_lean_body* bodies, int slot, int place)
{
    if (slot < 0)
        return cairn_transform_identity();
    if (place >= 0)
        return bodies[place].at;
    const cairn_body* body = &span->world->bodies[slot];
    if (body->type != CAIRN_BODY_KINEMATIC || body->frozen)
        return (cairn_transform){body->x, body->q};
    cairn_quat turn = cairn_turn_by(cairn_scale(all->elapsed, body->w));
    return (cairn_transform){cairn_add_scaled(body->x, all->elapsed, body->v),
                             cairn_quat_normalize(cairn_quat_multiply(turn, body->q))};
}

static double along(const double* row, cairn_vec3 v, cairn_vec3 w)
{
    return row[0] * v.x + row[1] * v.y + row[2] * v.z + row[3] * w.x + row[4] * w.y + row[5] * w.z;
}

// 1/kg: of one side of a row
static double mobility(const double* row, const cairn_lean_body* body)
{
    cairn_vec3 d = cairn_vec(row[0], row[1], row[2]), turn = cairn_vec(row[3], row[4], row[5]);
    return body->inverse_mass * cairn_dot(d, d) +
           cairn_dot(turn, cairn_mat3_apply(body->inverse_inertia, turn));
}

static double driven_velocity(const cairn_span* span, const double* row, int slot, int place)
{
    if (slot < 0 || place >= 0)
        return 0.0;
    const cairn_body* body = &span->world->bodies[slot];
    bool driven = body->type == CAIRN_BODY_KINEMATIC && !body->frozen;
    return driven ? along(row, body->v, body->w) : 0.0;
}

static lean_row* add_row(cairn_lean_joints* all, const cairn_span* span,
                         const cairn_lean_body* bodies, int joint, const cairn_row* row)
{
    const lean_joint* own = &all->joints[joint];
    lean_row* to = &all->rows[all->row_count++];
    *to = (lean_row){.row = *row, .joint = joint, .lo = -INFINITY, .hi = INFINITY};
    double a = own->a >= 0 ? mobility(row->a, &bodies[own->a]) : 0.0;
    double b = own->b >= 0 ? mobility(row->b, &bodies[own->b]) : 0.0;
    to->mass = a + b > 0.0 ? 1.0 / (a + b) : 0.0;
    to->fixed = driven_velocity(span, row->a, own->link->a, own->a) +
                driven_velocity(span, row->b, own->link->b, own->b);
    return to;
}

// limit, motor and spring of the free coordinate
static void add_free_rows(cairn_lean_joints* all, const cairn_span* span,
                          const cairn_lean_body* bodies, int joint, const cairn_link_place* place)
{
    const cairn_link* link = all->joints[joint].link;
    cairn_row row;

    double room, h = all->h, soft = link->damping + h * link->stiffness;
    if (!cairn_link_free_row(&row, link, place))
        return;

    // spring and damper, implicit in velocity and coordinate: a compliant row
    if (soft > 0.0) {
        lean_row* spring = add_row(all, span, bodies, joint, &row);
        spring->rule = SPRING;
        spring->warm = spring_at;
        spring->bias = link->stiffness * (place->coordinate - link->rest) / soft;
        spring->compliance = 1.0 / (h * soft);
    }

    if (link->driven) {
        lean_row* motor = add_row(all, span, bodies, joint, &row);
        motor->rule = MOTOR;
        motor->warm = motor_at;
        motor->bias = -link->speed;
        motor->lo = -h * link->strength;
        motor->hi = h * link->strength;
    }

    if (cairn_link_limit(&row, &room, link, place)) {
        lean_row* limit = add_row(all, span, bodies, joint, &row);
        limit->rule = LIMIT;
        limit->warm = limit_at;
        limit->C = room;
        limit->lo = 0.0;
    }
}

static void add_rows(cairn_lean_joints* all, const cairn_span* span, const cairn_lean_body* bodies,
                     int joint)
{
    const lean_joint* own = &all->joints[joint];
    cairn_link* link = own->link;
    cairn_link_place place =
        cairn_link_at(link, transform_of(all, span, bodies, link->a, own->a),
                      transform_of(all, span, bodies, link->b, own->b), link->turns);

    cairn_row rows[6];
    double C[6];
    int count = cairn_link_rows(rows, link, &place);
    cairn_link_errors(C, link, &place, rows, count);
    link->turns = place.coordinate;

    for (int k = 0; k < count; k++) {
        lean_row* to = add_row(all, span, bodies, joint, &rows[k]);
        to->warm = k;
        to->C = cairn_joint_is_gear(link->kind) ? 0.0 : C[k];
    }

    add_free_rows(all, span, bodies, joint, &place);
}

// ---------------------------------------------------------------- sweeps

static double velocity_of(const cairn_lean_joints* all, const lean_row* row,
                          const cairn_lean_body* bodies)
{
    const lean_joint* own = &all->joints[row->joint];
    double u = row->fixed;
    if (own->a >= 0)
        u += along(row->row.a, bodies[own->a].v, bodies[own->a].w);
    if (own->b >= 0)
        u += along(row->row.b, bodies[own->b].v, bodies[own->b].w);
    return u;
}

static void push_body(cairn_lean_body* body, const double* row, double x)
{
    cairn_vec3 turn = cairn_vec(row[3], row[4], row[5]);
    body->v = cairn_add_scaled(body->v, x * body->inverse_mass, cairn_vec(row[0], row[1], row[2]));
    body->w = cairn_add_scaled(body->w, x, cairn_mat3_apply(body->inverse_inertia, turn));
}

static void push(const cairn_lean_joints* all, const lean_row* row, cairn_lean_body* bodies,
                 double x)
{
    const lean_joint* own = &all->joints[row->joint];
    if (own->a >= 0)
        push_body(&bodies[own->a], row->row.a, x);
    if (own->b >= 0)
        push_body(&bodies[own->b], row->row.b, x);
}

double cairn_lean_joints_begin(cairn_lean_joints* all, const cairn_span* span,
                               cairn_lean_body* bodies, double h)
{
    // impulses grow with the length of the small step
    double longer = h / all->h, most = 0.0;
    all->h = h;
    all->soft = cairn_softness_of(fmin(joint_hertz, 0.25 / h), joint_damping, h);
    all->row_count = 0;

    for (int i = 0; i < all->count; i++)
        add_rows(all, span, bodies, i);

    // m/s: what forces alone make of the rows, the scale of the residual
    for (int r = 0; r < all->row_count; r++)
        most = fmax(most, fabs(velocity_of(all, &all->rows[r], bodies)));

    for (int r = 0; r < all->row_count; r++) {
        const lean_row* row = &all->rows[r];
        double* lambda = &all->joints[row->joint].lambda[row->warm];
        *lambda = fmax(row->lo, fmin(row->hi, *lambda * longer));
        push(all, row, bodies, *lambda);
    }

    all->elapsed += h;
    return most;
}

// one row; returns by how much its velocity had to change, m/s
static double solve_row(cairn_lean_joints* all, const lean_row* row, cairn_lean_body* bodies,
                        bool relax)
{
    double* lambda = &all->joints[row->joint].lambda[row->warm];
    double bias = row->bias, scale = 1.0, keep = 0.0;

    // open limits may close; errors are pulled back softly unless this sweep relaxes
    if (row->rule == LIMIT && row->C > 0.0) {
        bias = row->C / all->h;
    } else if (!relax && (row->rule == EQUALITY || row->rule == LIMIT)) {
        bias = fmax(-fastest_return, fmin(fastest_return, all->soft.rate * row->C));
        scale = all->soft.mass_scale;
        keep = all->soft.impulse_scale;
    }

    // one projected Gauss-Seidel step of the row
    double u = velocity_of(all, row, bodies) + bias + row->compliance * *lambda;
    double mass = row->mass / (1.0 + row->mass * row->compliance);
    double next = fmax(row->lo, fmin(row->hi, *lambda - scale * mass * u - keep * *lambda));
    double change = next - *lambda;
    push(all, row, bodies, change);
    *lambda = next;

    return row->mass > 0.0 ? fabs(change) / row->mass : 0.0;
}

// small figures are swept there and back a few times, which costs little; large nets once
double cairn_lean_joints_sweep(cairn_lean_joints* all, cairn_lean_body* bodies, bool relax)
{
    enum { rounds = 3 };
    int count = all->row_count, most = count <= few_rows ? rounds : 1;
    double worst = 0.0;
    for (int k = 0; k < most; k++) {
        worst = 0.0;
        for (int r = 0; r < count; r++)
            worst = fmax(worst, solve_row(all, &all->rows[r], bodies, relax));
        for (int r = count - 2; r >= 0 && most > 1; r--)
            worst = fmax(worst, solve_row(all, &all->rows[r], bodies, relax));
    }
    return worst;
}

// ---------------------------------------------------------------- closing

// one row of d C + C = 0, or >= 0 for a limit that was passed
static void close_row(const cairn_lean_joints* all, lean_row* row, cairn_lean_body* bodies)
{
    static const double longest = 0.2; // m, rad
    double C = fmax(-longest, fmin(longest, row->C));
    double next = row->pulled - row->mass * (velocity_of(all, row, bodies) + C);
    if (row->rule == LIMIT)
        next = fmax(0.0, next);
    push(all, row, bodies, next - row->pulled);
    row->pulled = next;
}

// Solves for displacements with the rows of velocities: v and w hold displacements meanwhile.
static void close_once(cairn_lean_joints* all, const cairn_span* span, cairn_lean_body* bodies)
{
    enum { rounds = 2 };
    int bodies_of_island = span->island->body_count;

    // velocities are set aside
    for (int i = 0; i < bodies_of_island; i++) {
        all->kept[2 * i] = bodies[i].v;
        all->kept[2 * i + 1] = bodies[i].w;
        bodies[i].v = bodies[i].w = cairn_vec(0.0, 0.0, 0.0);
    }

    // only equality rows and limits that are passed have an error to remove
    all->row_count = 0;
    for (int i = 0; i < all->count; i++)
        add_rows(all, span, bodies, i);
    int kept = 0;
    for (int r = 0; r < all->row_count; r++) {
        lean_row* row = &all->rows[r];
        row->fixed = 0.0;
        if (row->rule == EQUALITY || (row->rule == LIMIT && row->C < 0.0))
            all->rows[kept++] = *row;
    }

    // symmetric sweeps: forward and back
    for (int k = 0; k < rounds; k++) {
        for (int r = 0; r < kept; r++)
            close_row(all, &all->rows[r], bodies);
        for (int r = kept - 2; r >= 0; r--)
            close_row(all, &all->rows[r], bodies);
    }

    // apply the displacements and bring the velocities back
    for (int i = 0; i < bodies_of_island; i++) {
        cairn_lean_body* body = &bodies[i];
        body->moved = cairn_add(body->moved, body->v);
        body->at.p = cairn_add(body->at.p, body->v);
        body->at.q = cairn_quat_normalize(cairn_quat_multiply(cairn_turn_by(body->w), body->at.q));
        body->v = all->kept[2 * i];
        body->w = all->kept[2 * i + 1];
    }
}

void cairn_lean_joints_close(cairn_lean_joints* all, const cairn_span* span,
                             cairn_lean_body* bodies)
{
    enum { times = 3 };
    if (all->row_count > few_rows)
        return;
    for (int k = 0; k < times; k++)
        close_once(all, span, bodies);
}

void cairn_lean_joints_end(const cairn_lean_joints* all)
{
    for (int r = 0; r < all->row_count; r++) {
        const lean_row* row = &all->rows[r];
        lean_joint* own = &all->joints[row->joint];
        cairn_link_add_impulse(own->link, &row->row, own->lambda[row->warm]);
        own->link->warm[row->warm] = own->lambda[row->warm];
    }
}
