#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The Debian packages, installed into an empty root, used there and removed: test_deb.sh PROGRAM SOURCE_DIR. Status 77: skipped.
# What the packages need of others is taken from the system; nothing of the system is changed.
source=$(realpath "$2")
passed=0 failed=0

skip() {
    echo "SKIPPED install/deb: $1"
    exit 77
}
command -v dpkg > /dev/null || skip "this is no Debian system"
debs=("$source"/build/deb/{libcairn0,libcairn-dev,cairn,python3-cairn}_*.deb)
[ -f "${debs[0]}" ] || skip "there are no packages; \`make deb\` builds them"
newer=$(find "$source/src" "$source/include" "$source/cli" "$source/packaging" "$source/python" -type f -newer "${debs[0]}" | head -n 1)
[ -z "$newer" ] || skip "the packages are older than $(basename "$newer"); \`make deb\` builds them again"
[ "$(id -u)" = 0 ] || skip "dpkg installs for root alone"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/var/log"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
libraries=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2> /dev/null || gcc -print-multiarch)
on_root() { dpkg --root="$root" --log=/dev/null "$@"; }

check() {
    local sentence=$1
    shift
    if "$@" > "$root/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $sentence"
        tail -n 12 "$root/out"
    fi
}

compiles() {
    gcc -std=c17 "$source/tests/install/consumer.c" -I"$root/usr/include" -L"$libraries" -lcairn -lm -o "$root/consumer" &&
        LD_LIBRARY_PATH=$libraries "$root/consumer"
}

# a ball that falls freely: z = 10 - g t²/2
falls() {
    PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c '
import cairn, sys
assert cairn.__file__.startswith(sys.argv[1]), cairn.__file__
world = cairn.World()
ball = world.add_body(cairn.sphere(0.5), position=(0, 0, 10))
report = world.step(1 / 60, steps=60)
assert report.converged and abs(ball.position[2] - (10 - 0.5 * 9.81)) < 1e-9, ball.position' "$root"
}

removed() {
    on_root --purge python3-cairn cairn libcairn-dev libcairn0 &&
        [ -z "$(find "$root/usr" -type f -o -type l)" ]
}

check "they install" on_root --force-depends -i "${debs[@]}"
check "all are configured" [ "$(on_root -l 2> /dev/null | grep -c '^ii')" = "${#debs[@]}" ]
check "the program runs a scene that it finds by name" "$root/usr/bin/cairn" run arch --steps 5 --quiet
check "the manual is there" zgrep -q cairn "$root/usr/share/man/man1/cairn.1.gz"
check "a program of another one builds against the library and runs" compiles
check "the Python package steps a world" falls
check "they are removed, and no file stays" removed
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
