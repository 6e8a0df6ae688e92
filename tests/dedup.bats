load helper

# both TEXT TEXT [OPTION]...: both chunks are kept.
both() {
    local a=$1 b=$2
    shift 2
    (chunk a 2 "$a"; chunk b 1 "$b") | order "a b" "$@"
}

# one TEXT TEXT [OPTION]...: the second is dropped as a duplicate of the first.
one() {
    local a=$1 b=$2
    shift 2
    (chunk a 2 "$a"; chunk b 1 "$b") | order a "$@"
}

@test "dedup: of two copies the better-ranked one survives, wherever it stands" {
    (chunk x 0.4 "the same text"; chunk y 0.9 "the same text") | order y
    (chunk a 0.9 "same words here"; chunk b 0.8 "Same words, here!") | order a
}

@test "dedup: a similarity of exactly the threshold is a duplicate" {
    one "w1 w2 w3 w4 w5 w6 w7 w8 w9" "w1 w2 w3 w4 w5 w6 w7 w8 w10" -d 0.8
    both "w1 w2 w3 w4 w5 w6 w7 w8 w9" "w1 w2 w3 w4 w5 w6 w7 w8 w10" -d 0.800000001
    one "a b" "a c" -d 0.333333333
    both "a b" "a c" -d 0.333333334
}

@test "dedup: thresholds that a double cannot hold are exact" {
    # 55 of 100 and 29 of 100 words: 0.55 and 0.29 times 100 are not whole as doubles
    local shared n
    for n in 55 29 7 58; do
        shared=$(seq "$n" | sed 's/^/s/' | paste -sd' ' -)
        local rest
        rest=$(seq $((100 - n)) | sed 's/^/r/' | paste -sd' ' -)
        one "$shared $rest" "$shared" -d "$(printf '0.%02d' "$n")"
        both "$shared $rest" "$shared" -d "$(printf '0.%02d1' "$n")"
    done
}

@test "dedup: only kept chunks make duplicates, so near-copies do not chain" {
    (chunk a 3 "1 2 3 4"; chunk b 2 "2 3 4 5"; chunk c 1 "3 4 5 6") | order "a c" -d 0.6
}

@test "dedup: at the default a changed number in a sentence keeps both" {
    both "The limit is 10 requests per minute for free plans" \
        "The limit is 90 requests per minute for free plans"
}

@test "dedup: a set has no order, so who paid whom is not seen" {
    one "alice paid bob" "bob paid alice"
}

@test "dedup: case, punctuation and spacing do not count" {
    one "User likes coffee." "user  LIKES coffee"
    one "snake_case is-two words" "snake case is two words"
}

@test "dedup: composed and decomposed, full-width and plain are the same words" {
    one 'caf\u00e9 menu' 'cafe\u0301 menu'
    one '\uff21\uff22\uff23\uff11\uff12\uff13' abc123
    one 'stra\u00dfe' STRASSE
    one 'e\ufb03cient' EFFICIENT
    one '\u03a3\u0391\u03a3' '\u03c3\u03b1\u03c2'
}

@test "dedup: the line of a survivor leaves in its own bytes, not normalised" {
    chunk a 1 'Cafe\u0301 \u212b' >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    cmp "$out" "$BATS_TEST_TMPDIR/in"
}

@test "dedup: a mark composes with the separator before it" {
    # "=" and U+0338 are one symbol, so no word is left to differ in
    one 'a =\u0338 b' 'a \u2260 b'
    one 'a <\u0338 b' 'a b'
}

@test "dedup: an iota subscript is folded after composition" {
    one '\u03b1\u0345\u0301' '\u03ac\u03b9'
}

@test "dedup: texts in scripts without spaces are compared by character pairs" {
    both 机器学习 神经网络
    both 东京是日本的首都 东京是日本的首府 -d 0.76
    one 东京是日本的首都 东京是日本的首府 -d 0.75
    both 退款需要五个工作日到账 退款需要三个工作日到账
    both สวัสดีครับ ขอบคุณครับ
}

@test "dedup: a run of one character is that character" {
    both 一 二
    one "一 a" "a 一"
}

@test "dedup: chunks without a word are duplicates only when equal byte for byte" {
    both "!!!" "???"
    one "!!!" "!!!"
    both "!!!" "!!! "
    both '\ud83d\ude00' '\ud83d\ude01'
}

@test "dedup: other scripts have words too" {
    both "привет мир" "доброе утро"
    one "Привет, мир" "ПРИВЕТ МИР"
    both "नमस्ते दुनिया" "शुभ प्रभात"
}

@test "dedup: a small text inside a large one is not a duplicate" {
    both "a b c d e f g h i j" "a b"
}

@test "dedup: --no-dedup keeps copies, and the last of it and --dedup counts" {
    both same same --no-dedup
    one same same --no-dedup --dedup=1
    both same same --dedup=1 --no-dedup
}

@test "dedup: words of more than sixteen bytes differ in any byte" {
    both aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac
    both aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaa
    one AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab
}

