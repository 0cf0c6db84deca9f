#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Programs in the manual are those of examples/, which the tests build and run.
#     bash test_docs.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"
status=0
: > out
: > err

# the program in the only block of C of a page, and an example without its opening comment
shown() { sed -n '/^```c$/,/^```$/p' "$1" | sed '1d;$d'; }
program() { sed -n '/^#include/,$p' "$1"; }

shown "$source/docs/world.md" > page.c
program "$source/examples/rewind.c" > example.c
check "docs/world.md shows a program" grep -q "int main" page.c
check "docs/world.md shows examples/rewind.c" cmp -s page.c example.c
shown "$source/README.md" > page.c
program "$source/examples/overhang.c" > example.c
check "README.md shows examples/overhang.c" cmp -s page.c example.c
for page in world from-other-engines robots scene recording; do
    for function in $(grep -oE '`(cairn|CAIRN)_[A-Za-z_]*[a-zA-Z]`' "$source/docs/$page.md" | tr -d '`' | sort -u); do
        check "docs/$page.md: $function is in a public header" grep -qrw "$function" "$source/include/cairn"
    done
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
