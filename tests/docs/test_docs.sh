#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Every command and every program of the manual works, against an installed tree: blocks of README.md and of the pages in docs/
# marked sh are run in order in an empty folder for each page; those marked c are whole programs, built and run; cmake builds
# the last program of its page; python runs after the commands of its page; json that is a scene is run for a step; console
# names targets of make that exist, or views that begin. The demo runs, and the pictures of the manual are there.
#     bash test_docs.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/../cli/check.sh"
status=0
: > out
: > err

prefix=$folder/prefix
cmake --install "$(dirname "$cairn")" --prefix "$prefix" > out 2> err
check "the tree can be installed" test -x "$prefix/bin/cairn"
check "the manual page is installed" test -s "$prefix/share/man/man1/cairn.1"
check "the completion of bash is installed" test -s "$prefix/share/bash-completion/completions/cairn"
check "the completion of zsh is installed" test -s "$prefix/share/zsh/site-functions/_cairn"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name cairn.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libcairn.so)")
PATH=$prefix/bin:$PATH
export PKG_CONFIG_PATH LD_LIBRARY_PATH PATH

# blocks PAGE: writes NUMBER.LANGUAGE for each fenced block
blocks() {
    awk '/^```[a-z]/ && !on {on = 1; name = sprintf("%03d.%s", ++n, substr($0, 4)); next}
         /^```$/ && on {on = 0; close(name); next}
         on {print > name}' "$1"
}

# A benchmark that misses a bound has run: on a busy machine that says nothing about the manual. A race takes its time limit for
# each method that does not converge, several times over: a hundredth of it shows as well that the command works, though perhaps
# no method converges then.
cairn_of_the_manual() {
    local s=0 verb=${1:-}
    [ "$verb" != race ] || set -- "${@/#1/0.01}"
    command cairn "$@" || s=$?
    case "$verb $s" in "bench 1" | "race 1") s=0 ;; esac
    return $s
}
run_commands() {
    {
        echo 'set -eu'
        declare -f cairn_of_the_manual
        echo 'cairn() { cairn_of_the_manual "$@"; }'
        cat ./*.sh
    } > commands
    bash commands > out 2> err
}

# programs NUMBER.c: the block is a whole program that builds without a warning and ends well; those that read files find the
# scenes of examples/
run_program() {
    local library=cairn
    ! grep -q '<cairn/io.h>' "$1" || { library=cairn-io && cp "$source"/examples/*.json .; }
    grep -q 'int main(' "$1" &&
        cc -std=c17 -Wall -Wextra -Werror "$1" $(pkg-config --cflags --libs $library) -o program > out 2> err &&
        ./program > out 2> err
}

run_python() { "$python" "$1" > out 2> err; }

run_cmake() {
    mkdir -p project && cp "$1" project/CMakeLists.txt && cp "$2" project/program.c &&
        cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" > out 2> err &&
        cmake --build project/build > out 2> err && ./project/build/program > out 2> err
}

# every line is a make target that the Makefile has, or a view that tells its address and goes on until it is ended
console_works() {
    local line
    while read -r line; do
        set -- $line
        case "$1 $2" in
        "cairn view") view_begins "$3" || return 1 ;;
        *) [ "$1" = make ] && grep -qE "(^|[ ])${2:-help}( |:)" "$source/Makefile" || return 1 ;;
        esac
    done < "$1"
}
view_begins() {
    local begun=1
    cairn view "$1" > view.out 2> err &
    local view=$!
    for _ in $(seq 100); do
        grep -q 'http://127' view.out && begun=0 && break
        sleep 0.1
    done
    kill "$view"
    wait "$view" 2> /dev/null
    return $begun
}

python=$(python_with_h5py)
ran=0
for page in "$source"/README.md "$source"/CONTRIBUTING.md "$source"/docs/*.md "$source"/docs/concepts/*.md; do
    name=${page#"$source"/}
    name=${name%.md}
    name=${name//\//-}
    mkdir "$folder/$name"
    cd "$folder/$name" || exit 2
    : > out
    : > err
    blocks "$page"
    if ls ./*.sh > /dev/null 2>&1; then
        check "$name: its commands work" run_commands
        ran=$((ran + $(grep -c '^cairn' commands)))
    fi
    for block in ./*.c; do
        [ -e "$block" ] && check "$name: program $block works" run_program "$block"
    done
    for block in ./*.cmake; do
        [ -e "$block" ] && check "$name: $block builds" run_cmake "$block" "$(ls ./*.c | tail -n 1)"
    done
    for block in ./*.console; do
        [ -e "$block" ] && check "$name: $block works" console_works "$block"
    done
    for block in ./*.python; do
        [ -e "$block" ] || continue
        if [ -n "$python" ]; then
            check "$name: program $block works" run_python "$block"
        else
            echo "skipped: $name: $block needs python3-h5py"
        fi
    done
    for block in ./*.json; do
        [ -e "$block" ] && grep -q '"cairn": 1' "$block" || continue
        check "$name: the scene $block runs" cairn run "$block" --steps 1 --quiet
    done
done
cd "$folder" || exit 2
check "commands were found" test "$ran" -ge 15

# the first command that a newcomer runs
demo() { bash "$source/scripts/demo" "$cairn" "$folder" > out 2> err; }
check "the demo ends well" demo
check "it has at most 25 lines" test "$(wc -l < out)" -le 25
check "its recording is certified" says out "demo.h5: certified"
check "it says what to open next" says out "getting-started.md"

# the programs of the gallery are short, and the README names each of the twelve
short() { test "$(wc -l < "$1")" -lt 150; }
for program in car ragdoll crane conveyor gripper quadruped character bridge rollback landing pinball pendulum; do
    check "examples/$program.c has less than 150 lines" short "$source/examples/$program.c"
    check "the README names examples/$program.c" grep -q "examples/$program.c" "$source/README.md"
done

# what `make gallery` makes is small enough for a repository
check "the pictures have at most 3 MB in all" test "$(cat "$source"/docs/pictures/* | wc -c)" -le 3000000

# links between pages, and to plots, lead somewhere
for page in "$source"/README.md "$source"/CONTRIBUTING.md "$source"/docs/*.md "$source"/docs/concepts/*.md; do
    for link in $(grep -oE '\]\([^)#: ]+' "$page" | cut -c3-); do
        check "${page#"$source"/}: $link is there" test -e "$(dirname "$page")/$link"
    done
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
