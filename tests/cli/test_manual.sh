#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The manual page and the completions of shells say what the program takes: every verb and every option of
# `cairn help VERB` is in them, and bash completes what a user would type.
#     bash test_manual.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"
status=0
: > out
: > err

"$cairn" help --man > cairn.1
"$cairn" help --completion bash > cairn.bash
"$cairn" help --completion zsh > _cairn
"$cairn" help > list
verbs=$(sed -n 's/^  cairn \([a-z]*\) .*/\1/p' list)
check "there are verbs" test "$(echo "$verbs" | wc -w)" -ge 9

# options PROGRAM'S OWN HELP: the names that the help of a verb lists
options() { "$cairn" help "$1" | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }

# what the page says of one verb
section() { awk -v v=".SS cairn $1" '/^\.S[SH] / {on = index($0 " ", v " ") == 1} on' cairn.1 | sed 's/\\-/-/g'; }
# the branch of a verb in a completion
branch() { awk -v v="    $2)" '$0 == v {on = 1} on; on && / ;;$/ && !/return/ {exit}' "$1"; }
for verb in $verbs; do
    section "$verb" > part
    check "the page tells of cairn $verb" test -s part
    check "the page has an example of cairn $verb" grep -q "^cairn $verb\|^  *cairn $verb" part
    branch cairn.bash "$verb" > bash_part
    branch _cairn "$verb" > zsh_part
    for option in $(options "$verb"); do
        check "the page tells of cairn $verb $option" grep -qE -- "^\.B $option(\\\\fR|$)" part
        check "bash completes cairn $verb $option" grep -qF -- "$option " bash_part
        check "zsh completes cairn $verb $option" grep -qF -- "'$option[" zsh_part
    done
    # and nothing more
    sed -n 's/^\.B \(--[a-z-]*\).*/\1/p' part | sort -u > told
    options "$verb" > taken
    check "the page tells of no other option of cairn $verb" same told taken
done
if command -v groff > /dev/null; then
    groff -man -ww -z -Tutf8 cairn.1 > out 2> err
    check "the page is sound" silent err
fi
if command -v zsh > /dev/null; then
    zsh -n _cairn 2> err
    check "the completion of zsh is sound" silent err
fi

# complete WORDS...: what bash offers for the last one
mkdir -p bin
ln -s "$cairn" bin/cairn
PATH=$folder/bin:$PATH
. ./cairn.bash 2> /dev/null
offer() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _cairn
    echo "${COMPREPLY[*]}" > offered
}
offer cairn so
check "so becomes solve" grep -qx solve offered
offer cairn solve --met
check "--met becomes --method" grep -qx -- --method offered
offer cairn solve --method lem
check "methods are offered" grep -q "lemke-structural" offered
offer cairn lcp --method ""
check "those for plain LCPs are others" test "$(tr ' ' '\n' < offered | sort | tr '\n' ' ')" = "auto lemke-standard pgs search "
offer cairn help --completion ""
check "shells are offered" grep -qx "bash zsh" offered
offer cairn run wal
check "scenes are offered" grep -q "wall32" offered
offer cairn bench pe
check "suites are offered" grep -q "peers" offered
offer cairn generate mass
check "kinds are offered" grep -qx massratio offered
touch problem.hdf5
offer cairn solve prob
check "files are offered" grep -qx problem.hdf5 offered

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
