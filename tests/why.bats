load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    {
        printf '{"id":"a","text":"the red door opens to the quiet street at noon","score":9}\n'
        printf '{"id":"b","text":"the blue door opens to the quiet street at noon","score":8}\n'
        printf '{"id":"c","text":"bread and butter","score":7}\n'
        printf '{"id":"d","text":"one two three four five six seven eight nine ten","score":6}\n'
        printf '{"id":"e","text":"salt and pepper","score":5}\n'
        printf '{"id":"long-name-1","text":"nothing of that","score":4}\n{"text":"unnamed words","score":3}\n'
    } >in
}

@test "why: a duplicate has what it lost to and the words that only one of the two has" {
    try -d 0.75 --count=words --why=b in
    expect 0
    cat >expected <<'END'
b (in:2) is not in the output: duplicate of line 1, 0.80 (8/10 words).
  It is ranked 2 of 7, with score 8; 1 is better.
  It repeats a (in:1), rank 1, which is at position 1.
  Of the 10 words that either has, 8 are in both: 0.8, and --dedup drops from 0.75 on.
  Words that only b has:
    the [blue] door opens to the quiet ...
  Words that only a has:
    the [red] door opens to the quiet ...
END
    diff expected "$err"
}

@test "why: words differ by what deduplication compares, in scripts without spaces too" {
    {
        printf '{"id":"a","text":"東京の天気は晴れです。Straße 42.","score":2}\n'
        printf '{"id":"b","text":"東京の天気は雨です。STRASSE\\n42!","score":1}\n'
    } >in
    try -d 0.3 --why=b in
    says '^    東京の天気は\[雨\]です。'
    says '^    東京の天気は\[晴れ\]です。'
    ! grep -qi '\[stra' "$err" || return 1
    printf '{"id":"a","text":"one two","score":2}\n{"id":"b","text":"two\\u001b[31m one","score":1}\n' >in
    try -d 0.3 --why=b in
    says '\[31m\]'
    ! grep -q "$(printf '\033')" "$err" || return 1
}

@test "why: what is over the budget has the least one that would hold it" {
    try -b 20 -d 0.75 --count=words --why=d --why=e in
    expect 0
    says '^d \(in:4\) is not in the output: over budget: 10 tokens, 7 left\.$'
    says '^  It would add 10 tokens; 7 were left of --budget 20\.$'
    says '^  The least budget that holds it: --budget=23\.$'
    says '^  Its text takes 3 tokens; 7 were left of --budget 20, and --fit=prefix stops at the first that does not fit: d \(in:4\), rank 4\.$'
    says '^  The least budget that holds it: --budget=26\.$'
    try -b 11 -d 0.75 --count=words --fit=skip --why=d --why=c in
    says '^  The least budget that holds it: --budget=23\.$'
    says '^  The least budget that holds it: --budget=13\.$'
    try -b 2 --count=words -q x --why=a in
    expect 1
    says '^  The prompt is over the budget without any chunk\.$'
    says '^  The least budget that holds it: --budget=[0-9]+\.$'
}

@test "why: a larger budget can take a better chunk in its place, so all are tried" {
    printf '{"id":"%s","text":"%s","score":%d}\n' a "1 2 3 4 5 6 7 8 9 10" 3 b "1 2 3 4 5 6" 2 c "x y z" 1 >in
    try -b 8 --count=words --no-dedup --fit=skip --why=c in
    says '^  The least budget that holds it: --budget=9\.$'
    try -b 10 --count=words --no-dedup --fit=skip --why=c in
    says '^  The least budget that holds it: --budget=13\.$'
}

@test "why: pins that do not fit are the reason, whatever the rule" {
    local fit
    for fit in prefix skip; do
        try --fit=$fit --pin-first=d -b 5 --count=words --why=d --why=c in
        expect 1
        says '^  What is pinned does not fit, and so nothing does\.$'
        says '^  The least budget that holds it: --budget=10\.$'
    done
}

