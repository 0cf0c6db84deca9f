#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The npm package, packed and unpacked as a user gets it: its own tests, and the types where a compiler is at hand.
. "$(dirname "$0")/module.sh" web/package "$1" "$2"
command -v npm > /dev/null || skip "npm is not installed"
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$source/scripts/npm-package" "$work" > /dev/null
tar -xzf "$work"/cairn-physics-*.tgz -C "$work"
cp "$source/web/npm/test.mjs" "$work/package/"
cd "$work/package"
for file in index.js index.d.ts README.md LICENSE cairn.wasm cairn-scalar.wasm cairn-threads.wasm example/index.html; do
    [ -f "$file" ] || { echo "the package has no $file"; exit 1; }
done
node --test --test-reporter=tap test.mjs > tap || { grep -A12 '^not ok' tap; }
awk '/^# pass/ { good = $3 } /^# fail/ { bad = $3 } END { print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 || good < 1 }' tap
