#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Text from files and file names never drives the terminal: control characters (of ASCII and of Unicode), overrides of the
# writing direction and bytes that are not UTF-8 are printed as escapes, in text, in JSON and in error sentences.
#     bash test_escapes.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

# nothing but printable text and line ends: no C0 and DEL, no C1 (C2 80 to 9F), no marks of direction, valid UTF-8
harmless() {
    ! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]' "$1" &&
        iconv -f UTF-8 -t UTF-8 "$1" > /dev/null 2>&1
}
both_harmless() {
    check "cairn $*: standard output is harmless" harmless out
    check "cairn $*: standard error is harmless" harmless err
}
ugly='\u001b[31mred\u001b]0;title\u0007\r\n\u009b2J\u202egnp.exe\u2066\u200f\u007f'
body='"shape": {"kind": "sphere", "radius": 0.5}, "at": [0, 0, 2]'
printf '{"cairn": 1, "title": "%s", "bodies": [{"name": "%s", %s}]}' "$ugly" "$ugly" "$body" > title.json
printf '{"cairn": 1, "bodies": [{"%s": 1}]}' "$ugly" > key.json
printf '{"cairn": 1, "run": {"method": "%s"}, "bodies": []}' "$ugly" > method.json
printf '{"cairn": 1, "bodies": [{"shape": "%s"}]}' "$ugly" > shape.json
printf '{"cairn": 1, "bodies": [\xff\xfe\x1b[31m' > bytes.json
printf '%%%%MatrixMarket matrix array real general\n2 2\n\x1b]0;x\x07\x9b31m\r\n' > ugly.mtx

run run ./title.json --steps 2
check "a scene with an ugly title runs" ended 0
check "its title is shown with escapes" says out '\x1b[31mred\x1b]0;title\x07\r\n\u009b2J\u202egnp.exe\u2066\u200f\x7f'
both_harmless run title.json
run scenes ./title.json
both_harmless scenes title.json
run scenes ./title.json --json
check "JSON has it as an escape" says out '\u202e'
both_harmless scenes title.json --json
run run ./title.json --steps 2 --record a.h5 --quiet
run run ./title.json --steps 2 --gravity 0,0,-1 --record b.h5 --quiet
for words in "info a.h5" "info a.h5 --json" "diff a.h5 b.h5" "diff a.h5 b.h5 --json"; do
    run $words
    check "cairn $words ends well" [ "$status" -le 1 ]
    both_harmless $words
done
for file in key method shape bytes; do
    refused "$file.json" run ./$file.json
    both_harmless run $file.json
done
refused "ugly.mtx" lcp ugly.mtx ugly.mtx
both_harmless lcp ugly.mtx

# names of files and arguments
name=$(printf 'x\033[31m\r\n\302\233\342\200\256\377.json')
cp title.json "./$name"
run run "./$name" --steps 1
check "a file with an ugly name runs" ended 0
both_harmless run ugly name
refused 'is not a command' "$name"
both_harmless ugly verb
refused 'is not an option' run column "--$name"
both_harmless ugly option
refused 'is not a method' solve x.hdf5 --method "$name"
both_harmless ugly method
refused 'cannot be opened' solve "$name.hdf5"
both_harmless ugly problem
run run "./$name" --steps 1 --csv "$name.csv"
check "what was written is named harmlessly" ended 0
both_harmless ugly csv

# text that is not ASCII but harmless stays as it is
printf '{"cairn": 1, "title": "Painlevé → 石", "bodies": [{%s}]}' "$body" > plain.json
run run ./plain.json --steps 1
check "accents and arrows are printed as they are" says out "Painlevé → 石"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