@test "why: where the least budget takes too long to find, one that holds is named as such" {
    seq 3000 | awk '{ printf "{\"id\":\"c%d\",\"text\":\"", $1; for (i = 0; i < 1 + $1 * 7919 % 97; i++) printf "w%d ", $1 * 100 + i; printf "\",\"score\":%d}\n", -$1 }' >big
    try --fit=skip -b 200 --count=words --no-dedup --why=c2999 big
    local budget
    budget=$(sed -n 's/^  .* budget that holds it: --budget=\([0-9]*\)\.$/\1/p' "$err")
    edgefold --fit=skip -b "$budget" --count=words --no-dedup big | grep -q '"c2999"'
    local start=$SECONDS
    head -n 1000 big >thousand
    try --fit=skip -q x --stitch --no-dedup -b 300 --why=c999 thousand
    says '^  A budget that holds it: --budget=[0-9]+\.$'
    [ $((SECONDS - start)) -lt 20 ]
}

@test "why: a long text is not held against each of many others from its start" {
    [ "$EDGEFOLD_CHECK" = plain ] || skip "only the plain build is quick enough"
    { printf '{"id":"big","score":9,"text":"%s common"}\n' "$(seq -f 'w%.0f' 100000 | tr '\n' ' ')"
        seq 3000 | sed 's/.*/{"id":&,"score":1,"text":"common x&"}/'; } >many
    local start=$SECONDS
    try --why=big many
    says '^  Of its 100001 words, 0 percent stand in other kept chunks, 0 percent in 2 \(many:3\)\.$'
    [ $((SECONDS - start)) -lt 20 ]
}

@test "why: a thousand stories take the time of the chunks and not of a thousand runs" {
    seq 8000 | awk '{ printf "{\"id\":\"c%d\",\"text\":\"the", $1; for (i = 0; i < 1 + $1 * 7919 % 23; i++) printf " w%d", $1 * 10 + i; printf "\",\"score\":%d}\n", -$1 }' >many
    local kept missing options
    mapfile -t kept < <(seq -f '--why=c%.0f' 1 8 8000)
    mapfile -t missing < <(seq -f '--why=absent-%.0f' 1000)
    for options in '' '-b 2000 --fit=skip' '-b 2000' '-b 2000 -q x' '-b 2000 -q x --fit=skip'; do
        # shellcheck disable=SC2086
        soon --no-dedup --quiet $options "${kept[@]}" many >"$out" 2>"$err"
        [ "$(grep -c '^c[0-9]* (many:' "$err")" -eq 1000 ]
    done
    soon --no-dedup --quiet "${missing[@]}" many >"$out" 2>"$err"
    [ "$(grep -c '; the nearest: ' "$err")" -eq 1000 ]
}

@test "why: stories of what is stitched take a few looks at all chunks, and not one for each halving" {
    seq 8000 | awk '{ printf "{\"id\":\"c%d\",\"text\":\"", $1; for (i = 0; i < 30; i++) printf "w%d ", $1 * 7 + i * 131; printf "\",\"score\":%d}\n", -$1 }' >many
    local stories
    mapfile -t stories < <(seq -f '--why=c%.0f' 4500 500 8000)
    soon -q why -b 9000 --quiet --no-dedup --stitch "${stories[@]}" many >"$out" 2>"$err"
    [ "$(grep -c '^  The least budget that holds it: ' "$err")" -eq 8 ]
}

@test "why: stories of what is passed over do not look at all chunks for each halving either" {
    seq 1500 | awk 'BEGIN { srand(1) } { printf "{\"id\":\"c%d\",\"text\":\"", $1; for (i = 0; i < 40; i++) printf "w%d ", 5000 * rand(); printf "\",\"score\":%d}\n", -$1 }' >many
    local stories
    mapfile -t stories < <(seq -f '--why=c%.0f' 810 30 1500)
    soon -q why -b 5000 --quiet --no-dedup --stitch --fit=skip "${stories[@]}" many >"$out" 2>"$err"
    [ "$(grep -c 'budget that holds it: ' "$err")" -eq 24 ]
}

@test "why: of windows of one text that are passed over, stories are told soon, and of budgets that hold" {
    awk 'BEGIN { srand(3); for (i = 0; i < 120200; i++) word[i] = sprintf("w%d", 4000 * rand())
        for (n = 0; n < 3000; n++) {
            printf "{\"id\":\"c%d\",\"text\":\"", n
            for (i = 0; i < 60; i++) printf "%s ", word[40 * n + i]
            printf "\",\"score\":%d}\n", 100000 * rand()
        } }' >many
    local stories id budget options=(-q why --quiet --no-dedup --stitch --fit=skip)
    mapfile -t stories < <(seq -f '--why=c%.0f' 2000 2019)
    soon "${options[@]}" -b 9000 "${stories[@]}" many >"$out" 2>"$err"
    awk '/^c/ { id = $1 } /budget that holds it: / { gsub(/.*=|[^0-9]*$/, ""); print id, $0 }' "$err" >told
    [ "$(wc -l <told)" -ge 15 ]
    while read -r id budget; do
        soon "${options[@]}" -b "$budget" --why="$id" many >"$out" 2>"$err"
        says "^$id .*is in the output"
    done < <(sed -n '1~6p' told)
}

