// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One sweep of projected Gauss-Seidel over batches of eight contacts, a template in the number
// type: REAL, VECTOR (8 of them), HALF (4), MASK (8 integers of that size), ROOT, NAMED. With the
// frame (n, t, s = n x t), the arms r and the bodies' velocities v, ω,
//
//     p = v_B + ω_B x r_B - v_A - ω_A x r_A        how B moves against A at the point
//     u_N = b_N + n·p              λ_N ← max(0, λ_N - r_N u_N),         Δ_N the change
//     u_T = b_T + t·p + A_TN Δ_N, u_S likewise: what p will be after the normal's change
//     λ_F ← P_F(λ_N)(λ_F - r_F u_F)
//     P = n Δ_N + t Δ_T + s Δ_S,   v_B += P/m_B,   ω_B += I_B^-1 (r_B x P),   A the other way.
//
// For a box, T comes before S in the same way. Lanes are contacts that share no body, so that no
// sum runs across lanes and every instruction set gives the same bits. Not for blocks of other
// kinds, and not for contacts of a body with itself.

typedef struct NAMED(bodies) {
    VECTOR w[8];
} NAMED(bodies);

CAIRN_INLINE VECTOR NAMED(load)(const REAL* x)
{
    VECTOR v;
    memcpy(&v, x, sizeof v);
    return v;
}

CAIRN_INLINE void NAMED(keep)(REAL* x, VECTOR v)
{
    memcpy(x, &v, sizeof v);
}

CAIRN_INLINE VECTOR NAMED(all)(REAL x)
{
    return (VECTOR){x, x, x, x, x, x, x, x};
}

CAIRN_INLINE VECTOR NAMED(pick)(MASK yes, VECTOR a, VECTOR b)
{
    return (VECTOR)((yes & (MASK)a) | (~yes & (MASK)b));
}

CAIRN_INLINE VECTOR NAMED(largest)(VECTOR a, VECTOR b)
{
    return NAMED(pick)(a > b, a, b);
}

CAIRN_INLINE VECTOR NAMED(magnitude)(VECTOR a)
{
    return NAMED(largest)(a, -a);
}

CAIRN_INLINE VECTOR NAMED(root)(VECTOR a)
{
    REAL x[8];
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < 8; i++)
        x[i] = ROOT(x[i]);
    return NAMED(load)(x);
}

