load helper

# Which files are vocabularies and which are refused, with which words.

setup_file() {
    local name
    { command -v python3 && command -v jq; } >/dev/null || return 0
    python3 "$TESTS/small_vocab.py" "$BATS_FILE_TMPDIR" "$ROOT/README.md"
    for name in deepseek gpt2; do
        jq -c '.model.merges |= .[:9] | .model.vocab |= with_entries(select(.value < 265))' \
            "$BATS_FILE_TMPDIR/$name.json" >"$BATS_FILE_TMPDIR/few-$name.json"
    done
}

setup() {
    needs python3
    needs jq
    FILE=$BATS_TEST_TMPDIR/file
    TABLE=$BATS_TEST_TMPDIR/table.vocab
}

# refused PATTERN FILE: status 4, one message, nothing written.
refused() {
    try --count-only --count="$2" </dev/null
    expect 4
    [ ! -s "$out" ]
    says "cannot use the vocabulary: $1\$"
    [ "$(wc -l <"$err")" -eq 1 ]
}

# altered FILTER [NAME]: a tokenizer.json after a jq filter.
altered() {
    jq "$1" "$BATS_FILE_TMPDIR/${2:-few-deepseek}.json" >"$FILE"
}

# counted TOKENS TEXT: by the file as it was altered last.
counted() {
    [ "$(printf '%b' "$2" | edgefold --count-only --count="$FILE")" = "$1" ]
}

@test "loaders: what a model has that this is not is named" {
    local member
    altered '.model = "none"'
    refused 'its model is of no type, not byte-level BPE' "$FILE"
    altered 'del(.model.type)'
    refused 'its model is of no type, not byte-level BPE' "$FILE"
    altered '.model.type = "W" * 60'
    refused 'its model is W{40}, not byte-level BPE' "$FILE"
    altered '.model.byte_fallback = true'
    refused "it is SentencePiece's BPE with byte_fallback, not byte-level BPE" "$FILE"
    for member in dropout unk_token continuing_subword_prefix end_of_word_suffix; do
        altered ".model.$member = (\"dropout\" == \"$member\" | if . then 0.1 else \"x\" end)"
        refused "its BPE uses $member, which is not known here" "$FILE"
        altered "del(.model.$member)"
        counted 1 a
    done
    for member in '.model.merges = {}' '.model.vocab = []' 'del(.model.merges)' 'del(.model.vocab)'; do
        altered "$member"
        refused 'its model has no vocab and merges' "$FILE"
    done
}

@test "loaders: a normalizer other than NFC is named, an empty sequence is none" {
    altered '.normalizer = {"type": "Sequence", "normalizers": [{"type": "NFC"}]}'
    refused 'its normalizer Sequence is not known here' "$FILE"
    altered '.normalizer = {"type": "Lowercase"}'
    refused 'its normalizer Lowercase is not known here' "$FILE"
    altered '.normalizer = {}'
    refused 'its normalizer of no type is not known here' "$FILE"
    for normalizer in '{"type": "Sequence", "normalizers": []}' null; do
        altered ".normalizer = $normalizer"
        counted 1 a
    done
    altered 'del(.normalizer)'
    counted 1 a
}

@test "loaders: steps of splitting that are not known are refused" {
    local change steps=.pre_tokenizer.pretokenizers
    altered .
    counted 1 a
    for change in "$steps = []" "$steps[3].type = \"Digits\"" "$steps[3].use_regex = true" \
        "del($steps[3].use_regex)" "$steps[3].add_prefix_space = true" "$steps += [$steps[3]]" "$steps |= .[:1] + ." \
        "del($steps[2])" "$steps |= .[1:]" "$steps |= .[3:]" "$steps |= .[2:]" "$steps[0].type = \"Digits\"" \
        "del($steps[0].type)" "$steps[1].behavior = \"Removed\"" "del($steps[1].behavior)" \
        "$steps[2].invert = true" "$steps[0].pattern = {\"String\": \" \"}" \
        "$steps[0].pattern.Regex += \"?\"" "$steps[1].pattern.Regex += \"?\"" \
        "$steps[2].pattern.Regex += \"?\"" "$steps[3] = $steps[0]"; do
        altered "$change"
        refused 'it splits text \(Sequence\) in a way that is not known here' "$FILE"
    done
    for change in '.use_regex = false' '.add_prefix_space = true'; do
        altered ".pre_tokenizer$change" few-gpt2
        refused 'it splits text \(ByteLevel\) in a way that is not known here' "$FILE"
    done
    altered '.pre_tokenizer = {"type": "Whitespace"}'
    refused 'it splits text \(Whitespace\) in a way that is not known here' "$FILE"
    altered 'del(.pre_tokenizer)'
    refused 'it splits text \(no pre_tokenizer\) in a way that is not known here' "$FILE"
}

