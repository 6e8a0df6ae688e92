load helper

setup() { chunks a:1 b:2 >"$BATS_TEST_TMPDIR/in"; }

# failed PATTERN: the last try ended with status 4 and such a message.
failed() {
    expect 4
    says "$1"
    [ "$(wc -l <"$err")" -eq 1 ]
}

# into FILE [OPTION]...: edgefold with its output there.
into() {
    local file=$1
    shift
    err=$BATS_TEST_TMPDIR/err status=0
    "$EDGEFOLD" "$@" >"$file" 2>"$err" <"$BATS_TEST_TMPDIR/in" || status=$?
}

# Opens a pipe that nobody reads any more; $pipe is the end to write to.
open_unread_pipe() {
    local both
    mkfifo "$BATS_TEST_TMPDIR/unread"
    exec {both}<>"$BATS_TEST_TMPDIR/unread" {pipe}>"$BATS_TEST_TMPDIR/unread" {both}>&-
}

@test "io: a full disk is reported, for lines, prompt, help and version" {
    [ -c /dev/full ] || skip "no /dev/full"
    into /dev/full
    failed "^edgefold: cannot write to standard output: No space left on device$"
    into /dev/full -q why
    failed "No space left"
    into /dev/full --help
    failed "No space left"
    into /dev/full --version
    failed "No space left"
}

@test "io: a closed standard output is reported" {
    no_sanitizer "their logs would take its place"
    err=$BATS_TEST_TMPDIR/err status=0
    "$EDGEFOLD" "$BATS_TEST_TMPDIR/in" >&- 2>"$err" || status=$?
    failed "^edgefold: standard output is closed$"
    status=0
    "$EDGEFOLD" --help >&- 2>"$err" || status=$?
    failed "standard output is closed"
}

@test "io: a closed standard input is reported" {
    try <&-
    failed "^edgefold: <stdin>: cannot read: Bad file descriptor$"
}

@test "io: a standard output that is open for reading only is reported" {
    err=$BATS_TEST_TMPDIR/err status=0
    "$EDGEFOLD" "$BATS_TEST_TMPDIR/in" 1</dev/null 2>"$err" || status=$?
    failed "cannot write to standard output: Bad file descriptor"
}

@test "io: a directory as input is reported" {
    try /
    failed "^edgefold: /: cannot read: Is a directory$"
    try </
    failed "^edgefold: <stdin>: cannot read: Is a directory$"
    try --question-file / "$BATS_TEST_TMPDIR/in"
    failed "/: cannot read: Is a directory"
}

@test "io: a missing file is reported, and nothing is written" {
    try "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/none"
    failed "/none: cannot open: No such file or directory"
    [ ! -s "$out" ]
    try --question-file "$BATS_TEST_TMPDIR/none" "$BATS_TEST_TMPDIR/in"
    failed "/none: cannot open"
}

@test "io: SIGPIPE ends it without a word" {
    open_unread_pipe
    status=0
    env --default-signal=PIPE true 2>/dev/null || skip "env cannot bring SIGPIPE back"
    env --default-signal=PIPE "$EDGEFOLD" "$BATS_TEST_TMPDIR/in" >&"$pipe" 2>"$err" || status=$?
    expect 141
    quiet
}

@test "io: a closed pipe with SIGPIPE ignored is a write error" {
    open_unread_pipe
    status=0
    (trap '' PIPE && exec "$EDGEFOLD" "$BATS_TEST_TMPDIR/in" >&"$pipe" 2>"$err") || status=$?
    failed "^edgefold: cannot write to standard output: Broken pipe$"
}

@test "io: a line of twenty megabytes passes" {
    { printf '{"id":"a","score":1,"text":"'; head -c 20000000 /dev/zero | tr '\0' x; echo '"}'; } \
        >"$BATS_TEST_TMPDIR/long"
    try "$BATS_TEST_TMPDIR/long"
    expect 0
    cmp "$out" "$BATS_TEST_TMPDIR/long"
}

@test "io: an endless stream of NUL bytes is an error at once" {
    try </dev/zero
    expect 3
    says "<stdin>:1:1: NUL byte"
}

@test "io: out of memory is reported, and nothing is written" {
    no_sanitizer "they need the address space"
    { printf '{"id":"a","score":1,"text":"'; head -c 20000000 /dev/zero | tr '\0' x; echo '"}'; } \
        >"$BATS_TEST_TMPDIR/long"
    local room
    find_least
    for room in 16000 36000 56000; do
        within $((least + room)) "$BATS_TEST_TMPDIR/long"
        failed "^edgefold: out of memory \([0-9]+ bytes asked for\)$"
        [ ! -s "$out" ]
    done
}

