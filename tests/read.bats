load helper

# bad PATTERN: standard input is an input error with such a message, nothing is written.
bad() {
    local pattern=$1
    shift
    try "$@"
    expect 3
    [ ! -s "$out" ]
    says "$pattern"
    [ "$(wc -l <"$err")" -eq 1 ]
}

@test "read: text, score and id are found under the names that retrievers use" {
    local name
    for name in text content page_content chunk chunk_text passage body snippet document; do
        printf '{"id":"a","%s":"one","score":1}\n{"id":"b","%s":"two","score":2}\n' \
            "$name" "$name" | order "b a" -l rank
        quiet
    done
    for name in relevance_score rerank_score score _score similarity; do
        printf '{"id":"a","text":"one","%s":1}\n{"id":"b","text":"two","%s":2}\n' \
            "$name" "$name" | order "b a" -l rank
        quiet
    done
    for name in document.text node.text payload.text _source.text _source.content metadata.text; do
        printf '{"id":"a","%s":{"%s":"one"},"score":1}\n' "${name%.*}" "${name#*.}" | order a
    done
}

@test "read: a distance turns lower-is-better on, and says so once" {
    local name
    for name in distance _distance vector_distance; do
        printf '{"id":"a","text":"one","%s":1}\n{"id":"b","text":"two","%s":2}\n' \
            "$name" "$name" >"$BATS_TEST_TMPDIR/in"
        order "a b" -l rank <"$BATS_TEST_TMPDIR/in"
        says "the score is '$name', so lower is better"
        [ "$(wc -l <"$err")" -eq 1 ]
        order "b a" -l rank --higher-is-better <"$BATS_TEST_TMPDIR/in"
        quiet
        order "a b" -l rank --lower-is-better <"$BATS_TEST_TMPDIR/in"
        quiet
    done
}

@test "read: a reranker's score goes before the retriever's" {
    printf '%s\n' '{"id":"a","text":"one","score":9,"relevance_score":0.1}' \
        '{"id":"b","text":"two","score":1,"relevance_score":0.9}' | order "b a" -l rank
}

@test "read: the first chunk decides where the score is, for all" {
    printf '%s\n' '{"id":"a","text":"one","_score":1}' '{"id":"b","text":"two","score":99}' \
        '{"id":"c","text":"three","_score":2}' | order "c a b" -l rank
    says "without a score, which rank last: 1 of 3"
    printf '%s\n' '{"id":"a","text":"one","score":null,"distance":5}' \
        '{"id":"b","text":"two","score":1,"distance":9}' | order "b a" -l rank
}

@test "read: a text must be a string to be found, so that a nested one is" {
    echo '{"document":{"text":"inner"},"score":1,"id":"a"}' | order a -f ndjson
    echo '{"text":7,"content":"inner","score":1,"id":"a"}' | order a
}

@test "read: options name fields by path, by index and by JSON Pointer" {
    chunk_at() { printf '%s\n' '{"id":"a","p":{"t":["x",{"u.v":"one","/":"w"}]},"@s.x":1,"":2}' \
        '{"id":"b","p":{"t":["x",{"u.v":"two","/":"z"}]},"@s.x":3,"":1}'; }
    chunk_at | order "b a" -l rank -t p.t.0 -s /@s.x --no-dedup
    chunk_at | order "a b" -l rank -t /p/t/1/u.v -s /
    chunk_at | order "b a" -l rank -t /p/t/1/~1 -s '/@s.x'
    echo '{"id":"a","0":{"1":"text under number keys"},"score":1}' | order a -t 0.1
    chunk_at | bad "no text at 'p.t.00'" -t p.t.00
}

@test "read: only the top level counts unless a path says otherwise" {
    printf '%s\n' '{"id":"a","meta":{"score":99,"text":"no"},"text":"one","score":0.1}' \
        '{"id":"b","text":"a \"score\": 99 stands here","score":0.2}' | order "b a" -l rank
}

@test "read: of repeated keys the last counts, and escaped names are the same names" {
    printf '%s\n' '{"id":"a","text":"one","score":0.1,"score":0.9}' \
        '{"id":"b","text":"two","sc\u006fre":0.5}' | order "a b" -l rank
    printf '%s\n' '{"id":"a","score":1,"m":{"t":"x"},"m":{"u":"y"}}' | bad "no text at 'm.t'" -t m.t
}

@test "read: a score in a string is a number" {
    printf '{"id":"a","text":"one","score":"9.5"}\n{"id":"b","text":"two","score":"10.5"}\n' |
        order "b a" -l rank
    quiet
}

