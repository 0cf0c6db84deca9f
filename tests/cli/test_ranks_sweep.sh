#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Studies on several ranks of MPI: the same table as on one, and one that was killed goes on.
#     bash test_ranks_sweep.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"
ranks_or_skip

cat > slope.json << 'END'
{
  "scene": "incline",
  "run": {"time": 0.25},
  "parameters": [
    {"name": "mu", "scene": "/defaults/material/mu", "from": 0.1, "to": 0.4, "count": 6},
    {"name": "substeps", "option": "substeps", "values": [1, 4]}
  ],
  "metrics": {"way": "watch.box.x", "steps": "steps"}
}
END

# ---------------------------------------------------------------- the same table
run sweep slope.json --csv one.csv --quiet
on_ranks 2 sweep slope.json --json
check "a study on two ranks ends well" ended 0
check "it makes all runs" has made 12
check "once each" lines slope.csv 14
check "its table is that of one process" [ "$(cut -d, -f1-6 slope.csv)" = "$(cut -d, -f1-6 one.csv)" ]
on_ranks 2 sweep slope.json --json
check "a finished study makes no run" has made 0

# ---------------------------------------------------------------- killed, and refused
head -n 6 one.csv > slope.csv
printf '4,0.2000000' >> slope.csv
on_ranks 2 sweep slope.json --json
check "a study that was killed goes on where it was" has made 8
check "and gives the same numbers" [ "$(cut -d, -f1-6 slope.csv)" = "$(cut -d, -f1-6 one.csv)" ]
sed 's/"from": 0.1/"from": -1.0/' slope.json > refused.json
on_ranks 2 sweep refused.json --json
check "runs that fail are told, wherever they were made" [ "$(grep -c ',failed,' refused.csv)" = "$(value failed)" ]
check "and do not stop the others" has made 12
on_ranks 2 sweep absent.json
check "what all ranks would say is said once" [ "$(grep -c 'absent.json' err)" -eq 1 ]
check "with the status of one process" ended 2

# ---------------------------------------------------------------- a bisection
sed -e 's/"from": 0.1, "to": 0.4, "count": 6/"from": 0.1, "to": 0.9/' -e 's/0.25/1.0/' \
    -e 's/"metrics".*/"metrics": {"way": "watch.box.x"}, "bisect": {"parameter": "mu", "tolerance": 0.01, "when": "way > 0.1"}/' \
    slope.json > search.json
run sweep search.json --csv alone.csv --quiet
on_ranks 2 sweep search.json --quiet
check "a bisection on two ranks finds what one finds" [ "$(cut -d, -f1-6 search.csv)" = "$(cut -d, -f1-6 alone.csv)" ]

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
