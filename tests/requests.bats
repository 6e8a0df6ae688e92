load helper

# The bodies of requests are sent to a server that refuses what the providers' own would,
# as far as their documentation and SDKs say: engines/strict_server.py has the rules.

setup() {
    cd "$BATS_TEST_TMPDIR"
    strict_start
    cat >hostile <<'END'
{"id":7,"text":"a number for an id","score":3,"title":"One","url":"https://example.org/?a=1&b=\"2\""}
{"id":7,"text":"the same number once more","score":"2.5","title":null}
{"id":"7","text":"the same as a string","score":2,"title":""}
{"id":"7#2","text":"an id like those that are made","score":1.9,"title":7}
{"id":"7#2","text":"and once more of that","score":1.8,"title":["several","titles"]}
{"id":"7#3","text":"and the next of them","score":1.7,"title":{"of":"an object"}}
{"id":7.0,"text":"a number that is equal","score":1.6,"title":false}
{"id":-0.0e3,"text":"a number that is nothing","score":1.5,"title":"\u00a0"}
{"id":null,"text":"no id, by null","score":1.4}
{"id":"","text":"no id, by nothing","score":1.3}
{"id":" \t\n","text":"no id, by white space","score":1.2}
{"text":"no id at all","score":1.1}
{"id":["in","an","array"],"text":"an id that is none","score":1}
{"id":"half \ud83d","text":"half a pair \ud83d and \udc00 the other","score":0.9,"title":"\udfff"}
{"id":"nul\u0000","text":"\u0000 nul \u0000","score":0.8,"title":"\u0000"}
{"id":"controls\u0001\u001f\u007f\u0085","text":"\u0001\u0002\u001b[31m red \u007f\u009f","score":0.7,"title":"\u0007"}
{"id":"nothing","text":"","score":0.6}
{"id":"null","text":null,"score":0.59}
{"id":"white","text":" \t\r\n\u00a0\u3000\u2028 ","score":0.5}
{"id":"unseen","text":"\ufeff\u200b\u2060","score":0.45}
{"id":"one control","text":"\u0001","score":0.44}
{"id":"nan","text":"a score that is none","score":NaN}
{"id":"endless","text":"a score beyond all","score":Infinity}
{"id":"beyond","text":"a score beyond a double","score":1e999}
{"id":"quotes","text":"\"}],\"role\":\"system\" \\\" \\u0022 </document> ``` {{x}} $(x) `x` 'x'","score":0.3,"title":"\"\\/"}
{"id":"lines\u2028\u2029","text":"\u2028\u2029\r\rend\r\n","score":0.2,"title":"two\nlines"}
{"id":"wide","text":"\ud83d\udc69\u200d\ud83d\udc69 \u0635\u0644\u0649 \u202e txet","score":0.1,"title":"\ud83d\ude00"}
END
    printf '{"id":"bytes \377","text":"bytes \300\257 and \355\240\200 \364\220\200\200","score":0.05,"title":"\376"}\n' >>hostile
    long=$(head -c 100000 /dev/zero | tr '\0' x)
    printf '{"id":"%s","text":"a long id","score":0.04,"title":"%s"}\n' "$long" "$long" >>hostile
    cat >windows <<'END'
{"id":"w1","file":"a","part":1,"text":"The quick brown fox jumps over the lazy dog by the slow brown river.","score":3}
{"id":"w2","file":"a","part":2,"text":"jumps over the lazy dog by the slow brown river. Then it sleeps.","score":2}
{"id":"w3","file":"b","part":1,"text":"Nothing of it is in this one.","score":1}
END
    sent=0
}

teardown() {
    strict_stop
}

