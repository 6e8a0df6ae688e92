load helper

# Four chunks of two documents, and two windows of one text.
documents() {
    cat <<'END'
{"id":"A2","doc":"contract","sec":2,"score":0.9,"text":"The notice period is three months."}
{"id":"B1","doc":"faq","sec":1,"score":0.8,"text":"Notice can be given by letter."}
{"id":"A1","doc":"contract","sec":1,"score":0.7,"text":"This contract begins in May."}
{"id":"A3","doc":"contract","sec":3,"score":0.6,"text":"It ends with the notice period."}
END
}

# ids_are "A1 A2" OPTION...: what comes out of the file in, in this order.
ids_are() {
    local expected=$1
    shift
    try "$@" in
    expect 0
    local ids
    ids=$(jq -r .id "$out" | xargs)
    [ "$ids" = "$expected" ] || {
        echo "$*: $ids, not $expected"
        return 1
    }
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    documents >in
}

@test "group: what is of one document stands together, by its best chunk" {
    ids_are 'A2 A1 A3 B1' --group=doc
    ids_are 'A1 A2 A3 B1' --group=doc --order=sec
    ids_are 'B1 A1 A2 A3' --group=doc --order=sec -l fold-last
    ids_are 'B1 A2 A1 A3' --group=doc -l reverse
    ids_are 'A2 A1 B1' --group=doc --per-group=2
    ids_are 'A2 B1' --group=doc --per-group=1
    ids_are 'A2 A1 B1' --group=doc --per-group=2 -n 3
}

@test "group: the same whatever the kind of its value, and alone without one" {
    printf '{"id":"%s","g":%s,"score":%d,"text":"%s"}\n' a '"1"' 9 one b 1 8 two c 1.0 7 three \
        d null 6 four e '[1]' 5 five f true 4 six g true 3 seven h '{}' 2 eight >in
    ids_are 'a b c d e f g h' --group=g -l rank
    says 'warning: 3 of 8 chunks have no string, number or boolean at --group g'
    printf '{"id":"%s","g":%s,"score":%d,"text":"%s"}\n' a 1 9 one b '"x"' 8 two c '1e0' 7 three \
        d '"\u0078"' 6 four >in
    ids_are 'a c b d' --group=g -l rank
}

@test "order: numbers by their worth, other strings by bytes, what is missing last" {
    printf '{"id":"%s","o":%s,"score":%d,"text":"%s"}\n' a 10 1 one b '"9"' 2 two c null 3 three \
        d 1e-1 4 four e 9007199254740993 5 five f 9007199254740992 6 six >in
    ids_are 'd b a f e c' --order=o
    printf '{"id":"%s","o":%s,"score":%d,"text":"%s"}\n' a '"2024-10-02"' 1 one b '"2024-02-10"' 2 two >in
    ids_are 'b a' --order=o
    printf '{"id":"%s","o":%s,"score":%d,"text":"%s"}\n' a '"x"' 1 one b 7 2 two >in
    try --order=o in
    expect 3
    [ ! -s "$out" ]
    says 'in:1: --order o: a word here, but a number at in:2'
    ids_are 'a b' --order=o --group=id -l input # of different groups
}

@test "pin: what is pinned is in and at its edge, and counts for nothing" {
    ids_are 'A3 A2 A1' --pin-first=A3 --pin-last=A1 -n 1
    ids_are 'A3 A1 A2' --pin-first=A3 --pin-first=A1 -n 1
    ids_are 'A2 A1 A3' --pin-last=A3 --pin-last=A1 -n 1
    ids_are 'A3 A2' --pin-first=A3 --min-score=0.9
    ids_are 'A3 A2 B1' --pin-first=A3 --group=doc --per-group=1
    ids_are 'A3' --pin-first=A3 -b 6 --count=words
    try --pin-first=A3 --pin-last=A1 -b 8 --count=words -v in
    expect 1
    [ ! -s "$out" ]
    says 'the pinned chunks do not fit: with them the output takes 11 tokens, there are 8: --budget 8'
    try --pin-first=A3 -q why -b 20 --count=words in
    expect 1
    [ ! -s "$out" ]
}

@test "pin: one that costs nothing does not get a prompt past its budget" {
    printf '%s\n' '{"id":1,"score":2,"text":"hello"}' '{"id":2,"score":1,"text":"  "}' >in
    printf '{{text}}' >c
    try --pin-first=2 --chunk-template=c --count=words -b 5 -q x in
    expect 1
    [ ! -s "$out" ]
    try --pin-first=2 --chunk-template=c --count=words -b 90 -q x in
    expect 0
}

