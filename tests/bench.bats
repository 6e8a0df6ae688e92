load helper

setup() {
    needs python3
    BENCH=$TESTS/bench/run
}

@test "bench: its help names every option, section and work" {
    local name seen=0
    "$BENCH" --help >"$out"
    while read -r name; do
        grep -Eq "^  --$name(=[A-Z]+)?( |$)" "$out"
        seen=$((seen + 1))
    done < <(sed -n '/^VALUES = {/,/^}/s/^    "\([a-z]*\)":.*/\1/p' "$BENCH" &&
        sed -n 's/^FLAGS = //p' "$BENCH" | grep -oE '[a-z]+' | grep -vx help)
    [ "$seen" -eq 9 ]
    for name in $(sed -n '/^SECTIONS = /p' "$BENCH" | grep -oE '"[a-z]+"' | tr -d '"') \
        $(sed -n '/^NAMES = /,/)$/p' "$TESTS/bench/works.py" | grep -oE '"[a-z0-9]+"' | tr -d '"'); do
        grep -Eqw -- "$name" "$out"
        seen=$((seen + 1))
    done
    [ "$seen" -ge 26 ]
}

@test "bench: a section, a work or a commit that there is not is refused" {
    run -2 "$BENCH" --only=nothing "$EDGEFOLD"
    run -2 "$BENCH" --works=nothing "$EDGEFOLD"
    run -2 "$BENCH" --only=baseline "$EDGEFOLD"
    [[ $output == *"which --baseline?"* ]]
}

@test "bench: a commit is built beside, and each work has a ratio to it" {
    only_long
    no_sanitizer "another build is measured beside"
    local work cache=$BATS_TEST_TMPDIR/cache
    needs hyperfine
    needs git
    type -P time >"$out" || skip "GNU time is not installed"
    git -C "$ROOT" rev-parse HEAD >"$out" 2>"$err" || skip "not a clone made by git"
    "$BENCH" --quick --baseline=HEAD --only=baseline --works=b,common --cache="$cache" "$EDGEFOLD" \
        >"$out" 2>"$err" || { cat "$err" && false; }
    "$cache/commit-$(git -C "$ROOT" rev-parse HEAD | cut -c 1-12)/build/edgefold" --version
    local taken='[0-9.]+ [^ ]*s' ratio='[0-9.]+' peak='[0-9.]+ MB, [0-9.]+ ×'
    for work in "90 random words, three near each other, 200" "84 words in every chunk, 8 of its own, 500"; do
        grep -Eq "^\| $work \| $taken \| $taken \| $ratio \| $peak \| $peak \| $ratio \| (identical|differs) \|$" "$out"
    done
    grep -Eq "^\| the time a chunk, 200 to 2,000 \| $ratio × \| $ratio × \| $ratio \|" "$out"
    run -1 "$BENCH" --quick --baseline=no-such-commit --only=baseline --cache="$cache" "$EDGEFOLD"
    [[ $output == *"run: --baseline: "* ]]
}