# post FORMAT <BODY: a whole body goes out; its answer is in $reply, the status in $code.
post() {
    local path
    local -a headers
    case $1 in
        messages) path=/v1/chat/completions headers=('authorization: Bearer k') ;;
        responses) path=/v1/responses headers=('authorization: Bearer k') ;;
        anthropic) path=/v1/messages headers=('x-api-key: k' 'anthropic-version: 2023-06-01') ;;
        cohere) path=/v2/chat headers=('authorization: Bearer k') ;;
        ollama) path=/api/chat headers=() ;;
        gemini) path=/v1beta/models/some-model:generateContent headers=('x-goog-api-key: k') ;;
    esac
    reply=$BATS_TEST_TMPDIR/reply
    code=$(curl -s -o "$reply" -w '%{http_code}' "${headers[@]/#/-H}" -H 'content-type: application/json' \
        --data-binary @- "$strict$path")
}

# What a body lacks: model, and a limit where one must be.
completion() {
    if [ "$1" = anthropic ]; then
        echo '"model":"some-model","max_tokens":1024'
    else
        echo '"model":"some-model"'
    fi
}

# accepted FORMAT [as-written] <BODIES: each line is taken, as it is written and, without
# that word, as jq makes it anew too, which would mend some faults.
accepted() {
    local more line
    more=$(completion "$1")
    while IFS= read -r line; do
        post "$1" <<<"{$more,${line#?}"
        [ "$code" = 200 ] || { echo "$code: $(cat reply)" && echo "${line:0:2000}" && return 1; }
        sent=$((sent + 1))
        [ $# -lt 2 ] || continue
        post "$1" < <(jq ". + {$more}" <<<"$line")
        [ "$code" = 200 ] || { echo "by jq: $code: $(cat reply)" && return 1; }
    done
}

# goes FORMAT OPTION... FILE: what is written is accepted, if there is any.
goes() {
    local format=$1
    shift
    try -f "$format" -q 'What is "it"?' "$@"
    case $status in
        0) accepted "$format" <out || { echo "options: $*" && return 1; } ;;
        1 | 3) [ ! -s out ] ;;
        *) expect 0 ;;
    esac
}

@test "requests: what is written for hostile chunks is taken" {
    local format
    for format in messages anthropic cohere; do
        goes $format hostile
        goes $format --cite --no-dedup hostile
        goes $format --no-instructions --no-dedup -l rank hostile
        goes $format --header=Title=title,Url=url --preamble=title --no-dedup hostile
        goes $format --pin-first=7 --pin-last=nan --require=7 -n 3 hostile
        goes $format --group=title --per-group=1 --no-dedup hostile
        goes $format --refusal --reserve=10 -b 400 --count=words hostile
        goes $format --skip-invalid -b 100000 --fit=skip --overhead=0 hostile
    done
    goes anthropic --source=url --title=title --cite --no-dedup hostile
    goes messages --bookend --no-dedup hostile
    local context
    for context in xml numbered markdown pipe plain; do
        goes messages --context=$context --header=Title=title --no-dedup hostile
    done
    echo "$sent bodies"
    [ "$sent" -ge 31 ]
    # Each chunk with a text, and each of them once.
    try -f cohere -q x --no-dedup hostile
    [ "$(jq '.documents | length' out)" -eq 27 ]
}

@test "requests: passages, groups, pins and queries are taken" {
    local format
    for format in messages anthropic cohere; do
        goes $format --stitch windows
        goes $format --stitch=20 --group=file --order=part --cite windows
        goes $format --stitch --pin-first=w3 --pin-last=w1 windows
        goes $format --group=file --order=part --header=File=file,Part=part windows
        try -f $format -q 'Why?' --each=file windows
        jq -c .body out >bodies
        [ "$(wc -l <bodies)" -eq 2 ]
        accepted $format <bodies
    done
    [ "$sent" -eq 18 ]
}

@test "requests: a question of any kind is taken" {
    local format question
    for format in messages anthropic cohere; do
        for question in '"' '\' $'two\nlines\r\n' $'\001' $'bytes \377\300\257' '<context>' 'ﷺ' ']}}'; do
            try -f $format -q "$question?" windows
            expect 0
            accepted $format <out
        done
    done
    [ "$sent" -eq 24 ]
}

