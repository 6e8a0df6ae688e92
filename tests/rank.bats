load helper

@test "rank: chunks are sorted by score, best first, whatever order they came in" {
    chunks b:0.2 a:0.9 c:0.5 | order "a c b" -l rank
    chunks a:0.1 b:0.9 | order b -n 1
}

@test "rank: two retrievers' outputs one after the other are one ranking" {
    (chunks a:0.4; chunks b:0.9) | order "b a" -l rank
}

@test "rank: equal scores keep the order in which they came" {
    chunks a:1 b:1 c:1 | order "a b c" -l rank
    chunks a:0.5 b:0.5 c:0.5 d:0.5 | order "a c d b"
    chunks a:1 b:1.0 c:10e-1 d:1E0 | order "a b c d" -l rank
    chunks a:0 b:-0.0 c:-0 | order "a b c" -l rank
}

@test "rank: ten thousand ties come out in the same order every time" {
    seq 10000 | sed 's/.*/{"id":&,"text":"t&","score":0.5}/' >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    cp "$out" "$BATS_TEST_TMPDIR/first"
    try <"$BATS_TEST_TMPDIR/in"
    cmp "$out" "$BATS_TEST_TMPDIR/first"
    try -l rank <"$BATS_TEST_TMPDIR/in"
    cmp "$out" "$BATS_TEST_TMPDIR/in"
}

@test "rank: a missing score is not zero: it ranks after every score, in both directions" {
    chunks a:-1 n:null b:-2 | order "a b n" -l rank
    chunks a:-1 n:null b:-2 | order "b a n" -l rank --lower-is-better
    says "chunks without a score, which rank last: 1 of 3"
    (chunk a 0.2 one; echo '{"id":"n","text":"two"}') | order "a n" -l rank
}

@test "rank: a score of zero is a number like any other" {
    chunks x:-0.5 y:0.0 | order "y x" -l rank
    (chunk x 0.0 "same words"; chunk y -0.5 "same words") | order x
}

@test "rank: negative scores, as logits are, lose nothing" {
    chunks a:8.6 b:-4.3 c:-11 | order "a c b"
    chunks a:-1 b:-2 | order "a b"
    quiet
}

@test "rank: --lower-is-better ranks distances and SQLite's negative bm25" {
    chunks a:0.2 b:0.7 | order "b a" -l rank
    chunks a:0.2 b:0.7 | order "a b" -l rank --lower-is-better
    chunks a:-7.1 b:-0.3 c:-2 | order "a b c" --lower-is-better
}

@test "rank: of --lower-is-better and --higher-is-better the last one counts" {
    chunks a:1 b:2 | order "b a" -l rank --lower-is-better --higher-is-better
    chunks a:1 b:2 | order "a b" -l rank --higher-is-better --lower-is-better
}

@test "rank: scores are compared as they are, not normalised or clamped" {
    chunks a:120.5 b:33 c:1e300 | order "c a b" -l rank
    chunks a:1e-310 b:0 c:-1e-310 | order "a b c" -l rank
}

@test "rank: numbers that are the same double are compared digit by digit" {
    chunks a:9007199254740992 b:9007199254740993 | order "b a" -l rank
    chunks a:578730123365711993 b:578730123365711995 c:578730123365711994 | order "b c a" -l rank
    chunks a:-578730123365711993 b:-578730123365711994 | order "b a" -l rank --lower-is-better
    chunks a:0.1 b:0.10000000000000000001 c:1.00e-1 | order "b a c" -l rank
    chunks a:1e-400 b:0 c:-1e-400 d:2e-400 | order "d a b c" -l rank
    chunks a:0.30000000000000000000 b:3e-1 c:30.0E-2 d:0.03e1 | order "a b c d" -l rank
    chunks a:9007199254740992 b:9007199254740993 | order b --min-score 9007199254740993
    printf '{"id":"a","text":"x","score":"12345678901234567890"}
{"id":"b","text":"y","score":12345678901234567891}\n' | order "b a" -l rank
}

@test "rank: --min-score keeps scores at least as good, equality included" {
    chunks a:0.9 b:0.5 c:0.4 | order "a b" --min-score=0.5
    chunks a:0.4 b:0.5 c:0.6 | order "a b" --min-score=0.5 --lower-is-better
    chunks a:1e-05 b:0.00002 | order b --min-score=2e-5
}

@test "rank: --min-score drops a chunk without a score" {
    chunks a:0.9 b:null | order a --min-score=-100
    chunks a:0.9 b:null | order a --min-score=100 --lower-is-better
}

@test "rank: there is no --min-score unless it is given" {
    chunks a:-1000 b:-2000 | order "a b"
}

@test "rank: when --min-score leaves nothing the status is 1 and the message says why" {
    chunks a:-1 b:-2 >"$BATS_TEST_TMPDIR/in"
    try --min-score 0 <"$BATS_TEST_TMPDIR/in"
    expect 1
    [ ! -s "$out" ]
    says "^edgefold: no chunk is left of 2: 2 below-min-score$"
}

@test "rank: a repeat does not use up a place of --top" {
    (chunk a 0.9 "one two three"; chunk x 0.8 "three two one"; chunk b 0.7 four) | order "a b" -n 2
}

@test "rank: without any score the input's order is the ranking, said once" {
    printf '{"id":"%s","text":"%s"}\n' a one b two c three | order "a b c" -l rank
    says "^edgefold: warning: the first chunk has no score that is known"
    [ "$(wc -l <"$err")" -eq 1 ]
    chunks a:1 b:2 | order "a b" -l rank -s relevance
    says "warning: no chunk has a score at 'relevance'"
    printf '%s\n' '{"id":"a","text":"one"}' '{"id":"b","text":"two","score":9}' | order "a b" -l rank
    says "the first chunk has no score"
}

@test "rank: the question does not change the order" {
    chunks a:0.1 b:0.9 c:0.5 >"$BATS_TEST_TMPDIR/in"
    order "b a c" -q "about a" -f ndjson <"$BATS_TEST_TMPDIR/in"
    order "b a c" -q "about c" -f ndjson <"$BATS_TEST_TMPDIR/in"
}
