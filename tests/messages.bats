load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    chunks a:3 b:null c:1 >in
    export TERM=xterm
}

# What the terminal is sent, and not by a file.
on_terminal() {
    needs python3
    python3 "$TESTS/terminal.py" "$@" >screen
}

red=$'\e[31m' yellow=$'\e[33m' plain=$'\e[0m'

@test "quiet: it silences warnings, and changes nothing else" {
    try in
    says 'warning: chunks without a score'
    cp out loud
    try --quiet in
    expect 0
    quiet
    cmp out loud
    echo '{"text":"","score":1}' >>in
    try --quiet in
    expect 0
    quiet
    echo '{"text":"","score":1}' | { try --quiet -q why; expect 1; says '^edgefold: no chunk is left of 1'; }
}

@test "quiet: errors and what is asked for are printed all the same" {
    try --quiet -v in
    says '^pos  rank  score'
    says '^text at text'
    run ! grep -q warning "$err"
    try --quiet --stats in
    [ "$(wc -l <"$err")" -eq 1 ]
    try --quiet nosuch
    expect 4
    says '^edgefold: nosuch: cannot open'
    echo '{' | { try --quiet; expect 3; says '^edgefold: <stdin>:1:'; }
    try --quiet --frobnicate
    expect 2
    says 'unknown option'
    try --quiet --require=zz in
    expect 1
    says 'zz'
}

@test "quiet: lines that --skip-invalid passes over are not told of, but are in the report" {
    needs jq
    printf '{"g":1,"text":"a","score":1}\nlog\n{"g":1,"text":"b","score":2}\nlog\n' >lines
    try --skip-invalid lines
    says '^edgefold: lines:2:'
    try --quiet --skip-invalid --report=r lines
    expect 0
    quiet
    [ "$(jq -c '[.chunks[] | select(.fate == "invalid").line]' r)" = '[2,4]' ]
    printf '{"text":"no g","score":1}\n' >>lines
    try --skip-invalid --each=g lines
    says 'lines:5: no string or number'
    try --quiet --skip-invalid --each=g lines
    expect 0
    quiet
}

@test "report: it has the warnings, whether they are printed or not" {
    needs jq
    printf '{"text":"","score":1}\n' >>in
    local option
    for option in --quiet --stats; do
        try "$option" --report=r in
        [ "$(jq -c .warnings r)" = '["chunks left out because their text is empty or null: 1","chunks without a score, which rank last: 1 of 3"]' ]
    done
    try --report=r <<<'{"text":"a","score":1}'
    [ "$(jq -c .warnings r)" = '[]' ]
    echo 'log' >>in
    try --quiet --report=r in
    expect 3
    [ "$(jq -c '.warnings, (.error | startswith("in:5:"))' r | paste -sd' ' -)" = '[] true' ]
}

@test "report: with --each each group has the warnings of its own" {
    needs jq
    printf '{"g":"%s","text":"one two three %s","score":%s}\n' a x 1 a y 2 b z 3 b zz 2 >groups
    try --each=g -q why -b 90 --count=words --report=r groups
    jq -e '.warnings == []' r >/dev/null
    printf '{"g":"%s","text":"%s","score":%s}\n' a x 1 b "$(seq 100 | paste -sd' ' -)" 3 b zz 2 c w 1 >groups
    try --each=g -q why -b 80 --fit=skip --count=words --report=r groups
    says 'warning: the best chunk does not fit'
    [ "$(jq -sc '[.[] | .warnings | length]' r)" = '[0,1,0]' ]
}

@test "color: on a terminal the word warning and an error's name stand out" {
    on_terminal "$EDGEFOLD" --no-progress in
    grep -qF "edgefold: ${yellow}warning:${plain} chunks without a score" screen
    run ! on_terminal "$EDGEFOLD" --frobnicate
    [ "$(head -n 1 screen)" = "${red}edgefold:${plain} unknown option '--frobnicate'" ]
    on_terminal "$EDGEFOLD" -v --no-progress in
    grep -q $'^\e\[' screen || { cat -A screen; false; }
}