@test "read: a score may be wrapped as MongoDB's Extended JSON wraps numbers" {
    local line='{"id":"%s","text":"%s","score":%s}\n'
    {
        # shellcheck disable=SC2059
        printf "$line" a alpha '{"$numberDouble":"0.83"}' b beta '{"$numberInt":"3"}' \
            c gamma '{ "$numberDecimal" : "2.9999999999999999999" }' d delta '{"$numberLong":"3"}' \
            e epsilon '{"$numberDouble":"NaN"}' f zeta '{"$numberDouble":"-Infinity"}' g eta 1.5
    } >"$BATS_TEST_TMPDIR/in"
    order "b d c g a f e" -l rank "$BATS_TEST_TMPDIR/in"
    order "b d c g a f e" -l rank -s score "$BATS_TEST_TMPDIR/in"
    [ "$(head -1 "$out")" = '{"id":"b","text":"beta","score":{"$numberInt":"3"}}' ]
    try -v "$BATS_TEST_TMPDIR/in"
    says '^ +1 +1 .* 3 +#'
    local wrong
    for wrong in '{}' '{"$numberInt":"3","x":1}' '{"$numberInt":"three"}' '{"$numberInt":3}' '{"$number":"3"}' \
        '{"$numberInt":{"$numberInt":"3"}}' '[]'; do
        # shellcheck disable=SC2059
        printf "$line" a alpha "$wrong" | { try && expect 3; }
        says "the score at 'score' is .*, not a finite number"
    done
}

@test "read: anything else for a score is an input error" {
    printf '{"text":"one","score":"%s"}\n' "$(printf 'é%.0s' $(seq 60))" | bad 'is "é+.*\.\.\., not'
    local score
    for score in true '[0.5]' '{"v":1}' '"high"' '""' '" 0.5"' '"0,98"' '"nan"' '"0x1"'; do
        printf '{"text":"one","score":%s}\n' "$score" |
            bad "^edgefold: <stdin>:1: the score at 'score' is .*, not a finite number"
    done
}

@test "read: a chunk without a text is an input error that names the place" {
    echo '{"id":"a","score":1}' | bad "^edgefold: <stdin>:1: no text field found; strings are at id, and --text=PATH names one$"
    echo '{"a":{"b":"x","c":[{"d":"y"}]},"n":1,"t":"z"}' | bad "strings are at a.b, t, and"
    printf '{"text":"one"}\n{"content":null}\n' | bad "^edgefold: <stdin>:2: no text at 'text'"
    printf '{"text":"one"}\n{"text":["two"]}\n' | bad "<stdin>:2: the text at 'text' is not a string"
    echo '{"content":"x"}' | bad "no text at 'text'" --text text
}

@test "read: an empty text is left out with a warning, white space is not" {
    (chunk a 3 ""; chunk b 2 ' \n'; chunk c 1 word) | order "b c"
    says "warning: chunks left out because their text is empty or null: 1"
    chunk a 3 "" >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    expect 1
    says "no chunk is left of 1: 1 invalid"
}

@test "read: an id may be missing, null or of any kind" {
    printf '%s\n' '{"text":"one","score":4}' '{"id":null,"text":"two","score":3}' \
        '{"id":{"$oid":"x"},"text":"three","score":2}' '{"id":1.0,"text":"four","score":1}' \
        >"$BATS_TEST_TMPDIR/in"
    try -l rank <"$BATS_TEST_TMPDIR/in"
    expect 0
    cmp "$out" "$BATS_TEST_TMPDIR/in"
}

@test "read: a malformed line is an error with file, line and column" {
    printf '{"text":"a"}\n{"text":"b",}\n' | bad "^edgefold: <stdin>:2:13: .*near '}'"
    printf '{"text":"a"}\nLoading model...\n' | bad "^edgefold: <stdin>:2:1: "
    chunks a:1 >"$BATS_TEST_TMPDIR/good"
    echo '{"text":"cut' >"$BATS_TEST_TMPDIR/cut"
    bad "^edgefold: .*/cut:1:9: .* near '.cut'; .*cut off" "$BATS_TEST_TMPDIR/good" \
        "$BATS_TEST_TMPDIR/cut"
    echo '{"text":"a"' | bad "near end of line"
}

