load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    {
        printf '{"id":"a","text":"one two three four five","score":0.90}\n'
        printf '{"id":"b","text":"One, two, three, four, five!","score":0.8}\n\n'
        printf '{"id":"c","text":"a chunk of its own","score":0.7}\n'
        printf '{"id":"d","text":"another with more words in it than all of the others","score":0.6}\n'
        printf '{"id":"e","text":"the fifth","score":0.5}\n'
        printf '{"id":"f","text":"the sixth one here","score":0.1}\n'
        printf '{"id":"g","text":"unscored text"}\n'
        printf '{"id":"h","text":"","score":1}\n'
    } >in
}

# On a terminal of so many columns: prints what standard error got, byte for byte.
on_terminal() { # COLUMNS COMMAND...
    python3 "$TESTS/terminal.py" -e "$@"
}

@test "explain: what is kept comes first, as laid out, then what was dropped, by reason" {
    try -v --count=words -b 11 --fit=skip -n 4 --min-score=0.3 in
    expect 0
    grep -v warning "$err" >table
    cat >expected <<'END'
pos  rank  score                        tokens                        id  line
  1     1  ####################   0.90  ####################       5  a   in:1
  2     3  ##                      0.7  ####################       5  c   in:4

rank  score  tokens  id  line
below-min-score: 2
   6    0.1       4  f   in:7  score 0.1 is below 0.3
   7      -       2  g   in:8  no score
duplicate: 1
   2    0.8       5  b   in:2  line 1, 1.00 (5/5 words)
over-budget: 2
   4    0.6      11  d   in:5  11 tokens, 1 left
   5    0.5       2  e   in:6  2 tokens, 1 left
invalid: 1
   -      1       -  h   in:9  empty text

8 chunks read, 2 kept, 6 dropped: 2 below-min-score, 1 duplicate, 2 over-budget, 1 invalid
10 tokens of 11 (reserve 0, margin 0 percent), counted by words
worst kept score 0.7, best dropped 0.6 (duplicates apart)
text at text, score at score (higher is better), id at id
END
    diff expected table
}

# So many chunks, of which one in ten is a duplicate.
many() { # COUNT
    seq "$1" | awk '{ w = $1 % 10 ? $1 : $1 - 1; printf "{\"id\":\"manual/%03d.html#section-%d\",\"text\":\"part w%d x%d\",\"score\":%d}\n", $1, $1, w, w, -$1 }'
}

@test "explain: of many chunks each reason shows the ten best and how many there are more" {
    many 24 >few
    many 200 >many
    try -v -n 5 few
    [ "$(grep -c '^ *[0-9]* .*manual' "$err")" -eq 24 ]
    ! grep -q 'more' "$err" || return 1
    try -v -n 5 many
    [ "$(wc -l <"$err")" -lt 40 ]
    sed -n '/^duplicate: 20$/,/^beyond-top/p' "$err" | sed '1d;$d' >duplicates
    [ "$(awk '{ print $1 }' duplicates | xargs)" = '10 20 30 40 50 60 70 80 90 100 ...' ]
    says '^ ... and 10 more, ranks 110 to 200$'
    says '^ ... and 165 more, ranks 17 to 199$'
    [ "$(grep -c 'beyond --top 5$' "$err")" -eq 10 ]
    many 25 | sed 's/"text":"[^"]*"/"text":""/' >empty
    try -v empty
    says '^ ... and 15 more$'
    try -vv -n 5 many
    [ "$(grep -c ' many:' "$err")" -eq 200 ]
    ! grep -q ' more' "$err" || return 1
}

@test "explain: at 80 columns the ids of hundreds of chunks can be told apart" {
    needs python3
    many 200 | sed 's/manual/a-rather-long-folder-name-of-a-manual/' >many
    NO_COLOR=1 TERM=xterm LC_ALL=C.UTF-8 on_terminal 80 "$EDGEFOLD" --no-progress -v -n 5 -b 1000 many >screen
    [ "$(sed 's/█/#/g' screen | awk 'length > 80' | wc -l)" -eq 0 ]
    grep -q '^ *1 .* a-rather.*~.*section-1$' screen
    grep -q '^ *10 .*a-rather.*~.*section-10 ' screen
    many 200 | sed 's/"id":"[^"]*",//' >unnamed
    NO_COLOR=1 TERM=xterm LC_ALL=C.UTF-8 on_terminal 80 "$EDGEFOLD" --no-progress -v -n 5 unnamed >screen
    grep -q '^  10 .* unnamed:10 .*line 9, 1.00' screen
    try -v -n 5 unnamed
    [ "$(grep -c ' unnamed:.* unnamed:' "$err")" -eq 0 ]
}

@test "explain: every chunk has its fate and the evidence for it, by rank" {
    try -vv --count=words -b 11 --fit=skip -n 4 --min-score=0.3 in
    expect 0
    sed '/^$/,$d' "$err" | grep -v warning >table
    cat >expected <<'END'
rank  score  line  id  tokens  pos  fate
   1   0.90  in:1  a        5    1  kept
   2    0.8  in:2  b        5    -  duplicate of line 1, 1.00 (5/5 words)
   3    0.7  in:4  c        5    2  kept
   4    0.6  in:5  d       11    -  over budget: 11 tokens, 1 left
   5    0.5  in:6  e        2    -  over budget: 2 tokens, 1 left
   6    0.1  in:7  f        4    -  score 0.1 is below 0.3
   7      -  in:8  g        2    -  no score
   -      1  in:9  h        -    -  empty text
END
    diff expected table
    says '^8 chunks read, 2 kept, 6 dropped: 2 below-min-score, 1 duplicate, 2 over-budget, 1 invalid$'
    says '^10 tokens of 11 \(reserve 0, margin 0 percent\), counted by words$'
    says '^worst kept score 0.7, best dropped 0.6 \(duplicates apart\)$'
    try -vv -n 1 in
    says 'beyond --top 1$'
}

