// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// "Did you mean": the edit distance (insertions, deletions, substitutions and swaps of neighbors,
// each 1) between what was typed and what is known. A beginning of a word is near it, too.

#include "io/scene/guess.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { longest = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// by rows of the table of all prefixes; only the last two are needed
static int edit_distance(const char* a, const char* b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int rows[3][longest + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];

    // the empty prefix becomes b[0..j] by j insertions
    for (int j = 0; j <= m; j++)
        above[j] = j;

    for (int i = 1; i <= n; i++) {
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            // replace, delete or insert a letter
            int swap = same_letter(a[i - 1], b[j - 1]) ? 0 : 1;
            row[j] = least(above[j - 1] + swap, least(above[j], row[j - 1]) + 1);

            // or exchange two neighbors (Damerau)
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }

        // the oldest of the three rows is free
        int* spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[m];
}

void cairn_guess_offer(cairn_guess* guess, const char* candidate)
{
    size_t length = strlen(guess->word), other = strlen(candidate);
    if (length == 0 || length > longest || other > longest)
        return;

    // a third of the letters may be wrong, unless the word is a prefix of the candidate
    int distance = edit_distance(guess->word, candidate);
    bool beginning = length >= 3 && strncmp(guess->word, candidate, length) == 0;
    if (distance > (int)(length + 2) / 3 && !beginning)
        return;
    if (guess->best && distance >= guess->distance)
        return;
    guess->best = candidate;
    guess->distance = distance;
}

const char* cairn_guess_hint(const cairn_guess* guess, char* text, size_t size)
{
    text[0] = 0;
    if (guess->best)
        snprintf(text, size, "; did you mean '%s'?", guess->best);
    return text;
}
