// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// CAIRN_ASSERT states what our own code or the caller must hold; it is on in every build but
// release.
#ifndef CAIRN_MATH_ASSERT_H
#define CAIRN_MATH_ASSERT_H

/// Calls the hook of assertions, or prints, and aborts.
_Noreturn void cairn_assert_failed(const char* condition, const char* file, int line);

#ifdef NDEBUG
#define CAIRN_ASSERT(condition) ((void)0)
#else
#define CAIRN_ASSERT(condition)                                                                    \
    ((condition) ? (void)0 : cairn_assert_failed(#condition, __FILE__, __LINE__))
#endif

#endif
