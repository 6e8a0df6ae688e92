load helper

# What producers write though it is not JSON: read, with one warning for each kind.

in=$BATS_TEST_TMPDIR/in

@test "nearjson: a bare NaN is a missing score and leaves as null" {
    printf '{"id":"a","text":"one","score":-1}\n{"id":"b","text":"two","score": NaN ,"n":[NaN,"NaN \\" NaN"]}\n{"id":"c","text":"three","score":NaN}\n{"id":"d","text":"four","score":-2}\n' >"$in"
    order "a d b c" -l rank "$in"
    [ "$(sed -n 3p "$out")" = '{"id":"b","text":"two","score": null ,"n":[null,"NaN \" NaN"]}' ]
    says '^edgefold: warning: lines with NaN or Infinity.*: 2, the first at .*:2$'
    says 'chunks without a score, which rank last: 2 of 4'
}

@test "nearjson: infinite scores are beyond all others" {
    printf '{"id":"a","text":"one","score":-Infinity}\n{"id":"b","text":"two","score":1e400}\n{"id":"c","text":"three","score":Infinity}\n{"id":"d","text":"four","score":1.7976931348623157e308}\n{"id":"e","text":"five","score":"1e401"}\n{"id":"f","text":"six","score":-1e999}\n' >"$in"
    order "c e b d f a" -l rank "$in"
    grep -qxF '{"id":"c","text":"three","score":null}' "$out"
    grep -qxF '{"id":"b","text":"two","score":1e400}' "$out"
    says 'lines with a number beyond a double.*: 2, the first at .*:2$'
    order "a f d b e c" -l rank --lower-is-better "$in"
}

@test "nearjson: such words in strings, keys and parts of words are not meant" {
    local line
    for line in '{"text":"one","score":"nan"}' '{"text":"one","score":"+Infinity"}' '{NaN:1,"text":"a"}' \
        '{"text":"one","score":NaNs}' '{"text":"one","score":+Infinity}' '{"text":"one","score":--Infinity}' \
        '{"text":"one","score":nan}' '{"text":"one","score":Inf}' '{"text":NaN Infinity}'; do
        echo "$line" >"$in"
        try "$in"
        expect 3
        [ ! -s "$out" ]
    done
}

@test "nearjson: half a surrogate pair is U+FFFD in a prompt, and stays in the line" {
    printf '{"text":"a\\ud83d","score":3}\n{"text":"b\\ude00c \\ud83d\\ude00 \\ud83d\\u0041","score":2}\n{"text":"d \\\\ud83d","score":1}\n' >"$in"
    try -l rank "$in"
    expect 0
    cmp "$in" "$out"
    says 'half of a surrogate pair.*: 2, the first at .*:1$'
    try -l rank -f plain "$in"
    [ "$(sed -n 2p "$out" | od -An -tx1 | tr -d ' ')" = 61efbfbd0a ]
    [ "$(sed -n 4p "$out")" = 'b�c 😀 �A' ]
    [ "$(sed -n 6p "$out")" = 'd \ud83d' ]
}

@test "nearjson: bytes that are not UTF-8 are U+FFFD in a prompt, and stay in the line" {
    printf '{"id":"x","text":"caf\351 \300\200 \355\240\275 \360\237\230","m":"\377","score":1}\n' >"$in"
    try "$in"
    expect 0
    cmp "$in" "$out"
    says 'bytes that are not UTF-8.*: 1, the first at .*:1$'
    try -f xml --header=M=m "$in"
    grep -qxF 'caf� �� ��� ���' "$out"
    grep -qxF '<document index="1" M="�">' "$out"
    printf '{"text":"a"\351}\n' >"$in"
    try "$in"
    expect 3
}

