#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# One request for memory of the whole process fails, in our code, in Jansson, in zlib or in the C library: the program ends by
# itself, says so in a sentence or has not needed it, and leaves no half-written file. Verbs that use HDF5 are not asked: HDF5
# does not survive a failed request (docs/reliability.md).
#     bash test_starved.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"
status=0
: > out
: > err

if ! cc -std=gnu17 -O1 -shared -fPIC "$source/tests/cli/starve.c" -o starve.so 2> /dev/null ||
    ! LD_PRELOAD=$PWD/starve.so STARVE_COUNT=$PWD/count "$cairn" --version > /dev/null 2>&1 || [ ! -s count ]; then
    echo "SKIPPED test_starved.sh: this C library cannot be preloaded"
    echo "0 passed, 0 failed"
    exit 0
fi

# starve TRIES FILE ARGUMENTS...: lets about so many requests fail, one in each run
starve() {
    local tries=$1 file=$2 total stride k bad=0 told=0
    shift 2
    rm -f "$file"
    STARVE_COUNT=$PWD/count LD_PRELOAD=$PWD/starve.so "$cairn" "$@" > out 2> err
    check "cairn $*: works when there is memory" test $? = 0
    total=$(cat count)
    stride=$((total / tries + 1))
    for ((k = 0; k < total; k += stride)); do
        rm -rf there
        mkdir there
        (cd there && STARVE_AT=$k LD_PRELOAD=$PWD/../starve.so "$cairn" "$@" > ../out 2> ../err)
        status=$?
        case $status in
        0) ;;
        2 | 3) [ "$(wc -l < err)" = 1 ] && [ -z "$(ls there)" ] || bad=$((bad + 1)) && told=$((told + 1)) ;;
        *) bad=$((bad + 1)) ;;
        esac
        [ $bad = 0 ] || break
    done
    check "cairn $*: ends by itself when request $k of $total fails (status $status)" test $bad = 0
    check "cairn $*: and says so" test $told -gt 0
}

starve 60 none scenes
starve 60 none scenes wall
starve 60 none methods --json
starve 80 a.html run column --steps 3 --html a.html
starve 250 none run arch --steps 3 --json

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
