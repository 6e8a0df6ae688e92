load helper

# Examples are transcripts: "$ command" and exactly what it prints, messages
# included.  They run in tests/, with edgefold in PATH.

# transcript: reads one on standard input, runs its commands, shows what differs.
transcript() {
    local bin=$BATS_TEST_TMPDIR/bin
    mkdir -p "$bin"
    ln -sf "$EDGEFOLD" "$bin/edgefold"
    cat >"$BATS_TEST_TMPDIR/expected"
    (
        cd "$TESTS" || exit
        PATH=$bin:$PATH
        while IFS= read -r line; do
            case $line in
            '$ '*)
                printf '%s\n' "$line"
                command=${line#??}
                bash -c "$command" </dev/null 2>&1
                ;;
            esac
        done <"$BATS_TEST_TMPDIR/expected"
    ) >"$BATS_TEST_TMPDIR/printed"
    diff -u "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/printed"
}

# The page's literal blocks in EXAMPLES that have commands, roff escapes undone.
page_transcript() { # PAGE
    awk '/^\.Sh / { here = $2 == "EXAMPLES" }
         here && /^\.Bd -literal/ { block = ""; inside = 1; next }
         here && /^\.Ed/ { if (block ~ /^\$ /) printf "%s", block; inside = 0; next }
         inside { block = block $0 "\n" }' "$1" |
        sed 's/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g'
}

readme_transcript() {
    awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$ROOT/README.md"
}

@test "docs: every example in the man page prints what the page says" {
    page_transcript "$ROOT/man/edgefold.1" >"$BATS_TEST_TMPDIR/page"
    [ "$(grep -c '^\$ ' "$BATS_TEST_TMPDIR/page")" -ge 3 ]
    transcript <"$BATS_TEST_TMPDIR/page"
}

@test "docs: every example in the README prints what the README says" {
    readme_transcript >"$BATS_TEST_TMPDIR/readme"
    [ "$(grep -c '^\$ ' "$BATS_TEST_TMPDIR/readme")" -ge 3 ]
    transcript <"$BATS_TEST_TMPDIR/readme"
}

@test "docs: the README's picture is what the program does now" {
    needs python3
    python3 "$TESTS/picture.py" "$EDGEFOLD" | diff -u "$ROOT/man/picture.svg" -
    [ "$(wc -c <"$ROOT/man/picture.svg")" -lt 20000 ]
    grep -q '!\[.*\](man/picture.svg)' "$ROOT/README.md"
    local tag
    for tag in title desc style path rect; do
        grep -q "<$tag" "$ROOT/man/picture.svg"
    done
    run ! grep -Eq '@import|url\(|href|<image' "$ROOT/man/picture.svg" # nothing from elsewhere
    python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' "$ROOT/man/picture.svg"
}

@test "docs: the README's first command ends in what its example shows" {
    local command
    command=$(sed -n 's/.* && make && build\/edgefold /edgefold /p' "$ROOT/README.md")
    [ -n "$command" ]
    grep -qxF "\$ ${command/tests\//}" "$ROOT/README.md"
}

# "-b --budget=" for each option, sorted.
help_options() {
    "$EDGEFOLD" --help |
        sed -nE 's/^  (-[a-zA-Z]), (--[a-z-]+)(=?).*/\1 \2\3/p; s/^      (--[a-z-]+)(=?).*/\1\2/p' |
        sort
}

page_options() {
    awk '/^\.Sh / { here = $2 == "OPTIONS" } here && /^\.It Fl/' "$ROOT/man/edgefold.1" |
        sed -E 's/^\.It Fl ([a-zA-Z])( Ar [a-z]+)? , Fl -([a-z-]+)( Ns = Ns.*)?$/-\1 --\3\4/
                s/^\.It Fl -([a-z-]+)( Ns Oo.*)$/--\1/
                s/^\.It Fl -([a-z-]+)( Ns = Ns.*)?$/--\1\2/; s/ Ns = Ns.*/=/' | sort
}

@test "docs: the man page has the same options as --help" {
    [ "$(help_options | wc -l)" -ge 15 ]
    diff -u <(help_options) <(page_options)
}

@test "docs: the options stand in the page in alphabetical order" {
    local names
    names=$(awk '/^\.Sh / { here = $2 == "OPTIONS" } here && /^\.It Fl/' "$ROOT/man/edgefold.1" |
        sed -E 's/.*Fl -([a-z-]+).*/\1/')
    # by letter where an option has one, else by name
    diff -u <(awk '/^\.Sh / { here = $2 == "OPTIONS" } here && /^\.It Fl/ { l = $3; sub(/^-/, "", l); print tolower(l) }' \
        "$ROOT/man/edgefold.1") \
        <(awk '/^\.Sh / { here = $2 == "OPTIONS" } here && /^\.It Fl/ { l = $3; sub(/^-/, "", l); print tolower(l) }' \
        "$ROOT/man/edgefold.1" | sort)
    [ -n "$names" ]
}

@test "docs: every exit status of the program is in the page, and no other" {
    diff -u <(sed -n 's/^ *STATUS_[A-Z]* = \([0-9]*\).*/\1/p' "$ROOT/src/base/diag.h") \
        <(awk '/^\.Sh / { here = $2 == "EXIT" } here && /^\.It / { print $2 }' "$ROOT/man/edgefold.1")
}

@test "docs: every value that the page names for an option is taken" {
    local option value seen=0
    for option in count escape fit format layout similarity; do
        while read -r value; do
            value=${value/edges : Ns Ar k/edges:2}
            chunks a:1 >"$BATS_TEST_TMPDIR/in"
            set -- "--$option=$value"
            [ "$value" != truncate ] || set -- "$@" -f xml
            [[ $value != @(messages|anthropic|cohere) ]] || set -- "$@" -q why
            try "$@" <"$BATS_TEST_TMPDIR/in"
            expect 0
            seen=$((seen + 1))
        done < <(awk -v option="-$option" '/^\.It Fl/ { here = index($0, "Fl " option " ") > 0 }
                 here && /^\.It Cm/ && !/chars\// { sub(/^\.It Cm /, ""); print }' "$ROOT/man/edgefold.1")
    done
    [ "$seen" -ge 24 ]
}

@test "docs: the names that fields are found under are the page's" {
    local kind
    [ "$(grep -c '^\.Ql [a-z_.]* *,*$' "$ROOT/man/edgefold.1")" -ge 30 ]
    for kind in text score id; do
        diff -u <(awk -v array="${kind}_names" '$0 ~ array "\\[\\]" { here = 1; next } here && /};/ { exit } here' \
            "$ROOT/src/read/fields.c" | grep -o '"[^"]*"' | tr -d '"') \
            <(awk -v kind="$kind" '/^\.Ss / { here = $2 == "Fields" }
                 here && /^\.It / { item = $2 } here && item == kind && /^\.Ql/ { print $2 }
                 here && /^\.El/ { exit }' "$ROOT/man/edgefold.1")
    done
}

@test "docs: the pages are clean mdoc" {
    needs mandoc
    run -0 mandoc -Tlint -Wwarning "$ROOT/man/edgefold.1" "$ROOT/man/edgefold-recipes.7"
    [ -z "$output" ]
}
