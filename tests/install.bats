load helper

# The variables of the make that runs the tests, and the caller's, are not for these.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES GNUMAKEFLAGS PKG_CONFIG_PATH

@test "install: it puts the program and its pages under DESTDIR, and uninstall takes them away" {
    needs make
    cd "$ROOT"
    local dest="$BATS_TEST_TMPDIR/where it goes"
    run -0 make -s install DESTDIR="$dest" PREFIX=/opt/e
    [ "$(cd "$dest" && find . -type f | sort | paste -sd' ' -)" = \
        "./opt/e/bin/edgefold ./opt/e/share/bash-completion/completions/edgefold ./opt/e/share/fish/vendor_completions.d/edgefold.fish ./opt/e/share/man/man1/edgefold.1 ./opt/e/share/man/man7/edgefold-recipes.7 ./opt/e/share/zsh/site-functions/_edgefold" ]
    [ -x "$dest/opt/e/bin/edgefold" ]
    run -0 "$dest/opt/e/bin/edgefold" --version
    run -0 make -s uninstall DESTDIR="$dest" PREFIX=/opt/e
    [ -z "$(find "$dest" -type f)" ]
}

@test "install: a missing library is named with its Debian package" {
    needs make
    cd "$ROOT"
    mkdir "$BATS_TEST_TMPDIR/none"
    PKG_CONFIG_LIBDIR=$BATS_TEST_TMPDIR/none run make -n all
    [ "$status" -ne 0 ]
    [[ $output == *"apt-get install libjansson-dev libutf8proc-dev"* ]]
    run make -n all PKG_CONFIG=no-such-command
    [ "$status" -ne 0 ]
    [[ $output == *"apt-get install pkg-config"* ]]
}

@test "install: clean and uninstall need no library" {
    needs make
    cd "$ROOT"
    PKG_CONFIG_LIBDIR=$BATS_TEST_TMPDIR run -0 make -n clean uninstall
}
