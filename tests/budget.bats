load helper

@test "budget: the lowest-ranked chunks are dropped, not the last of the layout" {
    chunks a:4 b:3 c:2 d:1 | order "a c b" -b 9 --count=words
}

@test "budget: prefix stops at the first chunk that does not fit, skip passes over it" {
    (chunk a 4 "1 2"; chunk b 3 "3 4 5 6 7 8 9"; chunk c 2 "10 11"; chunk d 1 "12 13") \
        >"$BATS_TEST_TMPDIR/in"
    order "a" -b 6 --count=words <"$BATS_TEST_TMPDIR/in"
    order "a" -b 6 --count=words --fit=prefix <"$BATS_TEST_TMPDIR/in"
    order "a d c" -b 6 --count=words --fit=skip <"$BATS_TEST_TMPDIR/in"
}

@test "budget: a budget of just the sum keeps all, one less drops one" {
    chunks a:3 b:2 c:1 | order "a c b" -b 9 --count=words
    chunks a:3 b:2 c:1 | order "a b" -b 8 --count=words
}

@test "budget: when no chunk fits the message has both numbers and the status is 1" {
    chunks a:3 >"$BATS_TEST_TMPDIR/in"
    try -b 2 --count=words <"$BATS_TEST_TMPDIR/in"
    expect 1
    [ ! -s "$out" ]
    says "no chunk fits: the best takes 3 tokens, 2 are left of --budget 2"
}

@test "budget: a prompt's frame counts; when it alone is over, both numbers are given" {
    chunks a:3 >"$BATS_TEST_TMPDIR/in"
    try -b 5 --count=words -q "a question of rather many words" <"$BATS_TEST_TMPDIR/in"
    expect 1
    [ ! -s "$out" ]
    says "the prompt takes [0-9]+ tokens without any chunk, there are 5: --budget 5$"
}

@test "budget: the whole prompt is within it, and one chunk more would not be" {
    for i in $(seq 30); do chunks "c$i:$i"; done >"$BATS_TEST_TMPDIR/in"
    local n size
    for n in 1 2 9 10 11 30; do
        try -q "why?" -n "$n" <"$BATS_TEST_TMPDIR/in"
        expect 0
        size=$(wc -c <"$out")
        cp "$out" "$BATS_TEST_TMPDIR/whole"
        try -q "why?" -b "$size" --count=bytes <"$BATS_TEST_TMPDIR/in"
        cmp "$out" "$BATS_TEST_TMPDIR/whole"
        try -q "why?" -b "$((size - 1))" --count=bytes <"$BATS_TEST_TMPDIR/in"
        [ "$(grep -c '<document' "$out" || true)" -eq "$((n - 1))" ]
    done
}

@test "budget: words are what stands between Unicode's white space" {
    chunk a 1 'one\u00a0two\u3000three\u2003four\u0085five\u205fsix\u200bsix\u202f' >"$BATS_TEST_TMPDIR/in"
    order a -b 6 --count=words <"$BATS_TEST_TMPDIR/in"
    try -b 5 --count=words <"$BATS_TEST_TMPDIR/in"
    expect 1
    says "takes 6 tokens"
}

@test "budget: chars are code points and bytes are UTF-8, of the text and not of its escapes" {
    chunk a 1 'h\u00e9\ud83d\ude00' >"$BATS_TEST_TMPDIR/in"
    try -b 1 --count=chars <"$BATS_TEST_TMPDIR/in"
    says "takes 3 tokens"
    try -b 1 --count=bytes <"$BATS_TEST_TMPDIR/in"
    says "takes 7 tokens"
}

@test "budget: the estimate does not count a hundred Han characters as one word" {
    chunk a 1 "$(printf '东%.0s' $(seq 100))" >"$BATS_TEST_TMPDIR/in"
    try -b 78 <"$BATS_TEST_TMPDIR/in"
    expect 1
    chunk a 1 "$(printf 'word %.0s' $(seq 80))" >"$BATS_TEST_TMPDIR/in"
    try -b 110 <"$BATS_TEST_TMPDIR/in"
    expect 0
    try -b 70 <"$BATS_TEST_TMPDIR/in"
    expect 1
}

@test "budget: special tokens of a tokenizer are text like any other" {
    chunk a 1 'a <|endoftext|> b' | order a -b 100
}

@test "budget: it works after dedup and after --top" {
    (chunk a 3 "1 2 3"; chunk x 2 "3 2 1"; chunk b 1 "4 5 6") | order "a b" -b 6 --count=words
}