@test "nearjson: values that differ in bytes that are not UTF-8 differ" {
    local in=$BATS_TEST_TMPDIR/in option
    printf '{"q":"\377","text":"a b c","score":1}\n{"q":"\376","text":"a b c","score":0.9}\n' >"$in"
    printf '{"q":"\376","text":"a b c","score":"NaN"}\n' >>"$in"
    for option in '--group=q --no-dedup --per-group=1' '--dedup-field=q' '--each=q' '--each=q --items=.'; do
        if [[ $option = *items* ]]; then (echo '[' && paste -sd, "$in" && echo ']') >"$in.json"; else cp "$in" "$in.json"; fi
        # shellcheck disable=SC2086
        try $option "$in.json"
        expect 0
        cmp <(head -2 "$in") "$out"
    done
    try --each=q -q x "$in"
    [ "$(jq -r .group "$out")" = $'\xef\xbf\xbd\n\xef\xbf\xbd' ]
}

@test "nearjson: NUL escapes stand anywhere" {
    printf '{"id":"d\\u0000e","text":"a\\u0000b","k\\u0000":1,"score":1}\n' >"$in"
    try "$in"
    expect 0
    cmp "$in" "$out"
    quiet
}

@test "nearjson: numbers of any size are taken, and leave as they are" {
    printf '{"id":18446744073709551616,"text":"a","score":123456789012345678901234567891}\n{"id":-9223372036854775809,"text":"b","score":123456789012345678901234567890}\n{"id":1,"text":"c","score":-1e-400,"n":-1e999}\n' >"$in"
    try -l rank "$in"
    expect 0
    cmp "$in" "$out"
    says 'beyond a double.*: 1, the first at .*:3$'
}

@test "nearjson: record separators and byte-order marks stand before objects" {
    printf '\036{"id":"a","text":"one","score":1}\n\036 {"id":"b","text":"two","score":2}\r\n\357\273\277{"id":"c","text":"three","score":3}\n' >"$in"
    try -l rank "$in"
    expect 0
    printf '{"id":"c","text":"three","score":3}\n\036 {"id":"b","text":"two","score":2}\n\036{"id":"a","text":"one","score":1}\n' | cmp - "$out"
    says 'record separator.*: 2, '
    says 'byte-order mark inside the input.*: 1, '
    printf '\357\273\277\036{"id":"a","text":"one","score":1}' >"$in"
    (cat "$in" && echo && cat "$in") >"$BATS_TEST_TMPDIR/twice"
    order "a a" -l rank --no-dedup "$BATS_TEST_TMPDIR/twice"
    printf '\036\036{"text":"one","score":1}\n\357\273\277\n' >"$in"
    try "$in"
    expect 0
    head -n 1 "$in" | cmp - "$out"
}

@test "nearjson: one line may need all of it, and one warning for each kind is enough" {
    local i
    for i in 1 2 3; do
        printf '\036{"id":"%d","text":"caf\351 %d \\ud83d","k\\u0000":[NaN,-Infinity,1e999],"score":%d}\n' $i $i $((4 - i))
    done >"$in"
    order "1 2 3" -l rank "$in"
    [ "$(wc -l <"$err")" -eq 5 ]
    [ "$(grep -c ': 3, the first at' "$err")" -eq 5 ]
    grep -q 'k\\u0000":\[null,null,1e999\]' "$out"
}

@test "nearjson: rewritten lines leave whole, however many and long they are" {
    local long
    long=$(head -c 70000 /dev/zero | tr '\0' x)
    seq 9000 | awk -v long="$long" '{
        printf "{\"text\":\"%d \\\"NaN %s\",\"n\":%s}\n", $1, $1 % 3000 ? "" : long, $1 % 3 ? "[NaN,-Infinity]" : "1"
    }' >"$in"
    try --no-dedup -l input "$in"
    expect 0
    sed 's/\[NaN,-Infinity\]/[null,null]/' "$in" | cmp - "$out"
    try --no-dedup -l input --dropped="$BATS_TEST_TMPDIR/dropped" -n 1 "$in"
    sed '1d; s/\[NaN,-Infinity\]/[null,null]/' "$in" | cmp - "$BATS_TEST_TMPDIR/dropped"
}

