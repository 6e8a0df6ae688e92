load helper

# A tokenizer of a few tokens: the letters of "low", "er" and a space merge.
# tokenizer MERGES [MODEL-MEMBERS [NORMALIZER [PRE-TOKENIZER]]]
tokenizer() {
    local pattern='(?i:'"'"'s|'"'"'t|'"'"'re|'"'"'ve|'"'"'m|'"'"'ll|'"'"'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+'
    local steps='{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"'$pattern'"},"behavior":"Isolated","invert":false},{"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]}'
    printf '{"model":{"type":"BPE","vocab":{"lowest":1},"merges":%s%s},"normalizer":%s,"pre_tokenizer":%s}' \
        "$1" "${2:-}" "${3:-null}" "${4:-$steps}" >"$BATS_TEST_TMPDIR/tokenizer.json"
}

counts() { # NUMBER TEXT
    local got
    got=$(printf '%b' "$2" | edgefold --count-only --count="$BATS_TEST_TMPDIR/tokenizer.json")
    [ "$got" = "$1" ] || { echo "$got tokens, expected $1: $2" && return 1; }
}

# unusable PATTERN FILE: status 4, one message, nothing written.
unusable() {
    try --count-only --count="$2" </dev/null
    expect 4
    [ ! -s "$out" ]
    says "cannot use the vocabulary: $1"
    [ "$(wc -l <"$err")" -eq 1 ]
}

@test "vocab: merges in a tokenizer.json decide what is a token" {
    tokenizer '["l o","lo w","e r","Ġ low"]'
    counts 1 low
    counts 2 lower
    counts 1 ' low'
    counts 3 'low low\n'
    counts 4 lowest
    counts 3 123
    counts 2 'é'
    tokenizer '[["l","o"],["lo","w"],["e","r"]]'
    counts 2 lower
    counts 2 ' low'
}

@test "vocab: with ignore_merges a piece in the vocabulary is one token" {
    tokenizer '["l o","lo w"]' ',"ignore_merges":true'
    counts 1 lowest
    counts 2 ' lowest' || counts 5 ' lowest'
    tokenizer '["l o","lo w"]' ',"ignore_merges":false'
    counts 4 lowest
}

@test "vocab: NFC is applied where the tokenizer has it" {
    tokenizer '["Ã ©"]' '' '{"type":"NFC"}'
    counts 1 '\xc3\xa9'
    counts 1 'e\xcc\x81'
    tokenizer '["Ã ©"]'
    counts 3 'e\xcc\x81'
}

@test "vocab: a tokenizer that is not byte-level BPE is refused by name" {
    local file=$BATS_TEST_TMPDIR/tokenizer.json
    echo '{"model":{"type":"Unigram","vocab":[]}}' >"$file"
    unusable "its model is Unigram, not byte-level BPE" "$file"
    tokenizer '[]' ',"byte_fallback":true'
    unusable "it is SentencePiece's BPE with byte_fallback" "$file"
    tokenizer '[]' ',"end_of_word_suffix":"</w>"'
    unusable "its BPE uses end_of_word_suffix" "$file"
    tokenizer '[]' '' '{"type":"NFKC"}'
    unusable "its normalizer NFKC is not known here" "$file"
    tokenizer '[]' '' null '{"type":"Metaspace"}'
    unusable "it splits text \(Metaspace\) in a way that is not known here" "$file"
    tokenizer '["one"]'
    unusable "a merge is not two tokens" "$file"
    tokenizer '["a →"]'
    unusable "a merge is not two tokens" "$file"
}

@test "vocab: what is no vocabulary is refused" {
    local file=$BATS_TEST_TMPDIR/file
    echo '{"a":1}' >"$file"
    unusable "it is JSON, but not a vocabulary" "$file"
    echo '{"a":' >"$file"
    unusable "line 1|line 2" "$file"
    : >"$file"
    unusable "the file is empty" "$file"
    printf 'YQ== 0\nYg== 1\n' >"$file"
    unusable "its tokens are none of r50k_base" "$file"
    printf 'YQ== 0\nYQ== 1\n' >"$file"
    unusable "a token occurs twice" "$file"
    local line
    for line in 'YQ==' 'YQ== x' ' 0' 'YQ== 0 1' 'YQ== 99999999999' '%%% 0'; do
        printf '%s\n' "$line" >"$file"
        unusable "a line" "$file"
    done
    echo '{"pat_str":"x+","bpe_ranks":"! 0 YQ=="}' >"$file"
    unusable "its pat_str is none that is known" "$file"
    try --count-only --count="$BATS_TEST_TMPDIR" </dev/null
    [ "$status" -eq 2 ] || [ "$status" -eq 4 ]
}