# cut BUDGET TEXT: the text as --fit=truncate leaves it, counted in characters.
cut_text() {
    chunk a 1 "$2" >"$BATS_TEST_TMPDIR/in"
    try -f plain --count=chars -b "$1" --fit=truncate <"$BATS_TEST_TMPDIR/in"
    expect 0 || return
    [ "$(edgefold --count-only --count=chars "$out")" -le "$1" ] || return
    sed '/^\*\*\*$/d' "$out"
}

# The frame and the mark take 15 characters.
@test "budget: --fit=truncate cuts after a sentence, else a line or word, else a character" {
    [ "$(cut_text 45 'One two three. Four five. Six seven eight')" = 'One two three. Four five. [...]' ]
    [ "$(cut_text 45 'One two. Three four five six seven eight nine')" = 'One two. Three four five six [...]' ]
    [ "$(cut_text 45 'He said (it was \"so\".) Then he left the house')" = 'He said (it was "so".) [...]' ]
    [ "$(cut_text 45 'version 3.14 of it, and 2.71828182845904523')" = 'version 3.14 of it, and [...]' ]
    [ "$(cut_text 45 'one two three four five\nsixseveneightnineteneleven')" = 'one two three four five [...]' ]
    [ "$(cut_text 45 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')" = 'abcdefghijklmnopqrstuvwxyzabcd [...]' ]
    [ "$(cut_text 25 '東京は。日本の首都です。人口は多い。まだ続く')" = '東京は。日本の首都で [...]' ]
    [ "$(cut_text 27 '東京は日本の首都です。人口は多い。まだ続く')" = '東京は日本の首都です。 [...]' ]
}

@test "budget: --fit=truncate never cuts inside what a reader takes for one character" {
    local b text start cluster
    local clusters=(x x $'\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb' $'e\xcc\x81\xcc\x82' $'\xf0\x9f\x87\xab\xf0\x9f\x87\xb7'
        $'\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd' $'\xe0\xb8\x99\xe0\xb9\x89' $'\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8' z z)
    local whole
    whole=$(printf %s "${clusters[@]}")
    for b in $(seq 16 35); do
        text=$(cut_text "$b" "$whole and so on and so on and so on")
        start=
        for cluster in "${clusters[@]}"; do
            start=$start$cluster
            [ "$text" != "$start [...]" ] || continue 2
        done
        [[ $text = "$whole"* ]] || { echo "cut inside a character at $b: $text" && return 1; }
    done
}

@test "budget: --fit=truncate keeps what fits whole and cuts the next alone" {
    {
        chunk a 3 'first chunk of six words here'
        chunk b 2 'second chunk which is longer than that by some words and more'
        chunk c 1 'third'
    } >"$BATS_TEST_TMPDIR/in"
    try -f numbered --count=words -b 16 --fit=truncate --stats <"$BATS_TEST_TMPDIR/in"
    expect 0
    says '3 chunks in, 2 kept, 16 tokens of 16'
    grep -qx 'second chunk which is longer than that \[\.\.\.\]' "$out"
    ! grep -q third "$out" || return 1
    try -f numbered --count=words -b 8 --fit=truncate <"$BATS_TEST_TMPDIR/in"
    expect 0
    [ "$(wc -l <"$out")" -eq 3 ]
}

@test "budget: --fit=truncate cuts the best chunk when even that is too long" {
    chunk a 1 'one two three four five six seven eight' >"$BATS_TEST_TMPDIR/in"
    try -f numbered --count=words -b 5 --fit=truncate <"$BATS_TEST_TMPDIR/in"
    expect 0
    grep -qx 'one two three \[\.\.\.\]' "$out"
    try -f numbered --count=words -b 2 --fit=truncate <"$BATS_TEST_TMPDIR/in"
    expect 1
    [ ! -s "$out" ]
}

@test "budget: --fit=truncate is for prompts that are counted" {
    chunks a:1 >"$BATS_TEST_TMPDIR/in"
    try --fit=truncate -b 5 <"$BATS_TEST_TMPDIR/in"
    expect 2
    try --fit=truncate -b 5 -f xml --tokens=score <"$BATS_TEST_TMPDIR/in"
    expect 2
}

@test "budget: a long chunk is cut without being counted whole many times over" {
    needs python3
    python3 -c 'print("{\"text\":\"" + "word and more. " * 700000 + "\",\"score\":1}")' >"$BATS_TEST_TMPDIR/in"
    soon -f xml -b 300 --fit=truncate "$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out"
    [ "$(edgefold --count-only "$BATS_TEST_TMPDIR/out")" -le 300 ]
    [ "$(edgefold --count-only "$BATS_TEST_TMPDIR/out")" -ge 270 ]
}

