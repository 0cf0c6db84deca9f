#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# What the tests of the module for browsers share: status 77 means skipped, and why. `make test` and `make wasm` build the
# modules; tests use them only while they are of the present sources.
#     . module.sh NAME PROGRAM SOURCE_DIR
name=$1 program=$(realpath "$2") source=$(realpath "$3")

skip() {
    echo "SKIPPED $name: $1"
    exit 77
}

command -v node > /dev/null || skip "node is not installed"
[ -f "$source/build/wasm/built" ] || skip "there is no module; \`make wasm\` builds it (emscripten)"
newer=$(find "$source/src" "$source/include" "$source/web/engine" "$source/cli" -name '*.[ch]' \
    -newer "$source/build/wasm/built" | head -n 1)
[ -z "$newer" ] || skip "the module is older than $(basename "$newer"); \`make wasm\` builds it again"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -d "$source/viewer/node_modules/playwright-core" ] || CHROMIUM=
export CHROMIUM
