#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
. "$(dirname "$0")/browser.sh" page_camera "$1" "$2"
