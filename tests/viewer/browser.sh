#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Starts a test that needs a browser, or says by name why it cannot be run: status 77 means skipped.
#     . browser.sh NAME PROGRAM SOURCE_DIR
name=$1 program=$(realpath "$2") source=$(realpath "$3")

skip() {
    echo "SKIPPED $name: $1"
    exit 77
}

command -v node > /dev/null || skip "node is not installed"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "chromium is not installed"
[ -d "$source/viewer/node_modules/playwright-core" ] || skip "npm has not installed playwright-core"
page=$(mktemp -u)
said=$("$program" run column --steps 1 --html "$page" --quiet 2>&1)
rm -f "$page"
case $said in *"needs npm"*) skip "the program was built without its web page" ;; esac
export CHROMIUM
exec node "$source/tests/viewer/$name.mjs" "$program" "$source"
