// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One function for each rule of the grammar, by recursive descent. Parentheses and signs nest at
// most `deepest` deep, which bounds the stack.

#include "expression.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { deepest = 64, most_arguments = 2 };

typedef struct parser {
    const char *text, *at;
    expression_lookup lookup;
    void* context;
    int depth;
    cairn_status status;
    cairn_error* error;
} parser;

static double any(parser* p);

static double refuse(parser* p, const char* what)
{
    if (p->status == CAIRN_OK)
        p->status = cairn_fail(p->error, CAIRN_BAD_INPUT, "'%.200s', character %d: %s", p->text,
                               (int)(p->at - p->text) + 1, what);
    return NAN;
}

// takes the sign when it is next
static bool take(parser* p, const char* sign)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
    size_t length = strlen(sign);
    if (strncmp(p->at, sign, length) != 0)
        return false;
    p->at += length;
    return true;
}

// ---------------------------------------------------------------- functions

static double call(const char* name, size_t length, const double* x, int count, bool* known)
{
    const struct {
        const char* name;
        double (*one)(double);
        double (*two)(double, double);
    } functions[] = {{"abs", fabs, NULL}, {"sqrt", sqrt, NULL},   {"exp", exp, NULL},
                     {"log", log, NULL},  {"sin", sin, NULL},     {"cos", cos, NULL},
                     {"tan", tan, NULL},  {"floor", floor, NULL}, {"min", NULL, fmin},
                     {"max", NULL, fmax}, {"hypot", NULL, hypot}, {"atan2", NULL, atan2}};

    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        bool same =
            strlen(functions[k].name) == length && strncmp(functions[k].name, name, length) == 0;
        if (same && count == 1 && functions[k].one)
            return functions[k].one(x[0]);
        if (same && count == 2 && functions[k].two)
            return functions[k].two(x[0], x[1]);
    }

    *known = false;
    return NAN;
}

static double function(parser* p, const char* name, size_t length)
{
    double x[most_arguments];
    int count = 0;
    do {
        double value = any(p);
        if (count == most_arguments)
            return refuse(p, "too many arguments");
        x[count++] = value;
    } while (p->status == CAIRN_OK && take(p, ","));
    if (p->status == CAIRN_OK && !take(p, ")"))
        return refuse(p, "expected ')'");

    bool known = true;
    double value = p->status == CAIRN_OK ? call(name, length, x, count, &known) : NAN;
    return known ? value
                 : refuse(p, "not a function of that many arguments; the functions are abs sqrt "
                             "exp log sin "
                             "cos tan floor, min max hypot atan2");
}

// ---------------------------------------------------------------- the rules

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static double named(parser* p, const char* name, size_t length)
{
    double value = NAN;
    if (!p->lookup(p->context, name, length, &value)) {
        char what[160];
        p->at = name;
        snprintf(what, sizeof what, "there is no value named '%.*s'",
                 (int)(length < 80 ? length : 80), name);
        return refuse(p, what);
    }
    return value;
}

static double primary(parser* p)
{
    // parentheses
    if (take(p, "(")) {
        double value = any(p);
        return p->status == CAIRN_OK && !take(p, ")") ? refuse(p, "expected ')'") : value;
    }

    // a name in braces may hold any character
    if (take(p, "{")) {
        const char *name = p->at, *end = strchr(name, '}');
        if (!end)
            return refuse(p, "expected '}'");
        p->at = end + 1;
        return named(p, name, (size_t)(end - name));
    }

    // numbers, without the words and the hexadecimal forms of strtod
    const char* start = p->at;
    if (isdigit((unsigned char)*start) || (*start == '.' && isdigit((unsigned char)start[1]))) {
        char* end;
        double value = strtod(start, &end);
        p->at = end;
        return value;
    }

    // otherwise a name: a function if a parenthesis follows, a variable if not
    if (!isalpha((unsigned char)*start) && *start != '_')
        return refuse(p, "expected a number, a name or '('");
    while (is_name(*p->at))
        p->at++;
    size_t length = (size_t)(p->at - start);
    return take(p, "(") ? function(p, start, length) : named(p, start, length);
}

static double unary(parser* p)
{
    if (p->status != CAIRN_OK || ++p->depth > deepest)
        return refuse(p, "nested too deeply");

    // -x^2 is -(x^2)
    double value;
    if (take(p, "-")) {
        value = -unary(p);
    } else if (take(p, "!")) {
        value = unary(p) == 0.0;
    } else {
        value = primary(p);
        if (p->status == CAIRN_OK && take(p, "^"))
            value = pow(value, unary(p));
    }
    p->depth--;
    return value;
}

static double product(parser* p)
{
    double value = unary(p);
    while (p->status == CAIRN_OK) {
        if (take(p, "*"))
            value *= unary(p);
        else if (take(p, "/"))
            value /= unary(p);
        else
            break;
    }
    return value;
}

static double sum(parser* p)
{
    double value = product(p);
    while (p->status == CAIRN_OK) {
        if (take(p, "+"))
            value += product(p);
        else if (take(p, "-"))
            value -= product(p);
        else
            break;
    }
    return value;
}

static double compare(parser* p)
{
    double a = sum(p);
    if (p->status != CAIRN_OK)
        return a;

    if (take(p, "<="))
        return a <= sum(p);
    if (take(p, ">="))
        return a >= sum(p);
    if (take(p, "=="))
        return a == sum(p);
    if (take(p, "!="))
        return a != sum(p);
    if (take(p, "<"))
        return a < sum(p);
    if (take(p, ">"))
        return a > sum(p);

    return a;
}

static double conjunction(parser* p)
{
    double value = compare(p);
    while (p->status == CAIRN_OK && take(p, "&&")) {
        double other = compare(p);
        value = value != 0.0 && other != 0.0;
    }
    return value;
}

static double any(parser* p)
{
    if (p->status != CAIRN_OK || ++p->depth > deepest)
        return refuse(p, "nested too deeply");
    double value = conjunction(p);
    while (p->status == CAIRN_OK && take(p, "||")) {
        double other = conjunction(p);
        value = value != 0.0 || other != 0.0;
    }
    p->depth--;
    return value;
}

cairn_status expression_evaluate(const char* text, expression_lookup lookup, void* context,
                                 double* value, cairn_error* error)
{
    parser p = {.text = text, .at = text, .lookup = lookup, .context = context, .error = error};
    *value = any(&p);
    take(&p, "");
    if (p.status == CAIRN_OK && *p.at)
        refuse(&p, "expected an operator or the end");
    return p.status;
}
