# Loaded by every .bats file.  The program under test is $EDGEFOLD and nothing else.

bats_require_minimum_version 1.7.0

TESTS=$BATS_TEST_DIRNAME
ROOT=$(cd "$TESTS/.." && pwd)
EDGEFOLD_CHECK=${EDGEFOLD_CHECK:-plain}
EDGEFOLD=${EDGEFOLD:-$ROOT/build/edgefold}
EDGEFOLD_BUILD=${EDGEFOLD_BUILD:-$ROOT/build}
SHARED=${EDGEFOLD_SHARED:-$ROOT/../shared}
export LC_ALL=C
# The caller's settings are not for the tests, nor what programs read in a home.
unset NO_COLOR POSIXLY_CORRECT BASH_ENV CDPATH RIPGREP_CONFIG_PATH SANITIZE
unset EDGEFOLD_VOCAB XDG_DATA_HOME TIKTOKEN_CACHE_DIR HF_HOME HF_HUB_CACHE
export HOME=$BATS_TEST_TMPDIR
# Children that one test starts must not write outside its own folder.
export PYTHONDONTWRITEBYTECODE=1
# What `try` leaves behind; here too, since it may run at the end of a pipe.
out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err

edgefold() { "$EDGEFOLD" "$@"; }

# Runs edgefold with its arguments; keeps its output as files, byte for byte, in
# $out and $err, and its status in $status.  Standard input passes through.
try() {
    out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err status=0
    "$EDGEFOLD" "$@" >"$out" 2>"$err" || status=$?
}

# within KB ARGUMENT...: like try, with no more address space than that.  The limit is
# set by a new shell, which needs no memory of its own after it.
within() {
    local limit=$1
    shift
    out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err status=0
    sh -c 'ulimit -v "$0" && exec "$@"' "$limit" "$EDGEFOLD" "$@" >"$out" 2>"$err" || status=$?
}

# Finds $least, the least kB within which the program says its version.  What loader,
# libraries and environment take differs from machine to machine, so that a limit is
# said as so much above it.
find_least() {
    local below=0 middle
    within 1 --version
    [ "$status" -ne 0 ] || skip "address space cannot be limited here"
    least=1
    while [ "$status" -ne 0 ] && [ "$least" -lt 1000000000 ]; do
        below=$least least=$((least * 2))
        within "$least" --version
    done
    while [ $((least - below)) -gt 1 ]; do
        middle=$(((least + below) / 2))
        within "$middle" --version
        if [ "$status" -eq 0 ]; then least=$middle; else below=$middle; fi
    done
}

