#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Studies: every value arrives where it belongs, a killed study goes on, a run that fails does not stop the others, and
# a bisection finds the friction that statics asks for.
#     bash test_sweep.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

# ---------------------------------------------------------------- a grid
# a block on a slope slides by x = t²/2 (g_x - mu g_z) where that is positive
cat > slope.json << 'END'
{
  "title": "A block on a slope <1>",
  "scene": "incline",
  "run": {"time": 1.0},
  "parameters": [
    {"name": "mu", "scene": "/defaults/material/mu", "from": 0.1, "to": 0.4, "count": 4},
    {"name": "substeps", "option": "substeps", "values": [1, 4]}
  ],
  "metrics": {
    "way": "watch.box.x",
    "error": "abs(way - (4.463567830749705 - mu * 8.735711889725781) / 2)",
    "steps": "steps"
  }
}
END
run sweep slope.json --table slope.h5 --html slope.html --replays 1
check "a study ends well" ended 0
check "it makes all runs" says out "8 runs ok, 0 missed a tolerance, 0 failed, 0 crashed, 0 stalled"
check "the table has a row for each run" lines slope.csv 10
awk -F, 'NR > 2 && !($6 < 1e-3 && $7 == 60 && $4 == "ok") { bad = 1 } END { exit bad }' slope.csv
check "blocks slide as far as Coulomb says" [ $? -eq 0 ]
check "the last parameter of a grid changes fastest" \
    [ "$(awk -F, 'NR > 2 { printf "%s/%s ", $2 + 0, $3 }' slope.csv)" = "0.1/1 0.1/4 0.2/1 0.2/4 0.3/1 0.3/4 0.4/1 0.4/4 " ]
check "the page is there, and what the study says in it is escaped" grep -q "A block on a slope &lt;1>" slope.html
check "the run with the largest metric has a page" test -s slope-run-0.html -o -s slope-run-1.html
python=$(python_with_h5py)
if [ -n "$python" ]; then
    check "HDF5 holds what the CSV file holds" "$python" -c '
import h5py, csv
f = h5py.File("slope.h5")
rows = [r for r in csv.DictReader(open("slope.csv").read().splitlines()[1:])]
assert [float(r["way"]) for r in rows] == list(f["metrics/way"])
assert [float(r["mu"]) for r in rows] == list(f["parameters/mu"])'
fi

# ---------------------------------------------------------------- again, in part, and by itself
cp slope.csv whole.csv
run sweep slope.json --json
check "a finished study makes no run" has made 0
check "and leaves its table as it was" same slope.csv whole.csv
head -n 5 whole.csv > slope.csv
printf '3,0.2000000' >> slope.csv
run sweep slope.json --json
check "a study that was killed goes on where it was" has made 5
check "and gives the same numbers" [ "$(cut -d, -f1-7 slope.csv)" = "$(cut -d, -f1-7 whole.csv)" ]
run sweep slope.json --only 5 --json
check "a run can be made by itself" has run 5
check "with the same result" awk -F, -v way="$(value way)" '$1 == 5 { exit !(way + 0 == $5 + 0) }' whole.csv
for k in 1 2 3; do run sweep slope.json --shard $k/3 --quiet; done
run sweep slope.json slope-1-of-3.csv slope-2-of-3.csv slope-3-of-3.csv --csv joined.csv --json
check "shards together are the study" has made 0
check "row by row" [ "$(cut -d, -f1-7 joined.csv)" = "$(cut -d, -f1-7 whole.csv)" ]
sed 's/0.4, "count"/0.5, "count"/' slope.json > other.json
refused "is not a table of this study" sweep other.json --csv slope.csv

# ---------------------------------------------------------------- samples
cat > latin.json << 'END'
{
  "scene": "incline",
  "run": {"steps": 1},
  "sampling": "latin", "samples": 20, "seed": 7,
  "parameters": [
    {"name": "mu", "scene": "/defaults/material/mu", "from": 0, "to": 1},
    {"name": "dt", "option": "dt", "from": 0.001, "to": 0.1, "log": true}
  ],
  "metrics": {"dt_used": "dt", "slice": "floor(mu * 20)"}
}
END
run sweep latin.json
check "a study of samples ends well" ended 0
check "a Latin hypercube has one sample in each slice" \
    [ "$(awk -F, 'NR > 2 { print $6 }' latin.csv | sort -n | tr '\n' ' ')" = "$(seq -s ' ' 0 19) " ]
