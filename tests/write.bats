load helper

@test "write: a line leaves byte for byte as it came" {
    cat >"$BATS_TEST_TMPDIR/in" <<'END'
{"id":9007199254740993,"text":"big integers","score":5,"n":123456789012345678901234567890}
{ "score" : 4.10 , "text":"spaces","id":9007199254740992,	"tab":[ 1.0,1e2,1E+2,-0,0.1 ] }
{"text":"caf\u00e9 \/ \ud83d\ude00","score":3,"a":1,"a":2,"z":null,"m":{"p":[1,2]}}
  {"text":"blanks around","score":2}  
{"text":"raw é 日本 🙂","score":1.0000000000000000000001,"s":"\"score\": 9"}
END
    try -l rank <"$BATS_TEST_TMPDIR/in"
    expect 0
    cmp "$out" "$BATS_TEST_TMPDIR/in"
}

@test "write: output of edgefold is input of edgefold" {
    chunks a:1 b:5 c:3 d:2 e:4 >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    cp "$out" "$BATS_TEST_TMPDIR/first"
    try <"$BATS_TEST_TMPDIR/first"
    cmp "$out" "$BATS_TEST_TMPDIR/first"
}

@test "write: every kept line is an input line, on all real data" {
    needs_shared
    local file
    for file in "$SHARED"/data/{msmarco,mtrag,multihop,xquad,overlap}/*.ndjson; do
        case $file in *raw*) continue ;; esac
        try -l rank "$file"
        expect 0
        [ -z "$(comm -23 <(sort "$out") <(sort "$file"))" ]
    done
}

@test "write: more lines than one writev takes come out whole" {
    seq 3000 | sed 's/.*/{"id":&,"text":"t&","score":-&}/' >"$BATS_TEST_TMPDIR/in"
    tr '\n' '\r' <"$BATS_TEST_TMPDIR/in" | sed 's/\r/\r\n/g' >"$BATS_TEST_TMPDIR/crlf"
    try -l rank <"$BATS_TEST_TMPDIR/crlf"
    cmp "$out" "$BATS_TEST_TMPDIR/in"
}