@test "why: a text whose end costs more before the question is told its true budget" {
    local words='alpha beta gamma delta' budget
    words="$words $words $words $words $words"
    printf '{"id":"%s","text":"%s","score":%d}\n' 1 "$words one" 9 2 "$words two two" 8 3 'beta foo.bar(); ===' 7 4 "$words" 6 >in
    pipe() { try --no-dedup --fit=skip -f pipe -q 'What is it?' --instructions=Say. "$@"; }
    pipe -b 20 --why=3 in
    budget=$(sed -n 's/^  The least budget that holds it: --budget=\([0-9]*\).*/\1/p' "$err")
    pipe -b "$budget" in
    expect 0
    grep -q 'foo.bar' "$out"
    pipe -b $((budget - 1)) in
    ! grep -q 'foo.bar' "$out" || return 1
    # What was taken for it and is given back leaves room for a smaller one.
    sed '4s/.*/{"id":"4","text":"zeta","score":6}/' in >small
    pipe -b $((budget - 1)) small
    expect 0
    grep -q zeta "$out"
}

@test "why: of an id that many chunks have, the best are told of, and how many more there are" {
    seq 30 | sed 's/.*/{"id":"a","score":-&,"text":"text &"}/' | tac >many
    try --quiet --why=a many
    expect 0
    [ "$(grep -c '^a (many:' "$err")" -eq 24 ]
    [ "$(head -n 1 "$err")" = 'a (many:30) is in the output, at position 1 of 30.' ]
    [ "$(tail -n 1 "$err")" = 'a: 6 chunks more have this id' ]
}

@test "why: stories change nothing of what is written" {
    edgefold -b 20 --count=words in >plain
    edgefold -b 20 --count=words --report=plain.json in >/dev/null
    for fit in prefix skip; do
        edgefold -b 20 --count=words --fit=$fit --stitch --annotate --report=plain.json in >plain
        edgefold -b 20 --count=words --fit=$fit --stitch --annotate --report=told.json --why=e --why=d in >told 2>/dev/null
        cmp plain told
        [ "$(jq -S 'del(.options.why, .options.report)' plain.json)" = "$(jq -S 'del(.options.why, .options.report)' told.json)" ]
    done
}

@test "why: limits have the value that would let the chunk in" {
    try --top=2 --why=d in
    says '^  --top=4 would let it in, as far as what comes after that does\.$'
    try --min-score=6.5 --why=d --why=e in
    says '^  --min-score=6 would let it in'
    says '^  --min-score=5 would let it in'
    printf '{"id":"%s","text":"%s","doc":"%s"}\n' a one x b two x c three y d four x >grouped
    try --group=doc --per-group=1 --why=d grouped
    says '^d .*beyond --per-group 1\.$'
    says '^  --per-group=3 would let it in'
    printf '{"results":[{"index":3,"relevance_score":0.9},{"index":0,"relevance_score":0.1}]}\n' >answer
    try --rescore=answer --why=b in
    says '^b .*: left out by the reranker\.$'
    says '^  --rescore-rest=keep would let it in'
    grep -v '"[bc]"' in >three
    try -q x -f plain --no-instructions --count=words -b 22 --fit=truncate --why=d --why=e three
    says '^d .* is in the output, at position 2 of 2: kept, cut to fit\.$'
    says ' --fit=truncate stops at the first that does not fit: d \(three:2\), rank 2, which was cut to fit\.$'
}

@test "why: a kept chunk has its place, its neighbours and what others say of it" {
    try -n 3 --no-dedup --count=words --why=b in
    cat >expected <<'END'
b (in:2) is in the output, at position 3 of 3.
  It is ranked 2 of 7, with score 8; 1 is better.
  It takes 10 tokens; before it stands c (in:3).
  Of its 9 words, 88 percent stand in other kept chunks, 88 percent in a (in:1).
END
    diff expected "$err"
}

