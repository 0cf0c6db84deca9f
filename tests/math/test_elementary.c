// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Elementary functions against those of the C library in long double, which have eleven more bits on
// x86-64. An error is measured in units in the last place of the exact value.

#include "check_cairn.h"
#include <cairn/math.h>
#include <cairn/random.h>
#include <float.h>
#include <stdint.h>
#include <string.h>

enum { cases = CHECK_SLOW_BUILD ? 20000 : 400000 };

// |y - exact| in units in the last place
static double ulps(double y, long double exact)
{
    int e;
    if (isinf(y) || fabsl(exact) > (long double)DBL_MAX)
        return isinf(y) && fabsl(exact) > 0x1.fffffffffffff8p+1023L ? 0.0 : (double)INFINITY;
    frexpl(exact, &e);
    double unit = ldexp(1.0, e - 53 > -1074 ? e - 53 : -1074);
    return (double)(fabsl((long double)y - exact) / (long double)unit);
}

// a number whose exponent is uniform between the two, of either sign
static double any_size(cairn_random* random, double least, double most)
{
    int exponent = (int)cairn_random_range(random, least, most);
    double x = ldexp(cairn_random_range(random, 1.0, 2.0), exponent);
    return cairn_random_index(random, 2) ? x : -x;
}

// the worst error of a function of one number, over arguments from `from` to `to` and over those
// whose exponents lie between `least` and `most`
static double worst_error(double (*f)(double), long double (*exact)(long double), double from,
                          double to, double least, double most)
{
    cairn_random random = {7};
    double worst = 0.0;
    for (int i = 0; i < cases; i++) {
        double x = i % 2 ? cairn_random_range(&random, from, to) : any_size(&random, least, most);
        if (from >= 0.0)
            x = fabs(x);
        double error = ulps(f(x), exact((long double)x));
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

// half a unit is the final rounding, and what the series and the reduction add is less than another
TEST(sine_and_cosine_are_within_one_unit_in_the_last_place)
{
    CHECK_BELOW(worst_error(cairn_sin, sinl, -30.0, 30.0, -40, 25), 1.0);
    CHECK_BELOW(worst_error(cairn_cos, cosl, -30.0, 30.0, -40, 25), 1.0);
    CHECK_BELOW(worst_error(cairn_sin, sinl, -1e15, 1e15, 20, 1023), 1.0);
    CHECK_BELOW(worst_error(cairn_cos, cosl, -1e15, 1e15, 20, 1023), 1.0);
}
END

// the double that comes nearest to a multiple of π/2: 61 bits cancel (Kahan)
TEST(the_hardest_argument_of_the_cosine_keeps_its_digits)
{
    double x = 6381956970095103.0 * 0x1p797;
    CHECK_BELOW(ulps(cairn_cos(x), cosl((long double)x)), 1.0);
    CHECK(cairn_cos(x) != 0.0);
}
END

TEST(exponential_and_logarithms_are_within_one_unit_in_the_last_place)
{
    CHECK_BELOW(worst_error(cairn_exp, expl, -745.0, 709.7, -60, 9), 1.0);
    CHECK_BELOW(worst_error(cairn_log, logl, 0.0, 4.0, -1074, 1023), 1.0);
    CHECK_BELOW(worst_error(cairn_log1p, log1pl, 0.0, 4.0, -60, 1023), 1.0);
}
END

TEST(roots_and_lengths_are_within_one_unit_in_the_last_place)
{
    cairn_random random = {3};
    CHECK_BELOW(worst_error(cairn_cbrt, cbrtl, -10.0, 10.0, -1074, 1023), 1.0);
    for (int i = 0; i < cases; i++) {
        double x = any_size(&random, -1070, 1020), y = x * any_size(&random, -30, 1);
        CHECK_BELOW(ulps(cairn_hypot(x, y), hypotl((long double)x, (long double)y)), 1.0);
    }
}
END

TEST(the_direction_of_a_vector_is_within_one_unit_in_the_last_place)
{
    cairn_random random = {5};
    CHECK_BELOW(worst_error(cairn_atan, atanl, -3.0, 3.0, -60, 60), 1.0);
    for (int i = 0; i < cases; i++) {
        double x = any_size(&random, -1060, 1020), y = any_size(&random, -12, 3) * x;
        if (fabs(y) < 0x1p-1000 || !(fabs(y) < 0x1p1023))
            continue;
        CHECK_BELOW(ulps(cairn_atan2(y, x), atan2l((long double)y, (long double)x)), 1.0);
    }
}
END

// equal, or next to each other
static bool same(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return signbit(a) == signbit(b) && (a == b || nextafter(a, b) == b);
}

// zeros of both signs, infinite numbers and no numbers: what C's Annex F says
TEST(special_values_are_those_of_the_c_library)
{
    static const double special[] = {0.0,       -0.0,   1.0,     -1.0,     0.5,    INFINITY,
                                     -INFINITY, NAN,    DBL_MIN, -DBL_MIN, 1e-320, 5e-324,
                                     800.0,     -800.0, DBL_MAX, -DBL_MAX};
    enum { count = sizeof special / sizeof special[0] };
    for (int i = 0; i < count; i++) {
        double x = special[i];
        CHECK(same(cairn_sin(x), sin(x)));
        CHECK(same(cairn_cos(x), cos(x)));
        CHECK(same(cairn_exp(x), exp(x)));
        CHECK(same(cairn_log(x), log(x)));
        CHECK(same(cairn_log1p(x), log1p(x)));
        CHECK(same(cairn_cbrt(x), cbrt(x)));
        CHECK(same(cairn_atan(x), atan(x)));
        for (int k = 0; k < count; k++) {
            double y = special[k];
            bool axis = x == 0.0 || y == 0.0 || isinf(x) || isinf(y) || isnan(x) || isnan(y);
            if (!axis)
                continue;
            CHECK(same(cairn_atan2(y, x), atan2(y, x)));
            CHECK(same(cairn_hypot(y, x), hypot(y, x)));
        }
    }
}
END

static uint64_t mix(uint64_t hash, double y)
{
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    return (hash ^ bits) * 0x100000001b3u;
}

// recorded on x86-64; every compiler, instruction set and machine has to give it
TEST(the_bits_are_those_of_every_machine)
{
    cairn_random random = {11};
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 20000; i++) {
        double x = any_size(&random, -20, 9), y = any_size(&random, -20, 9);
        hash = mix(mix(mix(hash, cairn_sin(x)), cairn_cos(x)), cairn_atan2(y, x));
        hash = mix(mix(mix(hash, cairn_exp(x)), cairn_log(fabs(x))), cairn_log1p(fabs(x)));
        hash = mix(mix(hash, cairn_hypot(x, y)), cairn_cbrt(x));
    }
    ck_assert_msg(hash == 0x135ab428e5cd1ba9u, "the hash is 0x%016llx", (unsigned long long)hash);
}
END

TESTS(sine_and_cosine_are_within_one_unit_in_the_last_place,
      the_hardest_argument_of_the_cosine_keeps_its_digits,
      exponential_and_logarithms_are_within_one_unit_in_the_last_place,
      roots_and_lengths_are_within_one_unit_in_the_last_place,
      the_direction_of_a_vector_is_within_one_unit_in_the_last_place,
      special_values_are_those_of_the_c_library, the_bits_are_those_of_every_machine)
