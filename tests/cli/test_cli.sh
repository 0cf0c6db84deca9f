#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Every verb as a user would call it: exit statuses, what goes to which stream, JSON keys, refusals.
#     bash test_cli.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

one_object() {
    [ "$(head -c 1 out)" = "{" ] && [ "$(tail -n 1 out)" = "}" ] || return 1
    if command -v jq > /dev/null; then jq -e . out > /dev/null; fi
}

# ---------------------------------------------------------------- the program
run
check "without arguments it ends well" ended 0
check "without arguments it shows five commands" test "$(grep -c "^  cairn " out)" -eq 5
run --version
check "--version ends well" ended 0
check "--version prints a version" grep -qE '^cairn [0-9]+\.[0-9]+\.[0-9]+$' out
refused "'dance' is not a command" dance
refused "did you mean 'solve'?" slove
refused 'did you mean `cairn run wall`?' wall
refused "'--frobnicate' is not a command" --frobnicate

# ---------------------------------------------------------------- help
run help
check "help ends well" ended 0
for verb in run scenes solve race lcp generate methods bench help; do
    run help
    check "help lists $verb" says out "cairn $verb"
    run help $verb
    check "help $verb ends well" ended 0
    check "help $verb has an example" says out "Example:"
    cp out manual
    run $verb --help
    check "$verb --help ends well" ended 0
    check "$verb --help is the same text" same out manual
    run $verb -h
    check "$verb -h ends well" ended 0
    check "$verb -h is the same text" same out manual
    for option in --json --quiet --help; do
        check "$verb takes $option" says out "$option"
    done
done
run --help
check "--help ends well" ended 0
run -h
check "-h ends well" ended 0
run help --json
check "help --json is one object" one_object
refused "'dance' is not a command" help dance

# ---------------------------------------------------------------- generate
for kind in peg stack wall chain heap massratio random; do
    run generate $kind --size 6 --output $kind.hdf5
    check "generate $kind ends well" ended 0
    check "generate $kind writes a file" test -s $kind.hdf5
    run generate $kind --size 0 --output empty-$kind.hdf5
    check "generate $kind of no size ends well" ended 0
    run solve empty-$kind.hdf5 --json
    check "an empty $kind is solved at once" ended 0
    check "an empty $kind has no residual" small residual 0
    check "an empty $kind has no contacts" has contacts 0
done
run generate wall --width 5 --height 4 --seed 3 --hit 2 --mu 0.3 --output hit.hdf5 --json
check "generate --json ends well" ended 0
check "generate --json is one object" one_object
check "generate --json has its keys" keys kind seed contacts bodies rows output
check "a wall of 5 x 4 has 140 contacts" has contacts 140
run generate random --width 9 --height 12 --deficiency 4 --output deficient.hdf5 --quiet
check "generate --quiet ends well" ended 0
check "generate --quiet prints nothing" silent out
cp wall.hdf5 before.hdf5
refused "wall.hdf5: exists already" generate wall --output wall.hdf5
check "an existing file is left alone" same wall.hdf5 before.hdf5
run generate wall --size 3 --output wall.hdf5 --force
check "--force overwrites" ended 0
refused "no output file" generate wall
refused "no kind" generate --output x.hdf5
refused "'tower' is not a kind" generate tower --output x.hdf5
refused "--size is '-1'" generate peg --size -1 --output x.hdf5
refused "--size is '12x'" generate peg --size 12x --output x.hdf5
refused "--size is '99999999999'" generate peg --size 99999999999 --output x.hdf5
refused "the size is 2000000000" generate peg --size 2000000000 --output x.hdf5
refused "friction coefficient is -1" generate peg --mu -1 --output x.hdf5
refused "--mu is 'nan'" generate peg --mu nan --output x.hdf5
refused "mass ratio is 0" generate stack --mass-ratio 0 --output x.hdf5
refused "deficiency" generate random --deficiency 1000 --output x.hdf5
refused "--seed is '-4'" generate peg --seed -4 --output x.hdf5
refused "nowhere/x.hdf5" generate peg --output nowhere/x.hdf5
check "nothing was written" absent x.hdf5

