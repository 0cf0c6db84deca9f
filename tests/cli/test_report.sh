#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The report of `cairn bench all`, made from the object of an earlier run: one page without anything from outside, the
# verdicts that follow from the rows, and the tables of the manual.
#     bash test_report.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

# a run in which pivoting is 2.5 times an elimination, and in which we are exact but slow on one scene
cat > run.json << 'END'
{"suite": "all", "machine": "a machine <fast>", "version": "0.0.0", "date": "2000-01-01 00:00 UTC",
 "system": "a system", "compiler": "a compiler", "quick": false, "engines": "cairn 0.0.0, ode 0.16",
 "suites": [
  {"suite": "dantzig", "summary": "pivoting", "seconds": 1.0, "notes": [],
   "bounds": [{"met": true, "text": "kept"}, {"met": false, "text": "broken & said"}],
   "rows": [{"n": 10, "dantzig_us": 2.5, "gauss_us": 1.0, "lapack_us": 0.9, "pivots": 5.0, "residual_max": 0.0},
            {"n": 20, "dantzig_us": 2.5, "gauss_us": 1.0, "lapack_us": 0.9, "pivots": 10.0, "residual_max": 0.0},
            {"n": 50, "dantzig_us": 25.0, "gauss_us": 10.0, "lapack_us": 9.0, "pivots": 30.0, "residual_max": 0.0},
            {"n": 100, "dantzig_us": 200.0, "gauss_us": 100.0, "lapack_us": 90.0, "pivots": 110.0, "residual_max": 0.0},
            {"n": 200, "dantzig_us": 2500.0, "gauss_us": 1000.0, "lapack_us": 900.0, "pivots": 500.0, "residual_max": 0.0},
            {"n": 400, "dantzig_us": 2500.0, "gauss_us": 1000.0, "lapack_us": 900.0, "pivots": 2000.0, "residual_max": 0.0},
            {"campaign": "walls", "problems": 10, "solved": 9, "rescued": 2, "polished": 1}]},
  {"suite": "papers", "summary": "figures", "seconds": 1.0, "notes": [], "bounds": [],
   "rows": [{"figure": "10 x 10 wall, dantzig", "value": 30000.0, "unit": "ms", "outcome": "time-limit"},
            {"figure": "10 x 10 wall, pgs", "value": 5.0, "unit": "ms", "outcome": "iteration-limit"},
            {"figure": "jacks by strategy", "strategy": "global", "ms_step_mean": 8.0, "energy_rise": 0.0, "unsolved": 10},
            {"figure": "jacks by strategy", "strategy": "local", "ms_step_mean": 7.0, "energy_rise": 0.0, "unsolved": 12},
            {"figure": "jacks by strategy", "strategy": "blocked", "ms_step_mean": 9.0, "energy_rise": 0.0, "unsolved": 99},
            {"figure": "jack", "value": 90.0, "method": "dantzig", "contacts": 4, "missed": 0},
            {"figure": "double-action jack", "value": 80.0, "method": "dantzig", "contacts": 9, "missed": 2}]},
  {"suite": "pgs", "summary": "sweeps", "seconds": 1.0, "notes": [], "bounds": [],
   "rows": [{"scene": "wall32", "rows": 31000, "threshold": 0.01, "residual": 0.01},
            {"scene": "pile", "ms": 5.0, "filtered_ms": 4.0, "threshold": 0.01, "residual": 0.02, "filtered_residual": 0.05}]},
  {"suite": "lemke", "summary": "variants", "seconds": 1.0, "notes": [], "bounds": [],
   "unreached": ["the last & largest"],
   "rows": [{"experiment": "peg", "bodies": 1, "contacts": 8, "standard_us": 50.0, "structural_us": 40.0, "published_us": 10.0, "reduced_us": 1.0},
            {"experiment": "peg", "bodies": 1, "contacts": 32, "standard_us": 9000.0, "structural_us": 230.0, "published_us": 40.0, "reduced_us": 2.0}]},
  {"suite": "peers", "summary": "others", "seconds": 1.0, "notes": [], "bounds": [],
   "rows": [
    {"scene": "wall10", "peer": "cairn", "settings": "a", "status": "done", "bodies": 2, "steps": 9, "ms_step_mean": 1.0,
     "penetration_max": 1e-6, "friction_error": 0.0, "joint_error": null, "energy_drift": 0.0, "stands": true,
     "error": 1e-10, "error_kind": "penetration (m)", "bounded": true, "time_ratio": 1.0, "error_ratio": 0.001},
    {"scene": "wall10", "peer": "ode", "settings": "b", "status": "done", "bodies": 2, "steps": 9, "ms_step_mean": 0.9,
     "penetration_max": 1e-3, "friction_error": 0.0, "joint_error": null, "energy_drift": 0.0, "stands": true,
     "error": 1e-3, "error_kind": "penetration (m)", "bounded": true, "time_ratio": 1.0, "error_ratio": 1.0},
    {"scene": "wall10", "peer": "ode", "settings": "c", "status": "stopped", "bodies": 2, "steps": 3, "ms_step_mean": 9.0,
     "penetration_max": 1e-3, "friction_error": null, "joint_error": null, "energy_drift": 0.0, "stands": true,
     "error": null, "error_kind": "penetration (m)", "bounded": true, "time_ratio": 10.0, "error_ratio": null},
    {"scene": "chain10", "peer": "cairn", "settings": "a", "status": "done", "bodies": 2, "steps": 9, "ms_step_mean": 3.0,
     "penetration_max": null, "friction_error": null, "joint_error": 0.0, "energy_drift": 0.0, "stands": null,
     "error": 1e-4, "error_kind": "tip (m)", "bounded": true, "time_ratio": 3.0, "error_ratio": 0.01,
     "stages": {"narrow": 0.6, "solve": 1.5, "integrate": 0.9}},
    {"scene": "chain10", "peer": "ode", "settings": "b", "status": "done", "bodies": 2, "steps": 9, "ms_step_mean": 1.0,
     "penetration_max": null, "friction_error": null, "joint_error": 0.0, "energy_drift": 0.0, "stands": null,
     "error": 1e-2, "error_kind": "tip (m)", "bounded": true, "time_ratio": 1.0, "error_ratio": 1.0},
    {"scene": "incline_lo", "peer": "cairn", "settings": "a", "status": "done", "bodies": 2, "steps": 9, "ms_step_mean": 1.0,
     "penetration_max": 0.0, "friction_error": 1e-4, "joint_error": null, "energy_drift": 0.0, "stands": null,
     "error": 1e-4, "error_kind": "creep (m)", "bounded": true, "time_ratio": 1.0, "error_ratio": 0.5},
    {"scene": "incline_lo", "peer": "ode", "settings": "b", "status": "done", "bodies": 2, "steps": 9, "ms_step_mean": 1.0,
     "penetration_max": 0.0, "friction_error": 2e-4, "joint_error": null, "energy_drift": 0.0, "stands": null,
     "error": 2e-4, "error_kind": "creep (m)", "bounded": true, "time_ratio": 1.0, "error_ratio": 1.0}]}]}
