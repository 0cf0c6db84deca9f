// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// CAIRN_ASSERT states what our own code or the caller must hold; it is on in every build but
// release.
#ifndef CAIRN_MATH_ASSERT_H
#define CAIRN_MATH_ASSERT_H

#include <assert.h>

#define CAIRN_ASSERT(condition) assert(condition)

#endif