@test "dedup: equal text under two ids gives one document in a prompt" {
    (chunk a 3 "one two"; chunk x 2 "two one"; chunk b 1 three) >"$BATS_TEST_TMPDIR/in"
    try -f xml <"$BATS_TEST_TMPDIR/in"
    [ "$(grep -c '<document index' "$out")" -eq 2 ]
}

@test "dedup: the join agrees with the double loop on thousands of random inputs" {
    local count
    count=$(long_or 6000 1500)
    [ "$EDGEFOLD_CHECK" != asan ] || count=1000
    [[ $EDGEFOLD_CHECK != @(valgrind|foreign) ]] || count=20
    run -0 "$EDGEFOLD_BUILD/join_test" "$count"
    [ "$output" = "$count cases, 0 different" ]
}

@test "dedup: the join agrees with the double loop when hashes collide all the time" {
    local count=1000
    [[ $EDGEFOLD_CHECK != @(valgrind|foreign) ]] || count=10
    run -0 "$EDGEFOLD_BUILD/join_test_weak" "$count" 500000
    [ "$output" = "$count cases, 0 different" ]
}

@test "dedup: sets of a hundred thousand words are compared exactly" {
    local all fewer
    all=$(seq 100000 | paste -sd' ' -)
    fewer=$(seq 85000 | paste -sd' ' -)
    { chunk a 2 "$all"; chunk b 1 "$fewer"; } >"$BATS_TEST_TMPDIR/in"
    order a -d 0.85 <"$BATS_TEST_TMPDIR/in"
    order "a b" -d 0.850001 <"$BATS_TEST_TMPDIR/in"
    order "b a" -d 0.850001 --lower-is-better <"$BATS_TEST_TMPDIR/in"
}

@test "dedup: --shingle compares runs of words, so that order counts" {
    both "alice paid bob" "bob paid alice" --shingle=2
    one "alice paid bob" "Alice paid Bob!" --shingle=2
    both "a b c d e" "a b x d e" --shingle=2 -d 0.5
    one "a b c d e" "a b c d x" --shingle=2 -d 0.6
}

@test "dedup: a text shorter than a shingle is one token" {
    one "a b" "A b" --shingle=5
    both "a b" "b a" --shingle=5
    both "a b" "a b c" --shingle=3
    both a "a a" --shingle=2
    one 东京 东京 --shingle=4
}

@test "dedup: --similarity=containment drops a small text inside a better, larger one" {
    one "a b c d e f g h i j" "a b" --similarity=containment
    both "a b" "a b c d e f g h i j" --similarity=containment
    one "a b c d e" "a b c d x" --similarity=containment -d 0.8
    both "a b c d e" "a b c d x" --similarity=containment -d 0.800000001
}

@test "dedup: --keep-numbers keeps chunks that each have a number of their own" {
    one "Up to 10 requests a minute" "Up to 90 requests a minute" -d 0.7
    both "Up to 10 requests a minute" "Up to 90 requests a minute" -d 0.7 --keep-numbers
    one "Up to 10 requests a minute" "Up to 10 requests a minute" -d 0.7 --keep-numbers
    one "Up to 10 requests a minute" "Up to ten requests a minute" -d 0.7 --keep-numbers
    both "form A7 for all the good people" "form B7 for all the good people" -d 0.7 --keep-numbers
    one "form A7 for all the good people" "form a7 for all the good people" -d 0.7 --keep-numbers
    both "in the year ١٩٩٠ it was so" "in the year ١٩٩١ it was so" -d 0.7 --keep-numbers
}

@test "dedup: --dedup-field compares only chunks with the same value there" {
    local from=$BATS_TEST_TMPDIR/in
    printf '%s\n' '{"id":"a","text":"same","score":9,"src":"x","l":"en"}' \
        '{"id":"b","text":"same","score":8,"src":"y","l":"en"}' \
        '{"id":"c","text":"same","score":7,"src":"\u0078","l":"en"}' \
        '{"id":"d","text":"same","score":6,"src":"x","l":"de"}' \
        '{"id":"e","text":"same","score":5,"l":"en"}' '{"id":"f","text":"same","score":4,"l":"en"}' \
        '{"id":"g","text":"!!","score":3,"src":"x"}' '{"id":"h","text":"!!","score":2,"src":"y"}' >"$from"
    order "a g" -l rank <"$from"
    order "a b e g h" -l rank --dedup-field=src <"$from"
    order "a b d e g h" -l rank --dedup-field=src --dedup-field=l <"$from"
}

@test "dedup: many scopes cost no more than one" {
    no_sanitizer "they need the address space"
    seq 3000 | awk '{ printf "{\"id\":%d,\"src\":%d,\"score\":1,\"text\":\"", $1, $1 % 1500
                      for (i = 0; i < 60; i++) printf "w%d ", ($1 * 7919 + i * 104729) % 20000
                      print "\"}" }' >"$BATS_TEST_TMPDIR/in"
    find_least
    within $((least + 146000)) --dedup-field=src "$BATS_TEST_TMPDIR/in"
    expect 0
    [ "$(wc -l <"$out")" -eq 3000 ]
}

