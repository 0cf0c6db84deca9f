#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# What the scripts that drive the program share; they are called as `bash test_NAME.sh PROGRAM SOURCE_DIR` and
# source this file first. They work in an empty folder of their own.
set -u
cairn=$(realpath "$1")
source=$(realpath "$2")
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 2
passed=0
failed=0

# check SENTENCE COMMAND...: the command must succeed
check() {
    local sentence=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $sentence"
        echo "  status $status; stdout: $(head -c 300 out | tr '\n' '|'); stderr: $(head -c 300 err)"
    fi
}

# run ARGUMENTS...: leaves status, out and err behind
run() {
    "$cairn" "$@" > out 2> err
    status=$?
}

ended() { [ "$status" -eq "$1" ]; }
silent() { [ ! -s "$1" ]; }
lines() { [ "$(wc -l < "$1")" -eq "$2" ]; }
says() { grep -qF -- "$2" "$1"; }
absent() { [ ! -e "$1" ]; }
same() { cmp -s "$1" "$2"; }

# keys of the object on standard output, at its first level, in order (the program indents by one)
keys() { [ "$(sed -n 's/^ "\([a-z_0-9]*\)":.*/\1/p' out | tr '\n' ' ')" = "$* " ]; }
value() { sed -n "s/^ \"$1\": \(.*[^,]\),\{0,1\}$/\1/p" out | tr -d '"'; }
has() { [ "$(value "$1")" = "$2" ]; }
small() { awk -v x="$(value "$1")" -v y="$2" 'BEGIN { exit !(x + 0 <= y + 0) }'; }

# refused WORD ARGUMENTS...: status 2, one sentence that says WORD, nothing on standard output
refused() {
    local word=$1
    shift
    run "$@"
    check "cairn $*: ends with 2" ended 2
    check "cairn $*: prints nothing" silent out
    check "cairn $*: says one sentence" lines err 1
    check "cairn $*: says '$word'" says err "$word"
}

# an interpreter that has h5py: Debian's own, whose packages scripts/setup installs, or another; nothing when there is none
python_with_h5py() {
    local candidate
    for candidate in /usr/bin/python3 python3; do
        "$candidate" -c 'import h5py' 2> /dev/null && echo "$candidate" && return
    done
}

# ends the script as skipped where the program was built without MPI or mpirun is not there
ranks_or_skip() {
    if ! command -v mpirun > /dev/null || ! ldd "$cairn" | grep -q libmpi; then
        echo "skipped: no MPI"
        exit 77
    fi
}

# on_ranks N ARGUMENTS...: as run, on so many ranks of this machine
on_ranks() {
    local count=$1
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        timeout 120 mpirun --oversubscribe -np "$count" "$cairn" "$@" > out 2> err
    status=$?
}