@test "why: of an id that is not there the nearest are named" {
    try --why=long-nam-1 --why=q in
    expect 0
    says '^long-nam-1: no chunk has this id; the nearest: long-name-1, '
    says '^q: no chunk has this id; the nearest: a, b, c$'
    jq -c 'del(.id)' in >unnamed
    try --why=q unnamed
    says '^q: no chunk has an id; --id names the field; without, a chunk is called by its place, like unnamed:1$'
    try --why=unnamed:4 -n 2 unnamed
    says '^unnamed:4 is not in the output: beyond --top 2\.$'
    printf '{"id":"unnamed:4","text":"one of that name","score":20}\n' | cat - unnamed >called
    try --why=unnamed:4 --why=called:2 called
    says '^unnamed:4 \(called:1\) is in the output'
    says '^called:2 is in the output'
    try --why= in
    expect 2
}

@test "why: many stories at once say what each says alone" {
    awk 'BEGIN { srand(11); for (i = 0; i < 40; i++) {
        printf "{\"id\":\"c%d\",\"doc\":\"d%d\",\"score\":%f,\"text\":\"", i, i % 5, rand()
        long = 4 + int(rand() * 14)
        for (k = 0; k < long; k++) printf "word%d ", (i % 4) * 100 + int(i / 4) * 5 + k
        print "end\"}" } }' >windows
    printf '{{n}}. {{text}}\n\n' >template
    local options ids=() i
    for i in {0..39}; do ids+=("--why=c$i"); done
    ids+=(--why=windows:7 --why=c77 --why=x)
    while read -r options; do
        # shellcheck disable=SC2086
        edgefold $options --quiet "${ids[@]}" windows 2>&1 >/dev/null | grep -v '^edgefold: ' >together
        for i in "${ids[@]}"; do
            # shellcheck disable=SC2086
            edgefold $options --quiet "$i" windows 2>&1 >/dev/null || :
        done | grep -v '^edgefold: ' >alone
        grep -q 'is not in the output' together
        diff together alone
    done <<'END'
-b 90 --count=words --no-dedup --fit=skip
-b 90 --count=words --no-dedup --fit=skip --pin-last=c8 --pin-first=c2
-b 400 --no-dedup --fit=skip -q Q -l rank
-b 400 --no-dedup --fit=skip -q Q --stitch=20
-b 300 --no-dedup -q Q -f markdown --pin-first=c9
-b 200 --dedup=0.5 -q Q --fit=truncate --no-instructions --stitch=20
-b 300 --no-dedup -q Q --fit=skip --chunk-template=template
-b 300 --no-dedup -q Q --sweep=c1 --fit=skip
-b 600 --no-dedup -q Q -f messages --group=doc --per-group=4
--dedup=0.4 --group=doc --per-group=3 --top=9
--no-dedup --top=12 --stitch --annotate
END
}

@test "why: of ids that are not there, letters that changed places are one slip, and of equals the better is first" {
    printf '{"id":"%s","text":"t%d","score":%d}\n' abdc 1 1 abcx 2 9 xbcd 3 5 acbd 4 3 bcda 5 8 >in
    try --quiet --no-dedup --why=abcd in
    [ "$(cat "$err")" = 'abcd: no chunk has this id; the nearest: abcx, xbcd, acbd' ]
    local far
    far=$(printf 'y%.0s' {1..33})
    printf '{"id":"%s","text":"t%d","score":%d}\n' "a$far" 1 1 "b${far}z" 2 2 "$far$far" 3 3 >in
    try --quiet --no-dedup --why="a${far}z" in
    [ "$(cat "$err")" = "a${far}z: no chunk has this id; the nearest: b${far}z, a$far, $far$far" ]
}