# peak ARGUMENT...: the kB of memory that edgefold has at most with these arguments.
peak() {
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(most // 1024 if sys.platform == "darwin" else most)' "$EDGEFOLD" "$@"
}

# The seconds of processor time for what takes time in proportion to its input: a
# hundred times what an ordinary input takes on this machine, built or run like this.
allowed_seconds() {
    local TIMEFORMAT='%U %S' lines=$BATS_TEST_TMPDIR/ordinary
    seq 5000 | sed 's/.*/{"id":&,"text":"text number & with some words of its own","score":&}/' >"$lines"
    { time "$EDGEFOLD" "$lines" >/dev/null 2>&1; } 2>&1 | awk '{ print int(($1 + $2) * 100) + 2 }'
}

# soon ARGUMENT...: edgefold, which is killed when it takes much longer than it should.
soon() {
    [ -n "${allowed:-}" ] || allowed=$(allowed_seconds)
    (ulimit -t "$allowed" && exec "$EDGEFOLD" "$@")
}

# expect STATUS: the last try ended so, else its messages are shown.
expect() {
    if [ "$status" -ne "$1" ]; then
        echo "status $status, expected $1; messages:" && cat "$err"
        return 1
    fi
}

# says PATTERN: a line of the messages matches the extended regular expression.
says() {
    if ! grep -Eq -- "$1" "$err"; then
        echo "no message matches: $1; messages:" && cat "$err"
        return 1
    fi
}

quiet() {
    if [ -s "$err" ]; then
        echo "messages where none were expected:" && cat "$err"
        return 1
    fi
}

# chunks a:0.9 b:null ...: a line each, with id, score and a text like no other.
chunks() {
    local chunk
    for chunk in "$@"; do
        local id=${chunk%%:*} score=${chunk#*:}
        printf '{"id":"%s","text":"%s1 %s2 %s3","score":%s}\n' "$id" "$id" "$id" "$id" "$score"
    done
}

# chunk ID SCORE TEXT: one line; the text is put in as it is, escapes included.
chunk() {
    printf '{"id":"%s","text":"%s","score":%s}\n' "$1" "$3" "$2"
}

# json FILTER FILE: what jq makes of the file, one value a line.  Before 1.7 it writes a
# number anew, since then as it was written: by adding 0 to it both write it anew.
json() {
    jq -c "$1 | walk(if type == \"number\" then . + 0 else . end)" "$2"
}

# The mode of a file, as in -rw-r-----.
mode_of() {
    # shellcheck disable=SC2012 # stat has other options elsewhere
    ls -l "$1" | cut -c1-10
}

# The ids of the lines on standard input, on one line.
ids() {
    sed 's/.*"id": *"\{0,1\}\([^",}]*\).*/\1/' | paste -sd' ' -
}

# order EXPECTED [OPTION]...: edgefold puts standard input's chunks in this order.
order() {
    local expected=$1
    shift
    try "$@"
    expect 0 || return
    local got
    got=$(ids <"$out")
    if [ "$got" != "$expected" ]; then
        echo "order '$got', expected '$expected'"
        return 1
    fi
}

# Runs the one-line command of tests/cases/NAME with a folder in PATH that has
# only edgefold, and compares output, messages and status.  REGEN=1 rewrites them.
golden() {
    local dir=$TESTS/cases/$1 bin=$BATS_TEST_TMPDIR/bin result=0
    mkdir -p "$bin"
    ln -sf "$EDGEFOLD" "$bin/edgefold"
    (cd "$dir" && PATH=$bin:$PATH bash ./cmd) >"$BATS_TEST_TMPDIR/out" \
        2>"$BATS_TEST_TMPDIR/err" || result=$?
    echo "$result" >"$BATS_TEST_TMPDIR/status"
    local part
    for part in out err status; do
        if [ "${REGEN:-0}" = 1 ]; then
            cp "$BATS_TEST_TMPDIR/$part" "$dir/$part"
        fi
        diff -u "$dir/$part" "$BATS_TEST_TMPDIR/$part" || return 1
    done
}

# Skips the test, saying why, where a command or the shared data is not there.
needs() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}
# EDGEFOLD_LONG=1, as CI has it, is for all that a test can do, however long it takes.
# long_or COUNT SHORT: the count there, the short one otherwise.
long_or() {
    if [ "${EDGEFOLD_LONG:-}" = 1 ]; then echo "$1"; else echo "$2"; fi
}
only_long() {
    [ "${EDGEFOLD_LONG:-}" = 1 ] || skip "it takes long: EDGEFOLD_LONG=1 has it"
}
needs_shared() {
    [ -d "$SHARED/data" ] || skip "the shared test data is not beside the checkout"
}
no_sanitizer() {
    [ "$EDGEFOLD_CHECK" = plain ] || skip "not under a sanitizer or valgrind: $1"
}

# The providers' endpoints on localhost, at $strict; strict_stop ends them.
strict_start() {
    needs python3
    needs curl
    needs jq
    python3 "$TESTS/engines/strict_server.py" "$BATS_TEST_TMPDIR/port" >"$BATS_TEST_TMPDIR/server" 2>&1 3>&- &
    strict_process=$!
    local waited
    for waited in $(seq 100); do
        [ ! -s "$BATS_TEST_TMPDIR/port" ] || break
        kill -0 "$strict_process" || { cat "$BATS_TEST_TMPDIR/server" && return 1; }
        sleep 0.1
    done
    strict=http://127.0.0.1:$(<"$BATS_TEST_TMPDIR/port")
    export strict
    echo "the server is there after $waited looks"
}

strict_stop() {
    if [ -n "${strict_process:-}" ]; then
        kill "$strict_process"
        wait "$strict_process" || true
        strict_process=
    fi
}