check "options reach the run" awk -F, 'NR > 2 && $3 != $5 { bad = 1 } END { exit bad }' latin.csv

# ---------------------------------------------------------------- runs that fail or stall
cat > hard.json << 'END'
{
  "scene": "incline",
  "parameters": [{"name": "mu", "scene": "/defaults/material/mu", "values": [0.3, -1, 0.5]}],
  "metrics": {"way": "watch.box.x"},
  "run": {"time": 0.5}
}
END
run sweep hard.json
check "a study with a run that is refused ends with 1" ended 1
check "the others are made" says out "2 runs ok, 0 missed a tolerance, 1 failed"
check "the reason is told" grep -q '^1,-1,failed,,.*mu' hard.csv
sed 's/"run": {"time": 0.5}/"run": {"time": 10000}, "time_limit": 0.4/; s/0.3, -1, 0.5/0.3/' hard.json > slow.json
run sweep slow.json
check "a run that stalls is told" says out "1 stalled"
sed 's/watch.box.x/watch.nobody.x/; s/0.3, -1, 0.5/0.3/' hard.json > lost.json
run sweep lost.json
check "a metric that is not there is told" grep -q "there is no value named 'watch.nobody.x'" lost.csv

# ---------------------------------------------------------------- a threshold
cat > threshold.json << 'END'
{
  "scene": "incline",
  "run": {"time": 2.0},
  "parameters": [
    {"name": "g", "scene": "/gravity/0", "values": [2.0, 4.0, 8.0]},
    {"name": "mu", "scene": "/defaults/material/mu", "from": 0.1, "to": 0.6}
  ],
  "metrics": {"way": "watch.box.x"},
  "bisect": {"parameter": "mu", "tolerance": 1e-4, "when": "way > 0.05"}
}
END
run sweep threshold.json --json
check "a bisection ends well" ended 0
# t²/2 (g - mu g_z) = 0.05 at t = 2 s
check "it finds the friction that holds" awk '
    /"g":/ { g = $2 + 0 } /"threshold":/ { if ($2 != "null,") { x = $2 - (g - 0.025) / 8.735711889725781; if (x * x > 1e-8) bad = 1; found++ } }
    END { exit bad || found != 2 }' out
check "and says where nothing changes" grep -q '"threshold": null' out

# ---------------------------------------------------------------- refusals
refuse_study() {
    local word=$1
    sed "$2" slope.json > bad.json
    refused "$word" sweep bad.json
    check "no table was made" absent bad.csv
}
refuse_study "leads nowhere" 's#/defaults/material/mu#/nothing/here#'
refuse_study "an option of \`cairn run\`" 's/"option": "substeps"/"option": "html"/'
refuse_study "did you mean 'metrics'" 's/"metrics"/"metrix"/'
refuse_study "expected ')'" 's/"watch.box.x"/"(1 + 2"/'
refuse_study "nested too deeply" "s/\"watch.box.x\"/\"$(printf '(%.0s' $(seq 200))\"/"
refuse_study "a count" 's/, "count": 4//'
refuse_study "not an included scene" 's/"incline"/"inclined"/'
refused "expected a run from 0 to 7" sweep slope.json --only 8
refused "expected K/N" sweep slope.json --shard 4/3
refused "no study given" sweep

# ---------------------------------------------------------------- signals
cat > long.json << 'END'
{
  "scene": "wall", "run": {"time": 100},
  "parameters": [{"name": "tolerance", "option": "tolerance", "values": [1e-3, 1e-4]}],
  "metrics": {"residual": "residual_max"}
}
END
"$cairn" sweep long.json > out 2> err &
pid=$!
sleep 0.5
kill -INT $pid
wait $pid
status=$?
check "Ctrl-C ends a study" ended 130
check "and its runs" [ -z "$(ps -o pid= --ppid $pid)" ]

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
