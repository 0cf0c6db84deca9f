#!/usr/bin/env bash
# The layer check refuses what it promises to refuse: a private header outside its layer, a layer to the right, a library
# in the core, a second policy.
set -u
source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
passed=0 failed=0

# refused FILE LINE: with this line in this file the check fails and names the file
refused() {
    local file=$1 line=$2 said
    rm -rf "$tree"/*
    cp -r "$source/src" "$source/cli" "$source/bench" "$source/include" "$tree"
    echo "$line" >> "$tree/$file"
    if said=$("$source/scripts/check-layers" "$tree"); then
        failed=$((failed + 1))
        echo "FAILED $line in $file passes"
    elif [[ $said == *"$file"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $line in $file: $said"
    fi
}
refused src/io/file.c '#include "world/state.h"'
refused src/io/file.c '#include "solve/method.h"'
refused cli/run.c '#include "world/state.h"'
refused cli/run.c '#include "collide/shape/mesh.h"'
refused bench/main.c '#include "world/state.h"'
refused src/solve/solve.c '#include "world/state.h"'
refused src/math/arena.c '#include "linalg/ldl.h"'
refused src/collide/narrow/gjk.c '#include <cairn/solve.h>'
refused src/problem/problem.c '#include <jansson.h>'
refused src/world/joint.c 'static double turned(double x) { return sin(x); }'
refused src/world/step/rest.c 'static int is_pgs(const char* name) { return strcmp(name, "pgs") == 0; }'

# and the tree as it is passes
if "$source/scripts/check-layers"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
