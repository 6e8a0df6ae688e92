load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    {
        chunk a 0.9 'Standard delivery takes three to five working days within the country, and two more for the islands.'
        chunk b 0.85 'Standard delivery takes THREE to six working days, within the country and two more for the islands!'
        chunk c 0.8 'Express delivery takes one working day.'
        chunk d 0.7 'Parcels are tracked: the number is in the message that confirms dispatch.'
        chunk e 0.5 'Gift wrapping costs two euros for each parcel and is chosen at the checkout.'
        chunk f 0.1 'Stamps.'
        printf '{"id":"g","text":"no score at all"}\n'
        chunk h 0.6 ''
    } >in
}

# The words that the page marks, a line each.
marks() {
    grep -o '<mark>[^<]*</mark>' "$1" | sed 's/<[^>]*>//g'
}

# agrees [OPTION]... FILE...: the page of a run says what its JSON report says.
agrees() {
    local files=() argument
    for argument; do
        [ ! -f "$argument" ] || files+=("$argument")
    done
    edgefold --report=r.json "$@" >/dev/null 2>&1 || [ $? -eq 1 ]
    try --report=r.html "$@"
    [ "$status" -le 1 ]
    python3 "$TESTS/page_check.py" r.html r.json "${files[@]}"
}

# hostile: chunks whose texts, ids and headers would be markup, and set window.hit if they were.
hostile() {
    python3 - <<'END'
import json
texts = ["<script>window.hit=1</script>", "</script><script>window.hit=2</script>", "<img src=x onerror=window.hit=3>",
         "]]><svg onload=window.hit=4>", "javascript:window.hit=5", "<a href=\"javascript:window.hit=6\">go</a>",
         "<!-- <script>window.hit=7</script> -->", "--!><script>window.hit=8</script>", "<![CDATA[ x ]]>", "<?php x ?>",
         "</style></title></textarea></noscript><plaintext>", "&lt;b&gt; &amp;amp; \"quoted' &#60;", "\" onclick=\"window.hit=9",
         "<base href=//evil.example><link rel=stylesheet href=//evil.example>", "<meta http-equiv=refresh content=0>",
         "a\u202eb\u2066c\u200fd", "\u0000 nul \u0007\u001b[31m\u0085\u007f", "x\u2028y\u2029z", "\ufeff\u200b\u00ad soft",
         "line\r\nend\ralone", "\U000e0041 tag \ufe01 \u2800", "emoji \u2764\ufe0f 1\ufe0f\u20e3 \U0001f468\u200d\U0001f469",
         "\\u{202e} as it is", "  \n\tleading", "</div></details></body></html>", "\u05d0\u05d1 \u0645\u0631 rtl"]
for place, text in enumerate(texts):
    print(json.dumps({"id": text, "text": f"{text} number{place} word{place}", "score": 1 - place / 100, "source": text}))
print('{"id":"\\ud800","text":"half \\udc00 of a pair","score":0.2}')
END
    printf '{"id":"raw\xff","text":"caf\xe9 <i>\xff","score":0.1}\nnot <b>json\n'
}

@test "page: the name's end says that the report is one" {
    local name
    for name in r.html r.HTM 'a b.Html' .html; do
        try --report="$name" in
        expect 0
        [ "$(head -n 1 "$name")" = '<!DOCTYPE html>' ]
    done
    for name in r.json r.html.txt html rhtml; do
        try --report="$name" in
        expect 0
        [ "$(head -n 1 "$name")" = '{' ]
    done
}