@test "pin: what repeats it is dropped, however good, and it repeats nothing" {
    documents | sed 's/"A1"/"A9"/; s/0.7/0.95/' >in
    documents >>in
    ids_are 'A1 A2 A3 B1' --pin-first=A1
    grep -v '"A9"' in >rest
    try --pin-first=A2 --pin-last=A9 --no-dedup in
    expect 0
    [ "$(head -1 "$out" | jq -r .id)$(tail -1 "$out" | jq -r .id)" = A2A9 ]
}

@test "pin: bad uses are told" {
    try --pin-first=A1 --pin-last=A1 in
    expect 2
    try --pin-first=A1 --sweep=A1 -q why in
    expect 2
    try --per-group=2 in
    expect 2
    try --order=sec -l rank in
    expect 2
    try --stitch in
    expect 2
    try --stitch=0 -q why in
    expect 2
    try --pin-first=zz in
    expect 1
    [ "$(wc -l <"$out")" -eq 4 ]
    says "the chunk 'zz' cannot be pinned: no chunk has this id"
}

@test "pin: many ids are found as few are, however they are written" {
    printf '{"id":%s,"text":"t%d","score":%d}\n' 2 1 1 '"2"' 2 2 2.0 3 3 '"2.0"' 4 4 '"a\u0062"' 5 5 \
        null 6 6 0 7 7 100 8 8 '"x"' 9 9 '"x"' 10 10 >in
    ids_are_all() { edgefold --no-dedup -l rank --quiet "$@" in | jq -c .text | tr -d '"\n'; }
    [ "$(ids_are_all --pin-first=2)" = t1t2t3t10t9t8t7t6t5t4 ] # without an index
    local some='--pin-last=-0.0 --pin-last=x --pin-last=1e2 --pin-last=x --pin-last=x'
    [ "$(ids_are_all --pin-first=ab --pin-first=0.2e1 -n 1 $some)" = t5t1t3t6t8t9t10t7 ]
    [ "$(ids_are_all --pin-first=ab --pin-first=2.0 -n 1 $some)" = t5t1t3t4t6t8t9t10t7 ]
    try --pin-first=null --pin-first=X $some in
    expect 1
    [ "$(grep -c 'cannot be pinned: no chunk has this id' "$err")" -eq 2 ]
    try --no-dedup --top=1 --require=2 --require=2.00 --require=x --require=q --require=1E2 --require=ab in
    expect 1
    says "required chunk '2' is not in the output: in:3: "
    says "required chunk '2.00' is not in the output: in:3: "
    says "required chunk 'q' is not in the output: no chunk has this id"
    says "required chunk '1E2' is not in the output: in:8: "
    ! grep -q "chunk 'x'" "$err" || return 1
    try --pin-first=a --pin-first=0.2e1 --pin-last=b --pin-last=2 in
    expect 2
    says "the chunk '2' cannot be pinned at both edges"
}

@test "pin: many ids among many chunks take no time for each with each" {
    [ "$EDGEFOLD_CHECK" = plain ] || skip "only the plain build is quick enough"
    awk 'BEGIN { for (i = 0; i < 60000; i++) printf "{\"id\":%d,\"text\":\"t%d\",\"score\":%d}\n", i, i, -i }' >in
    local start=$SECONDS
    try --no-dedup --report=r $(seq -f '--pin-first=%.0f --require=%.0f' 1 20 60000) in
    expect 0
    [ $((SECONDS - start)) -lt 20 ]
}

# The least user time of three runs over the file, in milliseconds.
least_time() {
    python3 - "$EDGEFOLD" "$@" <<'END'
import resource, subprocess, sys
times = []
for _ in range(3):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
print(int(min(times) * 1000))
END
}

@test "stitch: starts that were chosen to fall on one another take no longer" {
    needs python3
    [ "$EDGEFOLD_CHECK" = plain ] || skip "times of the plain build are compared"
    # Two bytes that are the same four bytes on cancel out in half of what hashes them.
    python3 - chosen any <<'END'
import itertools, json, random, sys
r = random.Random(7)
letters = [chr(c) for c in range(0x21, 0x7f) if chr(c) not in '"\\']
for name in sys.argv[1:]:
    with open(name, "w") as out:
        for prefix in range(12):
            for a, b in itertools.product(letters, letters):
                last = "xx" + a + b + ("xx" + a + b if name == "chosen" else "".join(r.choices(letters, k=4)))
                text = f"{prefix:02}" + "q" * 28 + last
                out.write(json.dumps({"text": text + "".join(r.choices("abcdef", k=30)) + text, "score": 1}) + "\n")
END
    local chosen any
    chosen=$(least_time --stitch -q why --no-dedup chosen)
    any=$(least_time --stitch -q why --no-dedup any)
    [ "$chosen" -lt $((2 * any)) ] || { echo "$chosen ms, and $any for any others" && return 1; }
}

