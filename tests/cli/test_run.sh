#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# cairn run and cairn scenes as a user would call them.
#     bash test_run.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

# ---------------------------------------------------------------- help
for verb in run scenes; do
    run help $verb
    check "help $verb ends well" ended 0
    check "help $verb has an example" says out "Example:"
    for option in --json --quiet --help; do
        check "$verb takes $option" says out "$option"
    done
done

# ---------------------------------------------------------------- the shipped scenes
run scenes
check "scenes ends well" ended 0
check "scenes lists the wall" grep -q '^  wall  *a wall' out
check "scenes groups them" grep -q '^impacts and heaps$' out
run scenes --json
check "scenes --json ends well" ended 0
check "scenes --json has its key" keys scenes
run scenes --quiet
check "scenes --quiet prints nothing" silent out
for file in "$source"/scenes/*.json; do
    name=$(basename "$file" .json)
    [ "$name" = scene.schema ] && continue
    check "$name has a group" grep -q '"group": "[a-z]' "$file"
    run run "$name" --steps 1 --tolerance 0.01 --json
    check "run $name makes a step" [ "$status" -le 1 ]
    check "run $name is a shipped scene" has scene "$name"
done

# the hardest moments: a pile meets its container
run run heap --steps 45 --json
check "run heap: the impact is solved to the tolerance" ended 0
run run boxes --steps 75 --json
check "run boxes: the impact is solved to the tolerance" ended 0

# ---------------------------------------------------------------- run
run_keys="scene method steps dt bodies contacts_mean contacts_max ms_step_mean ms_step_p99"
run_keys="$run_keys residual_mean residual_max penetration_max joint_error_max"
run_keys="$run_keys motion energy_start energy_end state_hash stages methods awake multiplicity missed ended seconds files"
run run column --steps 60 --json
check "run ends well" ended 0
check "run --json has its keys" keys $run_keys
check "run --json: says nothing else" silent err
check "run --json: 60 steps" has steps 60
check "run --json: 30 cubes" has bodies 30
check "run --json: 120 contacts" has contacts_max 120
check "run --json: no penetration" small penetration_max 1e-6
for part in penetration joint_error energy_defect work_external work_motor dissipated dissipated_numeric \
    update_error substeps_max inertia_raised; do
    check "run --json: motion has $part" says out "\"$part\":"
done
for stage in broad narrow assemble solve integrate; do
    check "run --json: stage $stage" says out "\"$stage\":"
done
hash=$(value state_hash)
run run column --time 1 --json
check "a second is 60 steps" has steps 60
check "run after run gives the same bits" has state_hash "$hash"
run run "$source/scenes/column.json" --steps 60 --json
check "a path gives the same bits" has state_hash "$hash"
run run column --steps 60 --threads 2 --json
check "threads do not change the bits" has state_hash "$hash"
run run column --steps 60 --no-sleep --json
check "without sleep all are awake" has awake 30
check "methods are counted" says out '"methods":'
run run column --steps 60 --no-sleep
check "the summary counts methods" says out "islands by"
run run column --steps 60 --json
check "a column that stands sleeps" has awake 0
run run column --steps 2 --dt 0.01 --substeps 2 --method exact --gravity 0,0,-1 --json
check "--dt counts" has dt 0.01
check "--method counts" has method exact
run run column --steps 2
check "run prints a table" grep -q '^penetration ' out
check "with the motion" grep -q '^motion  *overlaps of ' out
run run column --steps 2 --quiet
check "run --quiet prints nothing" silent out
check "run --quiet says nothing" silent err
run run column --steps 3 --csv - 
check "--csv - ends well" ended 0
check "--csv - prints the lines and nothing else" lines out 4
check "--csv - begins with the head" grep -q '^step,time' out
check "--csv - makes no file" absent ./-
refused "both want standard output" run column --steps 3 --csv - --json
run run column --steps 3 --csv told.csv --record told.h5
check "a run says what it wrote" grep -q '^wrote told.csv (.* bytes)$' out
check "and how long that took" grep -qE '^wrote told.h5 \([0-9.]+ kB\) in [0-9.e-]+ s$' out
check "and how long all of it took" grep -q '^total time' out
run run column --steps 2 --json
check "numbers have no more digits than they need" has dt 0.016666666666666666
check "a round number is short" grep -q '"contacts_mean": 120.0,' out
run run wall --time 1000 --time-limit 0.5 --json
check "--time-limit ends a run with 1" ended 1
check "and says so" has ended time-limit
check "and keeps what was simulated" [ "$(value steps)" -ge 1 ]

# a tolerance that cannot be met
run run spin --steps 5 --tolerance 1e-300 --json
check "a missed tolerance ends with 1" ended 1

# a plate presses a box into the floor, whatever resists it
cat > press.json << 'END'
{"cairn": 1, "run": {"time": 0.1}, "bodies": [
    {"type": "static", "shape": {"kind": "half_space"}},
    {"type": "kinematic", "shape": {"kind": "box", "size": [2, 2, 0.2]}, "at": [0, 0, 1.1], "velocity": [0, 0, -0.5]},
    {"name": "crate", "shape": {"kind": "box", "size": [1, 1, 1]}, "at": [0, 0, 0.5]}]}
END
run run press.json
check "a squeeze ends with 1" ended 1
check "and names the bodies" says out "no velocity satisfies the contacts of crate"
run run press.json --json
check "also as JSON" says out '"crate"'
run run press.json --record press.h5 --json
run check press.h5 --json
check "a recording of it has the residuals that were reported" has differing 0

# contacts that are springs
cat > springs.json << 'END'
{"cairn": 1, "run": {"time": 1}, "defaults": {"material": {"stiffness": 20000, "damping": 20}}, "bodies": [
    {"type": "static", "shape": {"kind": "half_space"}},
    {"shape": {"kind": "sphere", "radius": 0.3}, "at": [0, 0, 1]},
    {"shape": {"kind": "box", "size": [0.4, 0.4, 0.4]}, "at": [2, 0, 0.5]}]}
END
run run springs.json --record springs.h5 --json
check "soft contacts are recorded" ended 0
run check springs.h5
check "and certified" ended 0

# ---------------------------------------------------------------- files
run run column --steps 7 --csv c.csv --dump-problem 5 p.hdf5 --json
check "--csv and --dump-problem end well" ended 0
check "--csv has a head and a line for each step" lines c.csv 8
check "--csv names its columns" grep -q '^step,time,ms,bodies,contacts,residual' c.csv
check "--csv has the motion" grep -q ',energy_defect,work_external,work_motor,dissipated,' c.csv
check "--csv: every line has as many columns" test "$(awk -F, '{ print NF }' c.csv | sort -u | wc -l)" -eq 1

# a nut on a screw of 0.1 m per radian, a cube of m = 8 kg and I = m s²/6: a = -g / (1 + I / (m p²)) = -5.886 m/s²
cat > screw.json << 'END'
{
  "cairn": 1,
  "run": {"time": 1},
  "bodies": [{"name": "nut", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}}],
  "joints": [
    {"name": "guide", "kind": "cylindrical", "b": "nut"},
    {"kind": "screw", "b": "nut", "ratio": 0.1}
  ]
}
END
run run screw.json --csv screw.csv --watch nut --watch guide --watch 'no"body'
check "--watch ends well" ended 0
check "--watch: every line has as many columns" test "$(awk -F, '{ print NF }' screw.csv | sort -u | wc -l)" -eq 1
check "--watch names its columns" grep -q ',"nut.x","nut.y","nut.z",.*,"guide.coordinate","guide.speed",.*"no""body.x"' screw.csv
check "--watch: a nut comes down its screw as its pitch says" awk -F, 'END { z = $26; q = $37; v = $38;
    exit !(z + 2.943 < 1e-4 && z + 2.943 > -1e-4 && q - z < 1e-9 && z - q < 1e-9 && v + 5.886 < 1e-4 && v + 5.886 > -1e-4) }' screw.csv
cp c.csv before.csv
run solve p.hdf5 --json
check "the dumped problem is solved" ended 0
check "the dumped problem has 120 contacts" has contacts 120
check "the dumped problem has 30 bodies" has bodies 30
run run column --steps 80 --substeps 2 --json
alone=$(value state_hash)
run run column --steps 80 --substeps 2 --dump-problem 75 late.hdf5 --record late.h5 --json
check "a dump does not change the run" has state_hash "$alone"
run check late.h5 --json
check "nor what is recorded of it" ended 0
run solve late.hdf5 --json
check "bodies that sleep are part of a dumped problem" has contacts 120
refused "c.csv: exists already" run column --steps 7 --csv c.csv
check "an existing file is left alone" same c.csv before.csv
refused "p.hdf5: exists already" run column --steps 7 --dump-problem 5 p.hdf5
run run column --steps 3 --csv c.csv --force --quiet
check "--force overwrites" lines c.csv 4
refused "nowhere/x.csv" run column --steps 1 --csv nowhere/x.csv
refused "expected a step up to 3" run column --steps 3 --dump-problem 4 q.hdf5
refused "needs two values" run column --dump-problem 4
check "nothing was written" absent q.hdf5

# ---------------------------------------------------------------- refusals
refused "no scene" run
refused "'nothing' is not an included scene" run nothing
refused "nothing.json: cannot be opened" run nothing.json
refused "--steps is '0'" run column --steps 0
refused "--dt is '-1'" run column --dt -1
refused "--time is 'x'" run column --time x
refused "'magic' is not a method" run column --method magic
refused "--gravity is '1,2'" run column --gravity 1,2
refused "one argument too many" run column column
refused "did you mean 'column'?" run colum
refused "did you mean 'column'?" run Column
run run column --steps 1 --watch nobody
check "a name of --watch that nothing has is named" grep -q "^--watch nobody: no body, joint or sensor has this name" out
refused "did you mean 'exact'?" run column --method exakt
refused "did you mean '--steps'?" run column --stepz 3
run scenes wall
check "scenes NAME shows one" says out "a wall of 10 rows"
run scenes wall --json
check "scenes NAME --json has its keys" keys scene title group file bodies time dt substeps method tolerance
refused "did you mean 'wall'?" scenes wal
echo '{"cairn": 1, "bodies": [' > cut.json
refused "cut.json:2:" run cut.json
echo '{"cairn": 1, "bodies": [{"shape": {"kind": "sphere", "radius": 0}}]}' > zero.json
refused "zero.json:1:54: bodies[0].shape.radius is 0, expected a number > 0" run zero.json
echo '{"cairn": 1, "bodies": [{"shpae": 1}]}' > key.json
refused "key.json:1:26: bodies[0].shpae is not a known key; did you mean 'shape'?" run key.json

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
