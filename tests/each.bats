load helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat >in <<'END'
{"qid":"q1","question":"Why?","id":"a","text":"alpha","score":0.9}
{"qid":"q1","question":"Why?","id":"b","text":"beta","score":0.4}
{"qid":"q2","question":"How?","id":"c","text":"gamma","score":0.1}
END
}

@test "each: every group is a selection of its own" {
    try --each=qid -n 1 in
    expect 0
    quiet
    [ "$(jq -r .id "$out" | xargs)" = 'a c' ]
    try --each=qid --question-field=question -n 1 in
    [ "$(jq -c '[.group,.question,.ids]' "$out" | xargs)" = '[q1,Why?,[a]] [q2,How?,[c]]' ]
    [ "$(jq -r 'select(.group == "q2").prompt' "$out")" = "$(sed -n 3p in | edgefold -q 'How?')" ]
    try --each=qid -q 'Why?' --count=words -f plain in
    [ "$(jq -r .tokens "$out" | head -1)" -eq "$(jq -j .prompt "$out" | head -c "$(jq -j 'select(.group == "q1").prompt' "$out" | wc -c)" | wc -w)" ]
}

@test "each: it is as one run of the program for each group" {
    python3 "$TESTS/each_differential.py" "$EDGEFOLD" "$RANDOM" 60
}

@test "each: where nothing is left of a group, its prompt is null and says why" {
    try --each=qid -q 'Why?' --min-score=0.3 in
    expect 0
    [ "$(jq -c 'select(.prompt == null)' "$out")" = \
        '{"group":"q2","question":"Why?","ids":[],"tokens":0,"prompt":null,"why":"1 below-min-score; the best: score 0.1 is below 0.3"}' ]
    says 'groups of which no chunk is left: 1 of 2'
    try --each=qid --min-score=2 in
    expect 1
    says 'of none of the 2 groups is a chunk left'
    try --each=qid </dev/null
    expect 0
}

@test "each: a group's output is there as soon as the group is" {
    mkfifo pipe
    edgefold --each=qid <pipe >out &
    exec 7>pipe
    sed -n 1,2p in >&7
    sleep 0.3
    [ ! -s out ]
    sed -n 3p in >&7
    for _ in $(seq 50); do [ -s out ] && break || sleep 0.1; done
    [ "$(jq -r .id out | xargs)" = 'a b' ]
    exec 7>&-
    wait
    [ "$(jq -r .id out | xargs)" = 'a b c' ]
}

@test "each: memory is that of the largest group" {
    no_sanitizer "they need the address space"
    seq 200000 | awk '{ printf "{\"qid\":%d,\"text\":\"%0200d\",\"score\":%d}\n", $1 / 100, $1, $1 }' >many
    find_least
    within $((least + 12000)) --each=qid -n 3 many
    expect 0
    [ "$(wc -l <"$out")" -eq $((2001 * 3 - 2)) ]
}

@test "each: many files cost no more where there are many groups" {
    seq 40000 | sed 's/.*/{"q":&,"text":"a","score":1}/' >many
    # shellcheck disable=SC2046
    soon --each=q --lower-is-better -f xml many $(yes /dev/null | head -8000) >"$out"
    [ "$(wc -l <"$out")" -eq 40000 ]
    try --each=qid --lower-is-better --report=r /dev/null in
    [ "$(jq -c '[.fields[] | .file, .text, .score, .id, .lower_is_better]' r | sort -u)" = \
        '["/dev/null","text","score","id",true,"in","text","score","id",true]' ]
}

@test "each: after an error the groups before it stand, and nothing of its own" {
    { cat in && echo '{"qid":"q2","text":"d","score":"x"}'; } >bad
    try --each=qid bad
    expect 3
    [ "$(jq -r .id "$out" | xargs)" = 'a b' ]
    says "^edgefold: bad:4: the score at 'score' is \"x\""
    { cat in && echo '{"qid":"q3","text":"d","score":"x"}'; } >bad
    try --each=qid bad
    expect 3
    [ "$(jq -r .id "$out" | xargs)" = 'a b c' ]
    [ "$(grep -c bad:4 "$err")" -eq 1 ]
    try --each=qid --skip-invalid bad
    expect 0
    [ "$(jq -r .id "$out" | xargs)" = 'a b c' ]
    { cat in && printf '{"qid":"q2","te'; } | { try --each=qid; }
    [ "$(jq -r .id "$out" | xargs)" = 'a b' ]
}

