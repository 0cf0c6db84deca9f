#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
. "$(dirname "$0")/module.sh" web/hashes "$1" "$2"
exec node "$source/tests/web/hashes.mjs" "$program" "$source" "$CHROMIUM"
