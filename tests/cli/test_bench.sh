#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The sections "motion" and "endurance" of `cairn bench quality`: every case has a row of finite numbers and a verdict that agrees with
# them. Whether the bounds are met is the matter of the benchmark, not of this test.
#     bash test_bench.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

run bench quality --quick --only motion --json
check "the suite runs to its end" [ "$status" -le 1 ]
for case in "pendulum period" "double pendulum x" "top 400 rad/s tilt" "spring amplitude" "door, upper hinge" \
    "chain-20: joints" "10 t on 50 g: energy gained" "damping 60/s decay" "capsule down a slope" "coin lean" \
    "Euler's disk" "turntable" "sliding distance" "damping 60/s floor force" "36 seams: cylinder" "36 seams: cube of 4 cm" "plate over loose bricks" "plank on light rollers" "slip between jaws" "pool shot 30 m/s" \
    "near miss" "rocking, second peak" "bullets, 200 shots"; do
    check "it has the case $case" says out "\"case\": \"$case\""
done
check "its numbers are finite" bash -c '! grep -Eqi "null|nan|inf[^o]" out'

# fields of the rows, one by one: an error within its bound is ok, another one is not
agree() {
    awk -F': ' '/"error":/ { error = $2 + 0 } /"bound":/ { bound = $2 + 0 }
        /"verdict":/ { rows++; if (($2 ~ /ok/) != (error <= bound)) wrong++ }
        END { exit !(rows >= 38 && wrong == 0) }' out
}
check "and its verdicts follow from them" agree
missed=$(grep -c '"verdict": "MISSED"' out)
check "a miss is told in a sentence" [ "$(grep -c '^MISSED' err)" -eq "$missed" ]
check "and by the exit status" ended $((missed > 0))

run bench quality --quick --only endurance --json
check "closed systems run to their end" [ "$status" -le 1 ]
for case in "pendulum" "chain of 5" "top" "rolling ball" "box on a slope" "stack of 5"; do
    check "none of the energy of $case is untold" says out "\"case\": \"$case: not told\""
    check "nor is any gained" says out "\"case\": \"$case: gained\""
done
check "with finite numbers" bash -c '! grep -Eqi "null|nan|inf[^o]" out'

run bench robots --quick --only humanoid --json
check "robots: Cairn keeps its energy" python3 -c '
import json, sys
rows = {r["engine"]: r for r in json.load(open("out"))["rows"]}
sys.exit(not (0 <= rows["Cairn"]["energy_error"] <= 1e-3 and rows["Cairn"]["speed"] > 0))'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
