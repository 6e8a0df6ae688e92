load helper

@test "meta: every golden case is used by a test" {
    diff -u <(cd "$TESTS/cases" && ls) \
        <(grep -hoE '^ *golden [a-z0-9-]+' "$TESTS"/*.bats | awk '{ print $2 }' | sort -u)
}

@test "meta: no test is left focused or without a name of its own" {
    run grep -lE '^# *bats.*focus' "$TESTS"/*.bats
    [ "$status" -eq 1 ]
    [ -z "$(grep -h '^@test' "$TESTS"/*.bats | sort | uniq -d)" ]
}

# bash's set -e, by which a test fails, does not look at a status that is turned round.
@test "meta: no test goes on after something that should have failed has not" {
    run -1 awk '
        FNR == 1 { held = "" }
        held != "" && !/^}/ { print held; bad = 1 }
        { held = /^ *! / && !/\|\|/ && !/ -path / ? FILENAME ":" FNR ": " $0 : "" }
        END { exit !bad }' "$TESTS"/*.bats
    [ -z "$output" ]
}

# Nor does it look at what stands before && in a line.
@test "meta: no test has a check whose failure only leaves out the next one" {
    run grep -nE '^ +(expect|says|try|chunks|\[) [^|]* && ' "$TESTS"/*.bats
    run grep -vE '\|\||\$\([^)]*&&|&& (skip|return|continue)|! command|&& \\$' <<<"$output"
    [ -z "$output" ] || { echo "$output" && return 1; }
}

@test "meta: the folders of the source keep to what is said of them" {
    needs python3
    python3 "$TESTS/house.py" "$ROOT/src"
}

@test "meta: what is said of the folders is held against the source" {
    needs python3
    local copy=$BATS_TEST_TMPDIR/src
    cp -r "$ROOT/src" "$copy"
    (echo '#include "dedup/join.h"' && cat "$ROOT/src/rank/rank.c") >"$copy/rank/rank.c"
    (echo '#include "cli/cli.h"' && cat "$ROOT/src/dedup/dedup.c") >"$copy/dedup/dedup.c"
    sed 's/^\( \*     json *->\).*/\1 base read/' "$ROOT/src/pipeline.h" >"$copy/pipeline.h"
    mkdir "$copy/attic"
    run -1 python3 "$TESTS/house.py" "$copy"
    [[ $output == *"no arrow from rank to dedup"* ]]
    [[ $output == *"dedup/join.h is private to dedup/"* ]]
    [[ $output == *"no arrow from dedup to cli"* ]]
    [[ $output == *"json -> read points up"* ]]
    [[ $output == *"attic/ has no attic.h"* ]]
}

@test "meta: the fuzz targets, which only clang links, compile against the source as it is" {
    needs cc
    needs pkg-config
    [ "$(uname -s)" = Linux ] || skip 'their files without a name are Linux'"'"'s'
    local target
    for target in "$TESTS"/fuzz/*.c; do
        # shellcheck disable=SC2046
        run -0 cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I"$ROOT/src" \
            $(pkg-config --cflags jansson libutf8proc) "$target"
    done
}

# The modules whose object needs one of the symbols, an extended regular expression.
needing() {
    grep -E " U ($1)(@|$)" "$BATS_TEST_TMPDIR/needed" | sed 's/\.o:.*//' | sort -u | paste -sd' ' -
}

@test "meta: what the program asks of the system is asked in one place" {
    needs nm
    no_sanitizer "the plain objects are looked at"
    (cd "$ROOT/src" && ls -- *.c */*.c | sed 's/c$/o/') | (cd "$ROOT/build" && xargs nm -A -u) \
        >"$BATS_TEST_TMPDIR/needed"
    [ "$(needing 'json_load[a-z_]+')" = "json/check json/tree tokens/vocab_read" ]
    [ "$(needing 'exit|_exit|abort')" = "base/diag" ]
    [ "$(needing 'stdout|(__)?printf(_chk)?|puts')" = "" ]
    [ "$(needing 'setlocale|rand|time')" = "" ]
    [ "$(needing clock_gettime)" = "base/progress" ] # what is printed never depends on the time
    [ "$(needing 'malloc|calloc|realloc')" = "base/diag base/mem" ]
    [ "$(needing 'mmap(64)?')" = "tokens/vocab_find" ] # input is read: a file cut short while mapped kills
}

# The values of a choice in --help, by the option's name.
choices_of() {
    "$EDGEFOLD" --help | awk -v option="--$1=" '
        / --[a-z]/ { here = index($0, option) > 0; next }
        here && substr($0, 1, 30) ~ /^ *$/ && substr($0, 31, 1) ~ /[a-z]/ { sub(/:.*/, ":2", $1); print $1 }'
}

