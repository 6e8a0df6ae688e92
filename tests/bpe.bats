load helper

# Exact counts by small vocabularies of our own beside those of a slow second
# implementation, by the definitions; exact.bats has the tokenizers themselves.

setup_file() {
    ! command -v python3 >/dev/null ||
        python3 "$TESTS/small_vocab.py" "$BATS_FILE_TMPDIR" "$ROOT"/README.md "$ROOT"/man/*
}

setup() {
    needs python3
    COUNT=80
    [ "$EDGEFOLD_CHECK" = plain ] || COUNT=20
}

# same [OPTION]... NAME...: the files of setup_file count as the definition says.
same() {
    local options=()
    while [[ $1 == --* ]]; do
        options+=("$1")
        shift
    done
    run python3 "$TESTS/bpe_check.py" "${options[@]}" --text="$ROOT/README.md" \
        "$EDGEFOLD" "$EDGEFOLD_BUILD/count_docs" "$COUNT" "${@/#/$BATS_FILE_TMPDIR/}"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "bpe: r50k's and cl100k's pieces are those of their expressions, in each spelling" {
    same --by-pair --pieces r50k.json r50k-possessive.json cl100k.json
    # the last one's pieces differ at the end of a text, by its \s++$ and in white
    # space after a line end, which shows only where such white space is in a token
    same --by-pair gpt2.json cl100k-possessive.json
}

@test "bpe: Qwen's pieces are those of its expressions, with marks in words and without" {
    same --by-pair --pieces qwen2.json qwen3.5.json
}

@test "bpe: o200k's and Tekken's words end where the case changes" {
    same --by-pair --pieces o200k.json tekken.json
}

@test "bpe: DeepSeek's three expressions cut one after the other" {
    same --by-pair --pieces deepseek.json
}

@test "bpe: merges that overlap, come too early or are never reached do as they are ranked" {
    same tangled.json
}

@test "bpe: of equal ranks the leftmost pair is joined first" {
    same tangled-npm.json r50k_base.tiktoken
}

@test "bpe: with ignore_merges a piece in the vocabulary is a token, merged or not" {
    same --by-pair whole.json
    same tangled-whole.json
}

@test "bpe: text is brought to NFC before it is split where the tokenizer says so" {
    same --by-pair --pieces nfc.json
}

@test "bpe: files of ranks count as tiktoken does, whose four encodings are known by their tokens" {
    same npm.json p50k_base.tiktoken cl100k_base.tiktoken o200k_base.tiktoken
}

@test "bpe: pieces of thousands of bytes merge as short ones do" {
    COUNT=5
    same --longest=2500 tangled.json
    same --longest=1500 r50k.json
}

@test "bpe: an encoding is found by its name and by its models', where tiktoken keeps it too" {
    local name
    export HOME=$BATS_TEST_TMPDIR XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
    unset EDGEFOLD_VOCAB TIKTOKEN_CACHE_DIR HF_HOME HF_HUB_CACHE
    # marks, digits and tokens of the four differ, so that their counts do
    printf 'e\314\201 ne\314\201 12345 12345 \340\244\271\340\244\277' >"$BATS_TEST_TMPDIR/text"
    # finds VOCABULARY NAME...: each name counts as the file does
    finds() {
        local count
        count=$(edgefold --count-only --count="$BATS_FILE_TMPDIR/$1" "$BATS_TEST_TMPDIR/text")
        for name in "${@:2}"; do
            [ "$(edgefold --count-only --count="$name" "$BATS_TEST_TMPDIR/text")" = "$count" ] ||
                { echo "not $1: $name" && return 1; }
        done
    }
    export EDGEFOLD_VOCAB=$BATS_FILE_TMPDIR
    finds r50k_base.tiktoken r50k_base gpt2
    finds cl100k_base.tiktoken cl100k_base gpt-4 gpt-4-turbo gpt-3.5-turbo \
        text-embedding-3-small text-embedding-ada-002
    finds o200k_base.tiktoken o200k_base o200k_harmony gpt-4o gpt-4o-mini \
        chatgpt-4o-latest gpt-4.1 gpt-4.5-preview gpt-5 o1 o1-mini o3 o4-mini gpt-oss-20b
    unset EDGEFOLD_VOCAB
    export TIKTOKEN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
    mkdir "$TIKTOKEN_CACHE_DIR"
    try --count-only --count=p50k_base </dev/null
    expect 2
    # cached NAME FILE: its tokens are found under the name that tiktoken gives the file
    cached() {
        cp "$BATS_FILE_TMPDIR/$1.tiktoken" "$TIKTOKEN_CACHE_DIR/$2"
        finds "$1.tiktoken" "$1"
    }
    cached r50k_base 0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4
    cached p50k_base ec7223a39ce59f226a68acc30dc1af2788490e15
    cached cl100k_base 9b5ad71b2ce5302211f9c61530b329a4922fc6a4
    cached o200k_base fb374d419588a4632f3f557e76b4b70aebbca790
    finds o200k_base.tiktoken o3-mini
    unset TIKTOKEN_CACHE_DIR
    mkdir -p "$XDG_DATA_HOME/edgefold"
    edgefold --compile-vocab="$BATS_FILE_TMPDIR/p50k_base.tiktoken" >"$XDG_DATA_HOME/edgefold/p50k_base.vocab"
    finds p50k_base.tiktoken p50k_base
    XDG_DATA_HOME=
    mkdir -p "$HOME/.local/share"
    mv "$BATS_TEST_TMPDIR/data/edgefold" "$HOME/.local/share/"
    finds p50k_base.tiktoken p50k_base
}
