#!/usr/bin/env bash
# The checks of layers and of the system refuse what they promise to refuse: a private header outside its layer, a layer to
# the right, a library in the core, a second policy, a call of the system past its layer.
set -u
source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
passed=0 failed=0

# refused FILE LINE [CHECK]: with this line in this file the check fails and names the file
refused() {
    local file=$1 line=$2 check=${3:-check-layers} said
    rm -rf "$tree"/*
    cp -r "$source/src" "$source/cli" "$source/bench" "$source/include" "$tree"
    echo "$line" >> "$tree/$file"
    if said=$("$source/scripts/$check" "$tree"); then
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
refused src/world/threads.c '#include <pthread.h>' check-system
refused src/collide/narrow/gjk.c '#include <sys/mman.h>' check-system

# and the tree as it is passes
for check in check-layers check-system; do
    if "$source/scripts/$check"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