@test "dedup: long shingles cost no more memory than short ones" {
    no_sanitizer "they need the address space"
    local text
    text=$(seq 30000 | paste -sd' ' -)
    { chunk a 2 "$text x"; chunk b 1 "$text y"; } >"$BATS_TEST_TMPDIR/in"
    find_least
    within $((least + 96000)) --shingle=9000 "$BATS_TEST_TMPDIR/in"
    expect 0
    [ "$(ids <"$out")" = a ]
}

@test "dedup: a long run of combining marks is not quadratic" {
    { printf '{"id":"a","score":2,"text":"x'; printf '\\u0301\\u0327%.0s' $(seq 40000); echo '"}'
      printf '{"id":"b","score":1,"text":"x'; printf '\\u0327\\u0301%.0s' $(seq 40000); echo '"}'; } \
        >"$BATS_TEST_TMPDIR/in"
    soon "$BATS_TEST_TMPDIR/in" >"$out"
    [ "$(ids <"$out")" = a ]
}

@test "dedup: what cannot be seen is no part of a word and does not end one" {
    local hidden
    for hidden in '\u00ad' '\u200b' '\u200d' '\ufe0f' '\u2060' '\ufeff' '\u034f' '\udb40\udc41'; do
        (chunk a 2 "re${hidden}trieval augmented"; chunk b 1 "retrieval aug${hidden}mented") | order a -d 1
    done
    (chunk a 2 're\u00ad\u0301sume\u0301'; chunk b 1 'r\u00e9sum\u00e9') | order a -d 1
    (chunk a 2 're-trieval'; chunk b 1 'retrieval') | order "a b" -d 1
}

@test "dedup: texts without a word are compared as they were written" {
    printf '{"id":"a","text":"\377","score":3}\n{"id":"b","text":"\376","score":2}\n{"id":"c","text":"\377","score":1}\n' | order "a b"
    printf '{"id":"a","text":"\\ud83d","score":3}\n{"id":"b","text":"\\ud83e","score":2}\n{"id":"c","text":"\357\277\275","score":1}\n' | order "a c b"
}

@test "dedup: --dedup-field compares what values are worth" {
    local pair
    for pair in '1 1.0' '1e2 100' 'null "x":0' '{"a":1,"b":[2]} {"b":[2.0],"a":1}' '"\u0061" "a"' '{"a":1,"a":2} {"a":2}'; do
        set -- $pair
        local second="\"f\":$2"
        [ "$1" != null ] || second='"g":1'
        printf '{"id":"a","text":"same words","score":2,"f":%s}\n{"id":"b","text":"same words","score":1,%s}\n' "$1" "$second" |
            order a --dedup-field=f
    done
    for pair in '1 "1"' 'true "true"' '0 false' 'null 0' '[1,2] [2,1]' '{"a":1} {"a":1,"b":1}' '[] {}'; do
        set -- $pair
        printf '{"id":"a","text":"same words","score":2,"f":%s}\n{"id":"b","text":"same words","score":1,"f":%s}\n' "$1" "$2" |
            order "a b" --dedup-field=f
    done
}

@test "dedup: words that were chosen to fall on one another take no longer" {
    run -0 "$EDGEFOLD_BUILD/interner_test" 50000
    [ "$output" = "50000 words, 0 wrong, reseeded" ]
}

@test "dedup: texts that differ in their numbers alone are not compared each with each" {
    jq -nc 'range(100; 60100) | {id: ., score: -., text:
        "The report for section \(.) of \(. % 9) shows that revenue has grown in all regions"}' \
        >"$BATS_TEST_TMPDIR/in"
    local threshold
    for threshold in 0.5 0.85; do
        soon --keep-numbers -d "$threshold" "$BATS_TEST_TMPDIR/in" >"$out"
        [ "$(wc -l <"$out")" -eq 60000 ]
    done
}

@test "dedup: equal texts are found at once, and texts that only look equal are not" {
    cd "$BATS_TEST_TMPDIR" || return
    printf '{"id":%d,"text":"%s","score":%d}\n' \
        1 'alpha beta gamma delta' 9 2 'alpha beta gamma delta' 8 \
        3 'alpha beta gamma\u0020delta' 7 4 'alpha bexa gamxa delta' 6 >in
    try -vv in
    says ' 2 .*duplicate of line 1, 1.00 \(4/4 words\)$'
    says ' 3 .*duplicate of line 1, 1.00 \(4/4 words\)$'
    says ' 4 .*kept$'
    printf '{"id":%d,"of":"%s","text":"alpha beta gamma delta","score":%d}\n' 1 a 3 2 b 2 3 a 1 >in
    try --dedup-field=of -vv in
    says ' 2 .*kept$'
    says ' 3 .*duplicate of line 1, 1.00 \(4/4 words\)$'
}

@test "dedup: texts without any word are no repeats of each other" {
    cd "$BATS_TEST_TMPDIR" || return
    printf '{"id":"%s","text":"%s","score":%d}\n' a '?!' 2 b '...' 1 >in
    run -0 "$EDGEFOLD" in
    [ "$(jq -r .id <<<"$output" | paste -sd' ')" = "a b" ]
}
