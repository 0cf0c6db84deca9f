#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Ctrl-C and SIGTERM end every verb at once, also in the middle of a long solve, and what was written until then can be
# read. The promise is 0.2 s on a quiet machine. How busy a machine is does not change the processor time that the program
# takes after a signal: that is held to 0.2 s, and the clock to 5 s.
#     bash test_signals.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

now() { date +%s%N; }

# processor time of a process in hundredths of a second; 0 when it is gone
worked() { awk '{print $14 + $15}' "/proc/$1/stat" 2> /dev/null || echo 0; }

# start ARGUMENTS...: in the background, where a shell without job control would let it ignore SIGINT; leaves `pid`
start() {
    env --default-signal=INT "$cairn" "$@" > out 2> err &
    pid=$!
}

# lets a process work for some hundredths of a second of processor time, however busy the machine is
let_work() {
    for _ in $(seq 600); do
        [ "$(worked "$1")" -ge "$2" ] && return
        sleep 0.1
    done
}

# what `times` says of the processes that have ended, in hundredths of a second
ended_work() {
    awk 'NR == 2 {split($1, u, "[ms]"); split($2, s, "[ms]"); print int(100 * (60 * (u[1] + s[1]) + u[2] + s[2]))}' "$1"
}

# interrupt SIGNAL WORK ARGUMENTS...: lets the program work for a while, then sends the signal; leaves `took` (ms)
interrupt() {
    local signal=$1 work=$2 start before after
    shift 2
    start "$@"
    let_work $pid "$work"
    check "cairn $*: was still at work" kill -0 $pid
    times > before
    before=$(ended_work before)
    start=$(now)
    done=$(worked $pid)
    kill -s "$signal" $pid
    wait $pid
    status=$?
    took=$((($(now) - start) / 1000000))
    times > after
    after=$(($(ended_work after) - before - done))
    check "cairn $*: ended after $took ms" test "$took" -lt 5000
    check "cairn $*: worked for ${after}0 ms after the signal" test "$after" -le 20
}

# ---------------------------------------------------------------- run
interrupt INT 50 run wall --time 100000 --csv a.csv --record a.h5
check "an interrupted run ends with 130" ended 130
check "it says how far it came" grep -qE '^interrupted after [0-9]+ of 6000000 steps$' out
check "it says what it wrote" grep -q '^wrote a.h5' out
steps=$(sed -n 's/^interrupted after \([0-9]*\) of.*/\1/p' out)
check "its CSV has every step" lines a.csv $((steps + 1))
run check a.h5 --json
check "its recording can be certified" ended 0
check "its recording has every step" has steps "$steps"
interrupt TERM 50 run wall --time 100000 --json
check "a terminated run ends with 143" ended 143
check "it prints its object" has ended interrupted

# a step that takes half a minute: the wall after the hit, by dantzig
interrupt INT 100 run wall --time 2 --method dantzig --csv b.csv --record b.h5 --html b.html --json
check "a run is interrupted in the middle of a step" ended 130
check "its CSV has every step before" lines b.csv $(($(value steps) + 1))
check "no page is written" absent b.html
run info b.h5 --quiet
check "its recording can be read" ended 0
# thousands of rows that slide in one island, and a page of a thousand bodies
interrupt INT 250 run heap --method dantzig --quiet
check "a run of a large island is interrupted" ended 130
interrupt INT 250 run heap --html h.html
check "a run whose page is written is interrupted" ended 130
check "and says that there is no page" grep -q '^h.html was not written: the run was interrupted' out
check "and there is none" absent h.html
run run wall --time 100 --method dantzig --time-limit 0.4 --json
check "a time limit ends a step, too" ended 1
check "and says so" has ended time-limit

# killed the hard way: the lines are there
start run wall --time 100000 --csv k.csv --quiet
let_work $pid 50
kill -9 $pid
wait $pid 2> /dev/null
check "the CSV of a killed run has its lines" test "$(wc -l < k.csv)" -ge 2
whole() { awk -F, 'NR == 1 {columns = NF} NF != columns {exit 1} NR > 1 && $1 != NR - 1 {exit 1}' "$1"; }
check "each of them whole" whole k.csv

# ---------------------------------------------------------------- the others
run generate wall --size 20 --hit 3 --output wall.hdf5
run solve wall.hdf5 --quiet
long="--tolerance 0 --max-iterations 1000000000"
for method in pgs prox gauss-seidel; do
    interrupt INT 30 solve wall.hdf5 --method $method $long --output x.hdf5
    check "an interrupted solve by $method ends with 130" ended 130
    check "and writes no answer" absent x.hdf5
done
interrupt TERM 30 race wall.hdf5 $long --time-limit 1000
check "a terminated race ends with 143" ended 143
check "nothing is printed of it" silent out
interrupt INT 60 race wall --time-limit 1000 --tolerance 1e-300
check "an interrupted race of a scene ends with 130" ended 130
awk 'BEGIN {n = 300; print "%%MatrixMarket matrix array real general"; print n, n
    for (i = 0; i < n * n; i++) print (i % (n + 1) == 0 ? 2 : sin(i) / n)}' > M.mtx
awk 'BEGIN {n = 300; print "%%MatrixMarket matrix array real general"; print n, 1
    for (i = 0; i < n; i++) print -1}' > q.mtx
interrupt INT 30 lcp M.mtx q.mtx --method pgs $long
check "an interrupted lcp ends with 130" ended 130
interrupt INT 1 bench problem
check "an interrupted bench ends by the signal" ended 130

# ---------------------------------------------------------------- view
start view column --paused --json
for _ in $(seq 600); do
    says out url && break
    kill -0 $pid 2> /dev/null || break
    sleep 0.1
done
if kill -0 $pid 2> /dev/null; then
    begun=$(now)
    kill -s INT $pid
    wait $pid
    status=$?
    took=$((($(now) - begun) / 1000000))
    check "view ends after $took ms" test "$took" -lt 5000
    check "view ends well by Ctrl-C" ended 0
else
    wait $pid
    echo "this program has no view: not tested"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