@test "loaders: a merge is two tokens of the byte-level alphabet, in either spelling" {
    local merge
    for merge in '""' '"ab"' '"a "' '" a"' '"a b c"' '"a →"' '"é\u0000 a"' '"\u00ad a"' '"\u0144 a"' '[]' \
        '["a"]' '["a", "b", "c"]' '["a", 1]' '[1, "a"]' '["a", ""]' '["", "a"]' '["a", " "]' 1 null '{}'; do
        altered ".model.merges = [\"a b\", $merge]"
        refused 'a merge is not two tokens of the byte-level alphabet' "$FILE"
    done
    altered '.model.merges = []'
    counted 3 abc
    # the alphabet's ends: the space, the last letter that stands for itself, and the last one
    altered '.model.merges = ["Ġ a", ["ÿ", "ÿ"], "Ń a"]'
    counted 2 ' ab'
}

@test "loaders: JSON that is no vocabulary, or not JSON, is refused" {
    echo '{"model": {},' >"$FILE"
    refused 'line [12]: .*' "$FILE"
    printf ' \t\r\n{"vocab": 1}' >"$FILE"
    refused 'it is JSON, but not a vocabulary' "$FILE"
    printf '\0{"vocab": 1}' >"$FILE"
    refused 'a line is not base64, a space and a rank' "$FILE"
    printf ' \n\t' >"$FILE"
    refused 'a line is not base64, a space and a rank' "$FILE"
}

@test "loaders: an encoder of the npm package has a pattern that is known, and ranks" {
    local change
    altered . npm
    counted 1 ' the'
    for change in 'del(.pat_str)' '.pat_str = 1' '.pat_str += "|x"' '.bpe_ranks = 1' '.bpe_ranks = null'; do
        altered "$change" npm
        refused 'its pat_str is none that is known here' "$FILE"
    done
    for change in '"! x YQ=="' '"!"' '"! YQ=="' '"! 16777215 YQ=="' '"! 0 YQ==\nYg=="'; do
        altered ".bpe_ranks = $change" npm
        refused 'a line of bpe_ranks does not begin with ! and a rank' "$FILE"
    done
    for change in '"! 0 YQ== YQ=="' '"! 0 YQ== %"' '"! 0 YQ== ="' '"! 0 YQ== Y"' '"! 0 "' '"! 16777214 YQ== Yg=="'; do
        altered ".bpe_ranks = $change" npm
        refused 'bpe_ranks has something else than base64, or a token twice' "$FILE"
    done
    altered '.bpe_ranks = "! 0 YQ==\n\n! 16777213  YWE= YWJj"' npm
    counted 4 aaabc
    counted 1 abc
    altered '.bpe_ranks = ""' npm
    counted 2 'ab'
}

@test "loaders: a .tiktoken file is lines of base64, a space and a rank, each token once" {
    local line good=$BATS_FILE_TMPDIR/o200k_base.tiktoken
    for line in '' ' ' 'YQ' 'YWE=' 'YWE=0' 'YWE= ' '= 0' 'YWE= -1' 'YWE= 16777215' 'YWE= 4294967297' \
        $'YWE=\t0' '%WE= 0' '# 0'; do
        { head -n 9 "$good" && printf '%s\n' "$line" && tail -n +10 "$good"; } >"$FILE"
        refused 'a line is not base64, a space and a rank' "$FILE"
    done
    for line in 'YWE= 0 1' 'YWE= 0x' 'YWE= 0 ' $'YWE= 0\r\r'; do
        { head -n 9 "$good" && printf '%s\n' "$line" && tail -n +10 "$good"; } >"$FILE"
        refused 'a line has more than base64, a space and a rank' "$FILE"
    done
    { cat "$good" && head -n 1 "$good"; } >"$FILE"
    refused 'a token occurs twice' "$FILE"
    # one token less, more, of another rank, long ones too: another encoding
    for line in '$d' '300d' '300s/ .*/ 7/' '$aLS0tLS0tLS0tLS0tLS0tLS0tLS0t 16777214'; do
        sed "$line" "$good" >"$FILE"
        refused 'its tokens are none of r50k_base, .* a tokenizer.json says that' "$FILE"
    done
    sed 's/$/\r/' "$good" >"$FILE"
    counted 1 ' the'
    printf '%s' "$(sort -r "$good")" >"$FILE"
    counted 1 ' the'
}

@test "loaders: a compiled table must be a regular file that can be mapped" {
    edgefold --compile-vocab="$BATS_FILE_TMPDIR/cl100k.json" >"$TABLE"
    status=0
    cat "$TABLE" | "$EDGEFOLD" --count-only --count=/dev/stdin "$TABLE" >"$out" 2>"$err" || status=$?
    expect 4
    says '/dev/stdin: a compiled vocabulary must be a regular file'
    [ "$EDGEFOLD_CHECK" = plain ] || return 0
    head -c 64 "$TABLE" >"$FILE"
    dd if=/dev/null of="$FILE" bs=1024 seek=2097152 count=0 2>/dev/null # 2 GiB
    find_least
    within $((least + 500000)) --count-only --count="$FILE" </dev/null
    expect 4
    says 'file: cannot map: (Cannot allocate|Out of) memory'
}