@test "stitch: two windows are printed as the passage that they were cut from" {
    cp "$TESTS/windows.ndjson" in
    try --stitch -f plain in
    expect 0
    [ "$(cat "$out")" = "$(printf '***\nThe quick brown fox jumps over the lazy dog by the slow brown river. Then it sleeps.\n***')" ]
    try --stitch --annotate in
    [ "$(jq -j '.text[.edgefold.overlap:]' "$out")" = 'The quick brown fox jumps over the lazy dog by the slow brown river. Then it sleeps.' ]
    [ "$(jq -c '[.edgefold.passage, .edgefold.overlap]' "$out" | xargs)" = '[1,0] [1,48]' ]
    try --stitch=48 -f plain in
    [ "$(wc -l <"$out")" -eq 3 ]
    try --stitch=49 -f plain in
    [ "$(wc -l <"$out")" -eq 5 ]
}

@test "stitch: a passage is one document: its number, header, position and fate say so" {
    cp "$TESTS/windows.ndjson" in
    printf '{"id":3,"score":0.1,"text":"Something else."}\n' >>in
    try --stitch -f numbered --header=Id=id -q why --report=r -v in
    [ "$(grep -c '^\[' "$out")" -eq 2 ]
    grep -qxF '[1] [Id: 1]' "$out"
    says 'kept, joins line 2, which says 48 characters of it'
    [ "$(jq -c '[.chunks[] | [.id, .position, .overlap, .joins.id]]' r)" = '[["2",1,48,"1"],["1",1,0,null],["3",2,0,null]]' ]
    [ "$(jq -c '[.totals.kept, .totals.documents]' r)" = '[3,2]' ]
    try --stitch -f numbered -q why --require-edge=2 --require-edge=1 --require-edge=3 in
    expect 0
}

@test "stitch: the budget counts what is new, and holds" {
    cp "$TESTS/windows.ndjson" in
    try --stitch --annotate -b 17 --count=words in
    [ "$(wc -l <"$out")" -eq 2 ]
    try --stitch --annotate -b 16 --count=words in
    [ "$(wc -l <"$out")" -eq 1 ]
    try -f plain --stitch -b 19 --count=words --stats in
    says ', 19 tokens of 19'
    try -f plain --stitch -b 17 --count=words --fit=truncate -v in
    expect 0
    [ "$(wc -w <"$out")" -le 17 ]
}

@test "stitch: without it, the share that is said twice is told" {
    cp "$TESTS/windows.ndjson" in
    try -f plain --stats in
    says '36 percent of the text is said twice'
    documents >in
    try -f plain --stats in
    ! says 'said twice'
}

@test "stitch: the same start twenty thousand times and texts of one letter take no time" {
    python3 - >in <<'END'
import json
start = "All rights are reserved, and this page was edited by the board. "
for n in range(20000):
    print(json.dumps({"score": n, "text": start + f"page {n} " + "x" * (n % 50) + (start if n % 7 == 0 else "")}))
END
    soon --stitch -f plain --no-dedup in >out
    python3 - >in <<'END'
import json
for n in range(300):
    print(json.dumps({"score": n, "text": "b" * (n % 3) + "a" * (3000 + n) + "c" * (n % 2)}))
END
    soon --stitch -f plain --no-dedup in >out
    [ "$(wc -l <out)" -le 400 ]
}

@test "units: all of it is as a slow and plain program has it" {
    command -v python3 >/dev/null || skip "python3 is not installed"
    python3 "$TESTS/units_differential.py" "$EDGEFOLD" 1 "$(long_or 250 80)"
}

@test "stitch: given counts hold as they do without it" {
    seq 40 | sed 's/.*/{"id":&,"score":-&,"text":"word&","tok":100}/' >in
    try --stitch --tokens=tok --count=words -b 200 -f plain in
    expect 0
    [ "$(grep -c word "$out")" -eq 1 ]
    try --pin-first=2 --tokens=tok --stitch -f plain -b 5 --count=words in
    expect 1
    says 'the output takes 102 tokens, there are 5'
    seq 10 | awk '{ printf "{\"id\":%d,\"score\":%d,\"tok\":100,\"text\":\"", $1, 10 - $1
                    for (i = 0; i < 100; i++) printf "w%d ", $1 * 10 + i; print "\"}" }' >in
    try --no-dedup --stitch --tokens=tok --count=words --no-instructions -b 230 -q x --sweep=5 in
    expect 1
    try --no-dedup --stitch --tokens=tok --count=words --no-instructions -b 230 -q x --sweep=1 in
    while read -r prompt; do
        [ "$(wc -w <<<"$prompt")" -le 230 ]
    done < <(jq -r '.prompt | gsub("\n"; " ")' "$out")
}

