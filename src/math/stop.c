// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Flags that another thread or a signal handler raises: stores of one int that are
// atomic and free of locks, as a handler needs them.

#include "math/stop.h"

void cairn_cancel_raise(cairn_cancel* cancel)
{
    if (cancel)
        __atomic_store_n(&cancel->raised, 1, __ATOMIC_RELAXED);
}

void cairn_cancel_clear(cairn_cancel* cancel)
{
    if (cancel)
        __atomic_store_n(&cancel->raised, 0, __ATOMIC_RELAXED);
}

bool cairn_cancel_is_raised(const cairn_cancel* cancel)
{
    return cairn_is_raised(cancel);
}