@test "page: what is kept stands in the order of the prompt, and every figure is the JSON report's" {
    needs python3
    agrees in
    agrees -q 'How long does delivery take?' -n 4 in
    agrees -q 'How long?' -b 150 --min-score=0.3 --header=Id=id --cite in
    agrees -q 'How long?' -b 140 --fit=truncate --require=d --require-edge=nope in
    agrees -l rank --lower-is-better --no-dedup --pin-last=c in
    agrees -f xml --count=words --count=chars -b 200 --reserve=20 in
    agrees -q 'Why?' --min-score=1 in
    printf '{"text":"one","distance":2}\n\nnot json\n{"text":"two","distance":1}\n' >distances
    agrees --skip-invalid -q 'Why?' distances
    : >empty
    agrees empty
    chunks c:3 z:2 a:1 >second
    agrees --fuse=rrf -q 'Why?' in second
    printf '{"results":[{"index":3,"relevance_score":0.9},{"index":0,"relevance_score":0.1}]}\n' >answer
    agrees --rescore=answer -q 'Why?' in
    agrees --sweep=c -q 'Why?' -b 200 in
    agrees -f anthropic -q 'Why?' -b 200 in
}

@test "page: it is the same as the JSON report on files of real chunks" {
    needs python3
    needs_shared
    no_sanitizer "it runs over real files"
    local file seen=0
    while read -r file; do
        edgefold "$file" >/dev/null 2>&1 || continue # it needs options of its own
        agrees -q 'What is it?' -b 2000 --stitch "$file"
        seen=$((seen + 1))
    done < <(find "$SHARED/data" -name '*.ndjson' -size -900k ! -path '*/raw/*' \
        ! -path '*/quirks/*' | sort | awk 'NR % 5 == 1')
    [ "$seen" -ge 20 ]
}

@test "page: what would be markup stays text, in texts, ids, headers, names and options" {
    needs python3
    local name='<img src=x onerror=window.hit=10>.ndjson'
    hostile >"$name"
    agrees --skip-invalid --no-dedup --header='So=source' --require='<script>window.hit=11</script>' \
        -q $'</script><script>window.hit=12</script> \xe2\x80\xae' --refusal='<svg onload=window.hit=13>' "$name"
    grep -qF 'a<b class="u">\u{202e}</b>b<b class="u">\u{2066}</b>c' r.html
    grep -qF '<b class="u">\u{0}</b> nul <b class="u">\u{7}</b><b class="u">\u{1b}</b>[31m<b class="u">\u{85}</b>' r.html
    grep -qF $'emoji \xe2\x9d\xa4\xef\xb8\x8f 1\xef\xb8\x8f\xe2\x83\xa3' r.html
    grep -qF 'raw<b class="u">\xff</b>' r.html
    grep -qF 'lines with half of a surrogate pair' r.html
}

@test "page: of near-duplicates what only one of the two says is marked" {
    try --report=r.html in
    expect 0
    [ "$(marks r.html | paste -sd' ' -)" = 'six five' ]
    {
        chunk a 0.9 'Caf\u00e9 \uff11\uff12 \u00bd cup stra\u00dfe co\u00adoperate 100 \u338f \u6771\u4eac\u90fd\u306e\u5929\u6c17 and more of the same for both'
        chunk b 0.8 'CAFE\u0301 12 1/2 cup STRASSE cooperate 100 kg \u6771\u4eac\u5e9c\u306e\u5929\u6c17 and more of the same for both'
    } >same
    try --report=r.html -d 0.7 same
    expect 0
    [ "$(marks r.html | paste -sd' ' -)" = $'\xe5\xba\x9c \xe9\x83\xbd' ]
    chunks a:1 b:1 >other # the same text twice: nothing is marked
    sed 's/"b1 b2 b3"/"a1 A2 a3!"/' other >twice
    try --report=r.html twice
    [ -z "$(marks r.html)" ]
    grep -q 'class="other"' r.html
}

@test "page: what --stitch has said before is marked, and what was cut" {
    needs python3
    cp "$TESTS/windows.ndjson" w
    agrees --stitch -q 'What does the fox do?' w
    grep -qF '<span class="said">jumps over the lazy dog by the slow brown river.</span> Then it sleeps.' r.html
    agrees --fit=truncate -b 132 -q 'How long does delivery take?' in
    grep -q '"cut": 24' r.json
    grep -q '<div class="text" dir="auto">[^<]\+<del>[^<]\{10,\}</del></div>' r.html
}

