load helper

setup() {
    in=$BATS_TEST_TMPDIR/in.ndjson
    chunks a:0.9 b:0.8 c:0.7 d:0.6 >"$in"
}

# answer JSON EXPECTED [OPTION]...: the order that the answer leads to.
answer() {
    local expected=$2
    printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/answer"
    shift 2
    order "$expected" -l rank --rescore="$BATS_TEST_TMPDIR/answer" "$@" "$in"
}

# refused JSON PATTERN: an input error whose message matches.
refused() {
    printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/answer"
    try --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    [ ! -s "$out" ]
    says "$2"
}

@test "rescore: answers of every shape are taken as they come" {
    local elements
    for elements in '[{"index":2,"S":0.9},{"index":0,"S":0.5},{"index":3,"S":-1},{"index":1,"S":-2}]' \
        '[{"corpus_id":2,"S":0.9,"text":"c1 c2 c3"},{"corpus_id":0,"S":0.5},{"corpus_id":3,"S":-1},{"corpus_id":1,"S":-2}]' \
        '[ {"originalIndex": 1, "S": -2}, {"originalIndex":0,"S":5e-1},{"originalIndex":3,"S":-1},{"S":0.90,"originalIndex":2}]' \
        '[{"id":"d","S":-1},{"id":"a","S":0.5},{"id":"c","S":"0.9"},{"id":"b","S":-2}]'; do
        local score list
        for score in relevance_score relevanceScore score logit; do
            list=${elements//\"S\"/\"$score\"}
            answer "$list" "c a d b"
            local name
            for name in results data rankings rerank ranking; do
                answer "{\"model\":\"x\",\"$name\":$list,\"usage\":{\"results\":1}}" "c a d b"
            done
        done
    done
    quiet
}

@test "rescore: the new score alone ranks, and the lines go out as they came" {
    answer '[{"index":3,"score":2},{"index":0,"score":1}]' "d a"
    grep -qxF '{"id":"d","text":"d1 d2 d3","score":0.6}' "$out"
    answer '[{"index":3,"score":2},{"index":0,"score":1}]' "d a" --lower-is-better
    answer '[{"index":3,"score":2},{"index":0,"score":1}]' "d" --min-score=1.5
    answer '[{"index":3,"score":1},{"index":0,"score":1},{"index":1,"score":1}]' "a b d"
    answer '[{"index":0,"score":9007199254740992},{"index":1,"score":9007199254740993}]' "b a"
}

@test "rescore: a distance among the chunks says nothing about the answer" {
    printf '{"id":"a","text":"one","distance":0.1}\n{"id":"b","text":"two","distance":0.2}\n' >"$in"
    answer '[{"index":0,"score":1},{"index":1,"score":2}]' "b a"
    quiet
}

@test "rescore: what the answer leaves out is dropped" {
    answer '{"results":[{"index":1,"relevance_score":0.1}]}' "b"
    printf '[]' >"$BATS_TEST_TMPDIR/answer"
    try --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 1
    says 'no chunk is left of 4: 4 not-reranked'
}

@test "rescore: a null score is a missing one" {
    answer '[{"index":0,"score":null},{"index":1,"score":-5},{"index":2,"score":NaN}]' "b a c"
    says 'warning: results with NaN or Infinity, which JSON has not: 1, the first at .*/answer:1$'
    says 'warning: results without a score, which rank after the others: 2 of 3$'
    [ "$(wc -l <"$err")" -eq 2 ]
    answer $'[{"index":1,"score":null},\n{"index":0,"score":null}]' "a b"
    says 'warning: no result in .*/answer has a score, so the order in which the chunks were sent is the ranking$'
    answer $'[{"index":1,"score":1e999},\n{"index":0,"score":"Infinity"}]' "a b"
    says 'results with NaN or Infinity, .*answer:2$'
    says 'results with a number beyond a double, taken for the largest: 1, the first at .*answer:1$'
    answer $'{"index":1,"score":1}\n{"index":0,"score":NaN}' "b a"
    says 'results with NaN or Infinity, .*answer:2$'
}

@test "rescore: the index counts the objects that who sent them has counted" {
    printf '{"id":"a","text":"one","score":1}\n\noops\n{"id":"e","text":""}\n{"id":"b","text":"two","score":2}\n' >"$in"
    answer '[{"index":2,"score":1},{"index":0,"score":2}]' "a b" --skip-invalid
    printf '[{"index":1,"score":1}]' >"$BATS_TEST_TMPDIR/answer"
    try --skip-invalid --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    says "a score for .*:4, whose text is empty: if empty texts were left out of the request"
    printf '[{"id":"e","score":1}]' >"$BATS_TEST_TMPDIR/answer"
    try --skip-invalid --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    says "whose text is empty"
    printf '[{"index":3,"score":1}]' >"$BATS_TEST_TMPDIR/answer"
    try --skip-invalid --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    says "the index 3 is out of range: there are 3 chunks"
}

@test "rescore: ids are compared as what they say" {
    printf '{"id":9007199254740993,"text":"one"}\n{"id":"x\\u0079","text":"two"}\n{"id":"7","text":"three"}\n' >"$in"
    answer '[{"id":"xy","score":3},{"id":9007199254740993,"score":2},{"id":7,"score":1}]' '{"id":"x\u0079","text":"two"} 9007199254740993 7' 2>/dev/null ||
        [ "$(cut -c1-12 "$out" | paste -sd' ' -)" = '{"id":"x\u00 {"id":900719 {"id":"7","t' ]
}

@test "rescore: what does not fit the chunks is an error that names it" {
    refused '[{"index":4,"score":1}]' ':1: the index 4 is out of range: there are 4 chunks'
    refused '[{"index":-1,"score":1}]' "the index -1 is out of range"
    refused '[{"index":1.5,"score":1}]' "the index 1.5 is no whole number"
    answer '[{"index":1.0,"score":1},{"index":2e0,"score":3},{"index":0.0e7,"score":2}]' "c a b"
    refused '[{"index":99999999999999999999999,"score":1}]' "the index 99999999999999999999999 is out"
    refused '[{"index":"0","score":1}]' "no whole number at 'index'"
    refused '[{"corpus_id":0,"score":1},{"corpus_id":0,"score":2}]' 'the corpus_id 0 is there twice'
    refused '[{"id":"zz","score":1}]' "no chunk has the id 'zz'"
    refused '[{"id":"a","score":1},{"id":"a","score":1}]' 'the id "a" is there twice'
    refused '[{"index":0,"score":1},{"id":"a","score":1}]' "no whole number at 'index'"
    refused '[{"index":0,"score":"high"}]' "no number at 'score'"
    refused '[{"index":0}]' 'no relevance_score, relevanceScore, score or logit in'
    refused '{"results":{}}' 'no list of results: .* results, .* items or documentRanks$'
    refused '{"results":[{"index":0,"score":1}' ':1:|:2:'
    refused '[3]' 'no relevance_score'
    printf '[\n {"index":0,"score":1},\n {"index":9,"score":1}\n]\n' >"$BATS_TEST_TMPDIR/answer"
    try --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    says "answer:3: the index 9"
    chunks a:1 a:2 >"$in"
    refused '[{"id":"a","score":1}]' "several chunks have the id 'a'"
    printf '{"text":"one"}\n' >"$in"
    refused '[{"id":1,"score":1}]' 'the chunks have none: --id names'
}

@test "rescore: the answer or the chunks come from standard input, not both" {
    printf '[{"index":1,"score":1}]' | order "b" --rescore=- "$in"
    printf '[{"index":1,"score":1}]' >"$BATS_TEST_TMPDIR/answer"
    order "b" --rescore="$BATS_TEST_TMPDIR/answer" <"$in"
    try --rescore=- <"$in"
    expect 2
    try --rescore=/nonexistent "$in"
    expect 4
}

@test "rescore: marks before the answer and odd bytes in ids do not matter" {
    printf '\357\273\277\036[{"index":1,"score":1}]\n' >"$BATS_TEST_TMPDIR/answer"
    order b --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    quiet
    printf '{"id":"k\351","text":"a","score":"HIGH"}\n{"id":"k\350","text":"b"}\n' >"$in"
    printf '[{"id":"k\351","score":1}]' >"$BATS_TEST_TMPDIR/answer"
    try --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 0
    head -n 1 "$in" | cmp - "$out"
}

@test "rescore: a long answer takes no longer than its length" {
    seq 0 100000 | sed 's/.*/{"id":"d&","text":"text number &"}/' >"$in"
    { echo '['; seq 0 99999 | sed 's/.*/{"index": &,\n"score": &},/'; echo '{"index":100000,"score":7}]'; } >"$BATS_TEST_TMPDIR/answer"
    soon --no-dedup --rescore="$BATS_TEST_TMPDIR/answer" "$in" >"$out"
    [ "$(wc -l <"$out")" -eq 100001 ]
    seq 0 100000 | sed 's/.*/{"index":&,"score":&}/' >"$BATS_TEST_TMPDIR/answer"
    soon --no-dedup --rescore="$BATS_TEST_TMPDIR/answer" "$in" >"$out"
    [ "$(wc -l <"$out")" -eq 100001 ]
}

@test "rescore: one result alone may stand on several lines, and records have separators" {
    answer $'{\n "index": 2,\n "score": 0.5\n}' "c"
    answer $'\x1e{"index":2,"score":1}\n\x1e{"index":0,"score":2}' "a c"
    quiet
    printf '{"index":0,"score":1}\n[INFO] loading\n' >"$BATS_TEST_TMPDIR/answer"
    try --skip-invalid --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    says '^edgefold: .*/answer:2:'
    ! says 'skip-invalid' || return 1
}

@test "rescore: NDJSON, Markdown fences and the shapes of other services are read" {
    local elements='{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.5}'
    answer "$(echo "$elements" | sed 's/},{/}\n{/')" "c a"
    answer "$(printf '```json\n[%s]\n```' "$elements")" "c a"
    answer "{\"output\":{\"results\":[$elements]},\"usage\":{}}" "c a"
    answer '{"records":[{"id":"b","score":1,"content":"b1 b2 b3"},{"id":"a","score":0.5}]}' "b a"
    answer "{\"items\":[$elements]}" "c a"
    answer '{"results":[{"document":{"doc_id":2,"text":"c1 c2 c3"},"score":0.9},{"document":{"doc_id":0,"text":"a1 a2 a3"},"score":0.1}]}' "c a"
    answer '{"results":[{"document":{"doc_id":"d","text":"d1 d2 d3"},"score":0.9}]}' "d"
    refused "$(printf '{"index":1,"score":1}\n{"index":')" 'answer:2:'
}

@test "rescore: what is no answer is said as what it is" {
    refused '' 'the reranker.s answer is empty'
    refused '<!DOCTYPE html><p>502' 'a page of HTML'
    refused '{"error":{"message":"invalid api key"}}' "the reranker reports an error: 'invalid api key'"
    refused '{"detail":"Not found"}' "reports an error: 'Not found'"
}

@test "rescore: a text that the answer repeats must be the chunk's" {
    local text
    for text in '"text":"b1 b2 b3"' '"document":"b1 b2 b3"' '"document":{"text":"b1 b2 b3"}' '"input":" b1 b2 b3\n"'; do
        answer "[{\"index\":1,\"score\":1,$text}]" "b"
        refused "[{\"index\":0,\"score\":1,$text}]" "begins with ' *b1 b2 b3.*', that of .*:1 with 'a1 a2 a3'"
    done
    answer '[{"index":1,"score":1,"document":null}]' "b"
}

@test "rescore: --rescore-rest=keep lets the others follow by their own scores" {
    chunks a:0.1 b:0.9 c:0.5 d:null >"$in"
    answer '[{"index":3,"score":-2},{"index":0,"score":-1}]' "a d b c" --rescore-rest=keep
    answer '[{"index":3,"score":null}]' "d b c a" --rescore-rest=keep
    answer '[{"index":0,"score":1}]' "a" --rescore-rest=drop
    try --rescore-rest=keep "$in"
    expect 2
}

@test "rescore: a line that was passed over, but may have been sent, is an error by index" {
    printf '{"id":"a","text":"one"}{"id":"b","text":"two"}\n{"id":"c","text":"three"}\n' >"$in"
    printf '[{"index":1,"score":1}]' >"$BATS_TEST_TMPDIR/answer"
    try --skip-invalid --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 3
    says 'in.ndjson:1: this line was passed over, but may have been sent'
    printf '[{"id":"c","score":1}]' >"$BATS_TEST_TMPDIR/answer"
    try --skip-invalid --rescore="$BATS_TEST_TMPDIR/answer" "$in"
    expect 0
}

@test "rescore: words around a fence do not matter, and late differences are shown" {
    answer "$(printf 'Here you are:\n~~~json\n[{"index":1,"score":1}]\n~~~\nBye')" "b"
    local start
    start=$(printf 'abc %.0s' $(seq 30))
    printf '{"text":"%sone"}\n' "$start" >"$in"
    refused "[{\"index\":0,\"score\":1,\"text\":\"${start}two\"}]" "the text at 'text' goes on with 'two', that of .*:1 with 'one'"
    refused '[{"error":{"message":"too long"}}]' "the reranker reports an error: 'too long'"
}