@test "why: with --each each group that has the id tells of it, and only what none has is missed" {
    {
        jq -c '{qid: "q1"} + .' in
        jq -c '{qid: "q\u001b2"} + . | .score = 10 - .score' in | head -n 5
    } >groups
    try --each=qid -d 0.75 --count=words -b 20 --why=d --why=long-name-1 --why=nothing --quiet groups
    expect 0
    cat >expected <<'END'
group q1
d (groups:4) is not in the output: over budget: 10 tokens, 7 left.
  It is ranked 4 of 7, with score 6; 3 are better.
  It would add 10 tokens; 7 were left of --budget 20.
  The least budget that holds it: --budget=23.
long-name-1 (groups:6) is not in the output: over budget: after one that did not fit.
  It is ranked 6 of 7, with score 4; 5 are better.
  Its text takes 3 tokens; 7 were left of --budget 20, and --fit=prefix stops at the first that does not fit: d (groups:4), rank 4.
  The least budget that holds it: --budget=29.
group q\x1b2
d (groups:11) is in the output, at position 3 of 3.
  It is ranked 2 of 5, with score 4; 1 is better.
  It takes 10 tokens; before it stands c (groups:10).
  Of its 10 words, 0 percent stand in other kept chunks.
nothing: no chunk of the 2 groups has this id
END
    diff expected "$err"
    cp "$out" told
    try --each=qid -d 0.75 --count=words -b 20 --quiet groups
    cmp told "$out"
    try --each=qid --min-score=20 --why=a --quiet groups
    expect 1
    says '^  --min-score=9 would let it in'
}

@test "why: each of several chunks with the id is told" {
    printf '{"id":7,"text":"one two","score":2}\n{"id":"7","text":"three","score":1}\n' >in
    try --why=7 -n 1 in
    says '^7 \(in:1\) is in the output, at position 1 of 1\.$'
    says '^7 \(in:2\) is not in the output: beyond --top 1\.$'
}

@test "why: what it says would let a chunk in does, and less does not" {
    needs python3
    needs_shared
    no_sanitizer "it runs a thousand times"
    python3 "$TESTS/why_check.py" "$EDGEFOLD" "$SHARED/data/msmarco/dl19-104861.bm25.ndjson" \
        "$SHARED/data/overlap/pydoc-50.o150.ndjson" "$SHARED/data/overlap/ja-200.o150.ndjson"
}

@test "why: no smaller budget holds a chunk, whatever is passed over or stitched" {
    needs python3
    no_sanitizer "it runs hundreds of times"
    awk 'BEGIN { srand(7); for (i = 0; i < 24; i++) {
        printf "{\"id\":\"c%d\",\"score\":%f,\"text\":\"", i, rand()
        long = 5 + int(rand() * 12)
        for (k = 0; k < long; k++) printf "word%d ", (i % 4) * 100 + int(i / 4) * 7 + k
        print "end of it\"}" } }' >windows
    python3 "$TESTS/why_check.py" "$EDGEFOLD" budgets windows 80 400 --count=words --no-dedup --fit=skip -q Q --stitch=30 \
        --no-instructions
    python3 "$TESTS/why_check.py" "$EDGEFOLD" budgets windows 40 340 --count=words --no-dedup --fit=skip --pin-first=c3
    python3 "$TESTS/why_check.py" "$EDGEFOLD" budgets windows 80 400 --count=words --no-dedup -q Q --stitch=30 \
        --no-instructions
}

@test "compare: chunks that came, went, moved or have another reason, and other options" {
    try --report=then -n 3 -d 0.75 --why=a in
    try --compare=then -n 3 -d 0.75 in
    expect 0
    [ "$(cat "$err")" = "$(printf 'against then: the same options\nas it was: 7')" ]
    grep -v '"id":"c"' in >now
    printf '{"id":"z","text":"altogether new","score":10}\n{"id":"y","text":"new too","score":1}\n' >>now
    try --compare=then -n 2 -l rank now
    cat >expected <<'END'
against then: other options:
  dedup: 0.85; was 0.75
  top: 2; was 3
  layout: "rank"; was "fold"
came: 1
  z: at position 1; was not in the input
went: 2
  d: beyond --top 2; was at position 2
  c: is not in the input; was at position 3
moved: 1
  a: from position 1 to 2
left out for another reason: 1
  b: beyond --top 2; was: duplicate of line 1, 0.80 (8/10 words)
as it was: 2; new in the input and left out: 2; gone from the input, left out before: 1
END
    diff expected "$err"
}