@test "read: input that is not one object a line is told how to become so" {
    echo '[{"text":"a"},{"text":"b"}]' | bad "<stdin>:1:1: this is an array.*jq -c '\.\[\]'"
    printf '[\n{"text":"a"}\n]\n' | bad "jq -c '\.\[\]'"
    printf '{\n  "text": "a"\n}\n' | bad "pretty-printed.*jq -c \."
    printf '{"hits":[\n {"text":"a"}\n]}\n' | bad "pretty-printed"
    printf '{"text":"a"},\n{"text":"b"}\n' | bad "without commas"
    echo 'data: {"text":"a"}' | bad "server-sent events"
    echo '{"text":"a"}{"text":"b"}' | bad "<stdin>:1:13: .*jq -c \. splits"
    echo '"text"' | bad "<stdin>:1:1: "
    echo 42 | bad "<stdin>:1:1: "
}

@test "read: columns count code points" {
    printf '{"text":"ééé\0"}\n' | bad "<stdin>:1:13: NUL byte"
    printf '{"text":"ééééé" éé}\n' | bad "<stdin>:1:17: "
}

@test "read: what is not JSON is refused with a hint" {
    printf '{"text":"a\0b"}\n' | bad "<stdin>:1:11: NUL byte"
    printf '{"text":"a","score":1\0}\n' | bad "NUL byte"
    printf '\377\376{\0"\0' | bad "UTF-16"
    printf '{"text":"a"}\n{\n  "text": "b"\n}\n' | bad "<stdin>:2:.*pretty-printed"
    printf '{"text":"a"}\n{"text":"b' | bad "<stdin>:2:.*cut off"
    printf '{"text":"a"}\n{"text":"b"' | bad "<stdin>:2:.*cut off"
    printf '{"text":"a"}\r{"text":"b"}\r' | bad "<stdin>:1:.*tr"
    echo '{"text":"a"} {"text":"b"}' | bad "<stdin>:1:14:.*jq -c \. splits"
    printf '{"text":"a"}\nLoading model...\n' | bad "<stdin>:2:1:.*--skip-invalid"
    echo "{'text':'a'}" | bad "double quotes"
    echo '{"text": None}' | bad "Python's None"
    echo '{"text":"a", "ok": True}' | bad "Python's True"
    echo '// chunks' | bad "no comments"
    echo '# chunks' | bad "no comments"
    echo '{"text":"a" /* b */}' | bad "no comments"
    echo '{"text":"a",}' | bad "no comma before"
    echo '{"text":"a","n":[1 , ]}' | bad "no comma before"
    echo '{"text":"a","score":}' | { try; expect 3; ! grep -q comma "$err" || return 1; }
    printf '{"text":"a"}\n[INFO] loading\n' | bad "<stdin>:2:.*--skip-invalid"
    printf '{"text":"a"}\n[2024-01-02 10:00:00] INFO\n' | bad "<stdin>:2:.*--skip-invalid"
    printf '{"text":"a\nb"}\n' | bad "a string in it has a line feed"
    printf '\036[{"text":"a"}]\n' | bad "jq -c '\.\[\]'"
    echo '{"text":"a" "a rather long string of more than twenty"}' | bad '<stdin>:1:13: '
    echo '{"text":"a","n":[1 12345678901234567890123456789]}' | bad '<stdin>:1:20: '
    echo '{"text":"C:\new\dir"}' | bad "backslash"
    echo '{"text":"a","score":nan}' | bad "null"
    echo '{"text":"a","score":+1}' | bad "<stdin>:1:21: "
    echo '{"text":"a", é:1}' | bad "<stdin>:1:14: "
}

@test "read: a whole response is told from a chunk" {
    local path
    for path in hits.hits hits result.points results matches data; do
        jq -nc --arg p "$path" 'setpath($p | split("."); [{text: "a"}])' | bad "jq -c '\.$path\[\]'"
    done
    echo '{"question":"why","ctxs":[{"text":"a"}]}' | bad "jq -c '{question} \+ .ctxs\[\]'"
    echo '{"nothing":1}' | bad "no text field found; --text=PATH names it"
}

@test "read: --skip-invalid reports the first unusable line of each kind, and goes on" {
    printf '%s\n' 'Loading' '{"text":"one","score":1,"id":"a"}' '{"score":2}' '{"text":true}' \
        '{"text":"two","score":true}' '[]' '{"text":"three","score":2,"id":"b"}' |
        order "b a" --skip-invalid
    [ "$(grep -c '^edgefold: <stdin>:[135]:' "$err")" -eq 3 ]
    says "lines passed over, not a JSON object: 2, the first at <stdin>:1$"
    says "lines passed over, no text: 2, the first at <stdin>:3$"
    [ "$(wc -l <"$err")" -eq 5 ]
    ! grep -q -e --skip-invalid "$err" || return 1
    printf '{"te\0xt":1}\n{"text":"one","score":1,"id":"a"}\n' | order a --skip-invalid
    echo nothing | { try --skip-invalid; expect 1; says "no chunk is left of 1: 1 invalid"; }
}