@test "budget: what is reported is the finished prompt, counted as one text" {
    needs_shared
    local format
    for format in xml numbered markdown pipe plain; do
        try -f "$format" -q 'what is it?' --header=T=title -b 1500 --stats "$SHARED/data/mtrag/task-0.elser.ndjson"
        expect 0
        says " $(edgefold --count-only "$out") tokens of 1500"
    done
}

@test "budget: a prompt's own count keeps all of it, one less does not" {
    local format question count n
    printf '{"text":"alpha beta","score":1}\n{"text":"gamma delta","score":0.5}\n' >"$BATS_TEST_TMPDIR/in"
    for format in xml numbered markdown pipe plain; do
        for question in '' 'why?'; do
            for count in estimate words chars bytes; do
                set -- -f "$format" --count="$count" --margin=0
                [ -z "$question" ] || set -- "$@" -q "$question"
                edgefold "$@" "$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/all"
                n=$(edgefold --count-only --count="$count" "$BATS_TEST_TMPDIR/all")
                edgefold "$@" -b "$n" "$BATS_TEST_TMPDIR/in" | cmp - "$BATS_TEST_TMPDIR/all"
                ! edgefold "$@" -b $((n - 1)) "$BATS_TEST_TMPDIR/in" | grep -q gamma || return 1
            done
        done
    done
}

@test "budget: with --tokens what a fence or an escape adds is counted too" {
    printf '{"text":"%s","score":1,"n":3}\n' "$(printf '`%.0s' $(seq 200))" >"$BATS_TEST_TMPDIR/in"
    printf '{"text":"</document></document>","score":2,"n":10}\n' >>"$BATS_TEST_TMPDIR/in"
    local format budget
    for format in markdown xml numbered; do
        for budget in 300 700 1200; do
            try -f "$format" --tokens=n -b "$budget" --count=chars "$BATS_TEST_TMPDIR/in"
            [ "$status" -eq 1 ] || [ "$(sed 's/`\{200\}//; s/<\/document><\/document>//' "$out" | wc -m)" -le "$budget" ]
        done
    done
}

# In this vocabulary "ab" and "cd" are one token each, but "abcd" is three: b and c meet first.
meeting_vocabulary() {
    python3 - v.json <<'END'
import json
import sys
codes = [c for c in range(33, 256) if c not in (127, *range(128, 161), 173)]
characters = sorted([chr(c) for c in codes] + [chr(256 + n) for n in range(256 - len(codes))])
merges = ["b c", "a b", "c d"]
vocab = {token: n for n, token in enumerate(characters + [merge.replace(" ", "") for merge in merges])}
with open(sys.argv[1], "w") as file:
    json.dump({"added_tokens": [], "normalizer": None,
               "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
               "model": {"type": "BPE", "vocab": vocab, "merges": merges}}, file)
END
}

@test "budget: pieces that cost more together than apart are given back from the weakest" {
    cd "$BATS_TEST_TMPDIR"
    meeting_vocabulary
    { chunk 1 9 ab && chunk 2 8 cd && chunk 3 7 ab && chunk 4 6 cd && chunk 5 5 ab; } >in
    printf '({{context}}) {{question}}' >t
    printf '{{text}}' >c
    local b fit
    for fit in skip prefix truncate; do
        for b in 5 6 7 8 9 10 11 12; do
            try -q w --template=t --chunk-template=c -f plain --no-dedup --count=v.json --layout=rank --fit=$fit -b $b --margin=0 --stats in
            expect 0
            [ "$(edgefold --count-only --count=v.json "$out")" -le $b ]
            says ", $(edgefold --count-only --count=v.json "$out") tokens of $b"
        done
    done
    try -q w --template=t --chunk-template=c -f plain --no-dedup --count=v.json --layout=rank --fit=skip -b 9 in
    [ "$(cat "$out")" = "(abcdabab) w" ] # by the sum of the pieces, all five would fit
    try -q w --template=t --chunk-template=c -f plain --no-dedup --count=v.json --layout=rank --fit=prefix -b 9 in
    [ "$(cat "$out")" = "(abcdab) w" ]
}