@test "explain: what prefix drops after the first misfit says so" {
    try -vv --count=words -b 11 in
    says ' d  .*over budget: 11 tokens, 1 left$'
    says ' e  .*over budget: after one that did not fit$'
    try -vv --count=words -b 60 -q why in
    says ' d  .*over budget: 14 tokens, [0-9]+ left$'
}

@test "explain: the fold is seen as a picture" {
    chunks a:1 b:0.8 c:0.6 d:0.4 e:0.2 >in
    try -vv --count=words in
    sed -n '/^$/,/^$/p' "$err" | sed '1d;$d' >picture
    cat >expected <<'END'
pos  rank  score                        tokens
  1     1  ####################      1  ####################       3
  2     3  ###########             0.6  ####################       3
  3     5  ##                      0.2  ####################       3
  4     4  #######                 0.4  ####################       3
  5     2  ################        0.8  ####################       3
END
    diff expected picture
    try -vv --lower-is-better in
    sed -n '/^pos/,/^$/p' "$err" | sed -n '2p;6p' | awk '{ print $2, length($3) }' >bars
    [ "$(cat bars)" = "$(printf '1 20\n2 16')" ]
}

@test "explain: columns line up, whatever the ids are made of" {
    {
        printf '{"id":"東京","text":"one","score":3}\n{"id":"👩‍💻","text":"two","score":2}\n'
        printf '{"id":"e\\u0301","text":"three","score":1}\n{"id":"x\\u001b[31m\\n","text":"four","score":0}\n'
        printf '{"id":"🇫🇷❤️","text":"five","score":-1}\n'
    } >in
    try -vv --count=words in
    sed -n '2,6p' "$err" >rows
    cat >expected <<'END'
   1      3  in:1  東京                  1    1  kept
   2      2  in:2  👩‍💻                    1    5  kept
   3      1  in:3  é                     1    2  kept
   4      0  in:4  x\x1b[31m\x0a         1    4  kept
   5     -1  in:5  🇫🇷❤\xef\xb8\x8f       1    3  kept
END
    diff expected rows
}

@test "explain: a terminal gets colour and its width, and a file neither" {
    needs python3
    local width
    for width in 40 80 200; do
        env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 TESTS="$TESTS" bash -c "$(declare -f on_terminal); on_terminal $width $EDGEFOLD --no-progress -vv -n 3 -b 1000 in" >screen
        grep -q "$(printf '\033')" screen
        grep -q '█' screen
        [ "$(grep -v '^edgefold: ' screen | sed "s/$(printf '\033')\[[0-9]*m//g" | python3 -c 'import sys; print(max(len(l.rstrip("\n")) for l in open(0, encoding="utf-8")))')" -le "$width" ]
    done
    NO_COLOR=1 TERM=xterm LC_ALL=C on_terminal 80 "$EDGEFOLD" --no-progress -vv in >screen
    ! grep -q "$(printf '\033')" screen || return 1
    grep -q '##' screen
    TERM=dumb on_terminal 80 "$EDGEFOLD" --no-progress -vv in >screen
    ! grep -q "$(printf '\033')" screen || return 1
    TERM=xterm LC_ALL=C.UTF-8 try -vv in
    ! grep -Eq "$(printf '\033')|█" "$err"
}

@test "explain: fused and unranked chunks have their reasons" {
    chunks a:2 b:1 >one
    chunks b:9 >two
    try -vv --fuse=rrf one two
    says ' b .*one:2 |one:2  *b .*taken from two:1'
    printf '[{"index":0,"score":1}]' >answer
    try -vv --rescore=answer one
    says 'one:2  b .*left out by the reranker'
    printf 'oops\n{"id":"a","text":"one","score":1}\n' >bad
    try -vv --skip-invalid bad
    says '^   -      -  bad:1  -  .*not a JSON object$'
}

@test "explain: without chunks, or with none kept, it still speaks" {
    try -vv </dev/null
    expect 0
    says '0 chunks read, 0 kept, 0 dropped'
    try -vv --min-score=5 in
    expect 1
    says '8 chunks read, 0 kept, 8 dropped'
}

@test "explain: without it a clean run prints nothing on standard error" {
    grep -v '"[gh]"' in >fewer && mv fewer in
    try -q why -b 100 -n 3 in
    quiet
    try in
    quiet
}

@test "report: it has every chunk with its evidence, and totals that add up" {
    try --report=r --count=words -b 11 --fit=skip -n 4 --min-score=0.3 -d 0.9 in
    expect 0
    [ "$(json '.chunks[] | [.file,.line,.id,.score,.written,.rank,.position,.tokens,.fate]' r)" = "$(cat <<'END'
["in",1,"a",0.9,"0.90",1,1,5,"kept"]
["in",2,"b",0.8,"0.8",2,null,5,"duplicate"]
["in",4,"c",0.7,"0.7",3,2,5,"kept"]
["in",5,"d",0.6,"0.6",4,null,11,"over-budget"]
["in",6,"e",0.5,"0.5",5,null,2,"over-budget"]
["in",7,"f",0.1,"0.1",6,null,4,"below-min-score"]
["in",8,"g",null,null,7,null,2,"below-min-score"]
["in",9,"h",1,"1",null,null,null,"invalid"]
END
    )" ]
    [ "$(json '.chunks[1] | [.of, .shared, .united, .why]' r)" = \
        '[{"file":"in","line":1,"id":"a"},5,5,"duplicate of line 1, 1.00 (5/5 words)"]' ]
    [ "$(json '.chunks[3] | [.needed, .left]' r)" = '[11,1]' ]
    [ "$(json '.totals' r)" = '{"read":8,"kept":2,"dropped":{"below-min-score":2,"duplicate":1,"beyond-per-group":0,"beyond-top":0,"over-budget":2,"not-reranked":0,"fused":0,"invalid":1},"tokens":10,"neutralised":0,"worst_kept_score":0.7,"best_dropped_score":0.6}' ]
    [ "$(json '.options | {format, layout, edges, lower_is_better, min_score, dedup, similarity,
        shingle, keep_numbers, top, budget, reserve, margin, fit, count, tokens, fuse, rescore, sweep,
        min_chunks, require}' r)" = '{"format":"ndjson","layout":"fold","edges":null,"lower_is_better":false,"min_score":0.3,"dedup":[9,10],"similarity":"jaccard","shingle":1,"keep_numbers":false,"top":4,"budget":11,"reserve":0,"margin":0,"fit":"skip","count":"words","tokens":null,"fuse":null,"rescore":null,"sweep":null,"min_chunks":null,"require":[]}' ]
}

@test "report: it is written whole or not at all, with the permissions of its place" {
    echo old >r
    chmod 640 r
    ln -s r link
    try --report=link in
    expect 0
    [ -L link ]
    [ "$(mode_of r)" = -rw-r----- ]
    jq -e .totals r >/dev/null
    cp r before
    printf 'oops\n' >bad
    try --report=r bad
    expect 3
    jq -e '.error | startswith("bad:1:1: ")' r >/dev/null
    jq -e '.options.format == "ndjson" and (has("chunks") | not)' r >/dev/null
    try --report=r --top=x in
    expect 2
    jq -e .error r >/dev/null
    (umask 027 && edgefold --report=new in >/dev/null)
    [ "$(mode_of new)" = -rw-r----- ]
    [ -z "$(find . -name 'r.*' -o -name 'new.*')" ]
    try --report=/nonexistent/r in
    expect 4
    try --report=/dev/full in
    expect 4
    edgefold --report=/dev/stderr in 2>&1 >/dev/null | grep -v "^edgefold: warning" | jq -e '.totals.read == 8' >/dev/null
}

@test "report: kept and dropped are what was read, and the oracle agrees on every fate" {
    needs python3
    needs_shared
    no_sanitizer "it runs over every real file"
    python3 "$TESTS/reports.py" "$EDGEFOLD" "$SHARED/data"
}

@test "dropped: with the kept lines they are the whole input, in rank order" {
    printf '\nnot json\r\n{"id":"z","text":"caf\351","score":0.95}' >>in
    try --dropped=d -n 2 --skip-invalid in
    expect 0
    cat "$out" d | tr -d '\r' | sort >all
    grep -v '^$' in | tr -d '\r' | sort >expected
    cmp expected all
    [ "$(head -n 2 d | ids)" = "b c" ]
    [ "$(tail -n 1 d)" = 'not json' ]
    try --dropped=d in
    expect 3
    [ "$(tail -n 1 d)" = 'not json' ]
}

@test "annotate: a member more at the end, the rest of the line as it was" {
    printf '{"id":"a","text":"one two","score":2}\r\n{ "id":"b" , "text":"}\\"{" , "score":1 } \t\n' >in
    try --annotate --count=words in
    expect 0
    [ "$(sed -n 1p "$out")" = '{"id":"a","text":"one two","score":2,"edgefold":{"rank":1,"position":1,"tokens":2,"score":2}}' ]
    [ "$(sed -n 2p "$out")" = "$(printf '{ "id":"b" , "text":"}\\"{" , "score":1 ,"edgefold":{"rank":2,"position":2,"tokens":1,"score":1}} \t')" ]
    try --annotate='k"é' in
    jq -e '."k\"é".rank == 1' <"$out" >/dev/null || [ "$(head -n 1 "$out" | jq '."k\"é".rank')" = 1 ]
    sed 's/"edgefold"/"x"/' "$out" >/dev/null
    edgefold --annotate in >twice
    try --annotate twice
    expect 3
    says "twice:1: there is a member 'edgefold' already; --annotate=KEY"
    try --annotate=again twice
    expect 0
    try --annotate -q why in
    expect 2
    try --annotate= in
    expect 2
}

@test "annotate: its position is the number that the prompt has for the chunk" {
    edgefold --annotate -b 40 --margin=0 in | jq -r '"\(.edgefold.position) \(.text)"' >lines
    edgefold -f numbered -n "$(wc -l <lines)" in | sed -n 's/^\[\([0-9]*\)\]$/\1/p;t;/^[^[]/p' | paste -d' ' - - >prompt
    sed '/^$/d' prompt | head -n "$(wc -l <lines)" | cmp - lines
}

@test "require: a missing chunk is a no, with its fate, and the output is still written" {
    try --require=a --require=c in
    expect 0
    try --require=b --require=zz --require=a in
    expect 1
    [ -s "$out" ]
    says "required chunk 'b' is not in the output: in:2: duplicate of line 1, 1.00"
    says "required chunk 'zz' is not in the output: no chunk has this id"
    try --require-edge=a --require-edge=c -n 3 in
    expect 0
    try --require-edge=d -n 3 in
    expect 1
    says "required chunk 'd' is not first or last: at position 2 of 3"
    try --min-chunks=6 in
    expect 0
    try --min-chunks=7 in
    expect 1
    says 'chunks kept: 6, --min-chunks asks for 7'
    try --min-chunks=1 </dev/null
    expect 1
    printf '{"id":7,"text":"x","score":1}\n' | try --require=7
    printf '{"id":"x\\u0079","text":"x","score":1}\n' >in
    try --require=xy in
    expect 0
}

@test "require: what is asked for twice is said once, as --why and pins are" {
    try --require=none --require=none --require-edge=none --require=none --report=r in
    expect 1
    [ "$(grep -c "required chunk 'none'" "$err")" -eq 1 ]
    [ "$(jq -c '[.required[] | .edge]' r)" = '[false,true]' ]
    echo '{"q":1,"id":"a","text":"x","score":1}' >one
    try --each=q --require-edge=none --require=none --require=none one
    expect 1
    [ "$(wc -l <"$err")" -eq 1 ]
    try --pin-first=none --pin-first=none in
    expect 1
    [ "$(grep -c "'none' cannot be pinned" "$err")" -eq 1 ]
    try --each=q --pin-last=none --pin-last=none one
    [ "$(grep -c "'none' cannot be pinned" "$err")" -eq 1 ]
    try --why=a --why=none --why=a --why=none --quiet in
    cp "$err" twice
    try --why=a --why=none --quiet in
    cmp "$err" twice
}

@test "sweep: the chunk stands at every position in turn, the others as laid out" {
    chunks a:4 b:3 c:2 g:1 >in
    try --sweep=g -q why in
    expect 0
    [ "$(jq -r '"\(.id) \(.position) \(.of) " + ([.prompt | scan("[abcg]1")] | join(" "))' "$out")" = "$(cat <<'END'
g 1 4 g1 a1 c1 b1
g 2 4 a1 g1 c1 b1
g 3 4 a1 c1 g1 b1
g 4 4 a1 c1 b1 g1
END
    )" ]
    jq -e 'select(.prompt | endswith("</question>\n") | not)' "$out" && return 1
    edgefold --sweep=g -q why -l rank in | jq -r '[.prompt | scan("[abcg]1")] | join(" ")' | head -n 1 >first
    [ "$(cat first)" = "g1 a1 b1 c1" ]
    edgefold --sweep=a -q why in | jq -rj 'select(.position == 1).prompt' >planted
    edgefold -q why in >plain
    [ "$(grep -c '^<document index' planted)" -eq 4 ]
    edgefold --sweep=b -q why in | jq -rj 'select(.position == 4).prompt' | cmp - plain
}

@test "sweep: the budget holds for every prompt, and all have the same chunks" {
    needs_shared
    local count n
    for count in words chars estimate; do
        for n in 300 900; do
            [ "$count" != chars ] || n=$((n * 6))
            try --sweep="$(jq -r .docid "$SHARED/data/msmarco/dl19-104861.bm25.ndjson" | head -n 1)" \
                -q 'what is it?' --count=$count -b $n -f numbered "$SHARED/data/msmarco/dl19-104861.bm25.ndjson"
            expect 0
            [ "$(jq -r '.prompt | scan("(?m)^\\[[0-9]+\\]$")' "$out" | sort | uniq -c | awk '{ print $1 }' | sort -u | wc -l)" -eq 1 ]
            while read -r line; do
                [ "$(jq -rj .prompt <<<"$line" | edgefold --count-only --count=$count)" -le $n ]
            done <"$out"
            [ "$(wc -l <"$out")" -eq "$(head -n 1 "$out" | jq .of)" ]
        done
    done
}

@test "sweep: a chunk that is not kept has its reason, and a question is needed" {
    try --sweep=b -q why in
    expect 1
    [ ! -s "$out" ]
    says "the chunk 'b' that --sweep names is not kept: duplicate of line 1"
    try --sweep=zz -q why in
    expect 1
    says "no chunk has this id"
    try --sweep=a in
    expect 2
    try --sweep=a -q why -f ndjson in
    expect 2
}

@test "progress: it shows on a terminal after a second of reading, and is erased" {
    needs python3
    [ "$EDGEFOLD_CHECK" != valgrind ] || skip "it starts when all has come in"
    export TERM=xterm
    # A line every tenth of a second, so many or until the terminal has shown something.
    cat >slow <<'END'
for i in $(seq "$1"); do [ ! -s screen ] || break; printf '{"text":"w%s","score":1}\n' $i; sleep 0.1; done | "${@:2}"
END
    on_terminal 80 bash slow 600 "$EDGEFOLD" >screen
    tr '\r' '\n' <screen | grep -q 'edgefold: [0-9]* bytes read, [0-9]* lines, [0-9]* bytes/s$'
    [ "$(tail -c 4 screen | od -An -tx1 | tr -d ' ')" = 0d1b5b4b ]
    on_terminal 80 bash slow 14 "$EDGEFOLD" --no-progress >screen
    [ ! -s screen ]
    bash slow 14 "$EDGEFOLD" 2>screen >/dev/null
    [ ! -s screen ]
    local start=${EPOCHREALTIME/./}
    on_terminal 80 "$EDGEFOLD" -n 1 "$ROOT/tests/sample.ndjson" >screen
    [ $((${EPOCHREALTIME/./} - start)) -ge 1000000 ] || [ ! -s screen ] # on a slow machine it may
}

@test "progress: it needs a terminal that can erase a line" {
    needs python3
    printf 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "{\\"text\\":\\"w$i\\",\\"score\\":1}"; sleep 0.1; done | "$@"' >slow
    TERM=dumb on_terminal 80 bash slow "$EDGEFOLD" >screen
    [ ! -s screen ]
}

@test "report: to standard error or output it goes in order, and replaces nothing" {
    echo old >log
    { echo before; edgefold -vv --report=/dev/stderr in 2>&1 >/dev/null; echo after; } >>log
    [ "$(head -n 2 log)" = "$(printf 'old\nbefore')" ]
    [ "$(tail -n 1 log)" = after ]
    grep -q '^rank ' log
    sed -n '/^{$/,/^}$/p' log | jq -e '.totals.read == 8' >/dev/null
    edgefold --report=/dev/stdout -n 1 in >both
    head -n 1 both | grep -q '"id":"a"'
    sed 1d both | jq -e .totals >/dev/null
    edgefold --dropped=/dev/fd/3 -n 1 in 3>third >/dev/null
    [ -s third ]
    ln -s target dangling
    edgefold --report=dangling in >/dev/null
    [ -L dangling ]
    jq -e .totals target >/dev/null
}

@test "report: no file is written twice, or read and written" {
    try --report=x --dropped=./x in
    expect 2
    ln -s nowhere link
    try --report=link --dropped=nowhere in
    expect 2
    ln -s ./link link2
    try --report=link2 --dropped="$PWD/nowhere" in
    expect 2
    [ ! -e x ]
    [ ! -e nowhere ]
    : >y
    try --report=y --dropped=./y in
    expect 2
    try --report=z --dropped=z in
    expect 2
    try --dropped=./in in
    expect 2
    [ "$(wc -l <in)" -eq 9 ]
    try --report=- in
    expect 2
    try --report=r -n 18446744073709551615 in
    [ "$(jq .options.top r)" != -1 ]
}

@test "report: a device that keeps nothing may be named for everything, a pipe for one thing" {
    [ -c /dev/null ] || skip "no /dev/null"
    try --report=/dev/null --dropped=/dev/null -n 1 in
    expect 0
    try --each=id --report=/dev/null --dropped=/dev/null -n 1 in
    expect 0
    try --report=/dev/null --dropped=/dev/null in /dev/null
    expect 0
    edgefold --report=/dev/fd/8 --dropped=/dev/null in >/dev/null 8>/dev/null
    mkfifo pipe
    try --report=pipe --dropped=pipe in
    expect 2
    says "--report and --dropped are one file"
    try --report=pipe --dropped=./pipe in
    expect 2
    try --report=./pipe in pipe
    expect 2
    says "'./pipe' is read, so it is not written"
}

@test "explain: what is asked for does not write over the output in one file" {
    cp in before
    edgefold --report=earlier in >/dev/null
    local option
    for option in -v --stats --why=a --compare=earlier; do
        status=0
        "$EDGEFOLD" "$option" in >f 2>f || status=$?
        expect 2
        grep -q '^edgefold: what -.* says and standard output would write over each other' f
        status=0
        "$EDGEFOLD" "$option" in >f 2>>f || status=$?
        expect 2
        edgefold "$option" in >o 2>e
        edgefold "$option" in >f 2>&1
        [ "$(sort f)" = "$(sort o e)" ]
        : >f
        edgefold "$option" in >>f 2>>f
        [ "$(sort f)" = "$(sort o e)" ]
        edgefold "$option" in >/dev/null 2>/dev/null
    done
    edgefold in >f 2>f
    edgefold in | cmp - f
    edgefold -v --count-only in >f 2>f
    cmp before in
}

@test "explain: over a budget that the frame alone is over, that is the reason" {
    try -vv -q x -b 10 in
    expect 1
    [ "$(grep -c 'over budget: the prompt is, without any chunk$' "$err")" -eq 6 ]
}

@test "explain: what did not fit needed more than was left" {
    printf '[{{n}}]{{text}}' >ct
    printf '{"id":"a","score":2,"text":"aaaa"}\n{"id":"b","score":1,"text":"bbbb"}\n' >in
    try -q Q --no-instructions -f numbered --chunk-template=ct --count=chars -b 20 -vv in
    says ' a .*over budget: 8 tokens, 7 left$'
    says 'the best takes 8 tokens, 7 are left of --budget 20'
}

@test "explain: to a file nothing is cut, on a terminal a cut is marked" {
    needs python3
    printf '{"id":"550e8400-e29b-41d4-a716-446655440000","text":"one","score":0.30000000000000000000000000000000000000000000000000001}\n' >in
    try -vv in
    says '0.30000000000000000000000000000000000000000000000000001 .* 550e8400-e29b-41d4-a716-446655440000 '
    TERM=xterm LC_ALL=C.UTF-8 on_terminal 70 "$EDGEFOLD" --no-progress -vv in >screen
    grep -q ' kept' screen
    grep -q '~' screen
}

# words_of FILE: its words, on one line, without the styles of a terminal.
words_of() {
    sed "s/$(printf '\033')\[[0-9]*m//g" "$1" | xargs -d '\n' | tr -s ' '
}

# fits WIDTH FILE: no line is wider.
fits() {
    [ "$(sed "s/$(printf '\033')\[[0-9]*m//g" "$2" | LC_ALL=C.UTF-8 awk -v w="$1" '{ gsub(/█/, "#") } length > w' | wc -l)" -eq 0 ]
}

@test "explain: on a narrow terminal totals go on below, and what is cut has a mark" {
    needs python3
    many 200 | sed 's/manual/a-rather-long-folder-name-of-a-manual/' >many
    local width
    try --no-progress -v -n 5 -b 1000 many
    sed -n '/chunks read/,$p' "$err" | words_of - >expected
    for width in 20 33 40 60; do
        NO_COLOR=1 TERM=xterm on_terminal "$width" "$EDGEFOLD" --no-progress -v -n 5 -b 1000 many >screen
        fits "$width" screen
        sed -n '/chunks read/,$p' screen | words_of - | diff expected -
    done
    NO_COLOR=1 TERM=xterm on_terminal 40 "$EDGEFOLD" --no-progress -v -n 5 -b 1000 many >screen
    grep -q '^ *1 .* a-.*~.*-1$' screen
    grep -q '^  10 .* a-.*~.*10  line 9.*~$' screen
    grep -q '^200 chunks read, 5 kept, 195 dropped: 20$' screen
    grep -q '^  duplicate, 175 beyond-top$' screen
    NO_COLOR=1 TERM=xterm on_terminal 40 "$EDGEFOLD" --no-progress -vv -n 5 -b 1000 many >screen
    fits 40 screen
    grep -q '^ *1 .* kept$' screen
    grep -q '^ *10 .* dupl.*~$' screen
}

@test "explain: what would reorder or hide text is escaped" {
    printf '{"id":"a\\u202eb\\u200bc\\ufeff\\u2066","text":"one","score":1}\n' >in
    try -vv in
    says 'a\\xe2\\x80\\xaeb\\xe2\\x80\\x8bc\\xef\\xbb\\xbf\\xe2\\x81\\xa6 '
}

@test "explain: infinite scores have bars" {
    printf '{"id":"a","text":"one","score":Infinity}\n{"id":"b","text":"two","score":-Infinity}\n{"id":"c","text":"three","score":1e308}\n' >in
    try -vv in
    expect 0
    says '^  1     1  ####################   Infinity '
}

@test "require: a line that cannot be used has its id, and its reason" {
    printf '{"id":"q","text":"one","score":"abc"}\n{"id":"r","text":"two","score":1}\n' >in
    try --skip-invalid --require=q --report=r in
    expect 1
    says "required chunk 'q' is not in the output: in:1: the score is no number"
    [ "$(jq -c '.chunks[0] | [.id,.fate,.why]' r)" = '["q","invalid","the score is no number"]' ]
    try --require= in
    expect 2
}

@test "sweep: of several chunks with the id the best is planted" {
    chunks g:0.2 a:1 b:0.9 >in
    printf '{"id":"g","text":"the better one","score":0.5}\n' >>in
    try --sweep=g -q why in
    expect 0
    [ "$(head -n 1 "$out" | jq -r .prompt | sed -n 3p)" = 'the better one' ]
}

@test "sweep: where the order changes the count, all prompts give the same chunk back" {
    printf '{"id":"p","text":"p","score":4}\n{"id":"a","text":"a","s":" ","score":3}\n{"id":"b","text":"b","s":" ","score":2}\n{"id":"c","text":"c","s":" ","score":1}\n' >in
    printf '{{text}}{{/s}}' >ct
    printf '{{context}} {{question}}\n' >t
    set -- --template=t --chunk-template=ct -q Q --count=words -l rank -b 4
    [ "$(edgefold "$@" in)" = 'pa b c  Q' ]
    try --sweep=p "$@" in
    expect 0
    [ "$(jq -r '"\(.of) \(.prompt | gsub("\n"; ""))"' "$out")" = "$(printf '3 pa b  Q\n3 a pb  Q\n3 a b p Q')" ]
}

@test "explain: what --fit=prefix leaves free, the other rules would use" {
    { chunk a 3 "one two"; chunk b 2 "$(seq -s' ' 30)"; chunk c 1 "three four five"; } >in
    try -vv -b 12 --count=words in
    says '^10 tokens of the budget are free: --fit=skip would use 3 of them$'
    try -vv -b 12 --count=words --fit=skip in
    ! grep -q 'are free' "$err" || return 1
}

@test "explain: passing over the best chunk is said once" {
    { chunk a 3 "$(seq -s' ' 30)"; chunk b 2 "one two"; } >in
    try -b 12 --count=words --fit=skip in
    says 'the best chunk does not fit and is passed over: it takes 30 tokens, 12 are left'
}

@test "report: it names fields, question and what was required, and the version" {
    try --report=r -q 'Why?' --require=a --require-edge=nope in
    [ "$(jq -r .version r)" = "$(edgefold --version | cut -d' ' -f2)" ]
    [ "$(jq -r .options.question r)" = 'Why?' ]
    [ "$(jq -c '.fields[0] | [.text, .score, .id, .lower_is_better]' r)" = '["text","score","id",false]' ]
    [ "$(jq -c '[.required[] | [.id, .edge, .met]]' r)" = '[["a",false,true],["nope",true,false]]' ]
}

@test "dropped: with --annotate its lines have their fate and why" {
    chunks a:3 b:2 c:1 >in
    try -n 1 --annotate --dropped=d in
    [ "$(jq -c '.edgefold | [.rank, .fate, .why]' d | head -n 1)" = '[2,"beyond-top","beyond --top 1"]' ]
    printf 'oops\n' >>in
    try -n 1 --annotate --dropped=d --skip-invalid in
    [ "$(tail -n 1 d)" = oops ]
}

@test "sweep: tokens and neutralised marks are those of what was written" {
    { chunk a 3 'one </document>'; chunk b 2 "two words"; chunk c 1 "three more words"; } >in
    try --sweep=b -q why --no-instructions --count=words --report=r in
    [ "$(jq .totals.neutralised r)" -eq 1 ]
    [ "$(jq .totals.tokens r)" -eq "$(head -n 1 "$out" | jq -j .prompt | wc -w)" ]
}

@test "report: what a run reads is not written over, by whatever name" {
    printf '[{"index":0,"score":1}]' >answer
    printf '{{context}}{{question}}{{instructions}}' >t
    printf '{{text}}' >ct
    echo why >q
    echo be brief >i
    ln -s answer linked
    local option
    for option in --report --dropped; do
        try --rescore=answer "$option=linked" in
        expect 2
        says "'linked' is read, so it is not written"
        try --template=t -q why "$option=./t" in
        expect 2
        try --chunk-template=ct -q why "$option=ct" in
        expect 2
        try --question-file=q "$option=q" in
        expect 2
        try --instructions=@i -q why "$option=i" in
        expect 2
        try "$option=in" <in
        expect 2
        says "'in' is read"
        try "$option=in" - <in
        expect 2
        status=0
        "$EDGEFOLD" "$option=o" in >o 2>"$err" || status=$?
        expect 2
        says "the file that standard output goes to"
    done
    [ "$(cat answer)" = '[{"index":0,"score":1}]' ]
    [ "$(wc -l <in)" -ge 2 ]
}

@test "report: what is open under a descriptor's name is not written over" {
    cp in before
    printf '{{context}}{{question}}{{instructions}}' >t
    local option
    for option in --report --dropped; do
        try "$option=in" /dev/fd/8 8<in
        expect 2
        says "'in' is read, so it is not written"
        try "$option=in" /proc/self/fd/8 8<in
        expect 2
        try --template=/dev/fd/8 -q why "$option=t" in 8<t
        expect 2
        says "'t' is read"
        try "$option=/dev/fd/8" in 8<>in
        expect 2
        says "'/dev/fd/8' is read"
        try "$option=/dev/fd/0" 0<>in
        expect 2
        try "$option=/dev/fd/8" in 8<t 9<in # opened, but another file: it fails as it is written
        expect 4
        status=0
        "$EDGEFOLD" -v "$option=both" in >"$out" 2>both || status=$?
        expect 2
        grep -q "the file that standard error goes to" both
    done
    try --report=o --dropped=/dev/fd/8 in 8>o
    expect 2
    says "are one file"
    try --report=/dev/fd/8 --dropped=/dev/fd/8 --top=1 in 8>o
    expect 0
    [ "$(tail -n 1 o)" = "$(tail -n 1 in)" ]
    cmp before in
}

@test "report: two descriptors of one file are refused where one writes over the other" {
    try --report=/dev/fd/8 --dropped=/dev/fd/9 -n 1 in 8>o 9>o
    expect 2
    says "--report and --dropped are one file"
    try --report=/dev/fd/8 --dropped=/dev/fd/9 -n 1 in 8>>o 9>o
    expect 2
    local option
    for option in --report --dropped; do
        status=0
        "$EDGEFOLD" -n 1 "$option=/dev/fd/8" in 8>o >o 2>"$err" || status=$?
        expect 2
        says "the file that standard output goes to"
        status=0
        "$EDGEFOLD" -n 1 "$option=/dev/fd/8" in 8>o 2>o >"$out" || status=$?
        expect 2
        grep -q "the file that standard error goes to" o
        status=0
        "$EDGEFOLD" -n 1 "$option=/dev/stderr" in >o 2>o || status=$?
        expect 2
    done
}

@test "report: descriptors that share an offset, append or are no file are written in turn" {
    edgefold --dropped=w -n 1 in >n
    try --report=/dev/fd/8 --dropped=/dev/fd/9 -n 1 in 8>o 9>&8
    expect 0
    [ "$(sed '1,/^}$/d' o)" = "$(cat w)" ]
    try --report=/dev/fd/8 --dropped=/dev/fd/9 -n 1 in 8>>o 9>>o
    expect 0
    [ "$(grep -c '^}$' o)" -eq 2 ]
    edgefold --report=/dev/fd/8 --dropped=/dev/stdout -n 1 in >o 8>&1
    [ "$(sed '/^{$/,/^}$/d' o)" = "$(cat n w)" ]
    try --report=/dev/fd/8 --dropped=/dev/fd/9 -n 1 in 8>/dev/null 9>/dev/null
    expect 0
    [ "$(edgefold --report=/dev/fd/8 --dropped=/dev/fd/9 -n 1 in 8>&1 9>&1 | sed '/^{$/,/^}$/d')" = \
        "$(cat n w)" ]
}

@test "report: it is written in its place where the folder does not allow more" {
    [ "$(id -u)" -eq 0 ] && ! command -v setpriv >/dev/null && skip "root may write everywhere"
    local name
    name=$(printf 'n%.0s' $(seq 250))
    try --report="$name" in
    expect 0
    jq -e .totals "$name" >/dev/null
    mkdir shut
    echo old >shut/r
    chmod 666 shut/r
    chmod 555 shut
    chmod 755 "$BATS_TEST_TMPDIR" .
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups test -r in || skip "the test folder is root's alone"
        setpriv --reuid=65534 --regid=65534 --clear-groups "$EDGEFOLD" --report=shut/r in >/dev/null
    else
        "$EDGEFOLD" --report=shut/r in >/dev/null
    fi
    chmod 755 shut
    jq -e .totals shut/r >/dev/null
    [ "$(ls shut)" = r ]
    try --report=none/r in
    expect 4
    try --report=in/r in
    expect 4
}

@test "report: a signal leaves nothing beside it" {
    needs python3
    seq 60000 | sed 's/.*/{"id":&,"text":"text number &","score":-&}/' >many
    # A limit on the size of files ends it while it writes.
    status=0
    (trap - XFSZ; ulimit -f 200; exec "$EDGEFOLD" --no-dedup --report=big many >/dev/null 2>&1) || status=$?
    [ "$status" -gt 128 ] || [ "$status" -eq 4 ]
    [ ! -e big ]
    [ -z "$(find . -name 'big.*')" ]
}

@test "report: no signal that ends the program leaves a file half written" {
    needs python3
    [ "$EDGEFOLD_CHECK" = plain ] || skip "the plain build is the one that is watched"
    seq 60000 | sed 's/.*/{"id":&,"text":"text number &","score":-&}/' >many
    mkdir d
    python3 - "$EDGEFOLD" <<'END'
import os, signal, subprocess, sys, time
for name in "INT TERM HUP QUIT PIPE ALRM USR1 USR2 PROF VTALRM SYS".split():
    number = getattr(signal, "SIG" + name)
    run = subprocess.Popen([sys.argv[1], "--no-dedup", "--report=d/r", "many"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while not os.listdir("d") and run.poll() is None and time.monotonic() < until:
        pass
    run.send_signal(number)
    status = run.wait()
    left = [file for file in os.listdir("d") if file != "r"]
    assert not left, (name, status, left)
    assert status in (0, -number), (name, status)
    if "r" in os.listdir("d"):
        os.remove("d/r")
END
}

@test "report: neither it nor the dropped lines are held in memory" {
    no_sanitizer "they need the address space"
    seq 20000 | awk '{ printf "{\"q\":%d,\"id\":%d,\"text\":\"number %d and some words more\",\"score\":-%d}\n", $1 / 100, $1, $1, $1 }' >many
    local each room files
    find_least
    for each in --no-dedup '--each=q --no-dedup'; do
        room=256
        # shellcheck disable=SC2086
        while within $((least + room)) $each -n 1 many && [ "$status" -ne 0 ]; do
            room=$((room + 256))
        done
        for files in '--report=r.json --dropped=d' --report=r.html; do
            [[ $each$files != *each*html ]] || continue
            # shellcheck disable=SC2086
            within $((least + room + 1024)) $each -n 1 $files many
            expect 0
        done
        [ "$(cat d "$out" | wc -l)" -eq 20000 ]
        [ "$(jq -n '[inputs.totals.read] | add' r.json)" -eq 20000 ]
        [ "$(wc -c <r.json)" -gt 3000000 ]
        rm r.json d
    done
}

@test "report: what cannot be written whole for want of memory leaves nothing behind" {
    no_sanitizer "they need the address space"
    {
        seq 3000 | sed 's/.*/{"q":1,"id":&,"text":"text number &","score":-&}/'
        printf '{"q":1,"id":"z","score":-4000,"text":"'; head -c 9000000 /dev/zero | tr '\0' x; echo '"}'
    } >many
    local room option failures=0
    find_least
    for option in --no-dedup '--each=q --no-dedup'; do
        for room in $(seq 10000 3000 85000); do
            echo old >d
            # shellcheck disable=SC2086
            within $((least + room)) $option --annotate -n 1 --dropped=d many
            case $status in
            0) [ "$(wc -l <d)" -eq 3000 ] ;;
            4)
                failures=$((failures + 1))
                says "out of memory"
                [ "$(cat d)" = old ]
                ;;
            esac
            [ -z "$(find . -name 'd.*')" ]
        done
        expect 0 # so much is enough
    done
    [ "$failures" -gt 0 ]
}

@test "report: where it cannot be moved to its place it is copied there" {
    needs mount
    [ "$(id -u)" -eq 0 ] || skip "root alone may mount"
    seq 3000 | sed 's/.*/{"id":&,"q":1,"text":"text number &","score":-&}/' >many
    edgefold --no-dedup -n 9 --dropped=w many >/dev/null
    echo old | tee d >mounted
    mount --bind mounted d 2>/dev/null || skip "nothing can be mounted here"
    status=0
    edgefold --no-dedup -n 9 --dropped=d many >/dev/null || status=1
    cp d one
    edgefold --no-dedup --each=q -n 9 --dropped=d many >/dev/null || status=1
    umount d
    [ "$status" -eq 0 ]
    cmp one w
    cmp mounted w
    [ "$(cat d)" = old ]
    [ -z "$(find . -name 'd.*')" ]
}

@test "explain: an id of any length leaves the other rows as wide as they are" {
    { printf '{"id":"%s","text":"one","score":9}\n' "$(head -c 100000 /dev/zero | tr '\0' x)"; chunks a:2 b:1; } >in
    try -vv --report=r in
    expect 0
    [ "$(awk 'length > 200' "$err" | wc -l)" -eq 0 ]
    [ "$(jq '.chunks[0].id | length' r)" -eq 100000 ]
}

@test "explain: an id of a megabyte takes no time" {
    [ "$EDGEFOLD_CHECK" != valgrind ] || skip "valgrind is slow"
    { printf '{"id":"%s","text":"one","score":9}\n' "$(head -c 100000 /dev/zero | tr '\0' x)"; chunks a:2 b:1; } >in
    local start=$SECONDS
    try -v in
    [ $((SECONDS - start)) -lt 10 ]
    says '^ *1 +1 .*xx~xx'
}

@test "explain: what hides or turns text is shown, in -v and in messages" {
    local hidden
    for hidden in '\u00ad' '\u034f' '\u115f' '\u180e' '\u2800' '\u3164' '\ufe0f' '\ufff9' '\ufffb' '\udb40\udd01' '\u202e'; do
        printf '{"id":"a%sb","text":"one","score":1}\n' "$hidden" >in
        try -vv in
        says '^ *1 .*  a(.x[0-9a-f]{2})+b '
        try --require=zz -vv in
        expect 1
    done
}