@test "io: whatever the memory limit, the output is whole or there is none" {
    no_sanitizer "they need the address space"
    seq 2000 | sed 's/.*/{"id":&,"text":"number & and its own words w& x& y&","score":-&.5}/' \
        >"$BATS_TEST_TMPDIR/in"
    try "$BATS_TEST_TMPDIR/in"
    cp "$out" "$BATS_TEST_TMPDIR/whole"
    local room=128 limit ended=
    find_least
    while within $((least + room)) "$BATS_TEST_TMPDIR/in" && [ "$status" -eq 4 ]; do
        room=$((room * 2))
    done
    expect 0 # so much is enough
    # Too little for a start: whatever the loader says of it, nothing is written.
    for limit in $((least / 8)) $((least / 2)) $((least - least / 8)); do
        within "$limit" "$BATS_TEST_TMPDIR/in"
        [ "$status" -ne 0 ]
        [ ! -s "$out" ]
    done
    for limit in $(seq $((least + room / 32)) $((room / 32)) $((least + room))); do
        within "$limit" "$BATS_TEST_TMPDIR/in"
        case $status in
        0) cmp "$out" "$BATS_TEST_TMPDIR/whole" ;;
        4) failed "out of memory" && [ ! -s "$out" ] && ended=yes || return 1 ;;
        *) echo "limit $limit: status $status" && cat "$err" && return 1 ;;
        esac
    done
    [ -n "$ended" ] # at least one limit was between too little and enough
}

@test "io: input comes from pipes, in small pieces, and from several places" {
    mkfifo "$BATS_TEST_TMPDIR/pipe"
    (while IFS= read -r line; do printf '%s' "${line:0:7}"; printf '%s\n' "${line:7}"; done \
        <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/pipe") &
    order "b a" -l rank "$BATS_TEST_TMPDIR/pipe"
    order "b a" -l rank <(cat "$BATS_TEST_TMPDIR/in")
}

@test "io: reading it all before writing makes in-place use safe" {
    order "b a" -l rank "$BATS_TEST_TMPDIR/in"
    cp "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/same"
    "$EDGEFOLD" -l rank "$BATS_TEST_TMPDIR/same" 1<>"$BATS_TEST_TMPDIR/same"
    cmp "$BATS_TEST_TMPDIR/same" "$out"
}

@test "io: a pipe that somebody made non-blocking is waited for" {
    needs python3
    seq 20000 | sed 's/.*/{"id":&,"text":"text number &","score":-&}/' >"$BATS_TEST_TMPDIR/big"
    run -0 python3 - "$EDGEFOLD" "$BATS_TEST_TMPDIR/big" "$BATS_TEST_TMPDIR/out" <<'END'
import fcntl, os, subprocess, sys
r, w = os.pipe()
fcntl.fcntl(w, 1031, 1)     # F_SETPIPE_SZ, to be had from Python 3.10 on: one page
fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
child = subprocess.Popen([sys.argv[1], "-l", "rank", sys.argv[2]], stdout=w)
os.close(w)
with open(sys.argv[3], "wb") as out:
    while block := os.read(r, 4096):
        out.write(block)
sys.exit(child.wait())
END
    cmp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/big"
}

@test "io: the locale changes nothing" {
    (chunk a 1.5 'É un'; chunk b 2.5 deux) >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    cp "$out" "$BATS_TEST_TMPDIR/c"
    LC_ALL=C.UTF-8 "$EDGEFOLD" <"$BATS_TEST_TMPDIR/in" | cmp - "$BATS_TEST_TMPDIR/c"
    LC_ALL=de_DE.UTF-8 "$EDGEFOLD" <"$BATS_TEST_TMPDIR/in" | cmp - "$BATS_TEST_TMPDIR/c"
}

@test "io: on a terminal it says what it waits for" {
    needs python3
    run -0 python3 - "$EDGEFOLD" <<'END'
import os, pty, subprocess, sys
master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=slave, stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
said = b""
while b"reading chunks from the terminal" not in said:
    said += os.read(master, 4096)   # fails when the program ends without saying so
os.write(master, b"\4")
sys.exit(child.wait())
END
}

@test "io: a standard error that somebody made non-blocking is waited for" {
    needs python3
    seq 3000 | sed 's/.*/{"id":"an id of some length, number &","text":"text number &","score":-&}/' >"$BATS_TEST_TMPDIR/big"
    "$EDGEFOLD" -v --no-dedup "$BATS_TEST_TMPDIR/big" 2>"$BATS_TEST_TMPDIR/whole" >/dev/null
    run -0 python3 - "$EDGEFOLD" "$BATS_TEST_TMPDIR/big" "$BATS_TEST_TMPDIR/out" <<'END'
import fcntl, os, subprocess, sys
r, w = os.pipe()
fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
child = subprocess.Popen([sys.argv[1], "-v", "--no-dedup", sys.argv[2]], stdout=subprocess.DEVNULL, stderr=w)
os.close(w)
with open(sys.argv[3], "wb") as out:
    while block := os.read(r, 4096):
        out.write(block)
sys.exit(child.wait())
END
    cmp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/whole"
}

@test "io: what -v and --stats cannot write is a failure" {
    [ -c /dev/full ] || skip "no /dev/full"
    local option
    for option in -v --stats; do
        status=0
        "$EDGEFOLD" "$option" "$BATS_TEST_TMPDIR/in" 2>/dev/full >"$BATS_TEST_TMPDIR/out" || status=$?
        [ "$status" -eq 4 ]
        [ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -eq 2 ]
    done
}
