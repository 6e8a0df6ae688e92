load helper

# The variables of the make that runs the tests are not for these.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES GNUMAKEFLAGS

setup_file() {
    export SHARE=$BATS_FILE_TMPDIR/usr/share
    make -s -C "$BATS_TEST_DIRNAME/.." -o "$EDGEFOLD_BUILD/edgefold" install BUILD="$EDGEFOLD_BUILD" DESTDIR="$BATS_FILE_TMPDIR" PREFIX=/usr || :
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/here"
    ln -s "$EDGEFOLD" "$BATS_TEST_TMPDIR/bin/edgefold"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    cd "$BATS_TEST_TMPDIR/here" || return
    touch 'my chunks.ndjson' other.ndjson
}

needs_shell() {
    needs python3
    needs "$1"
    [ -f "$SHARE/zsh/site-functions/_edgefold" ] || skip "make install does not work here"
    [ "$1" != bash ] || [ -f /usr/share/bash-completion/bash_completion ] ||
        skip "bash-completion is not installed"
}

# tabs SHELL: each line of standard input, up to " => ", becomes what follows that.
tabs() {
    cat >pairs
    sed 's/ => .*//' pairs >lines
    sed 's/.* => //' pairs >expected
    python3 "$TESTS/tab.py" "$1" "$SHARE" line <lines >got || return
    diff -u <(paste -d'|' lines expected) <(paste -d'|' lines got)
}

# press SHELL WHAT LINE: see tab.py.
press() {
    echo "$3" | python3 "$TESTS/tab.py" "$1" "$SHARE" "$2"
}

# every SHELL LINE: what there is to choose from, sorted.
every() {
    press "$1" all "$2" | sed '/^$/d' | sort
}

# The long options of --help, with = where they need an argument, and the short ones.
long_options() {
    edgefold --help | sed -nE 's/^(  -[a-zA-Z], |      )(--[a-z-]+)(=?).*/\2\3/p' | sort
}
short_options() {
    edgefold --help | sed -nE 's/^  (-[a-zA-Z]), --.*/\1/p' | sort
}

# The values that --help lists under an option.
values_of() {
    edgefold --help | awk -v option="--$1=" '
        / --[a-z]/ { here = index($0, option) > 0; next }
        here && substr($0, 1, 30) ~ /^ *$/ && substr($0, 31, 1) ~ /[a-z]/ { sub(/:.*/, ":", $1); print $1 }' | sort
}

# In one shell all that is to be completed.  The question is one, whatever it looks like.
completes() { # SHELL
    tabs "$1" <<'END'
edgefold --lay => edgefold --layout=
edgefold --no-ded => edgefold --no-dedup 
edgefold --layout=fold- => edgefold --layout=fold-last 
edgefold --layout fold- => edgefold --layout fold-last 
edgefold -l fold- => edgefold -l fold-last 
edgefold -vlfold- => edgefold -vlfold-last 
edgefold --layout=edg => edgefold --layout=edges:
edgefold --fuse= => edgefold --fuse=rrf 
edgefold --count=wor => edgefold --count=words 
edgefold --completion=z => edgefold --completion=zsh 
edgefold -q --lay => edgefold -q --lay
edgefold -q --lay --lay => edgefold -q --lay --layout=
edgefold --layout=zz => edgefold --layout=zz
edgefold --nosuch=oth => edgefold --nosuch=oth
edgefold -v | edgefold --lay => edgefold -v | edgefold --layout=
END
}

completes_files() { # SHELL
    local before
    for before in '' '-v ' '-b 3000 ' '-- ' '--report=' '--report ' '--rescore=' '--template=' \
        '--chunk-template=' '--question-file ' '--dropped=' '--count=' '--instructions=@'; do
        printf 'edgefold %soth => edgefold %sother.ndjson \n' "$before" "$before"
        printf 'edgefold %smy => edgefold %smy\\ chunks.ndjson \n' "$before" "$before"
    done >both
    echo 'edgefold "my => edgefold "my chunks.ndjson" ' >>both
    tabs "$1" <both
    [ "$1" != fish ] || return 0 # it takes no such file, and for a word what has its letters in order
    : >--lay
    tabs "$1" <<'END'
edgefold -- --la => edgefold -- --lay 
edgefold --layout=oth => edgefold --layout=oth
END
}

# An option that has been given is offered no more, unless it is one that may be repeated.
completes_again() { # SHELL
    tabs "$1" <<'END'
edgefold --bookend --booke => edgefold --bookend --booke
edgefold -b 3000 --budge => edgefold -b 3000 --budge
edgefold --require=a --require-edge=b --require-e => edgefold --require=a --require-edge=b --require-edge=
edgefold --pin-first=a --pin-f => edgefold --pin-first=a --pin-first=
edgefold --dedup-field=a --dedup-f => edgefold --dedup-field=a --dedup-field=
END
}

completes_all() { # SHELL
    diff -u <(long_options) <(every "$1" 'edgefold --')
    [ "$(long_options | wc -l)" -ge 60 ]
    diff -u <({ long_options && short_options; } | sort) <(every "$1" 'edgefold -')
    local option seen=0
    for option in $(edgefold --help | sed -nE 's/^(  -[a-zA-Z], |      )--([a-z-]+)=.*/\2/p'); do
        [ -n "$(values_of "$option")" ] || continue
        diff -u <(values_of "$option") <(every "$1" "edgefold --$option=" | sed 's/^--[a-z-]*=//' | sort)
        seen=$((seen + 1))
    done
    [ "$seen" -ge 7 ]
}

@test "completion: bash completes options, values and their files" {
    needs_shell bash
    completes bash
    completes_files bash
    completes_again bash
}

