// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Vectors, 3x3 matrices, quaternions and rigid transforms as values. Right-handed, SI units.
#ifndef CAIRN_MATH_H
#define CAIRN_MATH_H

#include <cairn/base.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Elementary functions with the same bits on every machine, within one unit in the last place of the
/// exact value. Everything that moves a body uses these; those of the C library differ between
/// machines.
CAIRN_API double cairn_sin(double x);
CAIRN_API double cairn_cos(double x);
CAIRN_API double cairn_atan(double x);
CAIRN_API double cairn_atan2(double y, double x);
CAIRN_API double cairn_exp(double x);
CAIRN_API double cairn_log(double x);
CAIRN_API double cairn_log1p(double x);
CAIRN_API double cairn_hypot(double x, double y);
CAIRN_API double cairn_cbrt(double x);

typedef struct cairn_vec3 {
    double x, y, z;
} cairn_vec3;

/// A 3x3 matrix by its columns: m v = cx v.x + cy v.y + cz v.z.
typedef struct cairn_mat3 {
    cairn_vec3 cx, cy, cz;
} cairn_mat3;

/// A rotation when of unit length: (w, x, y, z).
typedef struct cairn_quat {
    double w, x, y, z;
} cairn_quat;

/// A rigid motion: x -> p + q x q*.
typedef struct cairn_transform {
    cairn_vec3 p;
    cairn_quat q;
} cairn_transform;

// ---------------------------------------------------------------- products
//
// A compiler for machines with fused multiply-add may contract a b + c into one operation, which
// rounds once instead of twice: gcc does so by default (-std=gnu17), clang with -ffp-contract=fast,
// and both also across functions that they inline. The functions below must give a program the bits
// that they give the library. So every product that is not exact and may meet a sum passes an empty
// asm statement, behind which no compiler looks.
//
// Nothing milder holds (gcc 12, clang 14): gcc ignores #pragma STDC FP_CONTRACT, and so does clang
// with -ffp-contract=fast; gcc's optimize("fp-contract=off") ends inlining; what passes its
// __builtin_assoc_barrier is contracted when a loop is vectorized. Moving a point in a loop takes
// 2.4 ns with the asm, 1.2 ns where such a loop was vectorized, 30 ns by a call into the library.
//
// CAIRN_FP_CONTRACT_OFF says that the compiler was told -ffp-contract=off: products are plain then.
#if defined(CAIRN_FP_CONTRACT_OFF) || !defined(__GNUC__) || defined(__wasm__)
#define CAIRN_ROUND(product) ((void)0)
#elif defined(__SSE2_MATH__)
#define CAIRN_ROUND(product) __asm__("" : "+x"(product))
#elif defined(__aarch64__)
#define CAIRN_ROUND(product) __asm__("" : "+w"(product))
#elif defined(__riscv_flen) && __riscv_flen >= 64
#define CAIRN_ROUND(product) __asm__("" : "+f"(product))
#else
#define CAIRN_ROUND(product) __asm__("" : "+m"(product))
#endif

/// a b, rounded before anything is added to it.
static inline double cairn_mul(double a, double b)
{
    double product = a * b;
    CAIRN_ROUND(product);
    return product;
}
#undef CAIRN_ROUND

// ---------------------------------------------------------------- vectors

static inline cairn_vec3 cairn_vec(double x, double y, double z)
{
    cairn_vec3 v = {x, y, z};
    return v;
}

