// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Arithmetic over named numbers, for the metrics of a study:
//
//     or      := and ("||" and)*
//     and     := compare ("&&" compare)*
//     compare := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//     sum     := product (("+" | "-") product)*
//     product := unary (("*" | "/") unary)*
//     unary   := ("-" | "!") unary | power
//     power   := primary ["^" unary]
//     primary := number | name | "{" any name "}" | function "(" or ("," or)* ")" | "(" or ")"
//
// A comparison is 1 or 0, and what is not 0 is true. Names have dots: `motion.joint_error`.
#ifndef CAIRN_CLI_EXPRESSION_H
#define CAIRN_CLI_EXPRESSION_H

#include <cairn/base.h>
#include <stddef.h>

/// Gives the value of a name, which is not terminated; false when there is none.
typedef bool (*expression_lookup)(void* context, const char* name, size_t length, double* value);

/// Evaluates the text. The sentence of a refusal names the place in it.
cairn_status expression_evaluate(const char* text, expression_lookup lookup, void* context,
                                 double* value, cairn_error* error);

#endif