@test "read: a line that --skip-invalid passes over does not decide where the fields are" {
    printf '%s\n' '{"content":7}' '{"text":"x","score":"bad"}' '{"content":"one","_score":1,"id":"a"}' \
        '{"content":"two","_score":2,"id":"b"}' | order "b a" -l rank --skip-invalid
    printf '%s\n' '{"text":"x","score":"bad"}' '{"text":"one","_score":1,"id":"a"}' \
        '{"text":"two","_score":2,"id":"b"}' | order "b a" -l rank --skip-invalid
    printf '%s\n' '{"text":"a","score":1}' '{"doc_id":"z","text":"b","score":true}' \
        '{"id":"c","doc_id":"D","text":"g","score":0.5}' | { try --skip-invalid --require=c && expect 0; }
    printf '%s\n' '{"content":"x","q":[],"_score":5}' '{"q":1,"text":"a","content":"b","score":1,"id":"a"}' \
        '{"q":1,"text":"c","content":"d","score":2,"id":"b"}' | { order "b a" -l rank --skip-invalid --each=q && says '^edgefold: <stdin>:1: '; }
}

@test "read: blank lines, CR LF, a byte-order mark and a missing last newline are accepted" {
    printf '\357\273\277%s\r\n\r\n \t\n%s' '{"id":"a","text":"one","score":1}' \
        '{"id":"b","text":"two","score":2}' >"$BATS_TEST_TMPDIR/in"
    order "b a" -l rank <"$BATS_TEST_TMPDIR/in"
    [ "$(tail -c 1 "$out" | od -An -c | tr -d ' ')" = '\n' ]
    ! grep -q "$(printf '\r')" "$out" || return 1
    ! grep -q "$(printf '\357')" "$out" || return 1
}

@test "read: line numbers count blank lines, and start anew in each file" {
    printf '\n\n{"text":"a"}\n' >"$BATS_TEST_TMPDIR/1"
    printf '\nbad\n' >"$BATS_TEST_TMPDIR/2"
    bad "/2:2:1: " "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2"
}

@test "read: an empty input is no error" {
    try </dev/null
    expect 0
    quiet
    printf '\n\n' | { try; expect 0; }
    [ ! -s "$out" ]
}

@test "read: jansson's message about the input is escaped" {
    printf '{"text":"a"} \033[31m\n' | bad '<stdin>:1:.*near .*.x1b'
}

@test "read: nesting of two thousand levels is read, of a hundred thousand refused" {
    deep() { printf '{"text":"a","score":1,"m":'; printf '[%.0s' $(seq "$1"); printf ']%.0s' $(seq "$1"); echo '}'; }
    deep 2000 | { try; expect 0; }
    deep 100000 | bad "^edgefold: <stdin>:1:"
}

@test "read: scores that get better from line to line are said, unless an option gives the direction" {
    printf '{"text":"a","score":1}\n{"text":"b","score":1}\n{"text":"c","score":2}\n{"text":"d","score":3}\n' >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    says 'the scores rise from line to line.*--lower-is-better ranks it so, --higher-is-better says'
    try --higher-is-better <"$BATS_TEST_TMPDIR/in"
    quiet
    sed 's/score/distance/' "$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/distance"
    awk '{ text = $0 "\n" text } END { printf "%s", text }' "$BATS_TEST_TMPDIR/distance" >"$BATS_TEST_TMPDIR/fall"
    try "$BATS_TEST_TMPDIR/fall"
    says 'the scores fall from line to line.*--higher-is-better ranks it so'
    head -n 3 "$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/two"
    try "$BATS_TEST_TMPDIR/two"
    quiet
    (cat "$BATS_TEST_TMPDIR/in"; echo '{"text":"e","score":2.5}') | { try; quiet; }
}

@test "read: a name that says distance makes lower better, wherever it says so" {
    local key
    for key in cosine_distance '$dist' l2_dist Distance @search.distance dist; do
        printf '{"id":"a","text":"one","k":{"%s":0.9}}\n{"id":"b","text":"two","k":{"%s":0.1}}\n' "$key" "$key" |
            order "b a" -l rank -s "/k/$key"
        says "so lower is better; --higher-is-better says otherwise"
    done
    for key in district distinct redistribution score; do
        printf '{"id":"a","text":"one","%s":0.9}\n{"id":"b","text":"two","%s":0.1}\n' "$key" "$key" |
            order "a b" -l rank -s "$key"
        quiet
    done
}