static inline cairn_vec3 cairn_add(cairn_vec3 a, cairn_vec3 b)
{
    return cairn_vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline cairn_vec3 cairn_sub(cairn_vec3 a, cairn_vec3 b)
{
    return cairn_vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline cairn_vec3 cairn_neg(cairn_vec3 a)
{
    return cairn_vec(-a.x, -a.y, -a.z);
}

static inline cairn_vec3 cairn_scale(double s, cairn_vec3 a)
{
    return cairn_vec(cairn_mul(s, a.x), cairn_mul(s, a.y), cairn_mul(s, a.z));
}

/// a + s b
static inline cairn_vec3 cairn_add_scaled(cairn_vec3 a, double s, cairn_vec3 b)
{
    return cairn_add(a, cairn_scale(s, b));
}

static inline double cairn_dot(cairn_vec3 a, cairn_vec3 b)
{
    return cairn_mul(a.x, b.x) + cairn_mul(a.y, b.y) + cairn_mul(a.z, b.z);
}

static inline cairn_vec3 cairn_cross(cairn_vec3 a, cairn_vec3 b)
{
    return cairn_vec(cairn_mul(a.y, b.z) - cairn_mul(a.z, b.y),
                     cairn_mul(a.z, b.x) - cairn_mul(a.x, b.z),
                     cairn_mul(a.x, b.y) - cairn_mul(a.y, b.x));
}

static inline double cairn_norm(cairn_vec3 a)
{
    return sqrt(cairn_dot(a, a));
}

/// √(x² + y²), also where the squares leave the range of numbers; quick where they do not.
static inline double cairn_length(double x, double y)
{
    double square = cairn_mul(x, x) + cairn_mul(y, y);
    return square > 1e-280 && square < 1e280 ? sqrt(square) : cairn_hypot(x, y);
}

/// a / |a|, or zero when a is zero.
static inline cairn_vec3 cairn_normalize(cairn_vec3 a)
{
    double n = cairn_norm(a);
    return n > 0.0 ? cairn_scale(1.0 / n, a) : cairn_vec(0.0, 0.0, 0.0);
}

static inline cairn_vec3 cairn_min(cairn_vec3 a, cairn_vec3 b)
{
    return cairn_vec(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline cairn_vec3 cairn_max(cairn_vec3 a, cairn_vec3 b)
{
    return cairn_vec(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static inline cairn_vec3 cairn_abs(cairn_vec3 a)
{
    return cairn_vec(fabs(a.x), fabs(a.y), fabs(a.z));
}

static inline bool cairn_is_finite(cairn_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// Two unit vectors that make a right-handed frame (n, t, s) with the unit vector n: n x t = s.
static inline void cairn_tangents(cairn_vec3 n, cairn_vec3* t, cairn_vec3* s)
{
    // a continuous frame but for n.z = 0 crossing downwards (Duff et al. 2017)
    double sign = copysign(1.0, n.z);
    double a = -1.0 / (sign + n.z);
    double b = cairn_mul(n.x * n.y, a);
    *t = cairn_vec(1.0 + cairn_mul(sign * n.x * n.x, a), sign * b, -sign * n.x);
    *s = cairn_vec(b, sign + cairn_mul(n.y * n.y, a), -n.y);
}

// ---------------------------------------------------------------- 3x3 matrices

static inline cairn_mat3 cairn_mat3_diagonal(double x, double y, double z)
{
    cairn_mat3 m = {{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}};
    return m;
}

static inline cairn_mat3 cairn_mat3_identity(void)
{
    return cairn_mat3_diagonal(1.0, 1.0, 1.0);
}

/// m v
static inline cairn_vec3 cairn_mat3_apply(cairn_mat3 m, cairn_vec3 v)
{
    return cairn_vec(cairn_mul(m.cx.x, v.x) + cairn_mul(m.cy.x, v.y) + cairn_mul(m.cz.x, v.z),
                     cairn_mul(m.cx.y, v.x) + cairn_mul(m.cy.y, v.y) + cairn_mul(m.cz.y, v.z),
                     cairn_mul(m.cx.z, v.x) + cairn_mul(m.cy.z, v.y) + cairn_mul(m.cz.z, v.z));
}

/// m^T v
static inline cairn_vec3 cairn_mat3_apply_transposed(cairn_mat3 m, cairn_vec3 v)
{
    return cairn_vec(cairn_dot(m.cx, v), cairn_dot(m.cy, v), cairn_dot(m.cz, v));
}

static inline cairn_mat3 cairn_mat3_transpose(cairn_mat3 m)
{
    cairn_mat3 t = {{m.cx.x, m.cy.x, m.cz.x}, {m.cx.y, m.cy.y, m.cz.y}, {m.cx.z, m.cy.z, m.cz.z}};
    return t;
}

static inline cairn_mat3 cairn_mat3_multiply(cairn_mat3 a, cairn_mat3 b)
{
    cairn_mat3 m = {cairn_mat3_apply(a, b.cx), cairn_mat3_apply(a, b.cy),
                    cairn_mat3_apply(a, b.cz)};
    return m;
}

static inline cairn_mat3 cairn_mat3_add(cairn_mat3 a, cairn_mat3 b)
{
    cairn_mat3 m = {cairn_add(a.cx, b.cx), cairn_add(a.cy, b.cy), cairn_add(a.cz, b.cz)};
    return m;
}

static inline cairn_mat3 cairn_mat3_scale(double s, cairn_mat3 a)
{
    cairn_mat3 m = {cairn_scale(s, a.cx), cairn_scale(s, a.cy), cairn_scale(s, a.cz)};
    return m;
}

/// The matrix of v -> a x v.
static inline cairn_mat3 cairn_mat3_skew(cairn_vec3 a)
{
    cairn_mat3 m = {{0.0, a.z, -a.y}, {-a.z, 0.0, a.x}, {a.y, -a.x, 0.0}};
    return m;
}

static inline double cairn_mat3_determinant(cairn_mat3 m)
{
    return cairn_dot(m.cx, cairn_cross(m.cy, m.cz));
}

/// The inverse, or zero when the determinant is zero.
static inline cairn_mat3 cairn_mat3_inverse(cairn_mat3 m)
{
    double det = cairn_mat3_determinant(m);
    double s = det != 0.0 ? 1.0 / det : 0.0;
    cairn_mat3 rows = {cairn_scale(s, cairn_cross(m.cy, m.cz)),
                       cairn_scale(s, cairn_cross(m.cz, m.cx)),
                       cairn_scale(s, cairn_cross(m.cx, m.cy))};
    return cairn_mat3_transpose(rows);
}

// ---------------------------------------------------------------- quaternions

static inline cairn_quat cairn_quat_identity(void)
{
    cairn_quat q = {1.0, 0.0, 0.0, 0.0};
    return q;
}

/// a b: first rotate by b, then by a.
static inline cairn_quat cairn_quat_multiply(cairn_quat a, cairn_quat b)
{
    cairn_quat q;
    q.w = cairn_mul(a.w, b.w) - cairn_mul(a.x, b.x) - cairn_mul(a.y, b.y) - cairn_mul(a.z, b.z);
    q.x = cairn_mul(a.w, b.x) + cairn_mul(a.x, b.w) + cairn_mul(a.y, b.z) - cairn_mul(a.z, b.y);
    q.y = cairn_mul(a.w, b.y) - cairn_mul(a.x, b.z) + cairn_mul(a.y, b.w) + cairn_mul(a.z, b.x);
    q.z = cairn_mul(a.w, b.z) + cairn_mul(a.x, b.y) - cairn_mul(a.y, b.x) + cairn_mul(a.z, b.w);
    return q;
}

static inline cairn_quat cairn_quat_conjugate(cairn_quat q)
{
    cairn_quat c = {q.w, -q.x, -q.y, -q.z};
    return c;
}

/// q / |q|, or the identity when q is zero.
static inline cairn_quat cairn_quat_normalize(cairn_quat q)
{
    double n =
        sqrt(cairn_mul(q.w, q.w) + cairn_mul(q.x, q.x) + cairn_mul(q.y, q.y) + cairn_mul(q.z, q.z));
    if (!(n > 0.0))
        return cairn_quat_identity();
    cairn_quat u = {q.w / n, q.x / n, q.y / n, q.z / n};
    return u;
}

/// a - b y + c y² - d y³ + e y⁴
static inline double cairn_series(double y, double a, double b, double c, double d, double e)
{
    return a - cairn_mul(y, b - cairn_mul(y, c - cairn_mul(y, d - cairn_mul(y, e))));
}

/// The rotation by |v| radians about v (the exponential map).
static inline cairn_quat cairn_quat_from_rotation_vector(cairn_vec3 v)
{
    double y = 0.25 * cairn_dot(v, v), c, s;
    if (y < 4e-4) {
        // cos x and sin x / 2x by their series in y = x², to the last bit
        c = cairn_series(y, 1.0, 1.0 / 2.0, 1.0 / 24.0, 1.0 / 720.0, 1.0 / 40320.0);
        s = cairn_series(y, 0.5, 1.0 / 12.0, 1.0 / 240.0, 1.0 / 10080.0, 1.0 / 725760.0);
    } else {
        double half = sqrt(y);
        c = cairn_cos(half);
        s = 0.5 * cairn_sin(half) / half;
    }
    cairn_quat q = {c, cairn_mul(s, v.x), cairn_mul(s, v.y), cairn_mul(s, v.z)};
    return q;
}

/// The rotation vector of a unit quaternion: |v| in [0, pi] (the logarithm).
static inline cairn_vec3 cairn_quat_to_rotation_vector(cairn_quat q)
{
    cairn_vec3 v = cairn_vec(q.x, q.y, q.z);
    double s = cairn_norm(v);
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    double angle = 2.0 * cairn_atan2(s, sign * q.w);
    return cairn_scale(s > 1e-12 ? sign * angle / s : 2.0 * sign, v);
}

static inline cairn_mat3 cairn_quat_to_mat3(cairn_quat q)
{
    double x2 = 2.0 * q.x, y2 = 2.0 * q.y, z2 = 2.0 * q.z;
    double xx = cairn_mul(q.x, x2), yy = cairn_mul(q.y, y2), zz = cairn_mul(q.z, z2);
    double xy = cairn_mul(q.x, y2), xz = cairn_mul(q.x, z2), yz = cairn_mul(q.y, z2);
    double wx = cairn_mul(q.w, x2), wy = cairn_mul(q.w, y2), wz = cairn_mul(q.w, z2);
    cairn_mat3 m = {{1.0 - yy - zz, xy + wz, xz - wy},
                    {xy - wz, 1.0 - xx - zz, yz + wx},
                    {xz + wy, yz - wx, 1.0 - xx - yy}};
    return m;
}

/// q v q* for a unit quaternion.
static inline cairn_vec3 cairn_rotate(cairn_quat q, cairn_vec3 v)
{
    cairn_vec3 u = cairn_vec(q.x, q.y, q.z);
    cairn_vec3 t = cairn_scale(2.0, cairn_cross(u, v));
    return cairn_add(cairn_add_scaled(v, q.w, t), cairn_cross(u, t));
}

/// q* v q for a unit quaternion.
static inline cairn_vec3 cairn_rotate_back(cairn_quat q, cairn_vec3 v)
{
    return cairn_rotate(cairn_quat_conjugate(q), v);
}

// ---------------------------------------------------------------- rigid motions

static inline cairn_transform cairn_transform_identity(void)
{
    cairn_transform x = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    return x;
}

static inline cairn_vec3 cairn_transform_point(cairn_transform x, cairn_vec3 v)
{
    return cairn_add(x.p, cairn_rotate(x.q, v));
}

static inline cairn_vec3 cairn_transform_point_back(cairn_transform x, cairn_vec3 v)
{
    return cairn_rotate_back(x.q, cairn_sub(v, x.p));
}

/// a b: first b, then a.
static inline cairn_transform cairn_transform_multiply(cairn_transform a, cairn_transform b)
{
    cairn_transform x = {cairn_transform_point(a, b.p), cairn_quat_multiply(a.q, b.q)};
    return x;
}

/// a^-1 b: b as seen from a.
static inline cairn_transform cairn_transform_relative(cairn_transform a, cairn_transform b)
{
    cairn_transform x = {cairn_transform_point_back(a, b.p),
                         cairn_quat_multiply(cairn_quat_conjugate(a.q), b.q)};
    return x;
}

#ifdef __cplusplus
}
#endif

#endif
