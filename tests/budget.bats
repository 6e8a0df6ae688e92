load helper

@test "budget: the lowest-ranked chunks are dropped, not the last of the layout" {
    chunks a:4 b:3 c:2 d:1 | order "a c b" -b 9 --count=words
}

@test "budget: prefix stops at the first chunk that does not fit, skip passes over it" {
    (chunk a 4 "1 2"; chunk b 3 "3 4 5 6 7 8 9"; chunk c 2 "10 11"; chunk d 1 "12 13") \
        >"$BATS_TEST_TMPDIR/in"
    order "a" -b 6 --count=words <"$BATS_TEST_TMPDIR/in"
    order "a" -b 6 --count=words --fit=prefix <"$BATS_TEST_TMPDIR/in"
    order "a d c" -b 6 --count=words --fit=skip <"$BATS_TEST_TMPDIR/in"
}

@test "budget: a budget of just the sum keeps all, one less drops one" {
    chunks a:3 b:2 c:1 | order "a c b" -b 9 --count=words
    chunks a:3 b:2 c:1 | order "a b" -b 8 --count=words
}

@test "budget: when no chunk fits the message has both numbers and the status is 1" {
    chunks a:3 >"$BATS_TEST_TMPDIR/in"
    try -b 2 --count=words <"$BATS_TEST_TMPDIR/in"
    expect 1
    [ ! -s "$out" ]
    says "no chunk fits: the best takes 3 tokens, 2 are left of --budget 2"
}

@test "budget: a prompt's frame counts; when it alone is over, both numbers are given" {
    chunks a:3 >"$BATS_TEST_TMPDIR/in"
    try -b 5 --count=words -q "a question of rather many words" <"$BATS_TEST_TMPDIR/in"
    expect 1
    [ ! -s "$out" ]
    says "the prompt takes [0-9]+ tokens without any chunk, there are 5: --budget 5$"
}

@test "budget: the whole prompt is within it, and one chunk more would not be" {
    for i in $(seq 30); do chunks "c$i:$i"; done >"$BATS_TEST_TMPDIR/in"
    local n size
    for n in 1 2 9 10 11 30; do
        try -q "why?" -n "$n" <"$BATS_TEST_TMPDIR/in"
        expect 0
        size=$(wc -c <"$out")
        cp "$out" "$BATS_TEST_TMPDIR/whole"
        try -q "why?" -b "$size" --count=bytes <"$BATS_TEST_TMPDIR/in"
        cmp "$out" "$BATS_TEST_TMPDIR/whole"
        try -q "why?" -b "$((size - 1))" --count=bytes <"$BATS_TEST_TMPDIR/in"
        [ "$(grep -c '<document' "$out" || true)" -eq "$((n - 1))" ]
    done
}

@test "budget: words are what stands between Unicode's white space" {
    chunk a 1 'one\u00a0two\u3000three\u2003four\u0085five\u205fsix\u200bsix\u202f' >"$BATS_TEST_TMPDIR/in"
    order a -b 6 --count=words <"$BATS_TEST_TMPDIR/in"
    try -b 5 --count=words <"$BATS_TEST_TMPDIR/in"
    expect 1
    says "takes 6 tokens"
}

@test "budget: chars are code points and bytes are UTF-8, of the text and not of its escapes" {
    chunk a 1 'h\u00e9\ud83d\ude00' >"$BATS_TEST_TMPDIR/in"
    try -b 1 --count=chars <"$BATS_TEST_TMPDIR/in"
    says "takes 3 tokens"
    try -b 1 --count=bytes <"$BATS_TEST_TMPDIR/in"
    says "takes 7 tokens"
}

@test "budget: the estimate does not count a hundred Han characters as one word" {
    chunk a 1 "$(printf '东%.0s' $(seq 100))" >"$BATS_TEST_TMPDIR/in"
    try -b 78 <"$BATS_TEST_TMPDIR/in"
    expect 1
    chunk a 1 "$(printf 'word %.0s' $(seq 80))" >"$BATS_TEST_TMPDIR/in"
    try -b 110 <"$BATS_TEST_TMPDIR/in"
    expect 0
    try -b 70 <"$BATS_TEST_TMPDIR/in"
    expect 1
}

@test "budget: special tokens of a tokenizer are text like any other" {
    chunk a 1 'a <|endoftext|> b' | order a -b 100
}

@test "budget: it works after dedup and after --top" {
    (chunk a 3 "1 2 3"; chunk x 2 "3 2 1"; chunk b 1 "4 5 6") | order "a b" -b 6 --count=words
}
