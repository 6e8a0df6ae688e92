load helper

# count METHOD TEXT: what --count-only prints for a text, escapes of printf allowed.
count() {
    printf '%b' "$2" | edgefold --count-only --count="$1"
}

@test "tokens: --count-only prints the tokens of the raw input and nothing else" {
    printf 'one two\nthree' >"$BATS_TEST_TMPDIR/in"
    try --count-only --count=words <"$BATS_TEST_TMPDIR/in"
    expect 0
    quiet
    [ "$(cat "$out")" = 3 ]
    [ "$(edgefold --count-only --count=bytes "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/in")" = 26 ]
    [ "$(edgefold --count-only </dev/null)" = 0 ]
}

@test "tokens: words, chars and bytes are what they say" {
    [ "$(count words ' a\tb\n c\xc2\xa0d ')" = 4 ]
    [ "$(count chars 'h\xc3\xa9\xf0\x9f\x98\x80')" = 3 ]
    [ "$(count bytes 'h\xc3\xa9\xf0\x9f\x98\x80')" = 7 ]
}

@test "tokens: chars/N and bytes/N divide by a decimal and round up" {
    [ "$(count chars/4 12345678)" = 2 ]
    [ "$(count chars/4 123456789)" = 3 ]
    [ "$(count chars/3.5 1234567)" = 2 ]
    [ "$(count chars/3.5 12345678)" = 3 ]
    [ "$(count bytes/0.5 abc)" = 6 ]
    [ "$(count bytes/4 '\xc3\xa9\xc3\xa9\xc3\xa9')" = 2 ]
    local bad
    for bad in chars/ chars/0 chars/x chars/-1 words/2 estimate/2 bytes/1e3 chars/0.00001 /4; do
        try --count-only --count="$bad" </dev/null
        expect 2
    done
}

@test "tokens: the estimate knows common words, numbers and runs as one token each" {
    [ "$(count estimate 'The quick brown fox jumps over the lazy dog')" -le 10 ]
    [ "$(count estimate 'The quick brown fox jumps over the lazy dog')" -ge 9 ]
    [ "$(count estimate 123)" = 1 ]
    [ "$(count estimate 123456)" = 2 ]
    [ "$(count estimate "$(printf -- '-%.0s' $(seq 64))")" -le 3 ]
    # a hundred Han characters are neither one word nor 300 bytes by four
    local han
    han=$(count estimate "$(printf '東京%.0s' $(seq 50))")
    [ "$han" -ge 40 ]
    [ "$han" -le 110 ]
}

@test "tokens: the estimate is near the true count of known texts" {
    # counted with o200k_base
    near() {
        local got
        got=$(count estimate "$2")
        [ "$((got * 100))" -ge "$(($1 * 85))" ] && [ "$((got * 100))" -le "$(($1 * 115))" ] ||
            { echo "$got, not near $1: $2" && return 1; }
    }
    near 27 'Tokenizers cut rare words into several pieces, so that a count of words alone says too little about what a text costs.'
    near 30 'for (size_t i = 0; i < count; i++) {\n    total += values[i] * weights[i];\n}\n'
    near 26 'Die Lieferung dauert innerhalb des Landes drei bis fünf Werktage, wenn die Bestellung vor Mittag eingeht.'
}

@test "tokens: one character a hundred thousand times is not quadratic and not far off" {
    local c n
    for c in a ' ' - $'\n' 的; do
        n=$(printf -- "$c%.0s" $(seq 100000) | soon --count-only)
        [ "$n" -gt 10 ]
    done
}

@test "tokens: invalid UTF-8 has a count too" {
    [ "$(printf 'a\377\200b' | edgefold --count-only)" -ge 2 ]
}

@test "tokens: the count of a finished prompt is within its budget" {
    needs_shared
    local file method budget
    for file in msmarco/dl19-104861.bm25 dureader/q0.bm25 overlap/pydoc-50.o50 xquad/hi-5.bm25; do
        for method in estimate words chars bytes chars/3.5 bytes/4; do
            for budget in 700 3000; do
                try -q 'What does it say?' -b "$budget" --count="$method" --margin=0 --stats \
                    --fit=skip "$SHARED/data/$file.ndjson"
                [ "$status" -eq 0 ] || { expect 1 && continue; }
                local total
                total=$(edgefold --count-only --count="$method" <"$out")
                [ "$total" -le "$budget" ]
                says " $total tokens of $budget \(reserve 0, margin 0 percent\), counted by $method"
            done
        done
    done
}

@test "tokens: prompts are as long as the budget allows" {
    for i in $(seq 12); do chunk "c$i" "$i" "Chunk $i\\n\\n  has, in all:\\t$((i * 7919)) words /of its own./\\n"; done \
        >"$BATS_TEST_TMPDIR/in"
    local n size method
    for method in estimate words chars/2.5 bytes; do
        for n in 1 5 9 10 12; do
            try -q "why?" -n "$n" --no-dedup <"$BATS_TEST_TMPDIR/in"
            size=$(edgefold --count-only --count="$method" <"$out")
            try -q "why?" -b "$size" --count="$method" --margin=0 --no-dedup <"$BATS_TEST_TMPDIR/in"
            [ "$(grep -c '<document ' "$out")" -eq "$n" ]
            try -q "why?" -b "$((size - 1))" --count="$method" --margin=0 --no-dedup <"$BATS_TEST_TMPDIR/in"
            [ "$(grep -c '<document ' "$out" || true)" -eq "$((n - 1))" ]
        done
    done
}