@test "each: a query whose lines are all passed over is a group of which nothing is left" {
    printf '%s\n' '{"q":1,"w":"A?","text":"a","score":1}' '{"q":2,"w":"B?","text":true}' \
        '{"q":3,"w":"C?","text":"c","score":1}' '{"q":4,"text":7}' broken >bad
    try --each=q --skip-invalid --question-field=w --dropped=d --report=r --stats bad
    expect 0
    [ "$(jq -c '[.group, .question, .why]' "$out" | xargs -d '\n')" = \
        '["1","A?",null] ["2","B?","1 invalid"] ["3","C?",null] ["4",null,"2 invalid"]' ]
    [ "$(cat d)" = "$(sed -n '2p; 4p; 5p' bad)" ]
    [ "$(jq -c '[.group, .totals.read, .totals.kept]' r | xargs)" = '[1,1,1] [2,1,0] [3,1,1] [4,2,0]' ]
    says '^edgefold: 5 chunks in 4 groups, 2 kept'
    says 'groups of which no chunk is left: 2 of 4'
}

@test "each: an input of lines that are all passed over has nothing left" {
    printf 'x\ny\n' >bad
    try --each=q --skip-invalid --dropped=d --stats bad
    expect 1
    cmp d bad
    says '^edgefold: no chunk is left of 2: 2 invalid$'
    says '^edgefold: 2 chunks in 0 groups, 0 kept'
    try --each=q --skip-invalid --items=. --dropped=d <<<'[1,{"q":2,"text":3}]'
    expect 1
    says 'of none of the 1 groups is a chunk left'
}

@test "each: a line that is passed over asks nothing of the usable ones" {
    printf '%s\n' '{"q":1,"w":"A?","text":true}' '{"q":1,"w":"B?","text":"b","score":1}' \
        '{"q":1,"w":"C?","text":3}' '{"q":1,"w":4,"text":3}' '{"q":2,"w":"D?","text":"d","score":1}' \
        '{"q":1,"text":"x","score":"x"}' '{"q":2,"w":"D?","text":"e","score":0.5}' >bad
    try --each=q --skip-invalid --question-field=w bad
    expect 0
    [ "$(jq -c '[.group, .question]' "$out" | xargs)" = '[1,B?] [2,D?]' ]
}

@test "each: what is passed over is reported once for each kind, and counted once" {
    printf '%s\n' '{"q":1,"text":"a","score":1}' '{"q":2,"text":true,"score":1}' '{"text":"b"}' \
        '{"text":"c","score":2}' '{"q":3,"text":4}' '{"q":3,"text":"d","score":1}' >bad
    try --each=q --skip-invalid bad
    expect 0
    [ "$(grep -c '^edgefold: bad:' "$err")" -eq 2 ]
    says '^edgefold: bad:2: the text'
    says "^edgefold: bad:3: no string or number at 'q'"
    says 'lines passed over, no text: 2, the first at bad:2$'
    says 'lines passed over, no value that --each names: 2, the first at bad:3$'
    ! says 'without a score' || return 1
    try --quiet --each=q --skip-invalid bad
    quiet
}

@test "each: a question that lacks is said of the group that lacks it" {
    printf '{"q":%s,"text":"a","score":1}\n' 1 1 2 >bad
    try --each=q --question-field=w bad
    expect 3
    says "^edgefold: bad:2: no question at 'w' in the group '1'"
    printf '{"q":1,"text":"a","score":1,"w":"%s"}\n' '' ' \n' >bad
    try --each=q --question-field=w bad
    expect 3
    says "^edgefold: bad:2: no question at 'w'"
    echo '{"q":1,"text":"a","score":1,"w":"Why?"}' | cat bad - | { try --each=q --question-field=w && expect 0; }
    [ "$(jq -r .question "$out")" = 'Why?' ]
    printf '{"q":%s,"text":"a","score":1}\n' 1 1 2 >bad
    jq -s . bad >doc
    try --each=q --question-field=w --items=. doc
    says "^edgefold: doc:\.\[1\]:7: no question at 'w' in the group '1'"
    name=$(printf 'x%.0s' $(seq 59))
    printf '{"q":"%s\303\244","text":"a"}\n' "$name" | { try --each=q --question-field=w && expect 3; }
    says "in the group '$name'$"
}