@test "color: it is off where NO_COLOR or TERM says so, off a terminal and by --color=never" {
    local command
    for command in "NO_COLOR=1" "TERM=dumb" "TERM="; do
        on_terminal env "$command" "$EDGEFOLD" -v --no-progress in
        grep -q warning screen
        run ! grep -q $'\e' screen
    done
    on_terminal env NO_COLOR= "$EDGEFOLD" --no-progress in
    grep -qF "$yellow" screen
    on_terminal "$EDGEFOLD" -v --no-progress --color=never in
    run ! grep -q $'\e' screen
    run ! on_terminal "$EDGEFOLD" --color=never --frobnicate
    run ! grep -q $'\e' screen
    try -v in
    run ! grep -q $'\e' "$err"
    try -v --color=auto in
    run ! grep -q $'\e' "$err"
}

@test "color: --color=always colours a file, NO_COLOR or not, and nothing but messages" {
    needs jq
    NO_COLOR=1 TERM=dumb try -v --color=always --report=r in
    grep -qF "edgefold: ${yellow}warning:${plain} chunks" "$err"
    grep -q $'^\e\[.*rank' "$err"
    run ! grep -q $'\e' "$out"
    run ! grep -q '\\u001b' r
    try -v in
    cp "$err" without
    try -v --color=always in
    sed $'s/\e\[[0-9;]*m//g' "$err" | cmp - without
    echo x | { try --color=always --report=r; expect 3; }
    [ "$(head -n 1 "$err")" = "${red}edgefold:${plain} $(jq -r .error r)" ]
    try --color=sometimes
    expect 2
    says "needs one of auto, always, never"
}

# A producer that sends what is in a file, and then nothing until the terminal has said so.
stalling() { # FIRST PATTERN COMMAND...
    cat >producer <<'END'
cat "$1"
for i in $(seq 600); do ! grep -q "$2" screen || break; sleep 0.1; done
echo '{"id":"z","text":"the last","score":9}'
END
    local first=$1 pattern=$2
    shift 2
    on_terminal bash -c 'bash producer "$0" "$1" | "${@:2}" >out' "$first" "$pattern" "$@"
}

@test "progress: while the producer is silent it says for how long, and ends with it" {
    [ "$EDGEFOLD_CHECK" != valgrind ] || skip "it starts when all has come in"
    chunks a:3 b:2 c:1 >in
    local option
    for option in --no-dedup --each=id; do
        stalling /dev/null 'nothing has come for 2 s' "$EDGEFOLD" "$option"
        tr '\r' '\n' <screen | grep -qx $'\e\[Kedgefold: nothing has come for 1 s'
        stalling in 'lines, .*nothing has come for 3 s' "$EDGEFOLD" "$option"
        tr '\r' '\n' <screen | grep -Eqx $'\e\[Kedgefold: [0-9]+ bytes read, 3 lines, (2 queries done, )?nothing has come for 2 s'
        [ "$(tail -c 4 screen | od -An -tx1 | tr -d ' ')" = 0d1b5b4b ]
        grep -q '"id":"z"' out
    done
}

@test "progress: off a terminal, with --quiet and with --no-progress silence is silent" {
    [ "$EDGEFOLD_CHECK" != valgrind ] || skip "it starts when all has come in"
    local option
    printf 'sleep 2.2; cat in' >producer
    for option in --quiet --no-progress; do
        on_terminal bash -c 'bash producer | "$@" >out' . "$EDGEFOLD" "$option"
        run ! grep -q 'nothing has come' screen
        grep -q '"id":"a"' out
    done
    bash producer | "$EDGEFOLD" 2>screen >out
    run ! grep -q 'nothing has come' screen
}

@test "progress: who types the chunks is not written over" {
    on_terminal -i '' bash -c '(sleep 2.5; kill $$) & exec "$@"' . "$EDGEFOLD" || true
    grep -q 'reading chunks from the terminal' screen
    run ! grep -q 'nothing has come' screen
}
