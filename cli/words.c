// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Whether a word names a method, and which one it most likely meant.

#include "verb.h"
#include <cairn/lcp.h>
#include <string.h>

bool verb_is_method(const char* name, cairn_guess* guess)
{
    *guess = (cairn_guess){.word = name};
    for (int i = 0; i < cairn_method_count(); i++) {
        if (strcmp(cairn_method_at(i).name, name) == 0)
            return true;
        cairn_guess_offer(guess, cairn_method_at(i).name);
    }
    return false;
}

bool verb_is_lcp_method(const char* name, cairn_guess* guess)
{
    *guess = (cairn_guess){.word = name};
    if (strcmp(name, "auto") == 0)
        return true;
    cairn_guess_offer(guess, "auto");
    for (int i = 0; i < cairn_lcp_method_count(); i++) {
        if (strcmp(cairn_lcp_method_at(i), name) == 0)
            return true;
        cairn_guess_offer(guess, cairn_lcp_method_at(i));
    }
    return false;
}