@test "each: after an error the files tell of the groups before it, and of the error" {
    printf '%s\n' '{"q":1,"text":"a","score":2}' '{"q":1,"text":"a","score":1}' \
        '{"q":2,"text":"c","score":1}' broken >bad
    echo old | tee r >d
    try --each=q --report=r --dropped=d bad
    expect 3
    [ "$(jq -r .text "$out")" = a ]
    [ "$(cat d)" = "$(sed -n 2p bad)" ]
    [ "$(jq -c '[.group, .totals.kept, (.error | if . then .[:8] else . end), has("chunks")]' r | xargs -d '\n')" = \
        '["1",1,null,true] ["2",null,"bad:4:1:",false]' ]
    echo broken | { try --each=q --report=r --dropped=d && expect 3; }
    [ "$(jq -c '[.group, .error[:12]]' r)" = '[null,"<stdin>:1:1:"]' ]
    [ ! -s d ]
    printf '{"q":1,"text":"a","score":1,"o":1}\n{"q":1,"text":"b","score":1,"o":"x"}\n' >bad
    try --each=q --order=o --report=r bad
    expect 3
    [ "$(jq -c '[.group, (.error | length > 0)]' r)" = '["1",true]' ]
}

@test "each: after a file that cannot be read the files tell of the groups before it" {
    printf '%s\n' '{"q":1,"text":"a","score":2}' '{"q":1,"text":"a","score":1}' \
        '{"q":2,"text":"c","score":1}' >one
    mkdir folder
    local unread
    for unread in none folder; do
        echo old | tee r >d
        try --each=q --report=r --dropped=d one "$unread"
        expect 4
        [ "$(jq -r .text "$out")" = a ]
        [ "$(cat d)" = "$(sed -n 2p one)" ]
        [ "$(jq -c '[.group, .totals.kept, (.error // "-" | split(":")[0])]' r | xargs -d '\n')" = \
            "[\"1\",1,\"-\"] [\"2\",null,\"$unread\"]" ]
        [ "$(grep -c "^edgefold: $unread: " "$err")" -eq 1 ]
        echo old | tee r >d
        try --each=q --report=r --dropped=d "$unread" one
        expect 4
        [ "$(cat r d)" = "$(printf 'old\nold')" ]
    done
}

@test "each: files are not to be seen, nor standard output gone on with, before all groups are through" {
    seq 3000 | awk '{ printf "{\"q\":%d,\"id\":%d,\"text\":\"text number %d\",\"score\":1}\n", ($1 - 1) / 10, $1, $1 }' >many
    edgefold --each=q -n 1 --no-dedup --report=r --dropped=d many >kept
    edgefold --each=q -n 1 --no-dedup --report=/dev/stdout --dropped=/dev/fd/8 many >all 8>&1
    head -n 300 all | cmp - kept
    [ "$(sed '1,300d; 601,$d' all | jq -c .totals)" = "$(jq -c .totals r)" ]
    sed 1,600d all | cmp - d
    # Behind a file that cannot be read, or a standard output that cannot be written.
    echo old | tee r >d
    try --each=q -n 1 --no-dedup --report=/dev/fd/8 --dropped=/dev/stdout many none 8>third
    expect 4
    [ "$(jq -n '[inputs] | length' third)" -eq 300 ]
    [ -c /dev/full ] || skip "no /dev/full"
    status=0
    edgefold --each=q -n 1 --no-dedup --report=r --dropped=d many 2>"$err" >/dev/full || status=$?
    expect 4
    [ "$(cat r d)" = "$(printf 'old\nold')" ]
    [ -z "$(find . -name '[rd].*')" ]
}

