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
