load helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat >in <<'END'
{"id":7,"text":"a </document> b","score":3,"url":"https://e.org","m":{"t":"Title"}}
{"id":"7","text":"second \ud83d half","score":2}
{"text":"third","score":1}
END
}

@test "body: messages have the instructions apart, and the context before the question" {
    try -f messages -q 'Why?' -n 1 in
    expect 0
    [ "$(wc -l <"$out")" -eq 1 ]
    [ "$(jq -c '[.messages[].role]' "$out")" = '["system","user"]' ]
    [ "$(jq -j '.messages[1].content' "$out")" = "$(edgefold -q 'Why?' --no-instructions -n 1 in)" ]
    [ "$(jq -c keys "$out")" = '["messages"]' ]
    try -f messages --context=numbered --cite --no-instructions -q 'Why?' in
    expect 2
    try -f messages --context=numbered --no-instructions --bookend -q 'Why?' in
    [ "$(jq -j '.messages[0].content' "$out")" = "$(edgefold -f numbered -q 'Why?' --no-instructions --bookend in)" ]
    [ "$(jq -c '.messages | length' "$out")" -eq 1 ]
}

@test "body: each chunk is a search result, with strings for all and nothing escaped" {
    try -f anthropic -q 'Why?' --title=m.t --source=url -l rank in
    expect 0
    [ "$(jq -c '.messages[0].content[0]' "$out")" = \
        '{"type":"search_result","source":"https://e.org","title":"Title","content":[{"type":"text","text":"a </document> b"}]}' ]
    [ "$(jq -c '[.messages[0].content[] | .source]' "$out")" = '["https://e.org","7","in:3",null]' ]
    [ "$(jq -r '.messages[0].content[1].content[0].text' "$out")" = 'second � half' ]
    [ "$(jq -c '.messages[0].content[3]' "$out")" = '{"type":"text","text":"Why?"}' ]
    try -f anthropic -q 'Why?' --cite -l rank --header=U=url in
    [ "$(jq -c '[.messages[0].content[] | .citations.enabled]' "$out")" = '[true,true,true,null]' ]
    [ "$(jq -r '.messages[0].content[0].content[0].text' "$out")" = "$(printf '[U: https://e.org]\na </document> b')" ]
    ! grep -q 'by their numbers' "$out"
}

@test "body: each chunk is a document whose id is its own" {
    try -f cohere -q 'Why?' --cite --header=url=url -l rank in
    expect 0
    [ "$(jq -c '[.documents[].id]' "$out")" = '["7","7#2","in:3"]' ]
    [ "$(jq -c '.documents[0].data' "$out")" = '{"text":"a </document> b","url":"https://e.org"}' ]
    [ "$(jq -c '[.citation_options.mode, (.messages[1] | .role, .content)]' "$out")" = '["ACCURATE","user","Why?"]' ]
}