@test "loaders: any other vocabulary may come through a pipe" {
    local file
    for file in npm.json whole.json cl100k_base.tiktoken; do
        [ "$(edgefold --count-only --count=/dev/stdin "$ROOT/README.md" < <(cat "$BATS_FILE_TMPDIR/$file"))" = \
            "$(edgefold --count-only --count="$BATS_FILE_TMPDIR/$file" "$ROOT/README.md")" ]
    done
}

@test "loaders: a table whose tokens lie outside of it, or that has no free slot, does no harm" {
    edgefold --compile-vocab="$BATS_FILE_TMPDIR/cl100k.json" >"$TABLE"
    python3 - "$TABLE" "$FILE" <<'END'
import struct, sys
table = bytearray(open(sys.argv[1], "rb").read())
short, long, size = struct.unpack_from("3Q", table, 32)
start = 64 + 4 * 65536 + (1 << 18) // 8 + (1 << 16) // 8 + 16 * short
slots = [start + 16 * i for i in range(long)]
used = next(at for at in slots if struct.unpack_from("I", table, at + 4)[0] != 0xffffffff)
full = table[:]
for at in slots:
    struct.pack_into("4I", full, at, 0, 0, 0, 13)
open(sys.argv[2] + ".full", "wb").write(full)
struct.pack_into("I", table, used + 8, size)
open(sys.argv[2], "wb").write(table)
END
    refused 'the table is broken' "$FILE"
    soon --count-only --count="$FILE.full" "$ROOT/README.md"
}

@test "loaders: what cannot be opened is the system's fault" {
    (cd "$BATS_TEST_TMPDIR" && python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")')
    try --count-only --count="$BATS_TEST_TMPDIR/socket" </dev/null
    expect 4
    says "socket: cannot open: "
}

@test "loaders: a name is looked for in all its places, and one with a slash in the hub's cache only" {
    local hub=$BATS_TEST_TMPDIR/hub
    unset EDGEFOLD_VOCAB XDG_DATA_HOME TIKTOKEN_CACHE_DIR HF_HOME HF_HUB_CACHE HOME
    missing() {
        try --count-only --count="$1" </dev/null
        expect 2
        says "$2"
    }
    missing mine "'mine' is no way to count"
    missing org/mine "'org/mine' is no file, and not in .EDGEFOLD_VOCAB"
    export HF_HUB_CACHE=$hub
    missing org/mine "'org/mine' is no file"
    mkdir -p "$hub/models--org--mine/refs"
    printf 'abc\n' >"$hub/models--org--mine/refs/main"
    missing org/mine "'org/mine' is no file"
    mkdir -p "$hub/models--org--mine/snapshots/abc/tokenizer.json"
    missing org/mine "'org/mine' is no file"
    rmdir "$hub/models--org--mine/snapshots/abc/tokenizer.json"
    cp "$BATS_FILE_TMPDIR/whole.json" "$hub/models--org--mine/snapshots/abc/tokenizer.json"
    [ "$(printf a | edgefold --count-only --count=org/mine)" = 1 ]
    export EDGEFOLD_VOCAB='' XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
    missing gpt-4 "no vocabulary for 'gpt-4' in"
    mkdir -p "$XDG_DATA_HOME/edgefold/mine.json"
    missing mine "'mine' is no way to count"
    cp "$BATS_FILE_TMPDIR/whole.json" "$XDG_DATA_HOME/edgefold/own.json"
    [ "$(printf a | edgefold --count-only --count=own)" = 1 ]
}

# Writes 16,400 tokens that a table of 32,768 slots would put into 64 of them: the
# table's hash, run backwards.
colliding() {
    python3 - "$1" "$2" <<'END'
import base64, json, sys
M = (1 << 64) - 1
A, B, C = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93
tokens = []
for n in range(16400):
    wanted = (n % 64) << 20 | (n // 64) << 35 | 5
    mixed = wanted * pow(C, -1, 1 << 64) & M
    mixed ^= mixed >> 32
    head = (mixed * pow(A, -1, 1 << 64) & M) ^ ((8 << 32) * B & M)
    tokens.append(head.to_bytes(8, "little"))
lines = [base64.b64encode(t).decode() for t in tokens]
if sys.argv[1] == "tiktoken":
    text = "".join(f"{line} {n}\n" for n, line in enumerate(lines))
else:
    text = json.dumps({"pat_str": sys.stdin.read(), "bpe_ranks": "! 0 " + " ".join(lines)})
open(sys.argv[2], "w").write(text)
END
}

@test "loaders: tokens that were chosen to fall on one another are refused" {
    local file=$BATS_TEST_TMPDIR/colliding
    colliding tiktoken "$file" </dev/null
    echo hi | { try --count="$file" --count-only; expect 4; says "a table of them would be slow"; }
    try --compile-vocab="$file"
    expect 4
    [ ! -s "$out" ]
    printf '%s' "'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++\$|\\s+(?!\\S)|\\s" |
        colliding npm "$file"
    echo hi | { try --count="$file" --count-only; expect 4; }
    printf '{"pat_str":"x","bpe_ranks":"! 0 YQ==Yg=="}' >"$file"
    echo hi | { try --count="$file" --count-only; expect 4; }
}