@test "vocab: a name that is not found is a usage error that says where it was looked for" {
    try --count-only --count=gpt-4o </dev/null
    expect 2
    says "no vocabulary for 'gpt-4o' in .EDGEFOLD_VOCAB, .XDG_DATA_HOME/edgefold or .TIKTOKEN_CACHE_DIR; .*data/o200k_base.tiktoken"
    try --count-only --count=Qwen/Qwen3-8B </dev/null
    expect 2
    says "'Qwen/Qwen3-8B' is no file, and not in .EDGEFOLD_VOCAB, .XDG_DATA_HOME/edgefold or the Hugging Face cache"
    try --count-only --count=nonsense </dev/null
    expect 2
    says "'nonsense' is no way to count"
    local name
    for name in gpt-4omni gpt-40 o200k o33; do
        try --count-only --count="$name" </dev/null
        expect 2
        says "'$name' is (no way to count|not known)"
    done
}

@test "vocab: a repository's tokenizer is found in the Hugging Face cache" {
    tokenizer '["l o","lo w"]'
    local hub=$BATS_TEST_TMPDIR/hf/hub/models--org--small
    mkdir -p "$hub/refs" "$hub/snapshots/abc123"
    echo abc123 >"$hub/refs/main"
    cp "$BATS_TEST_TMPDIR/tokenizer.json" "$hub/snapshots/abc123/"
    [ "$(echo low | HF_HOME=$BATS_TEST_TMPDIR/hf edgefold --count-only --count=org/small)" = 2 ]
    [ "$(echo low | HF_HUB_CACHE=$BATS_TEST_TMPDIR/hf/hub edgefold --count-only --count=org/small)" = 2 ]
    mkdir -p "$BATS_TEST_TMPDIR/.cache/huggingface"
    mv "$BATS_TEST_TMPDIR/hf/hub" "$BATS_TEST_TMPDIR/.cache/huggingface/"
    [ "$(echo low | HOME=$BATS_TEST_TMPDIR edgefold --count-only --count=org/small)" = 2 ]
    mkdir "$BATS_TEST_TMPDIR/own"
    cp "$BATS_TEST_TMPDIR/tokenizer.json" "$BATS_TEST_TMPDIR/own/mine.json"
    [ "$(echo low | EDGEFOLD_VOCAB=$BATS_TEST_TMPDIR/own edgefold --count-only --count=mine)" = 2 ]
}

@test "vocab: a compiled vocabulary counts the same, and compiles to itself" {
    tokenizer '["l o","lo w","e r","Ġ low","averyveryvery long"]'
    local table=$BATS_TEST_TMPDIR/small.vocab text='low lower slow é 123'
    edgefold --compile-vocab="$BATS_TEST_TMPDIR/tokenizer.json" >"$table"
    [ "$(echo "$text" | edgefold --count-only --count="$table")" = \
        "$(echo "$text" | edgefold --count-only --count="$BATS_TEST_TMPDIR/tokenizer.json")" ]
    edgefold --compile-vocab="$table" | cmp - "$table"
    [ -c /dev/full ] || return 0
    status=0
    "$EDGEFOLD" --compile-vocab="$table" >/dev/full 2>"$err" || status=$?
    expect 4
}