@test "body: the budget covers every string, and the overhead of each block" {
    local format strings
    for format in messages anthropic cohere; do
        for budget in 60 75 95 200; do
            try -f $format -q 'Why is it so?' -b $budget --count=words --overhead=3 --stats in
            expect 0
            strings=$(jq -r '[.. | strings] | .[]' "$out" | grep -vxE 'system|user|search_result|text|ACCURATE' |
                edgefold --count-only --count=words)
            blocks=$(jq '(.messages | length) + (.documents // [] | length) +
                ([.messages[].content | arrays | .[] | select(.type == "search_result")] | length) + (if .system then 1 else 0 end)' "$out")
            [ $((strings + 3 * blocks)) -le "$budget" ]
            says ", $((strings + 3 * blocks)) tokens of $budget"
        done
    done
}

@test "body: ids that are made unique are within the budget, and so is the overhead of what is there" {
    local budget strings kept=
    printf '{"id":"a","score":%s,"text":"%s other words here"}\n' 4 one 3 two 2 three 1 four >same
    for budget in {80..130}; do
        try -f cohere -q 'Why?' --no-instructions --overhead=0 --count=bytes -b "$budget" --stats same
        strings=$(jq -j '(.documents[] | .id, .data.text), .messages[0].content' "$out" | wc -c)
        [ "$strings" -le "$budget" ]
        says ", $strings tokens of $budget"
        kept="$kept $(jq '.documents | length' "$out")"
    done
    [[ $kept == *3*4 ]]
    # As many as fit by what is written, though each id might have become longer.
    local n sizes=()
    for n in {1..12}; do
        printf '{"id":"a","score":%d,"text":"%d other words"}\n' $((20 - n)) "$n"
    done >same
    for n in {1..12}; do
        try -f cohere -q 'Why?' --no-instructions --no-dedup -n "$n" same
        sizes[n]=$(jq -j '(.documents[] | .id, .data.text), .messages[0].content' "$out" | wc -c)
    done
    for n in {1..12}; do
        for fit in prefix skip; do
            try -f cohere -q 'Why?' --no-instructions --no-dedup --overhead=0 --count=bytes -b "${sizes[n]}" --fit=$fit same
            [ "$(jq '.documents | length' "$out")" -eq "$n" ]
        done
    done
    for format in 'messages 1' 'anthropic 3' 'cohere 2'; do
        try -f "${format% *}" -q 'Why?' --no-instructions --overhead=1000 --stats -n 1 same
        says "1 kept, ${format#* }0[0-9][0-9] tokens"
    done
}

@test "body: a provider's own citations need no instructions" {
    try -f anthropic -q 'Why?' --cite --no-instructions in
    expect 0
    jq -e 'has("system") | not' "$out"
    [ "$(jq -c '.messages[0].content[0].citations' "$out")" = '{"enabled":true}' ]
    try -f messages -q 'Why?' --cite --no-instructions in
    expect 2
    says '--cite is part of the instructions'
    try -f cohere -q 'Why?' --cite --refusal --no-instructions in
    expect 2
    says '--refusal is part of the instructions'
}

@test "body: passages, pins and queries are in it as in prompts" {
    try -f anthropic --stitch -q 'Why?' "$TESTS/windows.ndjson"
    [ "$(jq -c '[.messages[0].content[] | .type]' "$out")" = '["search_result","text"]' ]
    try -f cohere --pin-last=7 --no-dedup -l rank -q 'Why?' in
    [ "$(jq -r '.documents[-1].data.text' "$out")" = 'second � half' ]
    printf '{"qid":%d,"text":"t","score":1}\n' 1 2 | { try --each=qid -f messages -q 'Why?'; }
    [ "$(jq -c '[.group, (.body.messages | length), has("prompt")]' "$out" | xargs)" = '[1,2,false] [2,2,false]' ]
}

@test "body: what it has no place for is refused" {
    printf '{{context}} {{question}} {{instructions}}' >t
    local options
    for options in '-f anthropic' '-f cohere -q x --bookend' '-f messages -q x --template=t' '-f anthropic -q x --source=' \
        '-f xml -q x --context=plain' '-f xml -q x --title=m.t' '-f xml -q x --overhead=3' '-f messages -q x --sweep=7' \
        '-f messages -q x --context=ndjson' '--if-empty=x'; do
        # shellcheck disable=SC2086
        try $options in
        expect 2
    done
}

@test "body: tag characters, which nobody sees, are in no string of it" {
    local tags='\udb40\udc65\udb40\udc76' raw='\U000e0065\U000e0076' format
    printf '{"id":"i%s","s":"s%s","t":"t%s","h":"h%s","p":"p%s","text":"x%s","score":1}\n' \
        "$tags" "$tags" "$tags" "$tags" "$tags" "$tags" >"$BATS_TEST_TMPDIR/in"
    for format in anthropic cohere messages; do
        local options=--preamble=p
        [ "$format" != anthropic ] || options="$options --title=t --header=h=s,g=h"
        [ "$format" != cohere ] || options="$options --header=h=s,g=h"
        try -f "$format" -q "$(printf 'why%b' "$raw")" --stats $options <"$BATS_TEST_TMPDIR/in"
        expect 0
        grep -q why "$out"
        ! grep -q "$(printf '\363\240\201')" "$out" || return 1
        says ' [1-9][0-9]* neutralised,'
        printf '{"id":"i","s":"s","t":"t","h":"h","p":"p","text":"x","score":1}\n' |
            edgefold -f "$format" -q why $options | cmp - "$out"
    done
}

@test "body: the providers' own types take it" {
    local python files
    python=${EDGEFOLD_PEERS:-$EDGEFOLD_BUILD/peers}/venv/bin/python
    "$python" -c 'import anthropic, cohere, openai' 2>/dev/null || skip "tests/peers has not installed the SDKs"
    mapfile -t files < <(find "$SHARED/data" -name '*.ndjson' 2>/dev/null | sort | head -60)
    "$python" "$TESTS/engines/bodies.py" "$EDGEFOLD" "$TESTS/sample.ndjson" in "${files[@]}"
}

@test "body: a prompt without chunks is what --if-empty says" {
    try -q 'Why?' --min-score=9 --if-empty='No documents.' in
    expect 1
    [ "$(cat "$out")" = 'No documents.' ]
    try -q 'Why?' --if-empty='No documents.' </dev/null
    expect 1
    [ "$(cat "$out")" = 'No documents.' ]
    try -q 'Why?' -n 1 --if-empty='No documents.' in
    expect 0
    ! grep -q 'No documents' "$out"
}

@test "body: a name of a header is no second text, and is UTF-8" {
    printf '{"id":7,"text":"x","score":1,"title":"t"}\n' >one
    try -f cohere -q hi --header=text=title one
    expect 2
    says 'has a name twice, or one that the format has itself'
    try -f cohere -q hi --header=Text=title one
    expect 0
    local format
    for format in cohere anthropic messages plain xml; do
        try -f $format -q hi "$(printf -- '--header=x\377y=title')" one
        expect 2
        says 'has a name that is not UTF-8'
    done
}

@test "items: the elements of an array are the chunks, each a line" {
    cat >doc <<'END'
{"took": 3, "hits": {"hits": [
  {"_id": "a", "_score": 1.5,
   "_source": {"text": "one  \" two\\"} },
  {"_id": "b", "_score": 2.5, "_source": {"text": "three"}},
  {"_id": "c", "_score": 0.5, "_source": {"text": "three"}}
]}}
END
    try --items=hits.hits -t _source.text -vv doc
    expect 0
    [ "$(cat "$out")" = '{"_id":"b","_score":2.5,"_source":{"text":"three"}}
{"_id":"a","_score":1.5,"_source":{"text":"one  \" two\\"}}' ]
    says 'doc:hits.hits\[2\] +c +2 +-  duplicate of element 1'
    jq -c .hits.hits doc | { try --items=. -t _source.text; }
    [ "$(jq -r ._id "$out" | xargs)" = 'b a' ]
    printf '\n' | { try --items=. && expect 0; }
    try --items=hits doc
    expect 3
    says "^edgefold: doc:1: no array at 'hits', which --items names"
    printf '{"a":[{"text":"x","score":1},\n{"text":5}]}' | { try --items=a && expect 3; }
    says "^edgefold: <stdin>:a\[1\]:2: the text at 'text' is not a string"
    printf '{"a":[{"text":"x","score":1},\n{"text":5}]}' | { try --items=a --skip-invalid && expect 0; }
    printf '{"a":[' | { try --items=a && expect 3; }
    [ ! -s "$out" ]
    echo '[{"text":"a"}]' | { try; }
    says '; --items=\. takes it as it is'
}

@test "items: real responses go in whole" {
    [ -d "$SHARED/data/raw" ] || skip "there is no data beside"
    local file path seen=0
    for file in "$SHARED"/data/raw/*.json; do
        for path in hits.hits items value results; do
            jq -c ".$path[]" "$file" 2>/dev/null | edgefold -l rank >one 2>/dev/null || continue
            [ -s one ] || continue
            edgefold --items=$path -l rank "$file" >other 2>/dev/null
            cmp <(jq -S -c . one) <(jq -S -c . other)
            seen=$((seen + 1))
        done
    done
    [ "$seen" -ge 2 ]
}