# ---------------------------------------------------------------- solve
solve_keys="method status contacts bodies rows residual residual_velocity residual_coulomb"
solve_keys="$solve_keys fclib_merit fclib_relative tolerance multiplicity iterations pivots factorizations seconds rescued_by"
run solve peg.hdf5 --json
check "solve ends well" ended 0
check "solve --json is one object" one_object
check "solve --json has its keys" keys $solve_keys
check "solve --json: converged" has status converged
check "solve --json: 6 contacts" has contacts 6
check "solve --json: one body" has bodies 1
check "solve --json: 18 rows" has rows 18
check "solve --json: within tolerance" small residual 1e-8
check "solve --json: strictly within tolerance" small fclib_relative 1e-8
check "solve --json says nothing else" silent err
run solve peg.hdf5
check "solve prints its method and residual" grep -q "^converged by .*" out
run solve peg.hdf5 --quiet
check "solve --quiet ends well" ended 0
check "solve --quiet prints nothing" silent out
run solve peg.hdf5 --method lemke --json
check "a faceted method is judged by the law that it solves" ended 0
check "a faceted method solves that law" small residual 1e-8
check "a faceted method names that law" says out "pyramids of 8 facets"
run solve wall.hdf5 --method pgs --max-iterations 1 --json
check "a solve that misses ends with 1" ended 1
check "a solve that misses says so" has status iteration-limit
check "a solve that misses measures its residual" grep -q '"residual": [0-9]' out
run solve wall.hdf5 --method pgs --max-iterations 1 --quiet
check "a quiet solve that misses ends with 1" ended 1
run solve heap.hdf5 --method pgs --tolerance 1e-4 --max-iterations 5000 --time-limit 30 --facets 6 \
    --warm-start --threads 2 --seed 9 --json
check "solve takes all its options" ended 0
check "solve reports the tolerance" small tolerance 1e-4
refused "no problem given" solve
refused "one argument too many" solve peg.hdf5 wall.hdf5
refused "'--swiftly' is not an option" solve peg.hdf5 --swiftly
refused "'-x' is not an option" solve -x peg.hdf5
refused "--method needs a value" solve peg.hdf5 --method
refused "--json takes no value" solve peg.hdf5 --json=1
refused "'magic' is not a method" solve peg.hdf5 --method magic
refused "--tolerance is 'tiny'" solve peg.hdf5 --tolerance tiny
refused "--tolerance is '-1'" solve peg.hdf5 --tolerance -1
refused "--facets is '2'" solve peg.hdf5 --facets 2
refused "--threads is '0'" solve peg.hdf5 --threads 0
refused "--max-iterations is '1e3'" solve peg.hdf5 --max-iterations 1e3
refused "missing.hdf5" solve missing.hdf5
mkdir folder.hdf5
refused "folder.hdf5" solve folder.hdf5
echo "not a problem" > text.hdf5
refused "text.hdf5" solve text.hdf5
head -c 1000 peg.hdf5 > cut.hdf5
refused "cut.hdf5" solve cut.hdf5
: > nothing.hdf5
refused "nothing.hdf5" solve nothing.hdf5
if [ "$(id -u)" -ne 0 ]; then
    cp peg.hdf5 secret.hdf5
    chmod a-r secret.hdf5
    refused "secret.hdf5" solve secret.hdf5
fi

# ---------------------------------------------------------------- solve --output
cp peg.hdf5 before.hdf5
run solve peg.hdf5 --output solved.hdf5 --json
check "solve --output ends well" ended 0
check "solve --output writes a file" test -s solved.hdf5
check "solve --output leaves its input alone" same peg.hdf5 before.hdf5
run solve solved.hdf5 --json
check "what was written can be read again" ended 0
check "what was written is the same problem" has rows 18
cp solved.hdf5 before.hdf5
refused "solved.hdf5: exists already" solve peg.hdf5 --output solved.hdf5
check "an existing solution is left alone" same solved.hdf5 before.hdf5
run solve peg.hdf5 --output solved.hdf5 --force
check "solve --output --force overwrites" ended 0
run solve solved.hdf5 --output solved.hdf5 --force
check "a file can be solved in place" ended 0
refused "nowhere/x.hdf5" solve peg.hdf5 --output nowhere/x.hdf5
refused "missing.hdf5" solve missing.hdf5 --output x.hdf5
check "nothing was written for a missing problem" absent x.hdf5
check "no scratch files are left" test -z "$(find . -name '*.tmp*' -o -name '.*.hdf5*')"