@test "each: with standard error closed no message gets into a file" {
    seq 3000 | awk '{ printf "{\"q\":%d,\"id\":%d,\"text\":\"text number %d\",\"score\":1}\n", ($1 - 1) / 10, $1, $1 }' >many
    try --each=q -n 1 --report=r --dropped=d --require=7 many
    expect 1
    cp r r1
    cp d d1
    status=0
    "$EDGEFOLD" --each=q -n 1 --report=r --dropped=d --require=7 many >"$out" 2>&- <&- || status=$?
    expect 1
    cmp r r1
    cmp d d1
}

@test "each: a value that comes back is refused with both places" {
    { cat in && sed -n 1p in; } >bad
    try --each=qid bad
    expect 3
    says "^edgefold: bad:4: 'q1' at 'qid' comes back, but was left behind at bad:2: sort by it first"
    printf '{"qid":%s,"text":"a","score":1}\n' 7 '"7"' 7.0 8 >in
    try --each=qid in
    expect 0
    try --each=qid -f xml in
    [ "$(jq -r .group "$out" | xargs)" = '7 8' ]
}

@test "each: a group without its value or question is told, and passed over if that is asked" {
    printf '{"qid":%s,"text":"a","score":1}\n' null '[1]' '{}' true '"x"' >bad
    try --each=qid bad
    expect 3
    says "bad:1: no string or number at 'qid', which --each names"
    try --each=qid --skip-invalid bad
    expect 0
    [ "$(wc -l <"$out")" -eq 1 ]
    says 'lines passed over, no value that --each names: 4, the first at bad:1'
    sed 's/How/What/' in | sed -n 3p | sed 's/q2/q1/' | cat in - | sed -n '1,2p;4p' >bad
    try --each=qid --question-field=question bad
    expect 3
    says "bad:3: another question at 'question' than before in the group 'q1'"
    try --each=qid --question-field=missing in
    expect 3
    says "no question at 'missing' in the group 'q1'"
}

@test "each: what is asked of a group is asked of all" {
    try --each=qid --min-chunks=2 in
    expect 1
    says "group 'q2': chunks kept: 1, --min-chunks asks for 2"
    try --each=qid --require=a in
    expect 1
    [ "$(cat "$err")" = "edgefold: required chunk 'a' is not in the output of 1 of the 2 groups, the first 'q2': no chunk there has this id" ]
    try --each=qid -v --stats in
    says '^group q1$'
    says '^edgefold: 3 chunks in 2 groups, 3 kept, [0-9]+ tokens, counted by estimate$'
    try --each=qid -n 1 --report=r --dropped=d in
    [ "$(jq -c '[.group, .totals.kept, .totals.read]' r | xargs)" = '[q1,1,2] [q2,1,1]' ]
    [ "$(jq -r .id d)" = b ]
}

@test "each: a sweep moves the chunk that the data say is right" {
    sed 's/"id":"b"/"isgold":true,&/; s/"id":"c"/"isgold":true,&/' in >gold
    try --each=qid --sweep-if=isgold --question-field=question gold
    expect 0
    [ "$(jq -c '[.group,.id,.position,.of]' "$out" | xargs)" = '[q1,b,1,2] [q1,b,2,2] [q2,c,1,1]' ]
    try --each=qid --sweep-if=isgold -q x in
    expect 1
    says "group 'q1': the chunk 'isgold' that --sweep-if names is not kept: no chunk has true there"
}

@test "each: elements of a document are grouped as lines are" {
    printf '{"took":NaN,"a":{"r":[%s]}}' "$(paste -sd, in)" >doc
    try --each=qid --items=a.r -n 1 doc
    expect 0
    quiet
    [ "$(jq -r .id "$out" | xargs)" = 'a c' ]
    try --each=qid --items=a.r --question-field=question -v --report=r doc
    [ "$(jq -c '[.group,.question,.ids]' "$out" | xargs)" = '[q1,Why?,[a,b]] [q2,How?,[c]]' ]
    says ' c +doc:a\.r\[2\]$'
    [ "$(jq -c '[.chunks[] | .file, .line]' r | xargs)" = '[doc:a.r,1,doc:a.r,2] [doc:a.r,3]' ]
}

