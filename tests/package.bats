load helper

# What is made of the source for others: tarball, program of one file, builds elsewhere.
# Debian's package, other C libraries and other machines are tried by tests/packages,
# tests/systems and tests/foreign, which take minutes.

# The variables of the make that runs the tests, and the caller's, are not for these.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES GNUMAKEFLAGS MAKELEVEL PKG_CONFIG_PATH CC CFLAGS CPPFLAGS LDFLAGS
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

needs_clone() {
    needs make
    needs git
    git -C "$ROOT" -c safe.directory='*' rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "this is no clone made by git"
}

# clone NAME: a clone of this one's last commit, to work in.
clone() {
    git -c safe.directory='*' clone -q --shared "$ROOT" "$BATS_TEST_TMPDIR/$1"
    cd "$BATS_TEST_TMPDIR/$1"
    git config user.name tests
    git config user.email tests@localhost
}

# settle: what is built of the source counts as built, without having been.
settle() {
    local source
    make -s build/tried.mk build/commit build/output/page.css.inc build/output/page.js.inc
    for source in src/*.c src/*/*.c; do
        source=build/${source#src/}
        mkdir -p "${source%/*}"
        : >"${source%.c}.o"
    done
    : >build/edgefold
}

# commands [ARGUMENT]...: what make would run to build the program, in a build of its own.
commands() {
    set -- BUILD="$BATS_TEST_TMPDIR/build" "$@"
    (cd "$ROOT" && make -s "$@" "$BATS_TEST_TMPDIR/build/tried.mk" && make -n V=1 "$@" all) 2>&1
}

@test "package: the tarball has the same bytes wherever it is made" {
    needs_clone
    needs gzip
    clone one
    make -s dist
    local tarball=build/edgefold-$(sed -n 's/^#define OUTPUT_VERSION "\(.*\)"/\1/p' src/output/output.h).tar.gz
    cp "$tarball" ../first
    clone two
    touch LICENSE && echo untracked >src/untracked.c && echo '/* changed */' >>src/main.c
    echo 'README.md export-ignore' >../attributes
    git config core.attributesFile ../attributes
    git config core.autocrlf true
    git config tar.umask 0077
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 make -s dist)
    cmp "$tarball" ../first
    [ "$(tar -tzf ../first | sort -u | sed -n '1p')" = "$(basename "$tarball" .tar.gz)/" ]
    [ "$(tar -tzf ../first | grep -vc '/$')" -eq "$(git ls-files | wc -l)" ]
    tar -xOzf ../first "$(basename "$tarball" .tar.gz)/src/cli/version.c" |
        grep -qxF "#define VERSION_COMMIT \"$(git rev-parse HEAD)\""
}

@test "package: without a clone made by git there is no tarball, and the message says so" {
    needs make
    cp "$ROOT/Makefile" "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    GIT_DIR=/nonexistent run make dist
    [ "$status" -ne 0 ]
    [[ $output == *"a clone made by it"* ]]
}

@test "package: another commit has nothing but its name compiled again" {
    needs_clone
    clone one
    settle
    run -0 make -n V=1
    [[ $output != *" -c "* ]]
    git commit -q --allow-empty -m 'another one'
    run -0 make -n V=1
    [ "$(grep -c ' -c ' <<<"$output")" -eq 1 ]
    [[ $output == *"-DVERSION_COMMIT='\"$(git rev-parse HEAD)\"'"*"src/cli/version.c"* ]]
    settle
    echo '/* changed */' >>src/main.c
    run -0 make -n V=1
    [[ $output == *"-DVERSION_COMMIT='\"$(git rev-parse HEAD)+\"'"*"src/cli/version.c"* ]]
}

@test "package: --version knows the commit, as a clone and as a tarball have it" {
    needs_clone
    needs cc
    clone one
    local commit form
    commit=$(git rev-parse HEAD)
    git archive --prefix=tarball/ HEAD | tar -xf - -C ..
    for form in . ../tarball; do
        make -s -C "$form" CFLAGS=-O0 build/cli/version.o
        grep -qaF "$commit" "$form/build/cli/version.o"
    done
    cp -R ../tarball ../bare # neither of the two: nothing is said
    cp src/cli/version.c ../bare/src/cli/version.c
    make -s -C ../bare CFLAGS=-O0 build/cli/version.o
    run ! grep -qaE '[0-9a-f]{40}' ../bare/build/cli/version.o
}

