// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Elementary functions with the same bits on every machine. The C library may choose other
// roundings from one processor to the next, so that equal states would part. Each function here is
// a reduction of the argument, whose rounding error is kept, and a Taylor series, made of
// additions, multiplications, divisions and square roots alone, which IEEE 754 fixes to the last
// bit.
//
//     exp x  = 2^k exp r,          r = x - k ln 2,       |r| <= ln 2 / 2
//     log x  = e ln 2 + log(1+f),  x = 2^e (1+f),        log(1+f) = 2 artanh s,  s = f / (2 + f)
//     sin x  = ±sin r or ±cos r,   r = x - k π/2,        |r| <= π/4
//     atan t = atan c + atan u,    u = (t - c)/(1 + t c),  c = 0, 1/8, ..., 1,   |u| <= 1/16
//
// The result is within one unit in the last place of the exact one (tests/math/test_elementary.c).

#include <cairn/math.h>
#include <float.h>
#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------- pairs of numbers

/// hi + lo, where lo is what the rounding of hi has lost
typedef struct pair {
    double hi, lo;
} pair;

// a + b without error
static pair two_sum(double a, double b)
{
    double s = a + b, back = s - a;
    return (pair){s, (a - (s - back)) + (b - back)};
}

// a b without error, for factors below 2^990: halves of 26 bits have exact products
static pair two_product(double a, double b)
{
    const double split = 0x1p27 + 1.0;
    double p = a * b;
    double ca = split * a, cb = split * b;
    double a1 = ca - (ca - a), b1 = cb - (cb - b);
    double a2 = a - a1, b2 = b - b1;
    return (pair){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

// the nearest whole number; |x| < 2^51
static double nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

// ---------------------------------------------------------------- exponential and logarithm

// ln 2 = ln2_hi + ln2_lo; products of ln2_hi with exponents are exact
static const double ln2_hi = 0x1.62e42fee00000p-1, ln2_lo = 0x1.a39ef35793c76p-33;

double cairn_exp(double x)
{
    // out of range, or a NaN
    if (!(x > -746.0))
        return x <= -746.0 ? 0.0 : x;
    if (x > 710.0)
        return (double)INFINITY;

    // x = k ln 2 + r + lost
    double k = nearest(x * 0x1.71547652b82fep+0);
    double hi = x - k * ln2_hi, lo = k * ln2_lo;
    double r = hi - lo, lost = (hi - r) - lo;

    // exp r - 1 - r by its series, two halves side by side
    double z = r * r;
    double even = 1.0 / 2.0 +
                  z * (1.0 / 24.0 +
                       z * (1.0 / 720.0 +
                            z * (1.0 / 40320.0 + z * (1.0 / 3628800.0 + z * (1.0 / 479001600.0)))));
    double odd = 1.0 / 6.0 +
                 z * (1.0 / 120.0 +
                      z * (1.0 / 5040.0 + z * (1.0 / 362880.0 +
                                               z * (1.0 / 39916800.0 + z * (1.0 / 6227020800.0)))));
    double rest = z * (even + r * odd);

    // the sum from its large end, and the power of two
    double sum = 1.0 + r;
    double y = sum + (((1.0 - sum) + r) + (lost + rest));

    if (k < -1021.0 || k > 1023.0)
        return ldexp(y, (int)k);
    uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return y * scale;
}

// log(x + c) of a finite x > 0 and a c below its last place
static double log_of(double x, double c)
{
    // x = 2^e (1 + f), 1 + f between √½ and √2
    int e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2.0;
        e--;
    }
    double f = m - 1.0, k = e;

    // log(1+f) = 2 s + s R = f - s (f - R) with R = 2 (s²/3 + s⁴/5 + ...)
    double s = f / (2.0 + f), z = s * s, w = z * z;
    double a = 2.0 / 3.0 + w * (2.0 / 7.0 + w * (2.0 / 11.0 + w * (2.0 / 15.0 + w * (2.0 / 19.0))));
    double b = 2.0 / 5.0 + w * (2.0 / 9.0 + w * (2.0 / 13.0 + w * (2.0 / 17.0 + w * (2.0 / 21.0))));
    double R = z * (a + z * b);
    return k * ln2_hi + (f - (s * (f - R) - (k * ln2_lo + c / x)));
}

double cairn_log(double x)
{
    if (!(x > 0.0) || x > DBL_MAX)
        return x == 0.0 ? -(double)INFINITY : x > 0.0 ? x : (double)NAN;
    return log_of(x, 0.0);
}

double cairn_log1p(double x)
{
    if (fabs(x) < 0x1p-53 || !(x <= DBL_MAX))
        return x;

    // 1 + x = u + c without error
    double u = 1.0 + x;
    double c = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
    return u > 0.0 ? log_of(u, c) : cairn_log(u);
}

// ---------------------------------------------------------------- sine and cosine

// the first 1280 bits of 2/π
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
enum { window = 7, product_words = window + 3 };

// 32 bits of a number of words, lowest word first, from bit `at` upwards
static uint32_t bits_at(const uint32_t* number, int at)
{
    if (at < 0)
        return 0;
    int word = at / 32, shift = at % 32;
    uint64_t two = number[word];
    if (word + 1 < product_words)
        two |= (uint64_t)number[word + 1] << 32;
    return (uint32_t)(two >> shift);
}

// x 2/π of a large x: bits of 2/π that make multiples of 4 are left out, and 7 words of the others
// give 138 bits behind the point, of which a double may cancel 61 (Payne and Hanek). Gives the
// quadrant and the rest of the angle.
static int reduce_large(pair* r, double x)
{
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
    e -= 53;
    int first = e > 2 ? (e - 2) / 32 : 0;

    // the product of the mantissa with the window
    uint32_t p[product_words] = {0};
    for (int half = 0; half < 2; half++) {
        uint64_t factor = half ? m >> 32 : m & 0xffffffffu, carry = 0;
        for (int i = 0; i < window; i++) {
            carry += factor * two_over_pi[first + window - 1 - i] + p[i + half];
            p[i + half] = (uint32_t)carry;
            carry >>= 32;
        }
        p[window + half] = (uint32_t)carry;
    }

    // the nearest whole number, and the signed rest of it
    int point = 32 * (first + window) - e;
    int quadrant = (int)(bits_at(p, point) & 3u);
    bool above = bits_at(p, point - 32) >> 31;
    pair f = {0.0, 0.0};
    for (int i = 1; i <= 6; i++) {
        uint32_t word = bits_at(p, point - 32 * i);
        pair sum = two_sum(f.hi, ldexp((double)(above ? ~word : word), -32 * i));
        f = (pair){sum.hi, f.lo + sum.lo};
    }
    if (above)
        f = (pair){-f.hi, -f.lo};

    // times π/2
    pair product = two_product(f.hi, 0x1.921fb54442d18p+0);
    double lo = product.lo + (f.hi * 0x1.1a62633145c07p-54 + f.lo * 0x1.921fb54442d18p+0);
    *r = two_sum(product.hi, lo);
    return quadrant + above;
}

// x = k π/2 + r for x >= 0; π/2 in pieces of 33 bits, whose products with k < 2^20 are exact
static int reduce(pair* r, double x)
{
    if (x <= 0x1.921fb54442d18p-1) {
        *r = (pair){x, 0.0};
        return 0;
    }
    if (x >= 0x1p20)
        return reduce_large(r, x);
    double k = nearest(x * 0x1.45f306dc9c883p-1);
    pair a = two_sum(x - k * 0x1.921fb54400000p+0, -k * 0x1.0b4611a600000p-34);
    pair b = two_sum(a.hi, -k * 0x1.3198a2e000000p-69);
    *r = two_sum(b.hi, (a.lo + b.lo) - k * 0x1.b839a252049c1p-104);
    return (int)k & 3;
}

// sin(r.hi + r.lo) for |r| <= π/4
static double short_sine(pair r)
{
    double x = r.hi, z = x * x, w = z * z;
    double a =
        -1.0 / 6.0 + w * (-1.0 / 5040.0 + w * (-1.0 / 39916800.0 + w * (-1.0 / 1307674368000.0)));
    double b = 1.0 / 120.0 +
               w * (1.0 / 362880.0 + w * (1.0 / 6227020800.0 + w * (1.0 / 355687428096000.0)));
    return x + (x * z * (a + z * b) + r.lo * (1.0 - 0.5 * z));
}

static double short_cosine(pair r)
{
    double x = r.hi, z = x * x, w = z * z;
    double a =
        1.0 / 24.0 + w * (1.0 / 40320.0 + w * (1.0 / 479001600.0 + w * (1.0 / 20922789888000.0)));
    double b = -1.0 / 720.0 + w * (-1.0 / 3628800.0 + w * (-1.0 / 87178291200.0));
    double half = 0.5 * z, top = 1.0 - half;
    return top + (((1.0 - top) - half) + (w * (a + z * b) - x * r.lo));
}

// sin or cos of r + quadrant π/2
static double turn(int quadrant, pair r)
{
    double y = quadrant & 1 ? short_cosine(r) : short_sine(r);
    return quadrant & 2 ? -y : y;
}

double cairn_sin(double x)
{
    pair r;
    double size = fabs(x);
    if (size < 0x1p-27 || !(size <= DBL_MAX))
        return size <= DBL_MAX ? x : (double)NAN;
    double y = turn(reduce(&r, size), r);
    return x < 0.0 ? -y : y;
}

double cairn_cos(double x)
{
    pair r;
    double size = fabs(x);
    if (!(size <= DBL_MAX))
        return (double)NAN;
    return turn(reduce(&r, size) + 1, r);
}

// ---------------------------------------------------------------- arc tangent

// atan(k/8)
static const pair arcs[9] = {{0.0, 0.0},
                             {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                             {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                             {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                             {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                             {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                             {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                             {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                             {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

// the angle base + sign atan(y/x) for 0 <= y <= x, x > 0
static double angle_from(pair base, double sign, double y, double x)
{
    // scale far from the ends of the range, so that nothing overflows or underflows
    if (x > 0x1p900 || x < 0x1p-900) {
        double scale = x > 1.0 ? 0x1p-200 : 0x1p200;
        x *= scale;
        y *= scale;
    }

    // the nearest eighth, none for small ones, and the tangent of what is left
    double t = y / x;
    int k = t < 0.09375 ? 0 : (int)(8.0 * t + 0.5);
    double c = 0.125 * k;
    pair moved = two_product(k > 0 ? c : t, x);
    double left = (y - moved.hi) - moved.lo;
    double u = k > 0 ? left / (x + c * y) : t;
    double z = u * u, w = z * z;
    double even = -1.0 / 3.0 + w * (-1.0 / 7.0 + w * (-1.0 / 11.0 + w * (-1.0 / 15.0)));
    double odd = 1.0 / 5.0 + w * (1.0 / 9.0 + w * (1.0 / 13.0 + w * (1.0 / 17.0)));
    double rest = arcs[k].lo + u * z * (even + z * odd) + (k > 0 || t < 0x1p-27 ? 0.0 : left / x);

    // the sum from its large end
    pair top = two_sum(base.hi, sign * arcs[k].hi);
    pair sum = two_sum(top.hi, sign * u);
    return sum.hi + (sum.lo + (top.lo + (base.lo + sign * rest)));
}

double cairn_atan2(double y, double x)
{
    static const pair none = {0.0, 0.0}, quarter = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                      half = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    double up = fabs(y), along = fabs(x), angle;
    if (isnan(x) || isnan(y))
        return (double)NAN;

    // infinite arguments have directions, too, and so has zero
    if (isinf(up) || isinf(along)) {
        up = isinf(up) ? 1.0 : 0.0;
        along = isinf(along) ? 1.0 : 0.0;
    }

    if (up == 0.0)
        angle = signbit(x) ? half.hi : 0.0;
    else if (up <= along)
        angle = signbit(x) ? angle_from(half, -1.0, up, along) : angle_from(none, 1.0, up, along);
    else
        angle = angle_from(quarter, signbit(x) ? 1.0 : -1.0, along, up);
    return signbit(y) ? -angle : angle;
}

double cairn_atan(double x)
{
    return cairn_atan2(x, 1.0);
}

// ---------------------------------------------------------------- roots

double cairn_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (isinf(a) || isinf(b))
        return (double)INFINITY;

    // scale the arguments where their squares would overflow or underflow
    double large = a > b ? a : b;
    double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-400 ? 0x1p600 : 1.0;
    a *= scale;
    b *= scale;

    double h = sqrt(a * a + b * b);
    if (!(h > 0.0))
        return h;

    // one step of Newton's method with exact squares
    pair hh = two_product(h, h), aa = two_product(a, a), bb = two_product(b, b);
    double excess = a > b ? (hh.hi - aa.hi) - bb.hi : (hh.hi - bb.hi) - aa.hi;
    excess += hh.lo - aa.lo - bb.lo;
    return (h - excess / (2.0 * h)) / scale;
}

double cairn_cbrt(double x)
{
    int e;
    if (x == 0.0 || !(fabs(x) <= DBL_MAX))
        return x;

    // |x| = 2^(3q) m with m between 1/2 and 4
    double m = frexp(fabs(x), &e);
    int q = e >= 0 ? e / 3 : -((2 - e) / 3);
    m = ldexp(m, e - 3 * q);

    // Halley's steps triple the digits: 1 %, 1e-6, 1e-18
    double y = 0.6 + m * (0.46 - 0.05 * m);
    for (int i = 0; i < 2; i++) {
        double cube = y * y * y;
        y *= (cube + 2.0 * m) / (2.0 * cube + m);
    }

    // the last one from 26 bits, whose square is exact
    y = (y + 0x1p27 * y) - 0x1p27 * y;
    double t = m / (y * y);
    y += y * ((t - y) / (2.0 * y + t));
    return ldexp(x < 0.0 ? -y : y, q);
}