@test "read: lines of several queries are said, with both places" {
    local key
    for key in qid query_id question_id query question; do
        printf '{"%s":"q1","text":"a","score":2}\n{"%s":"q1","text":"b","score":1}\n{"%s":"q2","text":"c","score":3}\n' $key $key $key |
            { try && says "for several queries.*: '$key' at <stdin>:3 is another than at <stdin>:1$"; }
    done
    printf '{"qid":1,"text":"a","score":2}\n{"qid":1,"text":"b","score":1}\n' | { try && quiet; }
}

@test "read: numbers are named where no score is known, and an API's error is quoted" {
    printf '{"text":"a","meta":{"grade":3},"n":1}\n' | { try; says 'names the field: numbers are at meta.grade, n$'; }
    echo '{"error":{"message":"quota exceeded","code":429}}' | bad "an API's error: 'quota exceeded'"
    echo '{"message":"Unauthorized"}' | bad "an API's error: 'Unauthorized'"
    echo '{"text":null,"score":1}' | { try; says 'text is empty or null: 1'; }
}

@test "read: what is no text file, or a table, is told what it is" {
    printf '\037\213\010\000' | bad "gzip -dc"
    printf '%%PDF-1.7\n' | bad "pdftotext"
    printf '<html>\n' | bad "HTML or XML"
    printf 'id,text,score\n1,a,2\n' | bad "CSV becomes NDJSON by"
    printf '[[1,"a"]]\n' | bad "rows without names"
    printf '["a","b"]\n' | bad "a list of texts"
}

@test "read: an id is found in any line when somebody asks for one, and as a number" {
    printf '{"text":"one","score":2}\n{"id":2.0,"text":"two","score":1}\n' >"$BATS_TEST_TMPDIR/in"
    try --require=2 "$BATS_TEST_TMPDIR/in"
    expect 0
    try --require=2e0 "$BATS_TEST_TMPDIR/in"
    expect 0
    try --require=3 "$BATS_TEST_TMPDIR/in"
    expect 1
}

@test "read: one query is one query however it is written" {
    printf '{"qid":7,"text":"a","score":2}\n{"qid":"7","text":"b","score":1}\n{"qid":7.0,"text":"c","score":0}\n' | { try; quiet; }
    printf '{"query":"caf\\u00e9","text":"a","score":2}\n{"query":"café","text":"b","score":1}\n' | { try; quiet; }
}

@test "read: paths in messages are those that the options take" {
    printf '{"text":"a","@search.n":1,"x/y":{"a~b.c":2}}\n' | { try; says 'numbers are at /@search.n, /x~1y/a~0b.c$'; }
    printf '{"id":"a","text":"one","@search.n":1}\n{"id":"b","text":"two","@search.n":2}\n' | order "b a" -l rank -s /@search.n
    printf '{"text":"far","distances":[0.9]}\n{"text":"near","distances":[0.1]}\n' | { try -n 1 -s distances.0; grep -q near "$out"; }
    printf '{"text":"far","vectorDist":0.9}\n{"text":"near","vectorDist":0.1}\n' | { try -n 1 -s vectorDist; grep -q near "$out"; }
    echo '{"message":"Fix the bug","author":"ann","sha":"abc","score":0.9}' | bad 'strings are at message, author, sha'
}

@test "read: an id under another name in a later line is found when it is asked for" {
    printf '{"id":"a1","text":"one","score":2}\n{"docid":"b1","text":"two","score":1}\n' >"$BATS_TEST_TMPDIR/in"
    try --require=b1 "$BATS_TEST_TMPDIR/in"
    expect 0
    try -i nosuch --require=b1 "$BATS_TEST_TMPDIR/in"
    expect 1
    says 'no chunk has an id; --id names the field'
}

@test "read: a chunk takes little memory beside its line" {
    no_sanitizer "they need memory of their own"
    needs python3
    local few=$BATS_TEST_TMPDIR/few many=$BATS_TEST_TMPDIR/many bytes
    yes '{"text":"ab"}' | head -n 200000 >"$few"
    cat "$few" "$few" >"$many"
    bytes=$((($(peak --no-dedup "$many") - $(peak --no-dedup "$few")) * 1024 / 200000))
    echo "bytes for each line of 14: $bytes"
    [ "$bytes" -le 145 ]
}