@test "vocab: a compiled table without a free slot does not hang" {
    [ "$EDGEFOLD_CHECK" != foreign ] || skip "the table is made here, for the order of bytes here"
    needs python3
    tokenizer '["l o","lo w"]'
    edgefold --compile-vocab="$BATS_TEST_TMPDIR/tokenizer.json" >"$BATS_TEST_TMPDIR/small.vocab"
    python3 - "$BATS_TEST_TMPDIR/small.vocab" "$BATS_TEST_TMPDIR/full.vocab" <<'END'
import struct, sys
head = bytearray(open(sys.argv[1], "rb").read()[:64])
head[32:64] = struct.pack("4Q", 1 << 20, 1 << 20, 0, 0)
with open(sys.argv[2], "wb") as file:
    file.write(head)
    file.truncate(64 + 4 * 65536 + (1 << 18) // 8 + (1 << 16) // 8 + 32 * (1 << 20))
END
    seq 20000 | tr 0-9 a-j | soon --count-only --count="$BATS_TEST_TMPDIR/full.vocab"
}

@test "vocab: a compiled table that is cut, of another version or machine is refused" {
    tokenizer '["l o","lo w"]'
    local table=$BATS_TEST_TMPDIR/small.vocab cut=$BATS_TEST_TMPDIR/cut.vocab size
    edgefold --compile-vocab="$BATS_TEST_TMPDIR/tokenizer.json" >"$table"
    size=$(wc -c <"$table")
    for n in 8 63 64 1000 $((size - 1)); do
        head -c "$n" "$table" >"$cut"
        unusable "the table is (not whole|broken)" "$cut"
    done
    { cat "$table"; echo; } >"$cut"
    unusable "the table is not whole" "$cut"
    # byte 8 is the mark of the byte order, byte 12 the version
    { head -c 8 "$table"; printf 'X'; tail -c +10 "$table"; } >"$cut"
    unusable "the table was compiled on another kind of machine" "$cut"
    { head -c 12 "$table"; printf '\377'; tail -c +14 "$table"; } >"$cut"
    unusable "the table is of another version" "$cut"
}

@test "vocab: a compiled table with any of its bytes changed gives a count or a message" {
    needs python3
    tokenizer '["l o","lo w","averyveryvery longword"]'
    local table=$BATS_TEST_TMPDIR/small.vocab count=150
    [ "$EDGEFOLD_CHECK" != valgrind ] || count=10
    edgefold --compile-vocab="$BATS_TEST_TMPDIR/tokenizer.json" >"$table"
    run -0 python3 - "$EDGEFOLD" "$table" "$BATS_TEST_TMPDIR/bad" "$count" "$(allowed_seconds)" <<'END'
import random, resource, subprocess, sys
program, table, bad, count, seconds = sys.argv[1:]
limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
whole = open(table, "rb").read()
text = b"low averyveryverylongword slow lowlowlowlowlow " * 20
rng = random.Random(4)
for n in range(int(count)):
    data = bytearray(whole)
    for _ in range(rng.randint(1, 4)):
        # the head above all: all the sizes are there
        at = rng.randrange(72) if rng.random() < 0.6 else rng.randrange(len(data))
        data[at] = rng.choice([0, 1, 255, rng.randrange(256)])
    open(bad, "wb").write(data)
    run = subprocess.run([program, "--count-only", "--count=" + bad], input=text,
                         capture_output=True, preexec_fn=limit)
    if run.returncode not in (0, 4):
        sys.exit(f"change {n}: status {run.returncode}: {run.stderr[:300]}")
END
}

# change_while_used COMMAND: runs it on the table of a run that waits for its input, which
# then comes; leaves the run's status in $status.
change_while_used() {
    tokenizer '["l o","lo w"]'
    local table=$BATS_TEST_TMPDIR/used.vocab input=$BATS_TEST_TMPDIR/input pid
    edgefold --compile-vocab="$BATS_TEST_TMPDIR/tokenizer.json" --table="$table"
    [ -e "/proc/$$/maps" ] || skip "no /proc to see what is mapped"
    mkfifo "$input"
    "$EDGEFOLD" --count="$table" -b 100 <"$input" >"$out" 2>"$err" &
    pid=$!
    exec 7>"$input"
    for _ in {1..500}; do
        ! grep -q used.vocab "/proc/$pid/maps" || break
        sleep 0.02
    done
    "$1" "$table"
    echo '{"id":"a","text":"low slow","score":1}' >&7
    exec 7>&-
    status=0
    wait "$pid" || status=$?
}

@test "vocab: a compiled table that is cut short while it is used is status 4, not a crash" {
    [ "$EDGEFOLD_CHECK" != foreign ] || skip "qemu itself dies of the signal"
    cut() { : >"$1"; }
    change_while_used cut
    [ "$status" -eq 4 ]
    [ ! -s "$out" ]
    [ "$(cat "$err")" = "edgefold: the vocabulary's table was cut short while it was in use" ]
}

@test "vocab: a compiled table that is written over while it is used is status 4" {
    write_over() { cat "$1" >"$1.copy" && dd if="$1.copy" of="$1" conv=notrunc 2>"$1.dd"; }
    change_while_used write_over
    [ "$status" -eq 4 ]
    [ ! -s "$out" ]
    grep -q "^edgefold: the vocabulary's table was written to while it was in use; --table" "$err"
}

@test "vocab: a compiled table that is replaced while it is used stays what it was" {
    replace() { cp "$1" "$1.new" && mv "$1.new" "$1"; }
    change_while_used replace
    [ "$status" -eq 0 ]
    [ "$(wc -l <"$out")" -eq 1 ]
    [ ! -s "$err" ]
}

@test "vocab: a compiled table that is changed while it is used crashes nothing" {
    needs python3
    [ "$EDGEFOLD_CHECK" != foreign ] || skip "the table is another machine's"
    [ -e "/proc/$$/maps" ] || skip "no /proc to see what is mapped"
    tokenizer '["a a","aa aa","aaaa aaaa","aaaaaaaa aaaaaaaa"]'
    edgefold --compile-vocab="$BATS_TEST_TMPDIR/tokenizer.json" --table="$BATS_TEST_TMPDIR/used.vocab"
    python3 - "$EDGEFOLD" "$BATS_TEST_TMPDIR/used.vocab" <<'END'
import subprocess, sys, time
program, table = sys.argv[1:]
run = subprocess.Popen([program, "--count=" + table, "-b", "100"], stdin=subprocess.PIPE,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
until = time.monotonic() + 20
while "used.vocab" not in open(f"/proc/{run.pid}/maps").read() and time.monotonic() < until:
    time.sleep(0.02)
data = bytearray(open(table, "rb").read())
# The one long token is the last 16 bytes; its slot ends in where they are and how many.
at = data.rindex((0).to_bytes(4, sys.byteorder) + (16).to_bytes(4, sys.byteorder))
data[at:at + 4] = b"\xf0" * 4
with open(table, "r+b") as file:
    file.write(data)
_, said = run.communicate(b'{"text":"aaaaaaaaaaaaaaaa"}\n', timeout=60)
sys.exit(f"status {run.returncode}: {said}" if run.returncode != 4 else 0)
END
}

@test "vocab: --table replaces a table whole and writes over nothing that is read" {
    tokenizer '["l o","lo w"]'
    local source=$BATS_TEST_TMPDIR/tokenizer.json table=$BATS_TEST_TMPDIR/new.vocab
    echo before >"$table"
    ln "$table" "$table.link"
    edgefold --compile-vocab="$source" --table="$table" >"$out"
    [ ! -s "$out" ]
    edgefold --compile-vocab="$source" | cmp - "$table"
    [ "$(cat "$table.link")" = before ]
    try --compile-vocab="$source" --table="$source"
    expect 2
    says "is read, so it is not written"
    try --table="$table" /dev/null
    expect 2
    says "--table is that of --compile-vocab"
    try --compile-vocab="$source" --table="$BATS_TEST_TMPDIR/none/new.vocab"
    expect 4
}

@test "vocab: what a name stands for is read, so it is not written" {
    tokenizer '["l o","lo w"]'
    mkdir "$BATS_TEST_TMPDIR/own"
    cd "$BATS_TEST_TMPDIR/own"
    mv ../tokenizer.json mine.json
    echo '{"text":"low"}' >in
    export EDGEFOLD_VOCAB=$PWD
    local option
    for option in --report --dropped; do
        try --count=mine "$option=mine.json" in
        expect 2
        says "'mine.json' is read, so it is not written"
    done
    try --compile-vocab=mine --table=./mine.json
    expect 2
    try --count=mine in
    expect 0
    try --count=words --report=words in # a method is no file's name
    expect 0
    try --count=words --report=words in
    expect 0
}
