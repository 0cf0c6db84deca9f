#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
if ! "$1" help view > /dev/null 2>&1; then
    echo "SKIPPED page_live: the program was built without \`cairn view\`"
    exit 77
fi
. "$(dirname "$0")/browser.sh" page_live "$1" "$2"