@test "each: a group may go on in the next document, and come back in none" {
    jq -sc '[.[0]]' in >one
    jq -s '.[1:]' in >two
    order 'a b c' --each=qid --items=. one two
    order 'a c' --each=qid --items=. -n 1 one /dev/null two
    try --each=qid --items=. one two one
    expect 3
    says "^edgefold: one:\.\[0\]:1: 'q1' at 'qid' comes back, but was left behind at two:\.\[0\]: sort by it first, as jq 'sort_by\(\.qid\)' does$"
    [ "$(jq -r .id "$out" | xargs)" = 'a b c' ]
    jq -sc '{"x y": {"r": (. + [.[0]])}}' in >bad
    try --each=qid --items='x y.r' bad
    says "bad:x y\.r\[3\]:1: .* left behind at bad:x y\.r\[1\]: "
    local filter
    filter=$(sed "s/.* as jq '\(.*\)' does/\1/" "$err")
    jq "$filter" bad | order 'a b a c' --each=qid --items='x y.r' --no-dedup -l input
    jq -sc '. + [{qid: "q2"}]' in >bad
    try --each=qid --items=. bad
    expect 3
    [ "$(jq -r .id "$out" | xargs)" = 'a b' ]
    try --each=qid --items=. --skip-invalid bad
    expect 0
    [ "$(jq -r .id "$out" | xargs)" = 'a b c' ]
    printf '[]{' | { try --each=qid --items=. && expect 3; }
}

@test "each: what it does not go with is refused" {
    local options
    for options in '--fuse=rrf' '--rescore=x' '--count-only' '-q x --question-field=y'; do
        # shellcheck disable=SC2086
        try --each=qid $options in
        expect 2
    done
    try --question-field=question in
    expect 2
    try --sweep=a --sweep-if=x -q why in
    expect 2
}

@test "each: GNU parallel hands on whole groups" {
    command -v parallel >/dev/null || skip "GNU parallel is not installed"
    seq 3000 | awk '{ printf "{\"qid\":\"q%d\",\"text\":\"%s\",\"score\":%d}\n", $1 / 20, $1, $1 % 7 }' >many
    edgefold --each=qid -n 3 many | sort >one
    parallel --will-cite --pipe --group-by '$_ = (/"qid":("[^"]*")/)[0]' --block 2k -j 3 \
        "$EDGEFOLD" --each=qid -n 3 <many 2>/dev/null | sort >several
    cmp one several
}

# engine NAME MODULE...: runs the test of an engine, where its modules are installed.
engine() {
    local name=$1 python module
    shift
    for python in "${EDGEFOLD_PEERS:-$EDGEFOLD_BUILD/peers}/venv/bin/python" python3; do
        for module in "$@"; do
            "$python" -c "import $module" 2>/dev/null || continue 2
        done
        PYSPARK_PYTHON=$python run "$python" "$TESTS/engines/$name.py" "$EDGEFOLD"
        echo "${output: -2000}"
        [ "$status" -eq 0 ]
        return
    done
    skip "not installed: $*"
}

@test "each: Apache Spark pipes partitions of whole groups" {
    command -v java >/dev/null || skip "java is not installed"
    [ "$EDGEFOLD_CHECK" = plain ] || skip "slow, and the same program"
    engine spark pyspark
}

@test "each: DuckDB joins what goes in, and what comes out is a run again" {
    engine duckdb_run duckdb ir_measures
}

