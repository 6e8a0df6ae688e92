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

# The modules whose object needs one of the symbols, an extended regular expression.
needing() {
    grep -E " U ($1)(@|$)" "$BATS_TEST_TMPDIR/needed" | sed 's/\.o:.*//' | sort -u | paste -sd' ' -
}

@test "meta: dependencies point one way" {
    needs nm
    no_sanitizer "the plain objects are looked at"
    (cd "$ROOT/build" && nm -A -u ./*.o ./*/*.o) | sed 's|^\./||' | grep -v '^asan/' \
        >"$BATS_TEST_TMPDIR/needed"
    [ "$(needing 'json_[a-z_]+')" = "json/check output/report tokens/vocab_json tokens/vocab_read" ]
    [ "$(needing 'exit|_exit|abort')" = "base/diag" ]
    [ "$(needing 'stdout|(__)?printf(_chk)?|puts')" = "cli/getopts cli/options main" ]
    [ "$(needing 'read_chunks|fuse|rescore|rank|dedup|top|budget|fold|write_chunks|prompt|sweep|stats|explain|report|dropped|require')" = "pipeline" ]
    [ "$(needing 'setlocale|rand|time')" = "" ]
    [ "$(needing clock_gettime)" = "base/progress" ] # what is printed never depends on the time
    [ "$(needing 'malloc|calloc|realloc')" = "base/diag base/mem" ]
    [ "$(needing mmap)" = "tokens/vocab_find" ] # input is read: a file cut short while mapped kills
}

@test "meta: functions stay short" {
    awk 'FNR == 1 { start = 0 }
         /^[a-zA-Z_].*\(/ && !/;[ \t]*$/ { start = FNR }
         /^}/ { if (start && FNR - start > 80) { print FILENAME ":" start; bad = 1 } start = 0 }
         END { exit bad }' "$ROOT"/src/*.c "$ROOT"/src/*/*.c
}
