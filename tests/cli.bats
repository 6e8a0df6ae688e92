load helper

# refused MESSAGE-PATTERN ARGUMENT...: usage error, nothing read, nothing written.
refused() {
    local pattern=$1
    shift
    try "$@" <"$BATS_TEST_TMPDIR/in"
    expect 2
    [ ! -s "$out" ]
    says "$pattern"
    says "^Try 'edgefold --help' for more information\.$"
    [ "$(wc -l <"$err")" -eq 2 ]
}

setup() { chunks a:1 >"$BATS_TEST_TMPDIR/in"; }

@test "cli: --help and -h print to standard output and exit 0" {
    try --help
    expect 0
    quiet
    grep -q '^Usage: edgefold' "$out"
    cp "$out" "$BATS_TEST_TMPDIR/long"
    try -h
    expect 0
    cmp "$out" "$BATS_TEST_TMPDIR/long"
}

@test "cli: --help fits eighty columns" {
    try --help
    [ "$(awk 'length > 80' "$out" | wc -l)" -eq 0 ]
}

@test "cli: --version and -V print one line, with the libraries and the commit" {
    try --version
    expect 0
    quiet
    grep -qxE 'edgefold [0-9]+\.[0-9]+\.[0-9]+ \(jansson [0-9.]+, utf8proc [0-9.]+(, commit [0-9a-f]{12}\+?)?\)' "$out"
    [ "$(wc -l <"$out")" -eq 1 ]
    try -V
    expect 0
}

@test "cli: an unknown option is a usage error" {
    refused "^edgefold: unknown option '--frobnicate'" --frobnicate
    refused "^edgefold: unknown option '-z'" -z
    refused "^edgefold: unknown option '--frobnicate'" --frobnicate=3
}

@test "cli: abbreviated options are refused, even unambiguous ones" {
    refused "unknown option '--bud' \(write --budget in full\)" --bud 3
    refused "unknown option '--bud'" --bud=3
    refused "unknown option '--skip'" --skip
    refused "unknown option '--lower'" "$BATS_TEST_TMPDIR/in" --lower
    refused "unknown option '--q'" --q
}

@test "cli: an option that needs an argument says so" {
    refused "option --budget needs an argument" --budget
    refused "option --budget needs an argument" -b
    refused "option --no-dedup takes no argument" --no-dedup=1
    refused "option --top needs an argument" --budget=5 -vn
    refused "unknown option '-z'" --budget=5 -vz
}

@test "cli: letters in one word are options of their own, whatever long one came before" {
    chunks a:1 b:2 c:3 >"$BATS_TEST_TMPDIR/in"
    try --budget=50 -vn2 "$BATS_TEST_TMPDIR/in"
    expect 0
    [ "$(ids <"$out")" = "c b" ]
    says '2 kept'
}

@test "cli: numbers are strict" {
    local value
    for value in 1k -1 0 3000x "" " 5" 5.0 0x10 +5 1e3 99999999999999999999; do
        refused "--budget '.*' needs a whole number from 1 up" "--budget=$value"
        refused "--top '.*' needs a whole number from 1 up" "--top=$value"
    done
    for value in 0 0.0 1.1 2 -0.5 "" . 1.0. x 0.5x 5e-1 nan 0.1234567891 +0.5 " 0.5" 0,5; do
        refused "--dedup '.*' needs a decimal above 0" "--dedup=$value"
    done
    for value in "" . x 0.5x .e1 1e nan inf 1e999 " 1" 0x1 1_000; do
        refused "--min-score '.*' needs a number" "--min-score=$value"
    done
    for value in edges edges: edges:0 edges:-1 edges:2x edges:1.5; do
        refused "--layout" "--layout=$value"
    done
}