@test "compare: what changes a prompt is among the options, and ids are told apart by all of them" {
    edgefold -q x --report=then in >/dev/null
    local option
    for option in --no-instructions --instructions=foo --refusal --header=A=id --cite; do
        try -q x "$option" --compare=then in
        says '^against then: other options:$'
        says '^  instructions: |^  header: |^  cite: '
    done
    printf '{"id":"a\\u0000b","text":"one","score":2}\n{"id":"a\\u0000c","text":"two","score":1}\n' >nul
    edgefold -l input --report=then nul >/dev/null
    tac nul >lun
    try -l input --compare=then lun
    says '^moved: 2$'
}

@test "compare: many changes are folded, and equal ids are told apart" {
    seq 100 | awk '{ printf "{\"id\":\"same\",\"text\":\"w%d\",\"score\":%d}\n", $1, -$1 }' >in
    edgefold --report=then -n 50 in >/dev/null
    try --compare=then -n 20 in
    says '^went: 30$'
    says '^  \.\.\. and 20 more$'
    says '^as it was: 60$'
    [ "$(wc -l <"$err")" -lt 40 ]
}

@test "compare: what is no report is refused before anything is written" {
    printf '[1,2]' >list
    try --compare=list in
    expect 3
    [ ! -s "$out" ]
    says 'list:1:1: not the report of a run'
    edgefold --report=failed list >/dev/null 2>&1 || :
    try --compare=failed in
    expect 3
    says 'failed: not a report that has chunks: the run failed'
    try --compare=nowhere in
    expect 4
    edgefold --report=r in >/dev/null
    try --compare=r --report=./r in
    expect 2
    says "'./r' is read, so it is not written"
    try --compare=r --each=id in
    expect 2
    says 'has a line for each group, and diff compares those of two runs'
    edgefold --compare=- in <r >/dev/null 2>said
    grep -q 'the same options' said
}

@test "why: on a terminal its sentences go on below, and to a file they are whole" {
    needs python3
    {
        cat in
        printf '{"id":"%s","text":"%s","score":2}\n' "$(printf 'x%.0s' {1..500})" 'うちの店は朝の九時から夜の七時まで開いています毎日'
        printf '{"id":"j","text":"%s","score":1}\n' 'うちの店は朝の九時から夜の八時まで開いています毎日'
    } >all
    local width
    edgefold -d 0.6 --count=words -b 30 --why=b --why=d --why=j --why=nothing all 2>whole >/dev/null
    [ "$(awk 'length > 100' whole | wc -l)" -ge 2 ]
    for width in 10 33 40 72 100; do
        TERM=xterm LC_ALL=C.UTF-8 python3 "$TESTS/terminal.py" -e "$width" "$EDGEFOLD" --no-progress -d 0.6 --count=words \
            -b 30 --why=b --why=d --why=j --why=nothing all >screen
        python3 - "$width" whole screen <<'END'
import sys, unicodedata
width, whole, screen = int(sys.argv[1]), open(sys.argv[2], encoding="utf-8").read(), open(sys.argv[3], encoding="utf-8").read()
wide = [line for line in screen.splitlines() if sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) > width]
assert not wide, wide
assert "".join(screen.split()) == "".join(whole.split())
if width > 40:  # words that fit a line are whole
    words = {word for word in screen.split()}
    lost = [word for word in whole.split() if len(word) < 20 and word.isascii() and word not in words]
    assert not lost, lost
END
    done
    TERM=xterm python3 "$TESTS/terminal.py" -e 40 "$EDGEFOLD" --no-progress -d 0.75 --count=words --why=b in >screen
    cat >expected <<'END'
b (in:2) is not in the output: duplicate
  of line 1, 0.80 (8/10 words).
  It is ranked 2 of 7, with score 8; 1
    is better.
  It repeats a (in:1), rank 1, which is
    at position 1.
  Of the 10 words that either has, 8 are
    in both: 0.8, and --dedup drops from
    0.75 on.
  Words that only b has:
    the [blue] door opens to the quiet
      ...
  Words that only a has:
    the [red] door opens to the quiet
      ...
END
    diff expected screen
}

@test "why: what stands between words is not a word of its own, in whole or in part" {
    printf '{"id":"%s","text":"%s","score":%d}\n' \
        a 'カタログ、テスト「文書」を読む alpha beta gamma' 2 \
        b 'カタログ、テスト「文書」を読む alpha beta delta' 1 >in
    try --dedup=0.5 --why=b in
    expect 0
    says 'delta'
    run ! grep -q '\\x' "$err"
    run ! grep -qF '[、' "$err"
}
