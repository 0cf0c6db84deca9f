#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# docs/papers.md: every file and every test that the page names exists, every row says how its item ends, what works names a
# test or a benchmark, and what has neither says so. Each paper has all of its items, numbered without a gap.
#     bash test_papers.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/../cli/check.sh"
status=0
: > out
: > err
page=$source/docs/papers.md

# rows of the tables: # | item | code | test | how it ends
grep -E '^\| [EA]?[0-9]+ \|' "$page" > rows
check "the page has the items of five papers" test "$(wc -l < rows)" -ge 197

for name in $(grep -oE '`[a-z]+/[A-Za-z0-9_./-]+`' "$page" | tr -d '`' | sort -u); do
    check "$name exists" test -e "$source/$name"
done
check "the page names files" test "$(grep -coE '`src/' rows)" -ge 50

# cells by number, with the bars of the table as separators
ends() { awk -F' [|] ' '{ sub(/ [|]$/, "", $5); if (length($5) < 4) { print; bad = 1 } } END { exit bad }' rows > out; }
check "every item says how it ends" ends
tested() {
    awk -F' [|] ' '{ sub(/ [|]$/, "", $5)
        named = $4 ~ /`tests\//
        if (!named && $5 !~ /no test|not done|no statement|none is named/) { print; bad = 1 } } END { exit bad }' rows > out
}
check "what names no test says why" tested
placed() { awk -F' [|] ' '$3 !~ /`/ && $5 !~ /not done/ { print; bad = 1 } END { exit bad }' rows > out; }
check "what is not in the code is not done" placed

# numbers run from 1 within each paper
numbered() {
    awk '/^## / { last = 0 } match($0, /^[|] [EA]?[0-9]+ [|]/) {
        n = $2; gsub(/[EA]/, "", n)
        if (n != last + 1) { print; bad = 1 }
        last = n } END { exit bad }' "$page" > out
}
check "items are numbered without a gap" numbered

# no verdict of an older vocabulary, and figures come from the benchmarks
check "nothing is called confirmed" bash -c "! grep -qi confirmed '$page'"
for paper in "Baraff 1994" "Lloyd 2004" "Baraff 1996" "Erleben 2017" "AGEIA 2004"; do
    check "$paper has a place for its figures" grep -qF "<!-- bench: headlines $paper -->" "$page"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
