#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The npm package, packed and unpacked as a user gets it: its own tests, and its example in a browser.
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
{
    sed -n 's/^# \(pass\|fail\)/\1/p' tap
    # the example, where there is a browser
    if [ -n "$CHROMIUM" ] && [ -d "$source/viewer/node_modules/three" ]; then
        node "$source/tests/web/page_example.mjs" "$program" "$source" "$work/package"
    fi
} > said || true
grep FAILED said || true
awk '/^pass/ { good += $2 } /^fail/ { bad += $2 } / passed, / { good += $1; bad += $3 }
    END { print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 || good < 1 }' said
