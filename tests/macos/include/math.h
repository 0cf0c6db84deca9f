// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <math.h> of C17, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_MATH_H
#define CAIRN_MACOS_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define isfinite(x) __builtin_isfinite(x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isless(x, y) __builtin_isless(x, y)

double sqrt(double x);
double fabs(double x);
double floor(double x);
double ceil(double x);
double trunc(double x);
double round(double x);
double rint(double x);
double nearbyint(double x);
long lrint(double x);
long lround(double x);
long long llround(double x);
double fmin(double x, double y);
double fmax(double x, double y);
double fmod(double x, double y);
double remainder(double x, double y);
double fma(double x, double y, double z);
double copysign(double x, double y);
double nextafter(double x, double y);
double ldexp(double x, int exponent);
double scalbn(double x, int exponent);
double frexp(double x, int* exponent);
double modf(double x, double* whole);
int ilogb(double x);
double logb(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
double hypot(double x, double y);
double cbrt(double x);
float sqrtf(float x);
float fabsf(float x);
float floorf(float x);
float ceilf(float x);
float fminf(float x, float y);
float fmaxf(float x, float y);
float copysignf(float x, float y);
float nextafterf(float x, float y);
float ldexpf(float x, int exponent);

// of POSIX
#define M_PI 3.14159265358979323846
#define M_SQRT2 1.41421356237309504880

#endif