@test "package: the static program runs where there is no other file" {
    no_sanitizer "they need files of their own"
    needs make
    needs chroot
    local enter=(chroot)
    chroot / true 2>/dev/null || enter=(unshare -r chroot)
    "${enter[@]}" / true 2>/dev/null || skip "no user may chroot here"
    cd "$ROOT"
    run make -s static
    [ "$status" -eq 0 ] || [[ $output != *"cannot find -l"* ]] || skip "there is no static library of one: $output"
    [ "$status" -eq 0 ]
    local root=$BATS_TEST_TMPDIR/root
    mkdir "$root"
    cp build/static/edgefold "$root"
    chunks a:1 b:2 c:3 | "${enter[@]}" "$root" /edgefold -q 'Why so?' -n 2 >"$BATS_TEST_TMPDIR/static"
    chunks a:1 b:2 c:3 | edgefold -q 'Why so?' -n 2 | cmp - "$BATS_TEST_TMPDIR/static"
    [ "$("${enter[@]}" "$root" /edgefold --version | cut -d' ' -f1-2)" = "$(edgefold --version | cut -d' ' -f1-2)" ]
}

@test "package: flags come from the environment as well as from the command line" {
    needs make
    CFLAGS='-O1 -DFROM_ENVIRONMENT' LDFLAGS=-L/from/environment CPPFLAGS=-DTOO run -0 commands
    [ "$(grep ' -c ' <<<"$output" | grep -vc -- '-DTOO -O1 -DFROM_ENVIRONMENT')" -eq 0 ]
    [[ $output == *"-L/from/environment"* ]]
    CFLAGS=-DFROM_ENVIRONMENT run -0 commands CFLAGS='-O3 -DFROM_LINE' LDFLAGS=-L/from/line
    [[ $output == *"-DFROM_LINE"* && $output == *"-L/from/line"* && $output != *"FROM_ENVIRONMENT"* ]]
}

@test "package: who sets _FORTIFY_SOURCE decides on it" {
    needs make
    local flags
    run -0 commands
    [[ $output == *"-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"* ]]
    for flags in CPPFLAGS=-D_FORTIFY_SOURCE=3 'CFLAGS=-O2 -Wp,-D_FORTIFY_SOURCE=3' CFLAGS=-O0 CFLAGS=-g; do
        run -0 commands "$flags"
        [[ $output != *"FORTIFY_SOURCE=2"* ]]
    done
    needs cc
    cd "$ROOT"
    run -0 make BUILD="$BATS_TEST_TMPDIR/build" CPPFLAGS='-D_FORTIFY_SOURCE=3 -Werror' "$BATS_TEST_TMPDIR/build/fate.o"
}

@test "package: what the compiler or the linker does not know is left out" {
    needs make
    needs cc
    printf '#!/bin/sh\nfor flag; do case $flag in -pie | -Wl,-z,* | -fstack-protector-strong) exit 1 ;; esac; done\nexec cc "$@"\n' \
        >"$BATS_TEST_TMPDIR/other-cc"
    chmod +x "$BATS_TEST_TMPDIR/other-cc"
    run -0 commands
    [[ $output == *" -c "*"-Wl,-z,relro"* ]]
    run -0 commands CC="$BATS_TEST_TMPDIR/other-cc" # another compiler, so they are tried again
    [[ $output == *"other-cc"*" -c "* && $output == *" -fPIE "* ]]
    [[ $output != *relro* && $output != *" -pie "* && $output != *stack-protector* ]]
    run -0 commands
    [[ $output == *"-Wl,-z,relro"* ]]
    run -0 commands LDFLAGS=-static
    [[ $output == *relro* && $output != *" -pie "* ]]
}

@test "package: no command of the Makefile's needs a shell that older makes do not give it" {
    # Before GNU make 4.3, $(shell) runs a line without any of these as a program.
    local found
    found=$(sed -e ':a' -e '/\\$/{' -e 'N' -e 's/\\\n//' -e 'ba' -e '}' "$ROOT/Makefile" |
        sed -nE 's/.*\$\(shell +((command|type|cd|test|\[|export|set|ulimit|umask) .*)/\1/p')
    run -0 grep -c . <<<"$found"
    run ! grep -v '[;"*?<>&|`~!]' <<<"$found"
    # Nor anything that 3.81 lacks.
    run ! grep -nE '^[A-Za-z_]+ *(!=|::=)|\$\(file |^ *(undefine|private)|^define .*=|^\.ONESHELL' "$ROOT/Makefile"
}