@test "completion: zsh completes options, values and their files" {
    needs_shell zsh
    completes zsh
    completes_files zsh
    completes_again zsh
}

@test "completion: fish completes options, values and their files" {
    needs_shell fish
    completes fish
    completes_files fish
    completes_again fish
}

@test "completion: bash offers every option of --help and every value of a choice" {
    needs_shell bash
    completes_all bash
}

@test "completion: zsh offers every option of --help and every value of a choice" {
    needs_shell zsh
    completes_all zsh
}

@test "completion: fish offers every option of --help and every value of a choice" {
    needs_shell fish
    completes_all fish
}

@test "completion: zsh and fish say what each of them is" {
    needs_shell zsh
    press zsh 'shows:lower-is-better -- the score is a distance' 'edgefold --l'
    press zsh 'shows:fold-last -- 2 4 6 5 3 1: its mirror' 'edgefold --layout=f'
    needs_shell fish
    press fish 'shows:lower-is-better (the score is a distance' 'edgefold --l'
    TAB_PATIENCE=2 run ! press fish 'shows:lower-is-better (no such words' 'edgefold --l'
}

@test "completion: nothing that stands in the line is run" {
    needs_shell bash
    local shell
    for shell in bash zsh fish; do
        command -v "$shell" >/dev/null || continue
        tabs "$shell" <<<'edgefold -q $(touch pwned) --lay => edgefold -q $(touch pwned) --layout='
        press "$shell" line 'edgefold --report=$(touch pwned) --instructions=@$(touch pwned)'
        [ ! -e pwned ]
    done
}

# offers WORD... -- EXPECTED...: to the scripts, at the last word.
offers() {
    local words=() got
    while [ "$1" != -- ]; do words+=("$1") && shift; done
    shift
    got=$(edgefold --completion=words -- "${words[@]}" | sed '1d; s/\t.*//' | sort | paste -sd' ' -)
    if [ "$got" != "$*" ]; then
        echo "for '${words[*]}' it offers '$got', expected '$*'"
        return 1
    fi
}

@test "completion: --count is offered what is found on this machine, and no more" {
    offers --count= -- bytes bytes/ chars chars/ estimate words
    offers --compile-vocab= --
    export EDGEFOLD_VOCAB=$BATS_TEST_TMPDIR/vocab XDG_DATA_HOME=$BATS_TEST_TMPDIR/data
    export TIKTOKEN_CACHE_DIR=$BATS_TEST_TMPDIR/cache HF_HOME=$BATS_TEST_TMPDIR/hf
    mkdir -p "$EDGEFOLD_VOCAB/folder" "$XDG_DATA_HOME/edgefold" "$TIKTOKEN_CACHE_DIR"
    touch "$EDGEFOLD_VOCAB/own.tiktoken" "$EDGEFOLD_VOCAB/.hidden" "$EDGEFOLD_VOCAB/o200k_base.vocab"
    touch "$XDG_DATA_HOME/edgefold/own.json" "$XDG_DATA_HOME/edgefold/other.vocab" "$TIKTOKEN_CACHE_DIR/ec7223a39ce59f226a68acc30dc1af2788490e15"
    local model=$HF_HOME/hub/models--Org--model-1
    mkdir -p "$model/refs" "$model/snapshots/abc" "$HF_HOME/hub/models--Org--none" "$HF_HOME/hub/version"
    echo abc >"$model/refs/main"
    touch "$model/snapshots/abc/tokenizer.json"
    offers --compile-vocab x --compile-vocab= -- Org/model-1 chatgpt-4o gpt-4.1 gpt-4.5 gpt-4o gpt-5 gpt-oss o1 o200k_base o200k_harmony o3 o4 other own p50k_base
    rm "$EDGEFOLD_VOCAB/o200k_base.vocab"
    offers --count g -- Org/model-1 bytes bytes/ chars chars/ estimate other own p50k_base words
}

@test "completion: a name that is offered is one that is found" {
    local name seen=0
    export EDGEFOLD_VOCAB=$BATS_TEST_TMPDIR/vocab
    mkdir "$EDGEFOLD_VOCAB"
    touch "$EDGEFOLD_VOCAB"/{o200k_base,cl100k_base,r50k_base}.tiktoken "$EDGEFOLD_VOCAB/a name"
    while IFS= read -r name; do
        try --count="$name" other.ndjson
        expect 4 # it is empty
        says 'cannot use the vocabulary: the file is empty'
        seen=$((seen + 1))
    done < <(edgefold --completion=words -- --compile-vocab= | sed '1d; s/\t.*//')
    [ "$seen" -ge 15 ]
}

@test "completion: another shell is refused, and the scripts are as they are installed" {
    try --completion=csh
    expect 2
    says "--completion 'csh' needs bash, zsh or fish"
    needs make
    edgefold --completion=bash | cmp - "$SHARE/bash-completion/completions/edgefold"
    edgefold --completion=zsh | cmp - "$SHARE/zsh/site-functions/_edgefold"
    edgefold --completion=fish | cmp - "$SHARE/fish/vendor_completions.d/edgefold.fish"
}

@test "completion: the scripts can be sourced as they are printed" {
    local shell
    for shell in bash zsh fish; do
        command -v "$shell" >/dev/null || continue
        edgefold --completion="$shell" >script
        "$shell" -n script
    done
    edgefold --completion=bash >script
    ! command -v shellcheck >/dev/null || shellcheck -s bash script
    bash -c 'source ./script && complete -p edgefold' | grep -q -- '-F _edgefold edgefold'
    needs zsh
    edgefold --completion=zsh >script
    [ "$(zsh -fc 'autoload -U compinit && compinit -D -u && source ./script; print $_comps[edgefold]')" = _edgefold ]
}
