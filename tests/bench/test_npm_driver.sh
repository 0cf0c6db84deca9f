#!/usr/bin/env bash
# The driver of the engines from npm (bench/peers/npm): its protocol, and the engines that are installed.
#     test_npm_driver.sh PROGRAM SOURCE
set -eu
command -v node > /dev/null || { echo "SKIPPED node is not installed"; exit 77; }
exec python3 "$2/tests/bench/drive.py" "$2/bench/peers/npm/driver.mjs"
