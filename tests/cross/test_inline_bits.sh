#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The inline functions of the public headers give a program the bits that they give the library, also where its compiler
# may contract products and sums (fused multiply-add); they give it no warnings. The library has no such instruction.
# Compilers that are not installed are skipped by name; a machine without these instructions skips all (status 77).
#     test_inline_bits.sh PROGRAM SOURCE_DIR
built=$(dirname "$1") source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
good=0 bad=0
judge() {
    if [ "$1" = 0 ]; then good=$((good + 1)); else bad=$((bad + 1)); echo "FAILED $2"; fi
}

# what a user may ask for on this machine
fused="-O3 -ffp-contract=fast"
case $(uname -m) in
    x86_64)
        if ! grep -q -m 1 -w fma /proc/cpuinfo; then
            echo "SKIPPED inline bits: the processor has no fused multiply-add"
            exit 77
        fi
        fused="-march=haswell $fused" ;;
esac

# every inline function is in the list
for name in $(sed -n -E 's/^static inline .*\b(cairn_\w+)\(.*/\1/p' "$source"/include/cairn/*.h); do
    grep -q "SHOW(\"$name\"" "$source/tests/cross/inline_bits.c"
    judge $? "$name is not in inline_bits.c"
done

# compile NAME COMPILER OPTION...: without warnings
compile() {
    local name=$1 compiler=$2
    shift 2
    "$compiler" "$@" -Wall -Wextra -pedantic -Wunknown-pragmas -Wshadow -Wconversion -Werror -I"$source/include" \
        "$source/tests/cross/inline_bits.c" -x none "$built/libcairn.a" -lm -lpthread -o "$work/$name"
    judge $? "$compiler $*: does not compile without warnings"
}

# the bits of the library's own flags, and those of a user's
reference=""
for compiler in gcc clang g++ clang++; do
    if ! command -v "$compiler" > /dev/null; then
        echo "SKIPPED $compiler: it is not installed"
        continue
    fi
    case $compiler in *++) language="-x c++ -std=gnu++17" ;; *) language="-x c -std=gnu17" ;; esac
    if [ -z "$reference" ]; then
        reference=$work/reference.txt
        compile reference "$compiler" $language -O1 -ffp-contract=off -DCAIRN_FP_CONTRACT_OFF
        "$work/reference" > "$reference"
    fi
    for options in "-O2" "$fused" "$fused -O1"; do
        compile user "$compiler" $language $options
        "$work/user" | diff "$reference" - > "$work/difference"
        judge $? "$compiler $options: other bits of $(sed -n 's/^> \(.*\) .*/\1/p' "$work/difference" | paste -s -d ';')"
    done
done

# other machines, which all have these instructions: clang writes none
if command -v clang > /dev/null; then
    for target in arm64-apple-macos11 riscv64-linux-gnu; do
        clang --target=$target -march=$([[ $target == arm* ]] && echo armv8-a || echo rv64gc) -std=c17 -O3 -ffp-contract=fast \
            -nostdlibinc -isystem "$source/tests/macos/include" -I"$source/include" -S "$source/tests/cross/inline_bits.c" -o "$work/user.s"
        judge $? "$target: does not compile"
        ! grep -q -m 1 -E '\sf(n?m(add|sub)|ml[as])[. ]' "$work/user.s"
        judge $? "$target: fused multiply-adds"
    done
fi

# the library has no such instruction, also where the flags of a build allow them: gcc 12.2 may write them in spite of
# -ffp-contract=off (cmake/flags.cmake)
fuses() { objdump -d --no-show-raw-insn "$1" | grep -q -m 1 -E '\bvfn?m(add|sub)'; }
if ! command -v objdump > /dev/null; then
    echo "SKIPPED instructions of the library: objdump is not installed"
else
    ! fuses "$built/libcairn.a"
    judge $? "the library has fused multiply-adds"
fi
if command -v objdump > /dev/null && [ "$(uname -m)" = x86_64 ]; then
    cmake -S "$source" -B "$work/native" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-march=haswell -DCAIRN_IO=OFF -DCAIRN_PROGRAM=OFF \
        -DCAIRN_TESTS=OFF -DCAIRN_INSTALL=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > "$work/log" 2>&1
    judge $? "no build for haswell: $(tail -n 3 "$work/log")"
    command=$(sed -n -E 's/^ *"command": "(.*rotation\.c)",?$/\1/p' "$work/native/compile_commands.json" | sed -E 's/ -o [^ ]+/ -o rotation.o/')
    (cd "$work" && eval "$command") && ! fuses "$work/rotation.o"
    judge $? "a build with -march=haswell has fused multiply-adds"
fi
echo "$good passed, $bad failed"
[ "$bad" -eq 0 ]
