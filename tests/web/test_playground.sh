#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
. "$(dirname "$0")/module.sh" web/playground "$1" "$2"
[ -n "$CHROMIUM" ] || skip "chromium or playwright-core is not installed"
page=$source/build/site/playground.html
[ -f "$page" ] || skip "there is no playground; \`make playground\` builds it"
[ "$page" -nt "$source/build/wasm/built" ] || skip "the playground is older than the module; \`make playground\` builds it again"
exec node "$source/tests/web/page_playground.mjs" "$program" "$source"