@test "stitch: a swept chunk is charged what it takes alone, its header too" {
    jq -c --arg header "$(printf 'H%.0s' $(seq 500))" '. + {h: (if .id == 2 then $header else "a" end)}' "$TESTS/windows.ndjson" >in
    try --stitch -b 300 --count=bytes --no-instructions --header=S=h -q x --sweep=2 in
    expect 1
    [ ! -s "$out" ]
    printf '%s\n' '{"id":1,"score":2,"text":"hello"}' '{"id":2,"score":1,"text":"  "}' >in
    try --stitch -b 5 --count=bytes --fit=skip -q x in
    expect 1
    [ ! -s "$out" ]
}

@test "stitch: what repeats itself over and over takes no time, and hides nothing" {
    python3 - <<'END'
import json
import random
import string
rng = random.Random(1)
def letters(n):
    return "".join(rng.choice(string.ascii_lowercase) for _ in range(n))
def write(name, texts):
    with open(name, "w") as file:
        for n, text in enumerate(texts):
            file.write(json.dumps({"id": n, "score": len(texts) - n, "text": text}) + "\n")
start = letters(100)
write("tags", ["start " + start, start + " " + "<context> " * 10000])
period = "ab" * 200000
write("period", ["Y" + period[:200020], "X" + period[:200000], period[:200040] + "Z"])
words = [f"w{n}" if n % 2 else "<context>" for n in range(30060)]
write("windows", [" ".join(words[n * 10:n * 10 + 40]) for n in range(3000)])
write("words", [" ".join(f"w{n}" for n in range(30000))] + [f"w{n}" for n in range(30000)])
prefix = letters(38)
write("prefixes", [(prefix + "~") * 10000] + [prefix + letters(38) for _ in range(10000)])
same = letters(60)
write("same", [same] * 10000 + [letters(20) + same for _ in range(10000)])
write("nested", ["a" * n for n in range(1, 2500)])
row, total = "0 0 0 0 0 0 0 0 0 0\n" * 2000, "The total of the third quarter was four million and two hundred thousand."
write("rows", [row + total + " End.", row + "Other table.", total])
END
    soon --no-dedup --stitch -q x -b 100150 --no-instructions --count=chars --fit=truncate tags >out
    soon --no-dedup --stitch --fit=skip -q x -b 100000 windows >out
    local name
    for name in period words prefixes same nested; do
        soon --no-dedup --stitch --annotate $name >out
        [ "$(wc -l <out)" -eq "$(wc -l <$name)" ]
    done
    edgefold --no-dedup --stitch --annotate rows >out
    [ "$(jq -c 'select(.id == 2).edgefold | [.passage, .overlap]' out)" = '[1,73]' ]
}

@test "stitch: what is left of half a character at a text's end hides no overlap" {
    python3 - >in <<'END'
import json
text = "".join(chr(0x4e00 + n * 37 % 5000) for n in range(160))
data = text.encode()
for n, start in enumerate(range(0, 320, 80)):
    part = data[start:start + 200].decode("utf-8", "replace")
    print(json.dumps({"id": n, "score": -n, "text": part}, ensure_ascii=False))
print(json.dumps({"id": "all", "score": -9, "text": text[:8]}))
END
    try --stitch=20 --no-dedup --annotate in
    [ "$(jq -s '[.[].edgefold.passage] | unique | length' "$out")" -eq 1 ]
    [ "$(jq -rj '.text[.edgefold.overlap:]' "$out" | tr -d '\357\277\275' | wc -c)" -gt 0 ]
}

@test "stitch: an end that twenty texts begin with joins one of them, and a hundred none" {
    local n count
    for count in 20 100; do
        {
            echo '{"id":"end","score":0,"text":"Here it ends. All rights are reserved, and this page was edited by the board."}'
            for n in $(seq "$count"); do
                printf '{"id":%d,"score":-%d,"text":"All rights are reserved, and this page was edited by the board. Page %d."}\n' "$n" "$n" "$n"
            done
        } >in$count
    done
    try --stitch --no-dedup --annotate in20
    [ "$(jq -c 'select(.edgefold.overlap > 0) | .id' "$out")" = 1 ]
    try --stitch --no-dedup --annotate in100
    [ "$(jq -c 'select(.edgefold.overlap > 0) | .id' "$out")" = '' ]
}