# ---------------------------------------------------------------- race and methods
run methods
check "methods ends well" ended 0
check "methods lists pgs" grep -q '^pgs ' out
run methods --json
check "methods --json is one object" one_object
check "methods --json has its keys" keys methods lcp_methods options
run methods pgs
check "methods NAME shows one" grep -q '^method  *pgs' out
run methods pgs --json
check "methods NAME --json is one object" keys name from law exact summary
refused "did you mean 'exact'?" methods exat
refused "one argument too many" methods pgs prox
run race peg.hdf5 --json --time-limit 5
check "race ends well" ended 0
check "race --json is one object" one_object
check "race --json has its keys" keys problem contacts bodies rows tolerance methods
for key in method status residual residual_coulomb fclib_relative iterations pivots seconds rescued_by; do
    check "race --json tells each $key" grep -q "^   \"$key\":" out
done
run race peg.hdf5 --time-limit 5
check "race prints one table" grep -qE '^method +status +seconds +iterations +residual' out
check "the problem is named once" test "$(grep -c peg.hdf5 out)" -eq 1
met() { awk '$2 == "converged" {if (missed || $3 + 0 < last) exit 1; last = $3 + 0; n++} $2 ~ /-limit/ {missed = 1}
    END {exit n < 2}' "$1"; }
check "those that met the tolerance come first, the fastest first" met out
run race column --time-limit 2 --json
check "race takes a scene" ended 0
check "and names the step" keys problem step contacts bodies rows tolerance methods
check "which has most contacts" has contacts 120
run race cards --time-limit 1 --json
check "of the cards: those of all islands, as large as they were solved" has contacts 162
refused "did you mean 'column'?" race colum
run race stack.hdf5 --tolerance 0 --max-iterations 1 --quiet
check "a race that nobody wins ends with 1" ended 1
check "race --quiet prints nothing" silent out
run race peg.hdf5 empty-wall.hdf5 --time-limit 5
check "several files make a table each" test "$(grep -c '^method ' out)" -eq 2
check "under the name of the problem" says out empty-wall.hdf5
run race peg.hdf5 empty-wall.hdf5 --time-limit 5 --json
check "several files make one object" one_object
check "several files are listed" keys problems
refused "missing.hdf5" race missing.hdf5
refused "missing.hdf5" race peg.hdf5 missing.hdf5 --time-limit 5
refused "no problem given" race

# ---------------------------------------------------------------- lcp
printf '%%%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n2\n' > M.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n-5\n-6\n' > q.mtx
run lcp M.mtx q.mtx --json
check "lcp ends well" ended 0
check "lcp --json is one object" one_object
check "lcp --json has its keys" keys method status n residual iterations seconds z
check "lcp --json: converged" has status converged
check "lcp solves 2 x 2 by hand: z = (4/3, 7/3)" \
    test "$(sed -n 's/^  \([12]\.3333\)[0-9]*,\{0,1\}$/\1/p' out | tr '\n' ' ')" = "1.3333 2.3333 "
run lcp M.mtx q.mtx
check "lcp prints z" says out "z(2) = 2.333"
run lcp M.mtx q.mtx --quiet
check "lcp --quiet prints nothing" silent out
printf '%%%%MatrixMarket matrix array real general\n1 1\n-1\n' > M1.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n-1\n' > q1.mtx
run lcp M1.mtx q1.mtx --json
check "an LCP without a solution ends with 1" ended 1
check "an LCP without a solution gives one object" one_object
printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n' > wide.mtx
refused "wide.mtx" lcp wide.mtx q.mtx
refused "q1.mtx" lcp M.mtx q1.mtx
refused "missing.mtx" lcp M.mtx missing.mtx
refused "text.hdf5" lcp text.hdf5 q.mtx
refused "one file given" lcp M.mtx
refused "no file given" lcp
refused "'magic' is not a method" lcp M.mtx q.mtx --method magic

# ---------------------------------------------------------------- bench
run bench problem --quick --json
check "bench --json is one object" one_object
check "bench --json has its keys" keys suite machine version rows
run bench
check "bench without a suite ends well" ended 0
check "bench without a suite lists the suites" grep -q '^problem  *what every solve pays' out
run bench --json
check "bench --json without a suite is one object" keys suites
refused "'dance' is not a suite" bench dance
refused "did you mean 'peers'?" bench peerz
refused "is not an option" bench peers --fast

# ---------------------------------------------------------------- a full disk
if [ -w /dev/full ]; then
    "$cairn" solve peg.hdf5 --json > /dev/full 2> err
    status=$?
    : > out
    check "a report that cannot be written is not a success" ended 2
    check "a report that cannot be written is told" says err "standard output"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