@test "each: a pin holds in the groups that have it, and what none has is said once" {
    cd "$BATS_TEST_TMPDIR"
    local group id
    for group in 1 2 3; do
        for id in a b 7; do
            printf '{"q":%d,"id":"%s","text":"%s in %d","score":%d}\n' $group "$id" "text $id" $group $((${#id} + group))
        done
    done | sed -e '/"q":2,"id":"b"/d' -e '/"q":3/s/"id":"7"/"id":7.0/' >in
    try --each=q --no-dedup --pin-first=b --pin-first=7 -n 1 in
    expect 0
    [ ! -s "$err" ]
    [ "$(jq -r '"\(.q)\(.id | tostring | rtrimstr(".0"))"' "$out" | paste -sd' ')" = '1b 17 1a 27 2a 3b 37 3a' ]
    try --each=q --no-dedup --pin-first=b --pin-last=nothing --pin-last=q in
    expect 1
    [ "$(cat "$err")" = "edgefold: the chunk 'nothing' cannot be pinned: no chunk of the 3 groups has this id
edgefold: the chunk 'q' cannot be pinned: no chunk of the 3 groups has this id" ]
    [ "$(wc -l <"$out")" -eq 8 ]
    printf '{"q":4,"id":"b","text":"","score":1}\n{"q":4,"id":"a","text":"x","score":1}\n' >>in
    try --each=q --no-dedup --pin-first=b in
    expect 1
    says "group '4': the chunk 'b' cannot be pinned: in:9: "
    try --each=q --pin-first=b </dev/null
    expect 0
}

@test "each: many pins and many groups take the time of both, not of one for each of the other" {
    cd "$BATS_TEST_TMPDIR"
    seq 4000 | awk '{ printf "{\"q\":%d,\"id\":\"p%d\",\"text\":\"text %d\",\"score\":1}\n", $1 / 2, $1, $1 }' >in
    local pins
    mapfile -t pins < <(seq -f '--pin-first=p%.0f' 1 2 4000)
    soon --each=q --quiet "${pins[@]}" in >kept 2>said
    [ "$(wc -l <kept)" -eq 4000 ]
    [ ! -s said ]
}

@test "each: a required id is said once for all groups without it, and of each that drops it" {
    cd "$BATS_TEST_TMPDIR"
    local group id
    for group in 1 2 3; do
        for id in a b 7; do
            printf '{"q":%d,"id":"%s","text":"%s in %d","score":%d}\n' $group "$id" "text $id" $group $((${#id} + group))
        done
    done | sed -e '/"q":2,"id":"b"/d' -e '/"q":3/{s/"id":"7"/"id":7.0/;s/"id":"b"/"id":"c"/;}' >in
    try --each=q --no-dedup --require=7 --require-edge=a in
    expect 0
    [ ! -s "$err" ]
    try --each=q --no-dedup -n 1 --require=nothing --require=7 --require=a --require=b --require-edge=none in
    expect 1
    [ "$(jq -r .q "$out" | xargs)" = '1 2 3' ]
    [ "$(cat "$err")" = "edgefold: group '1': required chunk '7' is not in the output: in:3: beyond --top 1
edgefold: group '1': required chunk 'b' is not in the output: in:2: beyond --top 1
edgefold: group '2': required chunk '7' is not in the output: in:5: beyond --top 1
edgefold: group '3': required chunk '7' is not in the output: in:8: beyond --top 1
edgefold: required chunk 'nothing' is not in the output: no chunk of the 3 groups has this id
edgefold: required chunk 'b' is not in the output of 2 of the 3 groups, the first '2': no chunk there has this id
edgefold: required chunk 'none' is not in the output: no chunk of the 3 groups has this id" ]
    try --each=q --require=b </dev/null
    expect 0
    jq -c 'del(.id)' in >bare
    try --each=q --require=b bare
    expect 1
    [ "$(grep -v warning "$err")" = "edgefold: required chunk 'b' is not in the output: no chunk of the 3 groups has an id; --id names the field" ]
}

@test "each: many required ids and many groups take the time of both, not of one for each of the other" {
    cd "$BATS_TEST_TMPDIR"
    seq 4000 | awk '{ printf "{\"q\":%d,\"id\":\"p%d\",\"text\":\"text %d\",\"score\":1}\n", $1 / 2, $1, $1 }' >in
    local ids status=0
    mapfile -t ids < <(seq -f '--require=p%.0f' 1 2 4000)
    soon --each=q "${ids[@]}" in >kept 2>said || status=$?
    [ "$status" -eq 1 ]
    [ "$(wc -l <kept)" -eq 4000 ]
    [ "$(wc -l <said)" -eq 2000 ]
}