@test "cli: numbers that are good are taken" {
    local value
    for value in 1 1.0 0.85 .85 0.850000000000 0.000000001 00.5 1.000000000000; do
        try "--dedup=$value" <"$BATS_TEST_TMPDIR/in"
        expect 0
    done
    for value in 0 -0 -1 0.5 1e-3 -1E+2 12345678901234567890; do
        try "--min-score=$value" --lower-is-better --no-dedup <"$BATS_TEST_TMPDIR/in"
        [ "$status" -le 1 ]
    done
    local most=18446744073709551615
    try -b 18446744073709551615 </dev/null
    ! grep -q 'fits 32 bits' "$err" || most=4294967295
    try -b "$most" -n 0001 --min-score -1 <"$BATS_TEST_TMPDIR/in"
    expect 0
}

@test "cli: words that an option does not know are refused with those it does" {
    refused "'tokens' is no way to count \(estimate, words, chars" --count=tokens
    refused "--count 'words/2': words takes no divisor" --count=words/2
    refused "--fit 'best' needs one of prefix, skip" --fit=best
    refused "--layout 'Fold' needs one of fold, fold-last" --layout Fold
    refused "--format 'XML' needs one of ndjson, xml" -f XML
}

@test "cli: a PATH must have keys" {
    refused "--text '' has an empty key" --text=
    refused "--text 'a..b' has an empty key" -t a..b
    refused "--score '.a' has an empty key" -s .a
    refused "--id 'a.' has an empty key" -i a.
    refused "--text '/a~2b' has a ~ that is neither ~0 nor ~1" --text=/a~2b
    refused "--text '/a~' has a ~" --text=/a~
}

@test "cli: an empty question is a usage error" {
    refused "the question is empty" -q ""
    refused "the question is empty" -q "$(printf ' \n\t')"
    : >"$BATS_TEST_TMPDIR/none"
    refused "the question is empty" --question-file "$BATS_TEST_TMPDIR/none"
    printf '\357\273\277\n' >"$BATS_TEST_TMPDIR/none"
    refused "the question is empty" --question-file "$BATS_TEST_TMPDIR/none"
}

@test "cli: a file or an id without a name is a usage error" {
    local option
    for option in report dropped rescore compare template chunk-template question-file table; do
        refused "^edgefold: --$option '' needs a file$" --$option=
    done
    for option in sweep require require-edge pin-first pin-last; do
        refused "^edgefold: --$option '' needs an id$" -q x --$option=
    done
}

@test "cli: question and chunks cannot both be standard input" {
    refused "cannot both come from standard input" --question-file -
    refused "the question and the chunks cannot both come from standard input" --question-file - "$BATS_TEST_TMPDIR/in" -
    refused "the reranker's answer and the chunks cannot both" --question-file=/dev/null --rescore=-
    refused "the report to compare with and the chunks cannot both" --compare=-
    refused "the reranker's answer and the question cannot both" --question-file=- --rescore=- /dev/null
}

@test "cli: of options given twice the last one counts" {
    chunks a:3 b:2 c:1 | order "a b" -n 1 -n 2
    try -q one --question-file /nonexistent -q two <"$BATS_TEST_TMPDIR/in"
    expect 0
    grep -qx two "$out"
}

@test "cli: operands and options mix, and -- ends the options" {
    chunks a:1 >"$BATS_TEST_TMPDIR/1"
    chunks b:2 >"$BATS_TEST_TMPDIR/--2"
    cd "$BATS_TEST_TMPDIR"
    order "b a" 1 -l rank -- --2 </dev/null
    chunks c:3 | order "c b a" -l rank 1 - -- --2
}

@test "cli: long options take their argument after = or as the next word" {
    chunks a:1 b:2 | order b --top=1
    chunks a:1 b:2 | order b --top 1
    chunks a:1 b:2 | order b -n1
    chunks a:1 b:2 | order "b a" --question=--top --format=ndjson
    chunks a:1 b:2 | order "b a" --question --to --format ndjson
}

@test "cli: a message escapes what a terminal would obey" {
    refused "unknown option '--.x1b\[31m'" "$(printf -- '--\033[31m')"
    try "$(printf 'no\033such\177\302\205file')"
    expect 4
    says '^edgefold: no.x1bsuch.x7f.xc2.x85file: cannot open: No such file'
}

