load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '{"id":"a\\"1","text":"first {{question}} text","score":0.50,"m":{"t":"T <x>"},"title":"one"}\n{"id":7,"text":"second {{n}} </doc> words","score":"0.4","m":{}}\n' >in
}

@test "template: a prompt is written by its template, to the byte" {
    printf 'Q: {{question}}\n<ctx>\n{{ context }}\n</ctx>\n{{"{{"}}x}} {{instructions}}--{{question}}' >t
    try -q 'why {{context}}?' --instructions='be {{brief}}' --template=t -f numbered in
    expect 0
    printf 'Q: why {{context}}?\n<ctx>\n[1]\nfirst {{question}} text\n\n[2]\nsecond {{n}} </doc> words\n</ctx>\n{{x}} be {{brief}}--why {{context}}?' |
        cmp - "$out"
}

@test "template: a chunk is written by its template, to the byte" {
    printf '<doc id="{{id}}" n={{n}}>{{rank}} {{score}} {{header}} {{m.t}} {{/title}}\n{{text}}\n</doc>\n' >c
    try --chunk-template=c --header=Title=title -l reverse in
    expect 0
    printf '<doc id="7" n=1>2 0.4   \nsecond {{n}} &lt;/doc> words\n</doc>\n<doc id="a&quot;1" n=2>1 0.50 [Title: one] T <x> one\nfirst {{question}} text\n</doc>\n' |
        cmp - "$out"
}

@test "template: both together, and the question after" {
    printf '* {{text}}\n' >c
    printf 'Given:\n{{context}}\n\n{{question}}\n' >t
    try -q why --template=t --chunk-template=c in
    expect 0
    printf 'Given:\n* first {{question}} text\n* second {{n}} </doc> words\n\nwhy\n' | cmp - "$out"
    try -q why --chunk-template=c --no-instructions in
    printf '* first {{question}} text\n* second {{n}} </doc> words\n\n<question>\nwhy\n</question>\n' | cmp - "$out"
}

@test "template: an unknown name is an error with its place, before anything is read" {
    printf 'x\n  é{{nope}} {{context}}' >t
    try --template=t /nonexistent
    expect 2
    says "^edgefold: t:2:6: unknown name 'nope'"
    printf '{{text}} {{title}}' >c
    try --chunk-template=c /nonexistent
    expect 2
    says "^edgefold: c:1:12: unknown name 'title'"
    printf '{{context}}\n{{question' >t
    try --template=t /nonexistent
    expect 2
    says '^edgefold: t:2:1: \{\{ is not closed'
    printf '{{}}{{text}}' >c
    try --chunk-template=c /nonexistent
    expect 2
    printf '{{text}} {{a..b}}' >c
    try --chunk-template=c /nonexistent
    expect 2
}

@test "template: one that would lose chunks or question is refused" {
    printf '{{question}}' >t
    try -q why --template=t /nonexistent
    expect 2
    printf '{{context}}{{context}}{{question}}' >t
    try -q why --template=t /nonexistent
    expect 2
    printf '{{context}}' >t
    try -q why --template=t /nonexistent
    expect 2
    printf '{{context}}{{question}}' >t
    try --template=t /nonexistent
    expect 2
    printf '{{n}}' >c
    try --chunk-template=c /nonexistent
    expect 2
    try --template=/nonexistent in
    expect 4
}

@test "template: --strict-template asks for every member" {
    printf '{{text}} {{m.t}}\n' >c
    try --chunk-template=c in
    expect 0
    grep -qx 'second {{n}} </doc> words ' "$out"
    try --chunk-template=c --strict-template in
    expect 3
    says "^edgefold: in:2: nothing at 'm.t'"
    [ ! -s "$out" ]
    try --chunk-template=c --strict-template --skip-invalid in
    expect 0
    [ "$(wc -l <"$out")" -eq 1 ]
}

@test "template: its tags cannot be closed from inside, its attributes not be left" {
    printf '<Source-Text title='"'"'{{m.t}}'"'"' x="{{text}}">{{text}}</Source-Text>\n' >c
    printf '{"text":"a\\"b </source-text > \\n c","m":{"t":"it\u0027s > 1"},"score":1}\n' >in
    try --chunk-template=c in
    expect 0
    printf '<Source-Text title='"'"'it&#39;s &gt; 1'"'"' x="a&quot;b &lt;/source-text &gt;   c">a"b &lt;/source-text > \n c</Source-Text>\n' |
        cmp - "$out"
}

@test "template: the budget holds for what it writes, and one chunk more would not fit" {
    local i count
    for i in $(seq 20); do
        printf '{"text":"word%d and some more, %d","score":%d}\n' "$i" "$i" "$i"
    done >in
    printf -- '-{{text}} {{rank}}' >c
    printf '({{context}}) {{question}}' >t
    for count in words chars bytes estimate; do
        for i in 60 77 150 200; do
            try -q why --template=t --chunk-template=c --count=$count -b "$i" --margin=0 --stats in
            expect 0
            edgefold --count-only --count=$count "$out" >n
            [ "$(cat n)" -le "$i" ]
            says ", $(cat n) tokens of $i"
            local kept
            kept=$(grep -o 'word' "$out" | wc -l)
            [ "$kept" -eq 20 ] ||
                [ "$(edgefold -q why --template=t --chunk-template=c -n $((kept + 1)) in | edgefold --count-only --count=$count)" -gt "$i" ]
        done
    done
}