// 4x4 transposes of both halves; its own inverse
CAIRN_INLINE void NAMED(turn)(VECTOR* x)
{
    VECTOR a = __builtin_shufflevector(x[0], x[1], 0, 8, 1, 9, 4, 12, 5, 13);
    VECTOR b = __builtin_shufflevector(x[0], x[1], 2, 10, 3, 11, 6, 14, 7, 15);
    VECTOR c = __builtin_shufflevector(x[2], x[3], 0, 8, 1, 9, 4, 12, 5, 13);
    VECTOR d = __builtin_shufflevector(x[2], x[3], 2, 10, 3, 11, 6, 14, 7, 15);
    x[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    x[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    x[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    x[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

CAIRN_INLINE VECTOR NAMED(join)(const REAL* low, const REAL* high)
{
    HALF a, b;
    memcpy(&a, low, sizeof a);
    memcpy(&b, high, sizeof b);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

CAIRN_INLINE void NAMED(part)(REAL* low, REAL* high, VECTOR v)
{
    HALF a = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    HALF b = __builtin_shufflevector(v, v, 4, 5, 6, 7);
    memcpy(low, &a, sizeof a);
    memcpy(high, &b, sizeof b);
}

// lanes l and l + 4 share a vector, so that two transposes of half vectors turn the whole
CAIRN_INLINE NAMED(bodies) NAMED(gather)(const REAL* state, const int32_t* body)
{
    NAMED(bodies) s;
    for (int l = 0; l < 4; l++) {
        const REAL* p = state + 8 * (ptrdiff_t)body[l];
        const REAL* q = state + 8 * (ptrdiff_t)body[l + 4];
        s.w[l] = NAMED(join)(p, q);
        s.w[l + 4] = NAMED(join)(p + 4, q + 4);
    }
    NAMED(turn)(s.w);
    NAMED(turn)(s.w + 4);
    return s;
}

CAIRN_INLINE void NAMED(scatter)(REAL* state, const int32_t* body, NAMED(bodies) s)
{
    NAMED(turn)(s.w);
    NAMED(turn)(s.w + 4);
    for (int l = 0; l < 4; l++) {
        REAL* p = state + 8 * (ptrdiff_t)body[l];
        REAL* q = state + 8 * (ptrdiff_t)body[l + 4];
        NAMED(part)(p, q, s.w[l]);
        NAMED(part)(p + 4, q + 4, s.w[l + 4]);
    }
}

typedef struct NAMED(vec) {
    VECTOR x, y, z;
} NAMED(vec);

CAIRN_INLINE NAMED(vec) NAMED(load3)(REAL (*x)[8])
{
    return (NAMED(vec)){NAMED(load)(x[0]), NAMED(load)(x[1]), NAMED(load)(x[2])};
}

CAIRN_INLINE NAMED(vec) NAMED(cross)(NAMED(vec) a, NAMED(vec) b)
{
    return (NAMED(vec)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

CAIRN_INLINE VECTOR NAMED(along)(NAMED(vec) c, NAMED(vec) p)
{
    return c.x * p.x + c.y * p.y + c.z * p.z;
}

// v + ω x r of a body
CAIRN_INLINE NAMED(vec) NAMED(point_velocity)(const NAMED(bodies) * s, NAMED(vec) arm)
{
    NAMED(vec) spin = {s->w[3], s->w[4], s->w[5]}, turn = NAMED(cross)(spin, arm);
    return (NAMED(vec)){s->w[0] + turn.x, s->w[1] + turn.y, s->w[2] + turn.z};
}

// what the impulse P at the arm does to a body of mass m
CAIRN_INLINE void NAMED(apply)(NAMED(bodies) * s, const NAMED(bodies) * m, NAMED(vec) arm,
                               NAMED(vec) P)
{
    NAMED(vec) L = NAMED(cross)(arm, P);
    s->w[0] += m->w[0] * P.x;
    s->w[1] += m->w[0] * P.y;
    s->w[2] += m->w[0] * P.z;
    s->w[3] += m->w[1] * L.x + m->w[4] * L.y + m->w[5] * L.z;
    s->w[4] += m->w[4] * L.x + m->w[2] * L.y + m->w[6] * L.z;
    s->w[5] += m->w[5] * L.x + m->w[6] * L.y + m->w[3] * L.z;
}

CAIRN_INLINE VECTOR NAMED(row_velocity)(const NAMED(cairn_batch) * batch,
                                        const NAMED(cairn_batch_more) * more, int row, VECTOR speed)
{
    VECTOR u = NAMED(load)(batch->b[row]) + speed;
    if (more)
        u += NAMED(load)(more->soft[row]) * NAMED(load)(batch->lambda[row]);
    return u;
}

// 1 / r of friction rows without the relaxation; 0 where nothing can move
CAIRN_INLINE VECTOR NAMED(stiffness)(VECTOR rate, REAL relaxation)
{
    return NAMED(pick)(rate > NAMED(all)(0), NAMED(all)(relaxation) / rate, NAMED(all)(0));
}

// the friction rows of discs: T and S together; returns the violation
CAIRN_INLINE VECTOR NAMED(slide_on_disc)(NAMED(cairn_batch) * batch, REAL relaxation,
                                         const VECTOR* u, VECTOR* delta)
{
    VECTOR zero = NAMED(all)(0);
    VECTOR rate = NAMED(load)(batch->rate[1]), rate_s = NAMED(load)(batch->rate[2]);
    VECTOR limit = NAMED(load)(batch->mu) * NAMED(load)(batch->lambda[0]);
    VECTOR t = NAMED(load)(batch->lambda[1]), s = NAMED(load)(batch->lambda[2]);

    // a step against the velocity, cut back to the disc of radius μ λ_N
    VECTOR x = t - rate * u[1], y = s - rate_s * u[2];
    VECTOR square = x * x + y * y;
    MASK slides = square > limit * limit;
    VECTOR cut = limit / NAMED(root)(square);
    x = NAMED(pick)(slides, x * cut, x);
    y = NAMED(pick)(slides, y * cut, y);

    NAMED(keep)(batch->lambda[1], x);
    NAMED(keep)(batch->lambda[2], y);
    delta[1] = x - t;
    delta[2] = y - s;

    // the violation is a velocity: that of a sticking contact, or the cut change over the rate
    VECTOR sticking = NAMED(largest)(NAMED(magnitude)(u[1]),
                                     NAMED(pick)(rate_s > zero, NAMED(magnitude)(u[2]), zero));
    VECTOR sliding = NAMED(largest)(NAMED(magnitude)(delta[1]), NAMED(magnitude)(delta[2])) *
                     NAMED(stiffness)(rate, relaxation);

    VECTOR moved = NAMED(pick)(slides, sliding, sticking);
    return NAMED(pick)(rate > zero, moved, zero);
}

// one friction row of a box; returns the violation
CAIRN_INLINE VECTOR NAMED(slide_in_box)(NAMED(cairn_batch) * batch, const REAL* mu, int row,
                                        VECTOR u, VECTOR* delta)
{
    VECTOR zero = NAMED(all)(0), rate = NAMED(load)(batch->rate[row]);
    VECTOR limit = NAMED(load)(mu) * NAMED(load)(batch->lambda[0]);
    VECTOR t = NAMED(load)(batch->lambda[row]);
    VECTOR x = t - rate * u;
    x = NAMED(pick)(x > limit, limit, NAMED(pick)(x < -limit, -limit, x));
    NAMED(keep)(batch->lambda[row], x);
    *delta = x - t;
    MASK inside = (NAMED(magnitude)(x) < limit) & (rate > zero);
    return NAMED(pick)(inside, NAMED(magnitude)(u), zero);
}

// marks the bodies that moved by more than their limit, or whose rows are not satisfied: the limit
// is in the seventh number of the body, the square of a speed; spin counts at the body's radius of
// gyration
CAIRN_INLINE void NAMED(wake)(const NAMED(cairn_batch) * batch, cairn_batch_sweep* sweep,
                              const NAMED(bodies) * before, const NAMED(bodies) * after,
                              const NAMED(bodies) * mass, MASK unsatisfied)
{
    for (int side = 0; side < 2; side++) {
        VECTOR change[6];
        for (int k = 0; k < 6; k++) {
            change[k] = after[side].w[k] - before[side].w[k];
            change[k] *= change[k];
        }
        VECTOR square = change[0] + change[1] + change[2] +
                        mass[side].w[7] * (change[3] + change[4] + change[5]);
        MASK awake = (square > before[side].w[6]) | unsatisfied;
        for (int l = 0; l < 8; l++)
            if (awake[l])
                sweep->woken[batch->body[side][l]] = 1;
    }
}

// no body of the batch changed in the last sweep or in this one so far
CAIRN_INLINE bool NAMED(asleep)(const NAMED(cairn_batch) * batch, const cairn_batch_sweep* sweep)
{
    int any = 0;
    for (int l = 0; l < 8; l++) {
        int a = batch->body[0][l], b = batch->body[1][l];
        any |= sweep->active[a] | sweep->active[b] | sweep->woken[a] | sweep->woken[b];
    }
    return any == 0;
}

// clang-format off
CAIRN_INLINE VECTOR
NAMED(update)(const NAMED(cairn_batches) * batches, int i, cairn_batch_sweep* sweep,
              const bool box, const bool filter)
// clang-format on
{
    NAMED(cairn_batch)* batch = &batches->batch[i];
    NAMED(cairn_batch_more)* more = batches->more ? &batches->more[i] : NULL;
    const int32_t *a = batch->body[0], *b = batch->body[1];
    REAL relaxation = batches->relaxation;
    NAMED(bodies) s[2] = {NAMED(gather)(batches->state, a), NAMED(gather)(batches->state, b)};
    NAMED(bodies) before[2] = {s[0], s[1]};
    VECTOR zero = NAMED(all)(0), u[3], delta[3];

    // how B moves against A at the point, along n, t and s
    NAMED(vec) c[3] = {NAMED(load3)(batch->normal), NAMED(load3)(batch->tangent)};
    NAMED(vec) arm[2] = {NAMED(load3)(batch->arm[0]), NAMED(load3)(batch->arm[1])};
    NAMED(vec) at_a = NAMED(point_velocity)(&s[0], arm[0]);
    NAMED(vec) at_b = NAMED(point_velocity)(&s[1], arm[1]);
    NAMED(vec) p = {at_b.x - at_a.x, at_b.y - at_a.y, at_b.z - at_a.z};
    c[2] = NAMED(cross)(c[0], c[1]);
    for (int k = 0; k < 3; k++)
        u[k] = NAMED(row_velocity)(batch, more, k, NAMED(along)(c[k], p));

    // normal
    VECTOR n = NAMED(load)(batch->lambda[0]);
    VECTOR x = NAMED(largest)(n - NAMED(load)(batch->rate[0]) * u[0], zero);
    NAMED(keep)(batch->lambda[0], x);
    delta[0] = x - n;
    VECTOR violation = NAMED(pick)(x > zero, NAMED(magnitude)(u[0]), zero);

    // friction, at the velocity that the normal's change leaves
    u[1] += NAMED(load)(batch->coupling[0]) * delta[0];
    u[2] += NAMED(load)(batch->coupling[1]) * delta[0];
    if (box) {
        violation =
            NAMED(largest)(violation, NAMED(slide_in_box)(batch, batch->mu, 1, u[1], &delta[1]));
        u[2] += NAMED(load)(more->coupling) * delta[1];
        violation =
            NAMED(largest)(violation, NAMED(slide_in_box)(batch, more->mu, 2, u[2], &delta[2]));
    } else {
        violation = NAMED(largest)(violation, NAMED(slide_on_disc)(batch, relaxation, u, delta));
    }

    // the impulse acts on B, its reaction on A
    NAMED(vec)
    P = {c[0].x * delta[0] + c[1].x * delta[1] + c[2].x * delta[2],
         c[0].y * delta[0] + c[1].y * delta[1] + c[2].y * delta[2],
         c[0].z * delta[0] + c[1].z * delta[1] + c[2].z * delta[2]};
    NAMED(vec) back = {-P.x, -P.y, -P.z};
    NAMED(bodies) m[2] = {NAMED(gather)(batches->mass, a), NAMED(gather)(batches->mass, b)};
    NAMED(apply)(&s[0], &m[0], arm[0], back);
    NAMED(apply)(&s[1], &m[1], arm[1], P);
    NAMED(scatter)(batches->state, a, s[0]);
    NAMED(scatter)(batches->state, b, s[1]);

    // the filter wakes the bodies of contacts that violate the threshold or lose load
    if (filter) {
        VECTOR stiff = NAMED(largest)(NAMED(stiffness)(NAMED(load)(batch->rate[1]), relaxation),
                                      NAMED(stiffness)(NAMED(load)(batch->rate[2]), relaxation));
        VECTOR fall = -delta[0] * stiff - NAMED(all)((REAL)sweep->threshold);
        MASK unsatisfied = (violation > NAMED(all)((REAL)sweep->threshold)) | (fall > zero);
        NAMED(wake)(batch, sweep, before, s, m, unsatisfied);
    }
    return violation;
}

// clang-format off
CAIRN_INLINE void
NAMED(sweep)(const NAMED(cairn_batches) * batches, int first, int end, cairn_batch_sweep* sweep,
             const bool box, const bool filter)
// clang-format on
{
    VECTOR worst = NAMED(all)(0);
    int64_t visited = 0;
    ptrdiff_t reach = (sweep->backward ? -early : early) * (ptrdiff_t)sizeof(NAMED(cairn_batch));
    for (int k = first; k < end; k++) {
        int i = sweep->backward ? first + end - 1 - k : k;
        uintptr_t later = (uintptr_t)&batches->batch[i] + (uintptr_t)reach;
        for (size_t at = 0; at < sizeof(NAMED(cairn_batch)); at += 64)
            __builtin_prefetch((const void*)(later + at));
        if (filter && NAMED(asleep)(&batches->batch[i], sweep))
            continue;
        worst = NAMED(largest)(worst, NAMED(update)(batches, i, sweep, box, filter));
        visited += batches->rows ? batches->rows[i] : 0;
    }

    for (int l = 0; l < 8; l++)
        sweep->worst = worst[l] > sweep->worst ? worst[l] : sweep->worst;
    sweep->visited += visited;
}

void CAIRN_KERNEL(NAMED(cairn_batch_sweep))(const NAMED(cairn_batches) * batches, int first,
                                            int end, cairn_batch_sweep* sweep)
{
    if (sweep->active && sweep->box)
        NAMED(sweep)(batches, first, end, sweep, true, true);
    else if (sweep->active)
        NAMED(sweep)(batches, first, end, sweep, false, true);
    else if (sweep->box)
        NAMED(sweep)(batches, first, end, sweep, true, false);
    else
        NAMED(sweep)(batches, first, end, sweep, false, false);
}