END
mkdir manual
printf 'before\n<!-- bench: against-peers -->\nold\n<!-- /bench -->\nafter\n' > manual/page.md
printf '<!-- bench: headlines Lloyd 2004 -->\n<!-- /bench -->\n' > manual/papers.md
run bench all --from run.json --html report.html --markdown manual
check "a run with a missed bound ends with 1" ended 1
check "2.5 eliminations reproduce two to three" says out "reproduced     a frictionless solve"
check "pivots that grow faster than the contacts are worse" says out "worse          pivots grow with the contacts"
check "unsolved and rescued problems are worse than none" says out "worse          problems on which pivoting did not end"
check "and are counted" says out "measured 1 unsolved and 2 rescued of 10; 1 more"
check "what no row tells is not judged" says out "not comparable factor over solve"
check "a time limit is no time" says out "measured ours not done in 30000 ms"
check "nor is an iteration limit" says out "sweeps not done in 5 ms"
check "steps that missed their tolerance are no rate" says out "not comparable mechanisms with joints and contacts"
check "times at equally many unsolved islands compare" says out "reproduced     jacks, solver time of a step: local over global"
check "times at many more do not" says out "not comparable jacks, solver time of a step: blocked over global"
check "twice as many rows as published are not the same" says out "better         a wall of 32 x 32 bricks is solved: rows"
check "a threshold that was not met is no time" says out "not comparable 888 bodies"
check "225 times for 87.5 is better" says out "better         peg, 32 contacts: standard over reduced"
check "a figure that no paper has is not called published" says out "not comparable pivots at 32 contacts: reduced, structural: published –"
check "nothing is called confirmed" bash -c '! grep -q confirmed out'
check "exact and quick is met" says out "met            wall10"
check "exact but three times as slow is missed" says out "MISSED         chain10"
check "quick but half as exact is missed" says out "MISSED         incline_lo"

check "there is a page" test -s report.html
check "the page has plots" grep -q "<svg" report.html
check "the page names nothing outside" bash -c '! grep -oE "(src|href)=\"[^#\"]" report.html'
check "the page asks no address" bash -c '! grep -oE "https?://[^\"]*" report.html | grep -v www.w3.org/2000/svg'
check "the page says in red what is too slow" says report.html 'chip bad">too slow'
check "the page says in red what is not exact" says report.html 'chip bad">not accurate enough'
check "the page says why: where our time goes" says report.html "of which solve 50 %, integrate 30 %, narrow 20 %"
check "and what the peer's time buys" says report.html "leaves an error of 0.01, 1e+02 times ours"
check "the page says why we are not exact enough" says report.html "is 0.5 times the best peer's"
check "a tiny error counts as none, and the page says so" says report.html '1.0e-10<br><span class="soft">counts as none'
check "the page says who was stopped" says report.html "Settings without an error to compare: ode: 1 stopped"
check "what was not reached is named" says report.html "Skipped for lack of time: the last &amp; largest"
check "markup in texts is escaped" says report.html "a machine &lt;fast&gt;"
check "a missed bound is told" says report.html "broken &amp; said"