@test "page: of very many chunks it says how many it leaves out, and stays small" {
    needs python3
    python3 -c '
for i in range(9000):
    print("{\"id\":\"k%d\",\"text\":\"%s\",\"score\":%f}" % (i, " ".join("w%d" % (i * 7919 * k % 9973) for k in range(1, 40)), 1 - i / 1e5))
print("{\"id\":\"last\",\"text\":\"%s\",\"score\":0.0001}" % ("x" * 3000000))' >many
    try --no-dedup -n 10 --report=r.html many
    expect 0
    [ "$(grep -c '<details class="chunk">' r.html)" -eq 2010 ]
    grep -qF '6991 more, after these, are left out here.' r.html
    [ "$(wc -c <r.html)" -lt 6000000 ]
    try --no-dedup --report=r.html many
    expect 0
    [ "$(grep -c '<details class="chunk">' r.html)" -eq 5000 ]
    grep -qF '4001 chunks in the middle are left out here.' r.html
    [ "$(sed '/<noscript>/q' r.html | grep -c '<details class="chunk">')" -eq 50 ] # the rest is taken in later
    [ "$(grep -o 'class="s ' r.html | wc -l)" -le 3000 ]
    diff <(grep -o ' href="#[^"]*' r.html | sed 's/.*#//' | sort -u) \
        <(grep -o ' id="[^"]*' r.html | sed 's/.*"//' | sort -u) | grep '^<' && return 1
    tail -n 1 many >one
    sed 's/last/second/' one | cat one - >two # a text that is too long to be shown for what was dropped
    try --report=r.html two
    grep -qF 'Its text is left out' r.html
    [ "$(wc -c <r.html)" -lt 3100000 ]
    # A short one beside a long one, many times: the long text is there a few times at most.
    python3 -c '
print("{\"id\":\"long\",\"text\":\"%s\",\"score\":1}" % " ".join("w%d" % i for i in range(100000)))
for i in range(2000):
    print("{\"id\":\"s%d\",\"text\":\"w1 w2 w%d\",\"score\":0.5}" % (i, i))' >contained
    try --similarity=containment --report=r.html contained
    expect 0
    [ "$(wc -c <r.html)" -lt 8000000 ]
}

@test "page: of bad input it has the message, and of wrong usage nothing is written" {
    needs python3
    echo old >r.html
    try --report=r.html --top=x in
    expect 2
    [ "$(cat r.html)" = old ]
    printf '{"text":"a","score":1}\n<b>oops</b>\n' >bad
    try --report=r.html bad
    expect 3
    grep -q '<p class="error" role="alert">bad:2:1: .*&lt;b&gt;' r.html || grep -q '<p class="error" role="alert">bad:2:1: ' r.html
    ! grep -q '<details' r.html || return 1
    ! grep -q '<b>oops' r.html || return 1
    tail -n 1 r.html | grep -qx '</html>'
    try --report=/nonexistent/r.html in
    expect 4
    ln -s /dev/full full.html
    try --report=full.html in
    expect 4
}

@test "page: it is written whole, through links, with permissions, and over nothing that is read" {
    cp in in.html
    try --report=in.html in.html
    expect 2
    says "is read, so it is not written"
    cmp in in.html
    try --report=r.html --dropped=./r.html in
    expect 2
    (umask 027 && edgefold --report=new.html in >/dev/null)
    [ "$(stat -c %a new.html)" = 640 ]
    ln -s /dev/stderr err.html
    edgefold --report=err.html in 2>&1 >/dev/null | grep -q '^</html>$'
    [ -z "$(find . -name '*.html.*')" ]
}

@test "page: it is of one selection, so that --each has none" {
    sed 's/{/{"qid":"q",/' in >each
    try --each=qid --report=r.html each
    expect 2
    says 'a page is of one selection: with --each the report is JSON'
    [ ! -e r.html ]
    try --each=qid --report=r.json each
    expect 0
}

@test "page: it is the same each time, and has the warnings, printed or not" {
    try --report=a.html -q why in
    try --report=b.html -q why in
    diff <(grep -v '<th scope="row">report</th>' a.html) <(grep -v '<th scope="row">report</th>' b.html)
    sed -n '/<ul class="messages">/,/<\/ul>/s/^<li>\(.*\)<\/li>$/edgefold: warning: \1/p' a.html | sed "s/&#39;/'/g" >told
    [ -s told ]
    diff told "$err"
    try --quiet --report=b.html -q why in
    quiet
    sed -n '/<ul class="messages">/,/<\/ul>/s/^<li>\(.*\)<\/li>$/edgefold: warning: \1/p' b.html | sed "s/&#39;/'/g" | diff told -
}

@test "page: its style and script are built in, and anew when they change" {
    cp -r "$ROOT/Makefile" "$ROOT/src" .
    unset MAKEFLAGS MFLAGS MAKELEVEL
    local part=out/output/page.css.inc
    run -0 make -s BUILD=out "$part"
    tr ',' '\n' <"$part" | sed -n 's/.*0x\(..\).*/\1/p' >there
    od -An -v -tx1 src/output/page.css | tr -s ' ' '\n' | grep . | diff - there
    run -0 make -q BUILD=out "$part"
    touch -d '+1 minute' src/output/page.css
    run -1 make -q BUILD=out "$part"
    make -n BUILD=out out/output/page.o | grep -q 'page.css.inc'
}

# in_browser CHECK PAGE: see page_browser.py.
in_browser() {
    needs python3
    [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || skip "chromium is not installed"
    no_sanitizer "the page is the same"
    python3 "$TESTS/page_browser.py" "$@"
}

@test "page: in a browser clicks and keys open what the strip shows" {
    edgefold -q 'How long does delivery take?' -n 5 --min-score=0.3 --report=r.html in >/dev/null
    in_browser use r.html
}

@test "page: in a browser without scripts all of it is there" {
    edgefold -q 'How long does delivery take?' --report=r.html in >/dev/null
    in_browser plain r.html
}

# thousands: 2,000 chunks of 119 words.
thousands() {
    python3 -c '
for i in range(2000):
    print("{\"id\":\"k%d\",\"text\":\"%s\",\"score\":%f}" % (i, " ".join("w%d" % (i * 7919 * k % 9973) for k in range(1, 120)), 1 - i / 1e5))'
}

@test "page: in a browser all of many chunks are there, with scripts and without" {
    only_long
    needs python3
    thousands >many
    agrees --no-dedup -n 1300 -q why many
    in_browser long r.html
}

@test "page: in a browser nothing of the texts runs or asks for anything" {
    needs python3
    local _
    for _ in 1 2 3 4 5 6 7 8; do # more than are there at once
        hostile
    done >h
    edgefold --skip-invalid --no-dedup --header='So=source' -q '</script><script>window.hit=12</script>' \
        --report=r.html h >/dev/null
    in_browser hostile r.html
}

@test "page: in a browser it fits windows of 400 to 1,600 pixels, and can be read in light and dark" {
    needs python3
    { cat in && hostile && chunk long 0.95 "$(printf 'x%.0s' {1..3000})"; } >all
    edgefold --skip-invalid --stitch -q 'How long does delivery take?' -b 3000 --require=nope --report=r.html all >/dev/null || true
    in_browser widths r.html
    chunks 59004519:0.123456789012345678 59004520:0.98765432109876543 >scores
    edgefold --report=r.html scores >/dev/null
    in_browser widths r.html
}

@test "page: in a browser 2,000 chunks are soon open" {
    needs python3
    thousands >many
    edgefold -q why --report=r.html many >/dev/null
    in_browser time r.html >&3
}

@test "page: the README's picture is small, and of the page that its data give" {
    needs python3
    [ "$(head -c 8 "$TESTS/report.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
    [ "$(wc -c <"$TESTS/report.png")" -lt 60000 ]
    grep -qF '(tests/report.png)' "$ROOT/README.md"
    cp "$TESTS/picture.ndjson" .
    agrees -q 'How long does delivery take?' -b 340 -d 0.75 -n 9 picture.ndjson
    [ "$(marks r.html | paste -sd' ' -)" = 'two four three five' ]
}
