load helper

# What is said of a document whose chunks are not where --items looks: each step works.

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# takes NAME ARGUMENT...: edgefold makes lines of the file of that name.
takes() {
    try "${@:2}" "$1"
    expect 0
    [ -s "$out" ]
}

# advised DOCUMENT PATH PATTERN: with --items=PATH the document is refused with a message
# that matches, and each option and each jq command in it makes of it what edgefold takes.
advised() {
    needs jq
    printf '%s\n' "$1" >document
    try --items="$2" document
    expect 3
    [ ! -s "$out" ]
    [ "$(wc -l <"$err")" -eq 1 ]
    says "$3" || return
    cp "$err" said
    local command steps=0
    while read -r command; do
        bash -c "$command" <document >made
        takes made
        steps=$((steps + 1))
    done < <(grep -oE "jq -c ('([^']|'\\\\'')*'|\.)" said)
    while read -r command; do
        eval "takes document $command"
        steps=$((steps + 1))
    done < <(grep -oE -- "--items=('[^']*'|[^ ,']+)" said | grep -v '=PATH$')
    [ "$steps" -gt 0 ]
}

@test "items: where there is nothing at the path, what is there is named, the nearest first" {
    advised '{"took":3,"total":1,"hits":{"total":1,"hits":[{"text":"x"}]}}' hits.hit \
        "^edgefold: document:1: no array at 'hits.hit', which --items names: 'hits' has hits, total; --items=hits.hits names an array$"
    advised '{"took":3,"r":{"x":[{"text":"x"}]},"n":[1]}' results \
        "the document has r, took, n; --items=r.x names an array of objects$"
    advised '{"results":[{"text":"x"}]}' Results '--items=results names an array$'
    advised '{"a b":{"hits":[{"text":"x"}]}}' 'a b.hit' "; --items='a b.hits' names an array$"
    advised '{"a.b":{"hits":[{"text":"x"}]}}' hits "has a.b; --items=/a.b/hits names an array of objects$"
    advised '{"hits":[{"text":"x"}]}' /hit "the document has hits; --items=/hits names an array$"
    advised '{"s":"x","r":[{"text":"x"}]}' s.x "'s' is a string; --items=r names an array of objects$"
    printf '{"r":[{"text":"x"}],"s":[{"text":"x"}]}' >two
    try --items=docs two
    says 'has s, r; arrays of objects are at r, s, and --items=PATH names one$'
    printf '{%s"m":1}' "$(printf '"key%d":1,' {1..2000})" | { try --items=x && expect 3; }
    says 'the document has (key[0-9]+, ){6}\.\.\.; edgefold-recipes\(7\) has commands for many responses$'
    printf '{"k\\u0000":[{"text":"x"}]}' | { try --items=x && expect 3; }
    says 'has k; edgefold-recipes'
    printf '{}' | { try --items=x && expect 3; }
    says "the document is empty; edgefold-recipes"
}

@test "items: an array on the way needs a number" {
    advised '{"results":[{"hits":[{"text":"x"}]},{"hits":[{"text":"y"}]}]}' results.hits \
        "'results' is an array of 2; --items=results\.0\.hits names that of the first, and jq -c '\.results\[\]\.hits\[\]' makes lines of all$"
    advised '[{"a b":{"hits":[{"text":"x"}]}}]' '/a b/hits' "--items='/0/a b/hits' names that of the first, and jq -c '\.\[\]\[\"a b\"\]\.hits\[\]'"
    advised '[{"hits":[{"text":"x"}]}]' 4.hits 'the document is an array of 1; --items=0\.hits names an array of objects$'
}

@test "items: a path that goes on into the chunks is told where they begin" {
    advised '[{"text":"x","tags":[{"a":1}]}]' results 'the document is an array of 1; --items=\. names it$'
    advised '{"a":{"r":[{"text":"x"},{"text":"y"}]}}' a.r.text "'a\.r' is an array of 2; --items=a\.r names it$"
    advised '{"a":{"r":[{"text":"x"}]}}' /a/r/0/text "no array at '/a/r/0/text', which --items names: there is a string; jq -c '\.a\.r\[0\]\.text \| \{text: \.\}'"
}

@test "items: of an object, a string or null at the path it says what makes chunks of it" {
    advised '{"hits":{"total":1,"hits":[{"text":"x"}]}}' hits 'there is an object; --items=hits.hits names an array of objects$'
    advised '{"docs":{"a":{"text":"x"},"b":{"text":"y","tags":[{}]}}}' docs "there is an object; jq -c '\.docs\[\]' makes lines of its members$"
    advised '{"top":{"text":"x"}}' top "there is an object; if it is a chunk, jq -c '\.top' makes a line of it, to be read without --items$"
    advised "$(printf '{\n"text":"x"}')" . "if it is a chunk, jq -c '\.' makes a line of it"
    advised '{"r":"[{\"text\":\"x\"}]"}' r "there is a string; jq -c '\.r \| fromjson\[\]' makes lines of the JSON in it$"
    advised '{"it'"'"'s":{"a-b":["[x]"]}}' "it's.a-b.0" "there is a string; jq -c '\.\[\"it'.''s\"\]\[\"a-b\"\]\[0\] \| \{text: \.\}' makes a chunk of it$"
    advised '"text"' . "jq -c '\. \| \{text: \.\}' makes a chunk of it$"
    printf '{"r":null}' >document
    try --items=r document
    expect 3
    says "there is null; jq -c '\.r\[\]\?' makes no line of it$"
    needs jq
    [ -z "$(jq -c '.r[]?' document)" ]
}

