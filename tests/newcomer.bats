load helper

# What somebody tries who has just got the program: each message names a step that works.

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    mkdir bin
    ln -s "$EDGEFOLD" bin/edgefold
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    cp "$TESTS/sample.ndjson" .
}

@test "newcomer: on its own at a terminal it says what to type, what ends it and where help is" {
    needs python3
    TERM=xterm python3 "$TESTS/terminal.py" -i '{"text": "typed", "score": 0.9}\n\x04' bash -c 'edgefold >out' >screen
    grep -q 'reading chunks from the terminal: one JSON object a line, such as {"text": "...", "score": 0.9}, then Ctrl-D; edgefold --help says more' screen
    [ "$(cat out)" = '{"text": "typed", "score": 0.9}' ]
    edgefold --help >/dev/null
    TERM=xterm python3 "$TESTS/terminal.py" -i 'hello\n\x04' bash -c 'edgefold >out' >screen || [ $? -eq 3 ]
    grep -q 'a line must be an object such as' screen
}

# advised FILE PATTERN: a message about the file matches, and what follows in it after
# "by: ", or a command that begins with jq, makes of it what edgefold takes.
advised() {
    needs jq
    try "$1"
    expect 3
    says "$2"
    local command
    command=$(grep -o "jq -[A-Za-z]* \('[^']*'\|\.\)" "$err" | head -n 1)
    [ -n "$command" ]
    bash -c "$command" <"$1" >made
    try made
    if [ "$status" -ne 0 ]; then
        echo "what '$command' makes of $1 is not taken:" && cat "$err"
        return 1
    fi
    [ -s "$out" ]
}

@test "newcomer: of a file that is not JSON it says how to make chunks of it" {
    printf 'Delivery takes five days.\nParcels are tracked.\n' >notes.txt
    advised notes.txt "a line must be an object such as .*jq -Rc"
    printf '# Delivery\n\nIt takes five days.\n' >notes.md
    advised notes.md "JSON has no comments; of text, jq -Rc"
    printf 'delivery: five days\n' >notes.yaml
    advised notes.yaml "a line must be an object such as"
    printf 'INFO starting\n' | cat - sample.ndjson >log
    try log
    says '^edgefold: log:1:1: .*--skip-invalid passes over a log'
    try --skip-invalid log
    expect 0
    [ "$(wc -l <"$out")" -eq 4 ]
    printf '%s\n' '{"text":"a"}' 'INFO going on' >log
    try log
    says '^edgefold: log:2:1: .*if it is a log line between the others, --skip-invalid'
}

@test "newcomer: of an array it says two ways, and both work" {
    needs jq
    local file
    jq -sc . sample.ndjson >chunks.json
    jq -s . sample.ndjson >pretty.json
    for file in chunks.json pretty.json; do
        advised "$file" '; --items=\. takes it as it is, and jq -c '
        [ "$(wc -l <"$out")" -eq 4 ]
        try --items=. "$file"
        expect 0
        [ "$(wc -l <"$out")" -eq 4 ]
    done
    echo '["a text","another"]' >texts.json
    advised texts.json 'a list of texts'
    [ "$(wc -l <"$out")" -eq 2 ]
}

@test "newcomer: of a response it says where the chunks are, and that works" {
    needs jq
    jq -sc '{results: .}' sample.ndjson >response.json
    advised response.json 'this is a whole response: --items=results or jq'
    try --items=results response.json
    expect 0
    jq . response.json >pretty.json
    try pretty.json
    says 'a pretty-printed document becomes NDJSON by: jq -c \.; --items=PATH takes'
    try --items=results pretty.json
    [ "$(wc -l <"$out")" -eq 4 ]
}

@test "newcomer: of texts in a list that is named it says how jq makes chunks of them" {
    needs jq
    echo '{"chunks":["a text","another"]}' >texts.json
    try --items=chunks texts.json
    expect 3
    says "a chunk is an object, and this is a string; jq -c '\.chunks\[\] \| \{text: \.\}' makes a chunk of each$"
    jq -c '.chunks[] | {text: .}' texts.json >made
    try made
    expect 0
    echo '"a text"' >bare
    try bare
    says 'jq makes a chunk of a bare text by \{text: \.\}'
    jq -c '{text: .}' bare >made
    try made
    expect 0
}

@test "newcomer: --help begins with a pipe that works and ends with the manual, also in a pager" {
    needs python3
    edgefold --help >help
    printf '#!/bin/sh\ncat sample.ndjson\n' >bin/retriever
    printf '#!/bin/sh\ncat\n' >bin/llm
    chmod +x bin/retriever bin/llm
    local pipe
    pipe=$(sed -n '2s/^ *//p' help)
    [[ $pipe == 'retriever | edgefold'*'| llm' ]]
    bash -c "$pipe" | tail -n 2 | grep -qx 'How long does delivery take?'
    [[ $(tail -n 2 help | paste -sd' ' -) == 'The manual has the rest: man edgefold, and '*' man edgefold-recipes.' ]]
    python3 "$TESTS/terminal.py" bash -c 'edgefold --help | head -n 1; echo "ended ${PIPESTATUS[*]}"' >screen
    grep -q '^Usage: edgefold' screen
    grep -Eq '^ended (0|141) 0$' screen
    [ "$(wc -l <screen)" -eq 2 ]
    needs less
    TERM=xterm python3 "$TESTS/terminal.py" -i 'q' bash -c 'edgefold --help | less; echo "ended $?"' >screen
    grep -q 'Usage: edgefold' screen
    grep -q 'ended 0' screen
}
