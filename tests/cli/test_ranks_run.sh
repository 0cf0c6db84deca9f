#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# One world on two ranks of MPI: the certificate holds, momentum is balanced, the same run gives the same bits, a
# checkpoint goes on bit for bit, a rank that is killed ends the run, and what ranks cannot do is refused by name.
#     bash test_ranks_run.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"
ranks_or_skip

# number KEY...: of the JSON on standard output, by its path
number() { python3 -c 'import json, sys
x = json.load(open("out"))
for key in sys.argv[1:]: x = x[int(key) if key.isdigit() else key]
print(repr(x))' "$@"; }
close() { awk -v x="$1" -v y="$2" -v by="$3" 'BEGIN { d = x - y; exit !((d < 0 ? -d : d) <= by) }'; }

# ---------------------------------------------------------------- a heap
run run heap --size 600 --no-sleep --steps 12 --json
one=$(value energy_end)
bodies=$(value bodies)
on_ranks 2 run heap --size 600 --steps 12 --json --checkpoint heap.state --every 8
check "a world on two ranks ends well" ended 0
check "no body is lost" has bodies "$bodies"
check "every step meets the tolerance" has missed 0
check "by the certificate" small residual_max 2e-3
check "both ranks have a half" close "$(number ranks each 0 bodies)" "$(number ranks each 1 bodies)" 40
check "and copies of the other's bodies" [ "$(number ranks each 0 copies)" -gt 0 ]
check "the energy is that of one process" close "$(value energy_end)" "$one" "$(awk -v e="$one" 'BEGIN { print 1e-3 * e }')"
hash=$(value state_hash)
impulse=$(number ranks momentum 2)

# ---------------------------------------------------------------- the same bits
on_ranks 2 run heap --size 600 --steps 12 --json --resume heap.state
check "a checkpoint goes on where it was" has steps 4
check "bit for bit" has state_hash "$hash"
cp out resumed

# weight, force on the ground and change of momentum balance: P' - P = dt (F_ground + m g)
on_ranks 2 run heap --size 600 --steps 13 --json --resume heap.state
mass=$(awk -v n="$bodies" 'BEGIN { printf "%.17g", n * 1000 * 4 / 3 * atan2(0, -1) * 0.125 }')
check "momentum is balanced to 1e-9 of the weight" awk -v before="$impulse" -v after="$(number ranks momentum 2)" \
    -v ground="$(number ranks ground_force 2)" -v m="$mass" 'BEGIN {
        miss = after - before - (-ground - 9.81 * m) / 60; if (miss < 0) miss = -miss
        exit !(miss <= 1e-9 * 9.81 * m / 60) }'

# ---------------------------------------------------------------- a rank that is killed
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 mpirun --oversubscribe -np 2 "$cairn" run heap \
    --size 600 --steps 100000 --json --checkpoint killed.state --every 1 > out 2> err &
launcher=$!
for _ in $(seq 300); do [ -s killed.state ] && break; sleep 0.1; done
mpirun=$(pgrep -P $launcher mpirun)
kill -9 "$(pgrep -P "$mpirun" | tail -n 1)"
wait $launcher
status=$?
check "a rank that is killed ends the run" [ "$status" -ne 0 ]
check "which says so" grep -q "signal 9" err
on_ranks 2 run heap --size 600 --steps 100000 --json --resume killed.state --time-limit 0.01
check "its checkpoint is whole" ended 1
check "and a limit of time ends the run" has ended time-limit

# ---------------------------------------------------------------- what is too small to share
run run chain --steps 5 --json
hash=$(value state_hash)
on_ranks 2 run chain --steps 5 --json --html chain.html
check "a small world is run by one rank" ended 0
check "as if it were alone" has state_hash "$hash"
check "with all it can do" test -s chain.html

# ---------------------------------------------------------------- what is refused
sed 's/"links": [0-9]*/"links": 2100/' "$source/scenes/chain1000.json" > long.json
on_ranks 2 run long.json --steps 2
check "joints are refused" ended 2
check "by name" says err "joints"
cat > bouncy.json << 'END'
{"cairn": 1, "defaults": {"material": {"restitution": 0.5}}, "bodies": [
 {"grid": {"count": [15, 15, 10], "pitch": 1.1}, "shape": {"kind": "sphere", "radius": 0.5}, "at": [0, 0, 1]}]}
END
on_ranks 2 run bouncy.json --steps 2
check "so is restitution" says err "restitution"
on_ranks 2 run heap --size 600 --steps 2 --html heap.html
check "and a page" says err "--html"
head -c 1000 heap.state > cut.state
on_ranks 2 run heap --size 600 --steps 12 --resume cut.state
check "a checkpoint that was cut is refused" says err "cut.state is not a whole checkpoint"
# the head has 32 bytes; behind it stand the sizes of the parts
cp heap.state forged.state
printf '\377\377\377\377\377\377\377\377' | dd of=forged.state bs=1 seek=32 conv=notrunc 2> /dev/null
on_ranks 2 run heap --size 600 --steps 12 --resume forged.state
check "so is one with a part of -1 bytes" says err "forged.state is not a whole checkpoint"
on_ranks 2 run heap --size 700 --steps 12 --resume heap.state
check "and one of another world" says err "expected"
refused "mpirun" run heap --size 600 --steps 2 --checkpoint one.state
refused "heap, silo and drum" run wall --size 600

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