@test "meta: every value of every choice is taken, shown in the report and in the manual" {
    needs jq
    local option value key seen=0
    chunks a:1 b:2 >"$BATS_TEST_TMPDIR/in"
    for option in similarity fit layout format escape; do
        while read -r value; do
            set -- "--$option=$value"
            [ "$value" != truncate ] && [ "$value" != all ] || set -- "$@" -f xml
            [[ $value != @(messages|anthropic|cohere) ]] || set -- "$@" -q why
            try "$@" --report="$BATS_TEST_TMPDIR/report" "$BATS_TEST_TMPDIR/in"
            expect 0
            key=$(jq -r ".options.$option" "$BATS_TEST_TMPDIR/report")
            [ "$key" = "${value%:2}" ]
            grep -Eq "^\.It Cm ${value%:2}( |$)" "$ROOT/man/edgefold.1"
            seen=$((seen + 1))
        done < <(choices_of "$option")
    done
    [ "$seen" -ge 20 ]
}

@test "meta: every fate has a name in the report and in the manual" {
    needs jq
    local fates
    fates=$(sed -n 's/^    ROW(\([A-Z_]*\),.*/\1/p' "$ROOT/src/fate.h" | grep -v KEPT | tr 'A-Z_' 'a-z-')
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    try --report="$BATS_TEST_TMPDIR/report" "$BATS_TEST_TMPDIR/in"
    diff -u <(echo "$fates" | sort) <(jq -r '.totals.dropped | keys[]' "$BATS_TEST_TMPDIR/report" | sort)
    local fate
    for fate in $fates; do
        grep -Eq "^\.It ((Sy|Cm|Li) )?$fate$|Ql $fate" "$ROOT/man/edgefold.1"
    done
}

@test "meta: in every format a chunk that is a whole prompt cannot pass for one" {
    needs jq
    local format seen=0
    chunks a:1 b:2 >"$BATS_TEST_TMPDIR/in"
    for format in $(choices_of format | grep -vE 'ndjson|messages|anthropic|cohere'); do
        try -f "$format" -q 'Why so?' "$BATS_TEST_TMPDIR/in"
        jq -Rsc '{id: "x", score: 1, text: .}' "$out" >"$BATS_TEST_TMPDIR/inner"
        try -f "$format" -q 'And so?' --report="$BATS_TEST_TMPDIR/report" "$BATS_TEST_TMPDIR/inner"
        expect 0
        if [ "$format" = markdown ]; then # all of it is inside a longer fence
            [ "$(grep -c '^````$' "$out")" -eq 2 ]
        else
            [ "$(grep -ciE '^(<|question:)' "$out")" -le 8 ]
            [ "$(jq .totals.neutralised "$BATS_TEST_TMPDIR/report")" -ge 4 ]
        fi
        seen=$((seen + 1))
    done
    [ "$seen" -ge 5 ]
}

# gcc leaves out calls of a function that does nothing else.
@test "meta: what is fetched ahead is not left out by the compiler" {
    needs objdump
    [ "$(uname -m)" = x86_64 ] || skip "it is looked for in x86-64's instructions"
    local written made
    written=$(grep -rho 'PREFETCH([^a]' "$ROOT/src" | wc -l)
    made=$(objdump -d "$EDGEFOLD" | grep -c '[[:space:]]prefetch')
    [ "$written" -ge 5 ]
    [ "$made" -ge "$written" ]
}