@test "requests: what is written for real chunks is taken" {
    needs_shared
    local format file
    local -a files
    mapfile -t files < <(find "$SHARED/data" -name '*.ndjson' | sort)
    # Checked runs are slow, and what is in the other files says little about memory.
    [ "$EDGEFOLD_CHECK" = plain ] || mapfile -t files < <(printf '%s\n' "${files[@]}" | awk 'NR % 9 == 1')
    for format in messages anthropic cohere; do
        for file in "${files[@]}"; do
            try -f $format -q 'What is it?' --skip-invalid --cite -b 3000 "$file"
            [ "$status" -ne 0 ] || accepted $format as-written <out
        done
    done
    echo "$sent bodies"
    [ "$sent" -ge $((${#files[@]} * 3 / 2)) ]
}

# planted FORMAT WORDS FILTER: a body that is taken, is refused with these words once the
# filter has put a fault into it.
planted() {
    try -f "$1" -q 'Why?' --cite -l rank windows
    expect 0
    jq ". + {$(completion "$1")}" out >whole
    refused "$1" "$2" < <(jq "$3" whole)
}

# refused FORMAT WORDS <BODY
refused() {
    post "$1"
    [ "$code" = 400 ] || { echo "$code where 400 was expected, for: $2" && cat reply && return 1; }
    jq -er --arg words "$2" '.error.message | select(contains($words))' reply || {
        echo "other words than: $2" && cat reply && return 1
    }
}

@test "requests: the server refuses what breaks a rule" {
    # Bytes and JSON.
    refused messages 'half of a surrogate pair' <<<'{"model":"m","messages":[{"role":"user","content":"\ud83d"}]}'
    refused cohere 'half of a surrogate pair' <<<'{"model":"m","messages":[{"role":"user","content":"\udc00\ud83d"}]}'
    refused messages "can't decode byte" < <(printf '{"model":"m","messages":[{"role":"user","content":"\377"}]}')
    refused messages 'NaN is not JSON' <<<'{"model":NaN}'
    refused messages 'a name is there twice' <<<'{"model":"m","model":"m"}'
    refused messages 'Expecting' <<<'{"model":"m"'
    refused messages 'Extra data' <<<'{"model":"m"} {}'
    refused messages 'control character' < <(printf '{"model":"a\001"}')
    refused anthropic 'must be an object' <<<'[]'

    planted messages 'body.model: Field required' 'del(.model)'
    planted messages 'messages: must have an element' '.messages = []'
    planted messages 'must be one of developer, system, user' '.messages[0].role = "System"'
    planted messages 'messages.1.content: must be an array' '.messages[1].content = null'
    planted messages 'messages.1.content.0.type: must be one of text' '.messages[1].content = [{type: "texts", text: "x"}]'
    planted messages 'messages.1.citations: Extra inputs' '.messages[1].citations = true'
    planted messages 'string too long' '.messages[1].content = "x" * 1048577'

    planted anthropic 'body.max_tokens: Field required' 'del(.max_tokens)'
    planted anthropic 'max_tokens: must be a whole number' '.max_tokens = "1024"'
    planted anthropic 'max_tokens: must be at least 0' '.max_tokens = -1'
    planted anthropic 'system: must have text' '.system = " \n"'
    planted anthropic 'must be one of user, assistant' '.messages[0].role = "system"'
    planted anthropic 'content.0.source: Field required' 'del(.messages[0].content[0].source)'
    planted anthropic 'content.0.title: must be a string' '.messages[0].content[0].title = null'
    planted anthropic 'content.0.source: must be a string' '.messages[0].content[0].source = 7'
    planted anthropic 'content.0.content: must have an element' '.messages[0].content[0].content = []'
    planted anthropic 'content.0.content: must be an array' '.messages[0].content[0].content = "x"'
    planted anthropic 'text: must have text' '.messages[0].content[0].content[0].text = ""'
    planted anthropic 'text: must have text' '.messages[0].content[-1].text = "\u00a0"'
    planted anthropic 'content.0.id: Extra inputs' '.messages[0].content[0].id = "a"'
    planted anthropic 'must be one of text, search_result' '.messages[0].content[0].type = "document"'
    planted anthropic 'for all search results or for none' 'del(.messages[0].content[0].citations)'
    planted anthropic 'for all search results or for none' '.messages[0].content[0].citations.enabled = false'
    planted anthropic 'enabled: must be true or false' '.messages[0].content[0].citations.enabled = "true"'
    planted anthropic 'a maximum of 4 blocks, found 5' \
        '.messages[0].content |= [.[0, 0, 0, 0, 0] + {cache_control: {type: "ephemeral"}}]'
    planted anthropic 'cache_control.type: must be one of ephemeral' '.messages[0].content[0].cache_control = {type: "forever"}'
    planted anthropic "the last must be the user's" '.messages += [{role: "assistant", content: "So:"}]'

    planted cohere 'ids must be unique' '.documents[1].id = .documents[0].id'
    planted cohere 'documents.0.id: must be a string' '.documents[0].id = 7'
    planted cohere 'documents.0.id: must have text' '.documents[0].id = ""'
    planted cohere 'documents.0.data: must have a member' '.documents[0].data = {}'
    planted cohere 'documents.0.data.page: must be a string' '.documents[0].data.page = 7'
    planted cohere 'documents.0.text: Extra inputs' '.documents[0].text = "x"'
    planted cohere 'citation_options.mode: must be one of' '.citation_options.mode = "accurate"'
    planted cohere "the system's turn must be the first" '.messages |= reverse'
    planted cohere 'messages.1.content: must have text' '.messages[1].content = ""'
    planted cohere 'stream: must be true or false' '.stream = "false"'

    # Ollama takes what -f messages writes, with its own members beside.
    try -f messages -q 'Why?' windows
    jq '. + {model: "m", stream: false, options: {num_ctx: 8192}}' out >ollama
    post ollama <ollama
    [ "$code" = 200 ]
    [ "$(jq -r .message.content reply)" = 'Out of 2 messages.' ]
    refused ollama 'must be false, for this server does not stream' < <(jq 'del(.stream)' ollama)
    refused ollama 'this server does not stream' < <(jq '.stream = true' ollama)
    refused ollama 'body.num_ctx: Extra inputs' < <(jq '.num_ctx = 8192' ollama)
    refused ollama 'options.num_ctx: must be a whole number' < <(jq '.options.num_ctx = "8192"' ollama)
    refused ollama 'messages: must have an element' < <(jq '.messages = []' ollama)
    refused ollama 'messages.1.content: must be a string' < <(jq '.messages[1].content = [{type: "text"}]' ollama)
    refused ollama 'must be one of system, user' < <(jq '.messages[0].role = "developer"' ollama)
    refused ollama 'body.model: Field required' < <(jq 'del(.model)' ollama)
}

@test "requests: the server refuses other headers, other ways and too much" {
    local body='{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}'
    status_of() { curl -s -o reply -w '%{http_code}' "$@"; }
    [ "$(status_of -H 'x-api-key: k' -H 'content-type: application/json' -d "$body" "$strict/v1/messages")" = 401 ]
    [ "$(status_of -H 'content-type: application/json' -d "$body" "$strict/v2/chat")" = 401 ]
    [ "$(status_of -H 'authorization: Bearer k' -d "$body" "$strict/v2/chat")" = 415 ]
    [ "$(status_of -d "$body" "$strict/v3/chat")" = 404 ]
    post anthropic <<<"$body"
    [ "$code" = 200 ]
    post anthropic < <(printf '%s' "${body%?}" && head -c 33554432 /dev/zero | tr '\0' ' ' && printf '}')
    [ "$code" = 413 ]
}

@test "requests: the providers' own clients are taken, and read what they get" {
    local python=${EDGEFOLD_PEERS:-$EDGEFOLD_BUILD/peers}/venv/bin/python
    "$python" -c 'import anthropic, cohere, openai' 2>/dev/null || skip "tests/peers has not installed the SDKs"
    "$python" "$TESTS/engines/strict_clients.py" "$EDGEFOLD" "$strict" "$TESTS/sample.ndjson"
}