@test "tokens: --margin and --reserve are taken off the budget first" {
    chunks a:4 b:3 c:2 d:1 >"$BATS_TEST_TMPDIR/in"
    order "a c b" -b 9 --count=words --margin=0 <"$BATS_TEST_TMPDIR/in"
    order "a c b" -b 10 --count=words --margin=10 <"$BATS_TEST_TMPDIR/in"
    order "a b" -b 10 --count=words --margin=11 <"$BATS_TEST_TMPDIR/in"
    order "a b" -b 9 --count=words --reserve=3 <"$BATS_TEST_TMPDIR/in"
    order "a" -b 10 --count=words --reserve=4 --margin=10 <"$BATS_TEST_TMPDIR/in"
    try -b 3 --count=words --reserve=1 --margin=50 <"$BATS_TEST_TMPDIR/in"
    expect 1
    says "the best takes 3 tokens, 1 are left of --budget 3, less --reserve 1, less 50 percent of margin"
    try -b 3 --reserve=3 <"$BATS_TEST_TMPDIR/in"
    expect 2
    try -b 3 --margin=100 <"$BATS_TEST_TMPDIR/in"
    expect 2
}

@test "tokens: the margin is 5 percent for the estimate and none for what is counted" {
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    try -b 1000 --stats <"$BATS_TEST_TMPDIR/in"
    says "of 1000 \(reserve 0, margin 5 percent\), counted by estimate"
    try -b 1000 --stats --count=chars/4 <"$BATS_TEST_TMPDIR/in"
    says "of 1000 \(reserve 0, margin 0 percent\), counted by chars/4"
}

@test "tokens: --stats says how many came in, were kept, and what they take" {
    (chunk a 3 "one two three"; chunk x 2 "three two one"; chunk b 1 "four five") >"$BATS_TEST_TMPDIR/in"
    try --stats --count=words <"$BATS_TEST_TMPDIR/in"
    expect 0
    [ "$(cat "$err")" = "edgefold: 3 chunks in, 2 kept, 5 tokens, counted by words, text at text, score at score (higher is better), id at id" ]
    try --stats --count=words -b 4 <"$BATS_TEST_TMPDIR/in"
    [ "$(cat "$err")" = "edgefold: 3 chunks in, 1 kept, 3 tokens of 4 (reserve 0, margin 0 percent), counted by words, text at text, score at score (higher is better), id at id" ]
}

@test "tokens: --tokens takes a chunk's own figure instead of counting" {
    own() { printf '%s\n' '{"id":"a","text":"long long text","score":3,"n":{"t":1}}' \
        '{"id":"b","text":"short","score":2,"n":{"t":5}}' '{"id":"c","text":"x","score":1,"n":{"t":0}}'; }
    own | order "a c b" -b 6 --tokens=n.t
    own | order a -b 5 --tokens=n.t --margin=0
    own | order "a c" -b 5 --tokens=n.t --margin=0 --fit=skip
    own >"$BATS_TEST_TMPDIR/in"
    try -f xml -b 25 --tokens=n.t --count=bytes --stats <"$BATS_TEST_TMPDIR/in"
    expect 1
    # a prompt's own figures: the frame, and the tags around each chunk, are counted
    try -f xml -b 56 --tokens=n.t --count=bytes --stats <"$BATS_TEST_TMPDIR/in"
    says "1 kept, 56 tokens of 56"
    local bad
    for bad in '"5"' -1 1.0 1e2 null 99999999999999999999; do
        printf '{"text":"x","score":1,"t":%s}\n' "$bad" >"$BATS_TEST_TMPDIR/in"
        try --tokens=t <"$BATS_TEST_TMPDIR/in"
        expect 3
        says "<stdin>:1: no number of tokens at 't'"
    done
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    try --tokens=t <"$BATS_TEST_TMPDIR/in"
    expect 3
}

@test "tokens: with figures that are right, a prompt of --tokens is within its budget" {
    local text figure
    for text in 'alice paid bob' '/x' '\n\nlines' ' spaces ' '</document></context><question>' '1' '.'; do
        figure=$(printf '{"text":"%s","score":1}\n' "$text" | edgefold --stats 2>&1 >/dev/null |
            sed 's/.*kept, \([0-9]*\) tokens.*/\1/')
        for i in $(seq 20); do printf '{"text":"%s","n":%s,"score":1}\n' "$text" "$figure"; done \
            >"$BATS_TEST_TMPDIR/in"
        for budget in 150 245 325 500; do
            try --no-dedup -f xml --tokens=n -b "$budget" <"$BATS_TEST_TMPDIR/in"
            [ "$status" -eq 0 ] || { expect 1 && continue; }
            [ "$(edgefold --count-only <"$out")" -le "$budget" ] ||
                { echo "over $budget: $text ($figure)" && return 1; }
        done
    done
}

@test "tokens: --stats changes nothing" {
    local half=9223372036854775808 # of what can be counted; two are too many
    try -b "$half" </dev/null
    ! grep -q 'fits 32 bits' "$err" || half=2147483648
    printf '%s\n' "{\"text\":\"a b\",\"score\":2,\"n\":$half}" \
        "{\"text\":\"c d\",\"score\":1,\"n\":$half}" >"$BATS_TEST_TMPDIR/in"
    try --tokens=n --count=words --stats <"$BATS_TEST_TMPDIR/in"
    expect 0
    cmp "$out" "$BATS_TEST_TMPDIR/in"
}

@test "tokens: many bytes at a time are cut into the pieces, and cost, what single bytes do" {
    local texts=5000
    [ -z "${EDGEFOLD_LONG-}" ] || texts=50000
    run -0 "$EDGEFOLD_BUILD/split_test" "$texts"
    local many=$output
    [ "$(grep -c 'pieces' <<<"$many")" -ge 7 ]
    run -0 "$EDGEFOLD_BUILD/split_test_plain" "$texts"
    [ "$output" = "$many" ]
}
