#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The state hashes of eight worlds (hashes.c) on other machines, by cross compilers and emulators, against the native
# ones. What is not installed is skipped by name; where nothing is, status 77. CAIRN_CROSS="COMPILER ..." compares other
# compilers of this machine in the same way.
#     test_cross_hashes.sh PROGRAM SOURCE_DIR
native=$(realpath "$(dirname "$1")")/cross_hashes source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
good=0 bad=0
"$native" > "$work/native" || { echo "the native worlds failed"; exit 1; }

# compare NAME COMPILER RUNNER OPTION...: builds the core without optimizations that would take long, and runs it
compare() {
    local name=$1 compiler=$2 runner=$3
    shift 3
    if cmake -S "$source" -B "$work/$name" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=RelWithAsserts \
        -DCAIRN_IO=OFF -DCAIRN_PROGRAM=OFF -DCAIRN_TESTS=OFF -DCAIRN_INSTALL=OFF -DCAIRN_CROSS_HASHES=ON \
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCAIRN_WERROR=OFF "$@" > "$work/log" 2>&1 &&
        cmake --build "$work/$name" --target cross_hashes -j 2 > "$work/log" 2>&1 &&
        $runner "$work/$name/cross_hashes" > "$work/found" 2> "$work/log" && diff "$work/native" "$work/found"; then
        echo "$name: 8 hashes equal"
        good=$((good + 1))
    else
        tail -n 20 "$work/log"
        echo "$name: FAILED"
        bad=$((bad + 1))
    fi
}

for machine in aarch64 riscv64; do
    compiler=$machine-linux-gnu-gcc
    runner=$(command -v "qemu-$machine-static" || command -v "qemu-$machine")
    if ! command -v "$compiler" > /dev/null; then
        echo "SKIPPED $machine: $compiler is not installed"
    elif [ -z "$runner" ]; then
        echo "SKIPPED $machine: qemu-$machine-static is not installed"
    else
        compare "$machine" "$compiler" "$runner" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$machine"
    fi
done
for compiler in $CAIRN_CROSS; do
    compare "$(basename "$compiler")" "$compiler" ""
done
echo "$good passed, $bad failed"
[ "$bad" -eq 0 ] || exit 1
[ "$good" -gt 0 ] || exit 77