@test "cli: the nearest known option or value is named" {
    refused "unknown option '--bugdet' \(did you mean --budget\?\)" --bugdet=3
    refused "unknown option '--dedupe' \(did you mean --dedup\?\)" --dedupe=1
    refused "did you mean fold-last\?" -l fold_last
    refused "unknown option '--xyzzy'$" --xyzzy
    refused "unknown option '--foo'$" --foo
    refused "needs one of [^(]*langchain$" -l foo
    refused "did you mean edges:K\?\)" -l edges
    refused "did you mean fold\?\)" -l fold:3
    refused "'wrods' is not known as a vocabulary or a way to count \(did you mean words\?\)" --count=wrods
    refused "'bytes' is a way to count without a vocabulary" --compile-vocab=bytes
    refused "'' is no way to count" --count=
    refused "'\.' is no way to count" --count=.
    refused "no tokenizer of these models is public" --count=claude-sonnet-4
    refused "no tokenizer of these models is public" --count=gemini-2.5-pro
}

@test "cli: an abbreviation that fits several options names them before any other" {
    refused "unknown option '--quest' \(did you mean --question\?\)" --quest
    refused "unknown option '--min' \(did you mean --min-(score|chunks) or --min-(score|chunks)\?\)" --min=3
    refused "unknown option '--re'$" --re
    refused "unknown option '--bud' \(write --budget in full\)" --bud=3
    refused "unknown option '--top-k' \(did you mean --top\?\)" --top-k=3
}

@test "cli: a question that stands where a file should is told to go with -q" {
    cd "$BATS_TEST_TMPDIR"
    chunks a:1 >in
    local question
    for question in 'how long does it take' 'Warum?' '配送需要多久？' "$(printf 'word %.0s' {1..100})"; do
        try "$question" in
        expect 4
        says "cannot open: .*; if this is the question, put -q before it$"
        try -q "$question" in
        expect 0
    done
    chunks a:1 >'how long'
    order a 'how long'
    for question in none in/none; do
        try "$question"
        expect 4
        run ! says 'put -q before it'
    done
    try -q why 'no such file' in
    expect 4
    run ! says 'put -q before it'
    try --count-only 'no such file'
    expect 4
    run ! says 'put -q before it'
}

@test "cli: numbers are what sort and awk take for numbers" {
    printf '{"text":"a","score":0.5}\n{"text":"b","score":5}\n' >"$BATS_TEST_TMPDIR/in"
    local value
    for value in .5 0.5 5e-1 +.5 .50; do
        try --min-score=$value "$BATS_TEST_TMPDIR/in"
        [ "$(wc -l <"$out")" -eq 2 ]
    done
    for value in 5. +5 5.0 .5e1; do
        try --min-score=$value "$BATS_TEST_TMPDIR/in"
        [ "$(wc -l <"$out")" -eq 1 ]
    done
    try -d 1. "$BATS_TEST_TMPDIR/in"
    expect 0
    try --count=chars/4. --stats "$BATS_TEST_TMPDIR/in"
    expect 0
    try --fuse=rrf --weights=.5,1. "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/in"
    expect 0
}

@test "cli: the permutations in --help are those of the layouts" {
    local layout
    seq 6 | sed 's/.*/{"id":"&","text":"t&","score":-&}/' >"$BATS_TEST_TMPDIR/six"
    for layout in fold fold-last edges:2 rank reverse langchain; do
        order "$("$EDGEFOLD" --help | sed -n "s/^  *${layout%2}[K2]*  *\([1-6]\( [1-6]\)\{5\}\).*/\1/p" | head -n 1)" \
            -l "$layout" "$BATS_TEST_TMPDIR/six"
    done
}

@test "cli: every line of --help is an option, belongs to one, or stands at the left on purpose" {
    edgefold --help >"$BATS_TEST_TMPDIR/help"
    [ "$(sed -n '/^[A-Z][a-z ]*:$/,$p' "$BATS_TEST_TMPDIR/help" | grep -c '^[a-z]')" -eq 1 ] # the end of the last sentence
    [ "$(awk 'length > 80' "$BATS_TEST_TMPDIR/help" | wc -l)" -eq 0 ]
}