@test "items: an API's error is quoted, unless the array is there under another name" {
    printf '{"error":{"message":"overloaded","details":[{"a":1}]}}' | { try --items=results && expect 3; }
    says "the document has error; this is an API's error: 'overloaded'$"
    printf '{"error":{"message":"overloaded"}}' | { try --items=. && expect 3; }
    says "no array at '\.', which --items names; this is an API's error: 'overloaded'$"
    advised '{"message":"ok","results":[{"text":"x"}]}' result '--items=results names an array$'
}

@test "items: an element that is no object is named, with what makes chunks of such" {
    advised '{"r":["a","b"]}' r "^edgefold: document:r\[0\]:1: a chunk is an object, and this is a string; jq -c '\.r\[\] \| \{text: \.\}' makes a chunk of each$"
    advised '[["i","a text"]]' . "this is an array; jq -c '\.\[\] \| \{id: \.\[0\], text: \.\[1\]\}' makes chunks of such rows$"
    advised '[["a text"]]' . "jq -c '\.\[\] \| \{text: \.\[0\]\}' makes chunks of such rows$"
    advised '[[{"text":"x"}],[{"text":"y"}]]' . "; --items=0 names it, and jq -c '\.\[\]\[\]' makes lines of the elements of all$"
    advised '{"a b":[[{"text":"x"}]]}' 'a b' "; --items='a b.0' names it"
    local element
    for element in 'a number=3' 'null=null' 'null=NaN' 'true=true' 'a string="x"' 'an array=[]'; do
        printf '[{"text":"x"},\n%s]' "${element#*=}" >document
        try --items=. document
        expect 3
        says "^edgefold: document:\.\[1\]:2: a chunk is an object, and this is ${element%%=*}; --skip-invalid passes over it$"
        try --items=. --skip-invalid document
        expect 0
        says "^edgefold: document:\.\[1\]:2: a chunk is an object, and this is ${element%%=*}$"
    done
    printf '[3,{"text":"x","score":1},4,"y"]' | { try --items=. --skip-invalid && expect 0; }
    says 'elements passed over, not a JSON object: 3, the first at <stdin>:\.\[0\]:1$'
}

@test "items: an element that has its chunks in an array is no chunk" {
    advised '[{"question":"q","ctxs":[{"text":"x"}]}]' . \
        "document:\.\[0\]:1: no text field found; there is an array at 'ctxs': --items=0\.ctxs names it, and jq -c '\.\[\]\.ctxs\[\]' makes lines of those of all$"
    advised '{"r":[{"hits":{"hits":[{"text":"x"}]}}]}' /r "--items=/r/0/hits/hits names it, and jq -c '\.r\[\]\.hits\.hits\[\]'"
}

@test "items: several documents are lines of chunks, or each has an array" {
    advised "$(printf '[{"text":"x"}]\n\n[{"text":"y"}]')" . \
        "^edgefold: document:3: --items needs one document, and another begins here; jq -c '\.\[\]' makes lines of the elements of all, to be read without --items$"
    [ "$(wc -l <"$out")" -eq 2 ]
    advised '{"a":{"r":[{"text":"x"}]}}{"a":{"r":[]}}' a.r "jq -c '\.a\.r\[\]' makes lines"
    advised "$(printf '{\n"text":"x"}\n{"text":"y"}')" . "if each is a chunk, jq -c \. makes a line of it, to be read without --items$"
    chunks a:2 b:1 >lines
    try --items=. lines
    expect 3
    says '^edgefold: lines:2: .*; if each is a chunk, leave out --items$'
    takes lines
    printf '{"text":"x","score":NaN}\n{"text":"\377"}\n' | { try --items=. && expect 3; }
    says 'another begins here'
}

@test "items: what is no JSON is refused with the place and its usual reason" {
    local case
    for case in '[{"text":"x"},]=comma before a closing' '[{"text":None}]=Python.s None' '[{"text":"x"}=cut off' \
        "[{'text':1}]=double quotes" 'text,score=a document is an object or an array' '<html>=HTML or XML' \
        '[{"text":"a\q"}]=backslash is written twice' '# x=no comments'; do
        printf '%s' "${case%=*}" | { try --items=. && expect 3; }
        says "^edgefold: <stdin>:1:[0-9]+: .*${case##*=}"
        [ "$(wc -l <"$err")" -eq 1 ]
    done
    printf '[{"text":"x"\n},\n]' | { try --items=. && expect 3; }
    says '^edgefold: <stdin>:3:1: .*; JSON has no comma before a closing brace or bracket$'
    printf '[{"text":"x,}"\n]]' | { try --items=. && expect 3; }
    run ! says 'comma before'
    printf '{"text":"x"},\n{"text":"y"}' >rows
    try --items=. rows
    says "; with brackets around it, this is an array: sed '1s/\^/\[/; \\\$s/\\\$/\]/'$"
    sed '1s/^/[/; $s/$/]/' rows >document
    takes document --items=.
    printf '\000' | { try --items=. && expect 3; }
    says 'NUL byte'
}

@test "items: what goes wrong after reading names the element, too" {
    echo '{"r":[{"text":"a one","score":2,"g":1,"n":1},{"text":"b two","score":1,"g":1,"n":"x"}]}' >doc
    try --items=r --group=g --order=n doc
    expect 3
    says '^edgefold: doc:r\[1\]: --order n: a word here, but a number at doc:r\[0\], and'
}
