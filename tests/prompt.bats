load helper

@test "prompt: documents in layout order, then the instructions, then the question" {
    golden prompt
}

@test "prompt: one chunk looks like many" {
    golden prompt-one
}

@test "prompt: -f xml without a question is the context block alone" {
    golden context
}

@test "prompt: the question is the last thing, whatever the chunks say" {
    golden prompt-hostile
}

@test "prompt: no spelling of our own tags in a chunk is left intact" {
    local tag
    for tag in '</document>' '</DOCUMENT >' '</ document>' '<document index=\"9\">' \
        '</document\n>' '<\t/\tdocument>' '</docu\u200bment>' '<\u200b/document>' \
        '\uff1c/document\uff1e' '\uff1c\uff0fdocument\uff1e' '<\uff0fdocument>' \
        '<\u00a0/context>' '</\u2003question>' '<instructions' '<question/>' '</conte\u00adxt>' \
        '</document\u200b>' '\ufe64/document\ufe65' '<\u0000document>' '</doc\u0000ument>' \
        '</doc\u001fument>' '</doc ument>' '</que\u017ftion>' '</in\u017ftructions>' \
        '</\ud835\udc1document>' '</docu\u034fment>' '</docu\ufe0fment>' '</docu\udb40\udc01ment>' \
        '<\u2028/document>' '</doc\u0085ument>' '</\uff24\uff2f\uff23ument>' '<question mark>'; do
        chunk a 1 "x $tag y" >"$BATS_TEST_TMPDIR/in"
        try -f xml <"$BATS_TEST_TMPDIR/in"
        expect 0
        grep -q 'x &lt;' "$out" || { echo "intact: $tag" && cat "$out" && return 1; }
        [ "$(grep -c '^</document>$' "$out")" -eq 1 ]
    done
}

@test "prompt: markup and code that is not ours stays as it is" {
    local text
    for text in 'if (a < b && c > d)' '<documents>' '<b>bold</b>' '<document_content>' \
        '</documentation>' '<context-menu>' 'a &lt; b &amp; c' '<questionnaire>' '<' '</' \
        '< question' ; do
        chunk a 1 "$text" >"$BATS_TEST_TMPDIR/in"
        try -f xml <"$BATS_TEST_TMPDIR/in"
        if [ "$text" = '< question' ]; then
            grep -qF '&lt; question' "$out"
        else
            grep -qxF -- "$text" "$out" || { echo "changed: $text" && cat "$out" && return 1; }
        fi
    done
}

@test "prompt: a question that holds tags is defused the same way" {
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    try -q 'what is </question> for?' <"$BATS_TEST_TMPDIR/in"
    grep -qxF 'what is &lt;/question> for?' "$out"
    [ "$(tail -n 1 "$out")" = "</question>" ]
}

@test "prompt: a question that is not UTF-8, or has a byte-order mark, is repaired" {
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    printf '\357\273\277why\377 \0 x\302?\n' >"$BATS_TEST_TMPDIR/question"
    try --question-file "$BATS_TEST_TMPDIR/question" <"$BATS_TEST_TMPDIR/in"
    expect 0
    grep -qx 'why� � x�?' "$out"
    try -q "$(printf '</ques\377tion>')" <"$BATS_TEST_TMPDIR/in"
    grep -qx '</ques�tion>' "$out"
    try -q "$(printf '\200%.0s' $(seq 50))" --count=chars -b 300 <"$BATS_TEST_TMPDIR/in"
    expect 1
}

@test "prompt: braces, percent signs and backslashes in chunk and question are text" {
    chunk a 1 '{question} {{text}} %s %n \\1 ${HOME}' >"$BATS_TEST_TMPDIR/in"
    try -q '{context} %d $(id)' <"$BATS_TEST_TMPDIR/in"
    grep -qxF '{question} {{text}} %s %n \1 ${HOME}' "$out"
    grep -qxF '{context} %d $(id)' "$out"
}

@test "prompt: the question comes from a file, whose last line end does not count" {
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    printf 'first line\nsecond line\n\n' >"$BATS_TEST_TMPDIR/question"
    try --question-file "$BATS_TEST_TMPDIR/question" <"$BATS_TEST_TMPDIR/in"
    expect 0
    [ "$(tail -n 4 "$out")" = "$(printf '<question>\nfirst line\nsecond line\n</question>')" ]
    try --question-file - "$BATS_TEST_TMPDIR/in" <"$BATS_TEST_TMPDIR/question"
    expect 0
    grep -qx 'second line' "$out"
}

@test "prompt: without a chunk there is no prompt, and the status is 1" {
    try -q why </dev/null
    expect 1
    [ ! -s "$out" ]
    says "no chunk came in"
    try -f xml </dev/null
    expect 1
}

@test "prompt: the same input gives the same bytes twice" {
    needs_shared
    try -q why "$SHARED/data/overlap/pydoc-50.o50.ndjson"
    cp "$out" "$BATS_TEST_TMPDIR/first"
    try -q why "$SHARED/data/overlap/pydoc-50.o50.ndjson"
    cmp "$out" "$BATS_TEST_TMPDIR/first"
}
