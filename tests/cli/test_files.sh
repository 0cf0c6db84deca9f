#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Where files may be read and written: nothing waits for a FIFO, nothing replaces a device or follows a link out of its
# directory, nothing loads gigabytes before it looks at the first bytes.
#     bash test_files.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

# as `run`, for what must not hang: a time-out ends with 124
brief() {
    timeout 20 "$cairn" "$@" > out 2> err
    status=$?
}
refused_briefly() {
    local word=$1
    shift
    brief "$@"
    check "cairn $*: ends with 2" ended 2
    check "cairn $*: prints nothing" silent out
    check "cairn $*: says one sentence" lines err 1
    check "cairn $*: says '$word'" says err "$word"
}

run generate peg --size 4 --output peg.hdf5
run run column --steps 3 --record column.h5 --quiet
check "a recording is made" test -s column.h5
printf '%%%%MatrixMarket matrix array real general\n1 1\n1\n' > one.mtx

# ---------------------------------------------------------------- writing over special files
# each way to write, with --force, to $1: refused, and $1 stays what it was
write_to() {
    local target=$1 word=$2
    refused "$word" run column --steps 2 --csv "$target" --force
    refused "$word" run column --steps 2 --record "$target" --force
    refused "$word" run column --steps 2 --dump-problem 1 "$target" --force
    refused "$word" generate peg --size 4 --output "$target" --force
    refused "$word" solve peg.hdf5 --output "$target" --force
    refused "$word" run column --steps 2 --html "$target" --force
    refused "$word" race peg.hdf5 --html "$target" --force
}
mkfifo fifo
write_to fifo "fifo: is a FIFO"
check "the FIFO is still one" test -p fifo
mkdir folder
write_to folder "folder: is a directory"
if [ "$(id -u)" -eq 0 ] && mknod device c 1 3 2> /dev/null; then
    write_to device "device: is a device"
    check "the device is still one" test -c device
fi

# ---------------------------------------------------------------- symbolic links
mkdir inside outside
echo kept > outside/file
ln -s ../outside/file inside/out
write_to inside/out "is a symbolic link to"
check "what the link leads to is left alone" grep -q kept outside/file
ln -s nowhere inside/lost
write_to inside/lost "leads nowhere"
check "nothing was made where the link leads" absent inside/nowhere
ln -s ../fifo inside/pipe
write_to inside/pipe "symbolic link to a FIFO"
echo old > inside/real.csv
ln -s real.csv inside/here.csv
refused "exists already; --force overwrites it" run column --steps 2 --csv inside/here.csv
run run column --steps 2 --csv inside/here.csv --force --quiet
check "a link to a file beside it is written through" ended 0
check "the link is still one" test -L inside/here.csv
check "the file has the new lines" lines inside/real.csv 3
ln -s real.h5 inside/here.h5
echo old > inside/real.h5
run run column --steps 2 --record inside/here.h5 --force --quiet
check "a recording is written through such a link" ended 0
check "that link is still one" test -L inside/here.h5
run info inside/real.h5 --quiet
check "and the recording can be read" ended 0
check "nothing is left beside the files" test "$(ls inside | wc -l)" -eq 7
refused "'-' is not the name of a file" run column --steps 2 --record -
check "no file called - is made" absent ./-

# ---------------------------------------------------------------- two that race for one file
for i in 1 2 3 4 5 6; do
    "$cairn" run column --steps 40 --csv raced.csv --quiet 2> "err$i" &
done
wait
check "the loser of a race is told about --force" \
    test "$(cat err[1-6] | grep -c 'raced.csv: exists already; --force overwrites it')" -eq 5
check "the winner's file is whole" lines raced.csv 41

# ---------------------------------------------------------------- reading what is no file
for what in fifo folder; do
    for words in "run $what.json" "view ./$what" "view $what.json" "solve $what" "race $what" "info $what" "check $what" \
        "diff $what $what" "lcp $what one.mtx" "lcp one.mtx $what"; do
        [ -e "$what.json" ] || ln -s "$what" "$what.json"
        refused_briefly "$what" $words
    done
done
for words in "run /dev/zero" "view /dev/zero" "solve /dev/zero" "info /dev/zero" "lcp /dev/zero one.mtx"; do
    refused_briefly "/dev/zero: is a device" $words
done

# ---------------------------------------------------------------- 8 GB of nothing
# the limit on memory would end a program that loads it
truncate -s 8G sparse.json
truncate -s 8G sparse.h5
cp peg.hdf5 tail.hdf5
truncate -s 8G tail.hdf5
printf '{"cairn": 1' > head.json
truncate -s 8G head.json
(
    ulimit -v 2000000
    refused_briefly "sparse.json: is not a text file" run ./sparse.json
    refused_briefly "sparse.json" view ./sparse.json
    refused_briefly "sparse.h5: is not an HDF5 file" info sparse.h5
    refused_briefly "sparse.h5" check sparse.h5
    refused_briefly "sparse.h5" solve sparse.h5
    refused_briefly "sparse.h5" view ./sparse.h5
    refused_briefly "sparse.h5: is not a text file" lcp sparse.h5 one.mtx
    refused_briefly "head.json: is not a text file" run ./head.json
    brief solve tail.hdf5 --quiet
    check "of a file with a long tail only what it announces is loaded" ended 0
    echo "$passed $failed" > counts
)
read -r passed failed < counts

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