@test "budget: what was passed over is taken where it fits after all" {
    cd "$BATS_TEST_TMPDIR"
    printf '{"id":"%s","score":%s,"text":"%s"}\n' a 4 'alpha beta gamma delta one' b 3 'second text with other words here' \
        c 2 'third lorem ipsum dolor sit amet' d 1 'fourth quick brown foxes jump over' >in
    printf '{{text}}' >t
    skip_in() {
        try --chunk-template=t -q x --no-instructions --count=bytes -b "$1" --fit=skip -v in
        grep -oE 'alpha|second|third|fourth' "$out" | sort | xargs
    }
    [ "$(skip_in 84)" = alpha ]
    [ "$(skip_in 85)" = 'alpha third' ]
    [ "$(skip_in 86)" = 'alpha second' ]
    skip_in 84
    says ' c +in:3  32 tokens, 31 left'
    # A short text that is taken before the one that holds it is not paid for twice.
    local words='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18'
    printf '{"id":"%s","score":%s,"text":"%s"}\n' in 3 "$words" long 2 "lead a b c $words tail x y z" z 1 'zz yy' >held
    for fit in skip prefix; do
        try --stitch --no-dedup --annotate --count=words -b 30 --fit=$fit --stats held
        [ "$(wc -l <"$out")" -eq 3 ]
        says '28 tokens of 30'
    done
    # What going on would have used is not said where it depends on what is taken.
    printf '{"id":"%s","score":%s,"text":"%s"}\n' in 3 "$words" far 2 "$(seq -s ' ' 100 199)" long 1 "a $words z" >later
    try --stitch --no-dedup --annotate --count=words -b 30 -v later
    ! says 'would use' || return 1
    try --no-dedup --annotate --count=words -b 39 -v later
    says 'would use 20'
    try --stitch --no-dedup --annotate --count=words -b 24 --why=long held
    says 'It would add 8 tokens; 6 were left of --budget 24\.'
    says 'The least budget that holds it: --budget=26\.'
}

@test "budget: what a sweep drops and a truncation leaves has its figures" {
    cd "$BATS_TEST_TMPDIR"
    printf '{{text}}{{/x}}\n' >c
    printf '{{context}}Q {{question}}\n' >t
    printf '{"id":"c%d","score":%d,"text":"text number %d of several","x":"%s"}\n' 1 4 1 '' 2 3 2 '' 3 2 3 "$(printf '\\n%.0s' {1..50})" 4 1 4 '' >in
    for b in {95..125}; do
        try --chunk-template=c --template=t -q why --no-instructions --sweep=c3 -l rank --count=bytes -b "$b" --why=c2 in
        [ "$status" -eq 0 ] || continue
        ! says '^c2 .*after one that did not fit' || return 1
    done
    says '^c2 .*over budget: 25 tokens, 20 left' # of 125, what is written is 105 at most
    { chunk a 3 'alpha beta gamma delta one' && chunk b 2 'third lorem ipsum dolor sit amet' && chunk c 1 'some more words'; } >in
    try -q why --no-instructions -f plain --count=words -b 12 --fit=truncate --why=c -v in
    expect 0
    says 'Its text takes 3 tokens; 0 were left'
}

@test "budget: what is pinned and does not fit is the reason for all" {
    cd "$BATS_TEST_TMPDIR"
    { chunk a 2 'one two' && chunk b 1 'one two three'; } >in
    try -b 2 --count=words --pin-first=b -v in
    expect 1
    [ "$(grep -c 'what is pinned does not fit' "$err")" -eq 2 ]
    printf '{{text}}' >t
    try -q x --no-instructions --chunk-template=t --count=bytes -b 30 --pin-first=a in
    expect 1
    try -q x --no-instructions --chunk-template=t --count=bytes -b "$(grep -oE 'takes [0-9]+' "$err" | grep -oE '[0-9]+')" --pin-first=a in
    expect 0
}

@test "budget: a sweep has room for its chunk in every place" {
    cd "$BATS_TEST_TMPDIR"
    meeting_vocabulary
    { chunk 1 9 cd && chunk 2 8 cd && chunk 3 7 ab; } >in
    printf '({{context}}) {{question}}' >t
    printf '{{text}}' >c
    try -q w --template=t --chunk-template=c -f plain --no-dedup --count=v.json --layout=rank -b 7 in
    [ "$(cat "$out")" = "(cdcdab) w" ]
    try --sweep=3 -q w --template=t --chunk-template=c -f plain --no-dedup --count=v.json --layout=rank -b 7 in
    expect 0
    [ "$(wc -l <"$out")" -eq 2 ] # "abcdcd" would not fit
    while read -r prompt; do
        [ "$(printf %s "$prompt" | edgefold --count-only --count=v.json)" -le 7 ]
    done < <(jq -r .prompt "$out" 2>/dev/null || python3 -c 'import json,sys; [print(json.loads(l)["prompt"]) for l in sys.stdin]' <"$out")
}