@test "nearjson: a line that is mended costs little more memory than another" {
    no_sanitizer "they need the address space"
    seq 50000 | sed 's/.*/{"id":&,"text":"word & and more","score":NaN}/' >"$in"
    find_least
    within $((least + 15000)) --no-dedup "$in"
    expect 0
    [ "$(grep -c null "$out")" -eq 50000 ]
    seq 50000 | sed "s/.*/{\"id\":&,\"text\":\"caf$(printf '\351') & two\",\"score\":0.5}/" >"$in"
    within $((least + 17000)) --no-dedup "$in"
    expect 0
    [ "$(wc -l <"$out")" -eq 50000 ]
}

@test "nearjson: what is wrong beside what is mended is still refused, with its place" {
    printf '{"text":"a","score":1}\n{"text":"é\\ud83d","n":NaN,"score":x}\n' >"$in"
    try "$in"
    expect 3
    says ":2:35: .* near 'x'"
    printf '{"text":"a","score":NaN NaN}\n' >"$BATS_TEST_TMPDIR/nan"
    try "$BATS_TEST_TMPDIR/nan"
    says ":1:25: .* near 'NaN'"
    try --skip-invalid "$in"
    expect 0
    ! grep -q warning "$err"
}

@test "nearjson: elements of a document are mended as lines are, and what stands around them is no matter" {
    printf '\357\273\277\036{"m":[NaN,"\\ud800\377",1e999],"r":[\n {"id":"a","text":"one","score":NaN},{"id":"b" ,"text":"t\377 \\ud83d","score":Infinity}],"m":NaN}\n' >"$in"
    order "b a" -l rank --items=r "$in"
    printf '{"id":"b","text":"t\377 \\ud83d","score":null}\n{"id":"a","text":"one","score":null}\n' | cmp - "$out"
    says 'with NaN or Infinity.*: 2, the first at .*/in:r\[0\]:2$'
    says 'not UTF-8, read as U.FFFD: 1, the first at .*/in:r\[1\]:2$'
    [ "$(grep -c ' with ' "$err")" -eq 3 ]
    printf '{"m":NaN,"r":[{"text":"one","score":1}]}' >"$in"
    try --items=r "$in"
    expect 0
    quiet
}

@test "nearjson: real lines are the same as elements, warnings included" {
    needs python3
    needs_shared
    run -0 python3 "$TESTS/items_differential.py" "$EDGEFOLD" "$SHARED"/data/quirks/* "$SHARED"/data/m*/*.ndjson
    [ "$output" -ge 40 ]
}

@test "nearjson: a null text is an empty one" {
    printf '{"text":null,"score":2}\n{"text":"one","score":1}\n' >"$in"
    try -t text "$in"
    expect 0
    [ "$(wc -l <"$out")" -eq 1 ]
    says 'left out because their text is empty or null: 1'
}

@test "nearjson: JSONTestSuite's files are taken and refused as it asks" {
    needs python3
    [ -d "$SHARED/suites" ] || skip "the suites are not beside the checkout"
    python3 "$TESTS/conformance.py" "$EDGEFOLD" "$SHARED/suites/JSONTestSuite/test_parsing"
}

# quirk FILE STATUS [ORDER [PATTERN]]: what comes of a file of known quirks.
quirk() {
    try -l rank --no-dedup "$SHARED/data/quirks/$1"
    expect "$2" || return
    local got
    got=$(ids <"$out" | cut -c1-60)
    [ "$got" = "$3" ] || { echo "$1: order '$got', expected '$3'" && return 1; }
    if [ -n "${4-}" ]; then
        says "$4"
    else
        quiet
    fi
}

