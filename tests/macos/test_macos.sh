#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The core compiles for macOS, as far as can be checked elsewhere: clang reads all its files for both kinds of Mac. There
# are no headers of Apple here, so those in include/ stand for them: they declare C17 and what of POSIX the one layer for
# the system may call on macOS, and nothing of Linux. Not linked, not run. Skipped by name (status 77) without clang.
#     test_macos.sh PROGRAM SOURCE_DIR
source=$(realpath "$2")
if ! command -v clang > /dev/null; then
    echo "SKIPPED macos: clang is not installed"
    exit 77
fi
cd "$source" || exit 1
options="-std=c17 -fsyntax-only -nostdlibinc -isystem tests/macos/include -Iinclude -Isrc -include math/memory.h -DNDEBUG
    -D_POSIX_C_SOURCE=200809L -DCAIRN_FP_CONTRACT_OFF -DCAIRN_TARGET=baseline -DCAIRN_TARGET_baseline
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
good=0 bad=0

# read_for MACHINE FILE...
read_for() {
    local machine=$1
    shift
    # the system layer alone asks for more than POSIX (cmake/libraries.cmake)
    if printf '%s\0' "$@" | grep -zv system_posix | xargs -0 -P 2 -n 16 clang --target="$machine-apple-macos11" $options &&
        clang --target="$machine-apple-macos11" $options -D_DARWIN_C_SOURCE src/math/system_posix.c; then
        echo "macos: $# files of the core compile for $machine"
        good=$((good + 1))
    else
        echo "FAILED macos: the core does not compile for $machine"
        bad=$((bad + 1))
    fi
}

core="src/math src/linalg src/problem src/solve src/collide src/world"
read_for arm64 $(find $core -name '*.c')
# where it depends on the machine
read_for x86_64 $(find src/math -name '*.c') $(grep -rlE --include='*.c' '__x86_64__|__aarch64__|__builtin_(cpu|ia32)' $core)
echo "$good passed, $bad failed"
[ "$bad" -eq 0 ]
