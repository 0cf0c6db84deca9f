#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The core for Windows: built by Debian's mingw-w64 and run by wine. The state hashes of eight worlds equal the native
# ones, and tests of the core pass. Skipped by name (status 77) where a tool is not installed. It takes some minutes.
#     test_windows.sh PROGRAM SOURCE_DIR
native=$(realpath "$(dirname "$1")")/cross_hashes source=$(realpath "$2")
tests="math/test_math collide/test_curved collide/test_queries world/test_threads
    world/test_curved_motion world/test_soft world/test_snapshot_bytes solve/test_agreement"
compiler=x86_64-w64-mingw32-gcc
wine=$(command -v wine64 || command -v wine)
if ! command -v "$compiler" > /dev/null; then
    echo "SKIPPED windows: $compiler is not installed"
    exit 77
elif [ -z "$wine" ]; then
    echo "SKIPPED windows: wine64 is not installed"
    exit 77
fi
work=${CAIRN_WINDOWS_BUILD:-$(mktemp -d)}
[ -n "$CAIRN_WINDOWS_BUILD" ] || trap 'rm -rf "$work"' EXIT
export WINEPREFIX=$work/wine WINEDEBUG=-all
fail() { tail -n 20 "$work/log"; echo "windows: $1"; exit 1; }

# the core and the worlds
cmake -S "$source" -B "$work/core" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/mingw.cmake" -DCMAKE_BUILD_TYPE=RelWithAsserts \
    -DCAIRN_IO=OFF -DCAIRN_PROGRAM=OFF -DCAIRN_TESTS=OFF -DCAIRN_INSTALL=OFF -DCAIRN_CROSS_HASHES=ON > "$work/log" 2>&1 &&
    cmake --build "$work/core" --target cross_hashes -j 2 > "$work/log" 2>&1 || fail "the core does not build"
"$native" > "$work/native" || fail "the native worlds failed"
"$wine" "$work/core/cross_hashes.exe" 2> "$work/log" | tr -d '\r' > "$work/found"
diff "$work/native" "$work/found" || fail "other hashes"
echo "windows: 8 hashes equal"

# tests of the core
support="$source/tests/support"
for test in $tests; do
    "$compiler" -std=c17 -O1 -static -ffp-contract=off -D__USE_MINGW_ANSI_STDIO=1 -D_POSIX_C_SOURCE=200809L -I"$source/tests/windows" \
        -I"$support" -I"$source/include" -I"$source/src" "$source/tests/$test.c" "$source/tests/windows/check_run.c" \
        "$support"/{collide_laws,collide_reference,worlds,mixed_problem,dense_reference,mechanisms}.c \
        "$work/core/libcairn.a" -o "$work/test.exe" > "$work/log" 2>&1 || fail "$test does not build"
    "$wine" "$work/test.exe" > "$work/log" 2>&1 || fail "$test FAILED"
    echo "windows: $test passed"
done