@test "nearjson: every known quirk of real output has its result" {
    needs_shared
    quirk array-one-line.json 3 "" "jq -c '\.\[\]'"
    quirk array-pretty.json 3 "" "jq -c '\.\[\]'"
    quirk blank-lines.ndjson 0 "b a"
    quirk bom-each-line.ndjson 0 "b a" "byte-order mark inside"
    quirk bom.ndjson 0 "b a"
    quirk cr-only.ndjson 3 "" "end in CR alone"
    quirk crlf.ndjson 0 "c b a" "scores rise from line to line"
    quirk deep.ndjson 0 "b a"
    quirk distance.ndjson 0 "a b c" "lower is better"
    quirk dup-id.ndjson 0 "a a a b"
    quirk dup-key.ndjson 0 "a b d"
    quirk empty.ndjson 0 ""
    quirk huge-int.ndjson 0 "f c b a e d"
    quirk id-types.ndjson 0 '1 1 1.0 null {"text":"No id here at all.","score":0.4}  -701'
    quirk invalid-utf8.ndjson 0 "latin1 cut overlong cesu ff good" "not UTF-8.*: 5"
    quirk json-seq.json-seq 0 "b a" "record separator"
    quirk key-escapes.ndjson 3 "" "no text at 'text'"
    quirk long-line.ndjson 0 "a big c nospace"
    quirk many-keys.ndjson 0 "a"
    quirk nan-inf.ndjson 3 "" ":7:.*near 'nan'"
    quirk nested-score-key.ndjson 0 "c b a" "scores rise"
    quirk no-final-newline.ndjson 0 "b a"
    quirk non-object.ndjson 3 "" ":1:1: "
    quirk normalisation.ndjson 0 "nfc nfd upper fullwidth nbsp ligature"
    quirk nul.ndjson 0 'a b c d\u0000e d\u0000f'
    quirk number-forms.ndjson 0 "h b c d e f g a"
    quirk number-invalid.ndjson 3 "" ":1:93: "
    quirk overflow.ndjson 0 "a c d e f g h b" "beyond a double.*: 2"
    quirk prompt-text.ndjson 0 "a b c d e"
    quirk raw-control.ndjson 3 "" "control character"
    quirk raw-nul.ndjson 3 "" "NUL byte"
    quirk same-text.ndjson 0 "b c d a"
    quirk score-types.ndjson 3 "" "is true, not a finite number"
    quirk string-score.ndjson 3 "" 'is " 0.5", not'
    quirk surrogates.ndjson 0 "pair raw lone reversed escaped-byte truncated" "surrogate pair.*: 4"
    quirk text-types.ndjson 3 "" "no text at"
    quirk ties.ndjson 0 "a b c d e f g h"
    quirk trailing-comma.ndjson 3 "" "without commas"
    quirk truncated-last-line.ndjson 3 "" "cut off"
    quirk two-on-a-line.ndjson 3 "" "one object a line"
    quirk utf16le.ndjson 3 "" "UTF-16"
    [ "$(grep -c '^    quirk ' "$BATS_TEST_FILENAME")" -eq "$(find "$SHARED/data/quirks" -type f | wc -l)" ]
}

@test "nearjson: what --skip-invalid leaves of the refused quirks is the good lines" {
    needs_shared
    left() {
        try -l rank --no-dedup --skip-invalid "$SHARED/data/quirks/$1"
        expect 0 && [ "$(ids <"$out")" = "$2" ] || { ids <"$out" && return 1; }
    }
    left nan-inf.ndjson "d c f a e b"
    left truncated-last-line.ndjson "a"
    left score-types.ndjson "f a b"
    try --skip-invalid "$SHARED/data/quirks/key-escapes.ndjson"
    expect 0
    [ "$(wc -l <"$out")" -eq 2 ]
}

@test "nearjson: a line judged by its skeleton is judged as jansson judges all of it" {
    local lines from=()
    lines=$(long_or 1000000 200000)
    [ "$EDGEFOLD_CHECK" = plain ] || lines=30000
    [ ! -d "$SHARED/suites" ] || from=("$SHARED"/suites/JSONTestSuite/test_parsing/*)
    run -0 "$EDGEFOLD_BUILD/skeleton_test" "$lines" "${from[@]}"
    echo "$output"
    [[ $output == *" 0 differ" ]]
}

@test "nearjson: what is as long as a good line is not taken for one" {
    local bad
    for bad in '{"text":"b","score":x}' '{"text":"b","score",2}' '["text","b","score",2]' '{"text":"b","score":2]'; do
        printf '%s\n' '{"text":"a","score":1}' '{"text":"c","score":-7.5e1}' "$bad" >"$BATS_TEST_TMPDIR/in"
        try "$BATS_TEST_TMPDIR/in"
        expect 3
        grep -q "in:3:" "$err"
    done
}