check "the results name it too" says manual/results.md "skipped for lack of time: the last & largest"
check "the results are written" says manual/results.md "2000-01-01 00:00 UTC"
check "a page has the figures of one paper" says manual/papers.md "| peg, 32 contacts: standard over reduced | 87.5 |"
check "and of no other" bash -c '! grep -q "frictionless solve" manual/papers.md'
check "the table of a page is filled in" says manual/page.md "| chain10 |"
check "what was in it is gone" bash -c '! grep -q "^old$" manual/page.md'
check "the rest of the page stays" bash -c 'grep -q ^before manual/page.md && grep -q ^after manual/page.md'
check "the plots are there" test -s manual/plots/growth-dantzig.svg
check "and the six scenes of README.md at a glance" says manual/plots/peers-overview.svg "A wall of 10 rows stands"
cp manual/page.md once
run bench all --from run.json --markdown manual
check "filling in twice is filling in once" same once manual/page.md
if command -v xmllint > /dev/null; then
    for plot in manual/plots/*.svg; do
        xmllint --noout "$plot" 2> err
        check "$plot is sound" silent err
    done
fi
python3 -c 'import json; r = json.load(open("run.json")); r["suites"] = [s for s in r["suites"] if s["suite"] == "peers"]; json.dump(r, open("part.json", "w"))'
printf 'all results\n' > manual/results.md
run bench all --from part.json --markdown manual
check "one suite alone fills in its tables" same once manual/page.md
check "and leaves the page of all results alone" says manual/results.md "all results"
run bench all --from run.json --html report.html
check "an existing page is refused" ended 2
run bench all --from run.json --html report.html --force
check "unless --force" ended 1
echo '{"suite": "dantzig"}' > one.json
run bench all --from one.json
check "another object is refused" ended 2
check "with a sentence" says err "is not the object of"

# ---------------------------------------------------------------- rows of one commit
run bench all --from run.json --only engine --quick
check "rows of another commit are not mixed with new ones" ended 2
check "with a sentence" says err "run.json: measured at commit unknown"
run bench all --quick --only engine --seconds 60 --json
cp out fresh.json
check "a run names its commit" says fresh.json '"commit": "'
commit=$(python3 -c 'import json; print(json.load(open("fresh.json"))["commit"])')
mkdir dated
python3 -c 'import json; r = json.load(open("run.json")); r["commit"] = "0123456789ab"; json.dump(r, open("old.json", "w"))'
run bench all --from old.json --markdown dated
check "those of an older one are marked" says dated/results.md "**Stale**: measured at commit 0123456789ab"
python3 - << 'END'
import json
r = json.load(open("run.json"))
r["commit"] = json.load(open("fresh.json"))["commit"]
for s in r["suites"]:
    s["commit"] = r["commit"]
r["suites"][0]["commit"] = "ba9876543210"
json.dump(r, open("mixed.json", "w"))
END
run bench all --from mixed.json --markdown dated
check "rows of this commit are not" bash -c 'test -s dated/results.md && ! grep -q "[*]Stale" dated/results.md'
check "but a suite of an older commit is" says dated/results.md "**dantzig** (stale: of commit ba9876543210)"
if [ "$commit" != unknown ] && [ "${commit%-dirty}" = "$commit" ]; then
    run bench all --from fresh.json --only engine --quick --seconds 60
    check "a suite of the same commit takes its place" test "$status" -le 1
fi

# ---------------------------------------------------------------- a time to keep
run bench engine --quick --seconds 1e-9
check "without time a suite begins nothing and ends with 1" ended 1
check "and names what it did not reach" says out "NOT REACHED  wall10"
check "all of it" says out "NOT REACHED  tree127"
run bench all --quick --only engine --seconds 1e-9 --json
check "a report of it ends with 1" ended 1
check "and tells it as an object" says out '"unreached": ['
run bench all --quick --only engine --seconds 60 --json
check "with time nothing is left out" says out '"unreached": []'
check "and rows came back from the child" says out '"scene": "tree127"'
run bench engine --seconds never
check "a time that is no number is refused" ended 2

# ---------------------------------------------------------------- a part of a suite
run bench engine --quick --only chain --json
check "cases are those with a word in their name" says out '"scene": "chain1000"'
check "all of them" says out '"scene": "chain100"'
check "and no others" bash -c '! grep -q "wall" out'
run bench quality --only nonsense
check "a name that no case has is refused" ended 2
check "with a sentence" says err 'no case has "nonsense" in its name'
run bench dantzig --quick --only nonsense
check "also where a suite has no cases of its own" ended 2
run bench all --quick --only nonsense
check "and a report has no suite of such a name" ended 2

# ---------------------------------------------------------------- beside other engines
run bench peers --quick --only massratio1000 --json
check "our run of a mass ratio is told" says out '"peer": "cairn"'
check "with where its time went" says out '"solve":'
check "and every engine that is installed ends, one way or another" bash -c '! grep -q "crashed" out'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
