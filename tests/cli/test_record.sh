#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Recordings as a user would make and read them: run --record, info, check, diff.
#     bash test_record.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

python=$(python_with_h5py)

for verb in info check diff; do
    run help $verb
    check "help $verb ends well" ended 0
    check "help $verb has an example" says out "Example:"
done

# ---------------------------------------------------------------- recording
run run column --steps 40 --json
hash=$(value state_hash)
run run column --steps 40 --record a.h5 --json
check "run --record ends well" ended 0
check "recording does not change the run" has state_hash "$hash"
run run column --steps 40 --record b.h5 --quiet
run run slide --steps 20 --record c.h5 --quiet
run run slide --steps 20 --gravity 0,0,-9.8 --record d.h5 --quiet
refused "exists already" run column --steps 5 --record a.h5
run run column --steps 40 --record a.h5 --force --quiet
check "--force replaces a recording" ended 0
check "nothing is left beside it" [ "$(ls -A | grep -c a.h5)" -eq 1 ]

# ---------------------------------------------------------------- info
info_keys="file version scene title method dt substeps tolerance steps frames time bodies joints contacts_mean"
info_keys="$info_keys contacts_max residual_max missed penetration_max joint_error_max motion energy_start"
info_keys="$info_keys energy_end state_hash"
run info a.h5 --json
check "info ends well" ended 0
check "info --json has its keys" keys $info_keys
check "info: 40 steps" has steps 40
check "info: 41 frames" has frames 41
check "info: 30 cubes" has bodies 30
check "info: the hash of the run" has state_hash "$hash"
check "info: the scene" has scene column
run info a.h5
check "info prints the scene" says out "column"
refused "cannot be opened" info missing.h5
echo "no recording" > text.h5
refused "is not an HDF5 file" info text.h5

# ---------------------------------------------------------------- check
check_keys="file certified steps solves contacts rows tolerance residual_max residual_velocity_max"
check_keys="$check_keys residual_reported_max difference_max missed first_missed differing first_differing"
check_keys="$check_keys unbalanced first_unbalanced impulses_unjudged measured motion"
# the thighs of the walker overlap and are excluded from colliding
for scene in column fourbar spinslide newton-cradle walker; do
    run run $scene --steps 40 --record $scene.h5 --quiet
    run check $scene.h5 --json
    check "check $scene: certified" ended 0
    check "check --json has its keys" keys $check_keys
    check "check $scene: 40 steps" has steps 40
    check "check $scene: the residuals are those reported" small difference_max 1e-10
done
# joints and contacts of a car share the loads that statics leaves open; the jack is held by the world, too
for scene in car double-jack; do
    run run $scene --time 3 --record $scene.h5 --quiet
    run check $scene.h5 --json
    check "check $scene: certified" ended 0
    check "check $scene: its impulses are those of the solves" has unbalanced 0
done
check "of the jack some cannot be told" [ "$(value impulses_unjudged)" -ge 1 ]
run check car.h5 --json
check "of the car all can" has impulses_unjudged 0
# the residual of a march is relative to speeds in the middle of a blow, which the frames do not have
cat > struck.json << 'EOF'
{"cairn": 1, "defaults": {"material": {"mu": 0.6}}, "bodies": [
  {"type": "static", "shape": {"kind": "half_space"}},
  {"wall": {"rows": 10, "bricks": 10, "brick": [1, 0.5, 0.5], "pitch": 1.01}},
  {"shape": {"kind": "sphere", "radius": 1}, "at": [0.75, -2.5, 1.38], "velocity": [-3.89, 21.7, 0]}]}
EOF
run run struck.json --steps 6 --record struck.h5 --quiet
run check struck.h5 --json
check "the residuals of a wall that is struck are those reported" has differing 0
run run peg --steps 20 --method lemke --substeps 3 --record facets.h5 --quiet
run check facets.h5 --json
check "a faceted method is measured against the law that it solves" has differing 0
run run domino --steps 30 --record domino.h5 --quiet
run check domino.h5 --tolerance 1e-9 --json
check "a tolerance that is not met is told" ended 1
check "and the first step is named" [ "$(value first_missed)" -ge 1 ]
head -c 60000 a.h5 > cut.h5
refused "cut off" check cut.h5

# ---------------------------------------------------------------- diff
run diff a.h5 b.h5 --json
check "the same run is the same" ended 0
check "diff --json has its keys" keys same frames_a frames_b step body contact
run diff c.h5 d.h5
check "another gravity is told" ended 1
check "diff names the step" says out "differ first in step"
check "diff names the body" grep -q '^body [0-9]* (.*): its .* differs by' out
check "diff names the contact" grep -q '^contact [0-9]* between bodies' out
run diff c.h5 d.h5 --tolerance 1e4
check "a loose tolerance overlooks it" ended 0
run run column --steps 15 --record short.h5 --quiet
run diff a.h5 short.h5
check "a shorter run differs" ended 1
check "and diff says why" says out "ends before"
refused "expected two" diff a.h5

# ---------------------------------------------------------------- others read and change it
if [ -n "$python" ]; then
    "$python" - > out 2> err << 'END'
import h5py
f = h5py.File("a.h5", "r")
assert f["run/format"][()] == b"cairn recording"
assert f["steps/hash"].shape == (41,) and f["states/pose"].shape == (41 * 31, 7)
first, count = f["steps/contacts"][40]
assert count == 120 and f["contacts/impulse"][first:first + count, 2].min() > 0
print("%016x" % f["steps/hash"][40])
g = h5py.File("b.h5", "r+")
x = g["problem/contact_impulse"][:]
x[500, 0] *= 1.001
g["problem/contact_impulse"][...] = x
g.close()
c = h5py.File("car.h5", "r+")
x = c["contacts/impulse"][:]
x[len(x) // 2, 2] += 1.0
c["contacts/impulse"][...] = x
c.close()
END
    status=$?
    check "h5py reads a recording" ended 0
    check "and finds the hash" says out "$hash"
    run check b.h5 --json
    check "a forged impulse is found" ended 1
    check "its step has another residual" [ "$(value differing)" -ge 1 ]
    check "and does not balance" [ "$(value unbalanced)" -ge 1 ]
    run check car.h5 --json
    check "a forged impulse of a car is found" [ "$(value unbalanced)" -ge 1 ]
else
    echo "python3-h5py is not installed: reading by h5py is not tested"
fi

# ---------------------------------------------------------------- killed
for delay in 0.3 0.9; do
    rm -f killed.h5
    "$cairn" run wall --time 1000 --record killed.h5 --quiet &
    pid=$!
    for _ in $(seq 100); do
        [ -e killed.h5 ] && break
        sleep 0.1
    done
    sleep $delay
    kill -9 $pid
    wait $pid 2> /dev/null
    run check killed.h5 --json
    check "a run killed after $delay s leaves a recording that can be read" [ "$status" -le 1 ]
    check "its residuals are those reported" has differing 0
    check "its impulses are those of the solves" has unbalanced 0
    if [ -n "$python" ]; then
        "$python" -c 'import h5py; f = h5py.File("killed.h5", "r"); print(len(f["steps/hash"]), f["states/pose"][-1])' \
            > out 2> err
        status=$?
        check "h5py reads what is left after $delay s" ended 0
    fi
done
run info killed.h5 --json
check "most of it is there" [ "$(value steps)" -ge 5 ]

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
