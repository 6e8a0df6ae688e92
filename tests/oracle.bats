load helper

# A second implementation, slow and plain, must agree byte for byte.

@test "oracle: it agrees on every real file, under six option sets or more" {
    needs python3
    needs_shared
    no_sanitizer "the random inputs are enough there"
    run -0 python3 "$TESTS/differential.py" "$EDGEFOLD" data "$SHARED/data"
    [[ $output == *" 0 different"* ]]
}

@test "oracle: it agrees on thousands of random small inputs" {
    needs python3
    local count
    count=$(long_or 2500 600)
    [ "$EDGEFOLD_CHECK" != asan ] || count=800
    [ "$EDGEFOLD_CHECK" != valgrind ] || count=60
    run python3 "$TESTS/differential.py" "$EDGEFOLD" random "$count"
    echo "$output"
    [ "$status" -eq 0 ]
}
