// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of friction in an ellipsoid (cluster.h) the rows are f_k = s_k e_k and s_τ n·(ω_B - ω_A), each
// has a rate r_k of its own, and y is projected on the ball |y| <= μ λ_N in the norm Σ y_k²/r_k:
//
//     1/r_k = A_kk Σ_j |A_kj|/√(A_kk A_jj)      no less than what D >= A_FF needs, D = diag(1/r)
//     x_k(t) = z_k/(1 + t r_k),   |x(t)| = μ λ_N
//
// with a few steps of Newton's method for 1/|x| = 1/(μ λ_N), which is concave in t: from either
// side a step ends below the root (Hebden). They start from the t of the last sweep, so that the
// sweeps end where the projection is exact; what is left of |x| - μ λ_N goes along a ray.
//
// For kernels, after lanes_swift.h.

// how the spin of B changes against that of A by a moment L on B, -L on A
CAIRN_INLINE vec answer_spin(const bodies* m, vec L)
{
    return plus(turn(&m[0], L), turn(&m[1], L));
}

// the same by impulses along c at the arms
CAIRN_INLINE vec spin_by(const bodies* m, const vec* arm, vec c)
{
    return plus(turn(&m[0], cross(arm[0], c)), turn(&m[1], cross(arm[1], c)));
}

// f_1, f_2 from n, t, s
CAIRN_INLINE void law_rows(vec* c, const cairn_cluster_law* law, int at)
{
    real cosine = load(law->turn[0] + at), sine = load(law->turn[1] + at);
    vec t = c[1], s = c[2];
    c[1] = times(load(law->scale[0] + at), plus(times(cosine, t), times(sine, s)));
    c[2] = times(load(law->scale[1] + at), minus(times(cosine, s), times(sine, t)));
}

// the rates of a contact with the frame c = (n, t, s)
CAIRN_INLINE void find_rates(cairn_cluster_law* law, int at, const bodies* m, const vec* frame,
                             const vec* arm)
{
    const real zero = all(0.0f), one = all(1.0f);
    vec c[3] = {frame[0], frame[1], frame[2]};
    law_rows(c, law, at);

    // A of the three friction rows, and their coupling to the normal
    real A[3][3], scale = load(law->scale[2] + at), invert[3];
    for (int i = 0; i < 3; i++) {
        vec K = plus(answer(&m[0], arm[0], c[i]), answer(&m[1], arm[1], c[i]));
        real spin = scale * dot(c[0], spin_by(m, arm, c[i]));
        if (i == 0) {
            keep(law->coupling[0] + at, dot(c[1], K));
            keep(law->coupling[1] + at, dot(c[2], K));
            keep(law->coupling[2] + at, spin);
            continue;
        }
        A[i - 1][0] = dot(c[1], K);
        A[i - 1][1] = dot(c[2], K);
        A[i - 1][2] = A[2][i - 1] = spin;
    }
    A[2][2] = scale * scale * dot(c[0], answer_spin(m, c[0]));

    // D by scaled row sums: no less than A_FF, whatever the units
    for (int k = 0; k < 3; k++)
        invert[k] = pick(A[k][k] > zero, one / root(A[k][k]), zero);
    for (int k = 0; k < 3; k++) {
        real sum = zero;
        for (int j = 0; j < 3; j++)
            sum += magnitude(A[k][j]) * invert[k] * invert[j];
        real d = A[k][k] * sum;
        keep(law->diagonal[k] + at, d);
        keep(law->rate[k] + at, pick(d > zero, one / d, zero));
    }
}

// z to the ball of radius R in the norm of the rates; t: the multiplier of the last sweep, and now
CAIRN_INLINE void project_on_ball(real* z, const real* rate, const real* diagonal, real R, real* t)
{
    enum { steps = 3 };
    const real zero = all(0.0f), one = all(1.0f), thin = all(1e-6f);
    real square = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    mask slides = square > R * R;
    if (!any(slides))
        return;

    // lengths by |z|; no component may be longer than R, which bounds t from below
    real over = one / root(pick(slides, square, one)), radius = largest(R * over, thin);
    real x[3], least = zero, outward = one / radius;
    for (int k = 0; k < 3; k++) {
        x[k] = z[k] * over;
        least = largest(least, (magnitude(x[k]) * outward - one) * diagonal[k]);
    }

    real now = largest(*t, least);
    for (int step = 0; step < steps; step++) {
        real length = zero, slope = zero;
        for (int k = 0; k < 3; k++) {
            real q = one / (one + now * rate[k]), y = x[k] * q;
            length += y * y;
            slope += rate[k] * y * y * q;
        }
        real next = now + length / slope * (root(length) - radius) * outward;
        now = pick(slope > zero, largest(next, least), now);
    }

    // on the sphere
    real length = zero;
    for (int k = 0; k < 3; k++) {
        x[k] /= one + now * rate[k];
        length += x[k] * x[k];
    }
    real share = R / root(length);
    for (int k = 0; k < 3; k++)
        z[k] = pick(slides, share * x[k], z[k]);
    *t = pick(slides, now, *t);
}

// how B spins about n against A
CAIRN_INLINE real spin_about(vec n, const bodies* s)
{
    vec a = {s[0].w[3], s[0].w[4], s[0].w[5]}, b = {s[1].w[3], s[1].w[4], s[1].w[5]};
    return dot(n, minus(b, a));
}

// λ of N, T, S and τ from `old`, at the velocities u of these: the normal first, then friction at
// the velocity that its change leaves. Returns the largest velocity that spin had to be changed by.
CAIRN_INLINE real solve_law(real* now, const real* old, const real* u, real normal_rate, real mu,
                            cairn_cluster_law* law, int at)
{
    // from t, s and the moment to the axes of the ellipsoid, where the set is a ball
    real cosine = load(law->turn[0] + at), sine = load(law->turn[1] + at);
    real scale[3], inverse[3], rate[3], diagonal[3], t = load(law->multiplier + at);
    for (int k = 0; k < 3; k++) {
        scale[k] = load(law->scale[k] + at);
        inverse[k] = load(law->inverse[k] + at);
        rate[k] = load(law->rate[k] + at);
        diagonal[k] = load(law->diagonal[k] + at);
    }
    const real v[3] = {scale[0] * (cosine * u[1] + sine * u[2]),
                       scale[1] * (cosine * u[2] - sine * u[1]), scale[2] * u[3]};
    const real y[3] = {(cosine * old[1] + sine * old[2]) * inverse[0],
                       (cosine * old[2] - sine * old[1]) * inverse[1], old[3] * inverse[2]};

    // the normal first
    now[0] = largest(old[0] - normal_rate * u[0], all(0.0f));
    real z[3], delta = now[0] - old[0];
    for (int k = 0; k < 3; k++)
        z[k] = y[k] - rate[k] * (v[k] + load(law->coupling[k] + at) * delta);

    project_on_ball(z, rate, diagonal, mu * now[0], &t);
    keep(law->multiplier + at, t);

    // back to t, s and the moment
    real f[3] = {scale[0] * z[0], scale[1] * z[1], scale[2] * z[2]};
    now[1] = cosine * f[0] - sine * f[1];
    now[2] = sine * f[0] + cosine * f[1];
    now[3] = f[2];
    return magnitude(z[2] - y[2]) * diagonal[2];
}
