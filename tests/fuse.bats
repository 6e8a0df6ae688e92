load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    chunks a:0.9 b:0.8 c:0.7 >one
    printf '{"id":"c","text":"c1 c2 c3","distance":0.1}\n{"id":"b","text":"b1 b2 b3","distance":0.2}\n{"id":"d","text":"d1 d2 d3","distance":0.3}\n' >two
}

@test "fuse: chunks rank by the sum of 1/(60 + rank) over the lists" {
    # a 1/61; b 1/62 + 1/62; c 1/63 + 1/61; d 1/63
    order "c b a d" --fuse=rrf -l rank one two
    grep -qxF '{"id":"c","text":"c1 c2 c3","distance":0.1}' "$out"
    grep -qxF '{"id":"b","text":"b1 b2 b3","score":0.8}' "$out"
    says "the score of two is 'distance', so lower is better"
}

@test "fuse: K and weights count" {
    order "c a b d" --fuse=rrf:0 -l rank one two
    order "a c b d" --fuse=rrf:0 --weights=3,1 -l rank one two
    order "c b d a" --fuse=rrf --weights=0,1 -l rank one two
    order "c b" --fuse=rrf --min-score=0.03 -l rank one two
}

@test "fuse: equal sums go by the best rank, then by first appearance" {
    chunks a:4 b:3 c:2 >one
    chunks c:4 b:3 a:2 >two
    order "a c b" --fuse=rrf:1000000 -l rank one two
    chunks a:2 b:1 >one
    chunks b:2 a:1 >two
    order "a b" --fuse=rrf -l rank one two
    order "b a" --fuse=rrf -l rank two one
    chunks x:1 >three
    chunks y:1 >four
    chunks z:1 >five
    order "x y z" --fuse=rrf -l rank three four five
}

@test "fuse: lists are ranked by their scores, or as they come without any" {
    chunks c:1 a:3 b:2 >one
    printf '{"id":"b","text":"b1 b2 b3"}\n{"id":"a","text":"a1 a2 a3"}\n' >two
    order "a b c" --fuse=rrf -l rank one two
    says "the first chunk of two has no score that is known by its name, so its lines' order is its ranking"
    try --fuse=rrf -s scroe one two
    says "no chunk of one has a score at 'scroe'"
}

@test "fuse: each list has its own fields" {
    printf '{"id":"a","text":"a1","score":1}\n{"id":"b","text":"b1","score":2}\n' >one
    printf '{"docid":"a","content":"a1","relevance_score":9}\n{"docid":"c","content":"c1","relevance_score":8}\n' >two
    try --fuse=rrf -l rank one two
    expect 0
    [ "$(cut -c1-13 out | paste -sd' ' -)" = '{"docid":"a", {"id":"b","te {"docid":"c",' ]
}

@test "fuse: without ids chunks are the same by their texts" {
    printf '{"text":"x y","score":2}\n{"text":"caf\\u00e9","score":1}\n' >one
    printf '{"text":"café","score":2,"l":2}\n{"text":"z","score":1}\n' >two
    try --fuse=rrf -l rank one two
    expect 0
    [ "$(wc -l <out)" -eq 3 ]
    head -n 1 out | grep -q '"l":2'
}

@test "fuse: repeated in its list, a chunk counts with its best rank there" {
    chunks a:3 b:2 a:1 >one
    chunks b:2 c:1 >two
    order "b a c" --fuse=rrf -l rank one two
    try --fuse=rrf --no-dedup --stats one two
    says '5 chunks in, 3 kept'
    says 'their list has them already: 1$'
}

@test "fuse: one list, an empty list and standard input are lists" {
    order "a b c" --fuse=rrf -l rank one
    : >none
    order "a b c" --fuse=rrf -l rank none one
    order "c b a d" --fuse=rrf -l rank - two <one
    try --fuse=rrf none
    expect 0
}

@test "fuse: what cannot be meant is wrong usage" {
    local option
    for option in --fuse= --fuse=rrf: --fuse=rrf:-1 --fuse=rrf:x --fuse=sum --fuse; do
        try "$option" one two
        expect 2
    done
    for option in 1 1,2,3 1,x -1,1 1,1e308 1000000000.5,1 ''; do
        try --fuse=rrf --weights="$option" one two
        expect 2
    done
    try --weights=1,1 one two
    expect 2
    order 'a' --fuse=rrf:0 --weights=1e9,1000000000 --annotate -n 1 -l rank one one
    [ "$(jq '.edgefold.score' "$out")" -eq 2000000000 ]
}

@test "fuse: real lists fuse as a plain program fuses them" {
    needs python3
    needs_shared
    local query k
    for query in 104861 1110199 359349 490595; do
        for k in 1 60; do
            edgefold --fuse=rrf:$k --no-dedup -l rank "$SHARED/data/msmarco/dl19-$query".{bm25,tasb,splade}.ndjson |
                jq -r .docid >got
            python3 - "$k" "$SHARED/data/msmarco/dl19-$query".{bm25,tasb,splade}.ndjson >expected <<'END'
import fractions, json, sys
k, scores, best, first = int(sys.argv[1]), {}, {}, {}
for name in sys.argv[2:]:
    chunks = [json.loads(line) for line in open(name)]
    chunks.sort(key=lambda chunk: -chunk["score"])
    for rank, chunk in enumerate(chunks, 1):
        docid = chunk["docid"]
        scores[docid] = scores.get(docid, 0) + fractions.Fraction(1, k + rank)
        best[docid] = min(best.get(docid, rank), rank)
lines = [json.loads(line)["docid"] for name in sys.argv[2:] for line in open(name)]
for place, docid in enumerate(lines):
    first.setdefault(docid, place)
print(*sorted(scores, key=lambda d: (-scores[d], best[d], first[d])), sep="\n")
END
            diff expected got
        done
    done
}

@test "fuse: ids that differ in bytes that are not UTF-8, or in halves of pairs, differ" {
    printf '{"id":"caf\351","text":"one","score":4}\n{"id":"caf\350","text":"two","score":3}\n' >one
    printf '{"id":"\\ud83d","text":"three","score":2}\n{"id":"\\ud83e","text":"four","score":1}\n' >>one
    try --fuse=rrf one one
    expect 0
    [ "$(wc -l <out)" -eq 4 ]
}

@test "fuse: sums that are the same are the same, however they round" {
    local list rank
    for list in 3:x,24:y 80:x,30:y; do
        for rank in $(seq 90); do
            case ,$list, in
            *,$rank:x,*) printf '{"id":"x","text":"x","score":%d}\n' $((100 - rank)) ;;
            *,$rank:y,*) printf '{"id":"y","text":"y","score":%d}\n' $((100 - rank)) ;;
            *) printf '{"id":"%s %d","text":"%s %d","score":%d}\n' "$list" "$rank" "$list" "$rank" $((100 - rank)) ;;
            esac
        done >"list$list"
    done
    order "x y" --fuse=rrf -l rank -n 2 list3:x,24:y list80:x,30:y
}

@test "fuse: lists with and without ids, or with ids of their own, are joined by their texts" {
    chunks a:2 b:1 >one
    printf '{"text":"a1 a2 a3","score":1}\n' >two
    try --fuse=rrf one two
    quiet
    [ "$(wc -l <"$out")" -eq 2 ]
    printf '{"id":2,"text":"only here"}\n{"id":1,"text":"in both"}\n' >one
    printf '{"text":"only there"}\n{"text":"in both"}\n' >two
    try --fuse=rrf -n 1 one two
    grep -q '"in both"' "$out"
    printf '{"key":2,"text":"only there"}\n{"key":1,"text":"in both"}\n' >two
    try --fuse=rrf -n 1 one two
    grep -q '"in both"' "$out"
}

@test "fuse: one id with two texts is two chunks, which is said once with both places" {
    printf '{"id":"x","text":"one"}\n{"id":"y","text":"same"}\n' >one
    printf '{"id":"x","text":"two"}\n{"id":"y","text":"same"}\n' >two
    try --fuse=rrf one two
    expect 0
    [ "$(wc -l <"$out")" -eq 3 ]
    says 'ids with more than one text, whose chunks are kept apart: 1, the first at one:1 and two:1$'
}

@test "fuse: lists that have no chunk in common are said to be mixed only" {
    chunks a:1 >one
    chunks b:1 >two
    try --fuse=rrf one two
    says 'no chunk is in more than one list, so that fusing only mixes them'
    try --fuse=rrf one
    quiet
}

@test "fuse: --as-they-come takes the lines' order, and the free sign of a wrong direction is seen" {
    printf '{"id":"a","text":"ta","score":-9}\n{"id":"b","text":"tb","score":-5}\n{"id":"c","text":"tc","score":-1}\n' >one
    chunks a:3 b:2 c:1 >two
    try --fuse=rrf one two
    says "the scores of one rise from line to line.*: --as-they-come ranks it so, --higher-is-better says"
    order "a b c" --fuse=rrf --as-they-come -l rank --no-dedup one one
    quiet
    order "c b a" --fuse=rrf -l rank --no-dedup one one
    try --as-they-come one
    expect 2
}

@test "fuse: --annotate has the sum and the rank in each list, and a pipe goes on from there" {
    try --fuse=rrf --annotate -l rank one two
    [ "$(head -n 1 "$out" | jq -c '.edgefold | [.rank, .lists]')" = '[1,[3,1]]' ]
    [ "$(sed -n 3p "$out" | jq -c '.edgefold.lists')" = '[1,null]' ]
    cp "$out" fused
    order "c b a d" -s edgefold.score -l rank fused
    edgefold --fuse=rrf --annotate -l rank one two | edgefold -s edgefold.score -n 1 | cmp - <(head -n 1 fused)
}

@test "fuse: a reranker's answer counts the lines that fusing prints" {
    edgefold --fuse=rrf --no-dedup -l rank one two | ids >order
    [ "$(cat order)" = "c b a d" ]
    printf '[{"index":3,"score":9},{"index":0,"score":8},{"index":2,"score":7}]' >answer
    order "d c a" --fuse=rrf --rescore=answer -l rank one two
    order "d c a b" --fuse=rrf --rescore=answer --rescore-rest=keep -l rank one two
    printf '[{"index":4,"score":9}]' >answer
    try --fuse=rrf --rescore=answer one two
    expect 3
    says 'there are 4 chunks'
}

@test "fuse: the ids of copies are answered for by the line that was taken" {
    printf '{"id":7,"text":"same words","score":2}\n' >one
    printf '{"id":8,"text":"same words","score":1}\n' >two
    try --fuse=rrf --require=8 --require-edge=7 one two
    expect 0
    printf '[{"id":8,"score":1}]' >answer
    try --fuse=rrf --rescore=answer one two
    expect 0
    grep -q '"id":7' "$out"
}

@test "fuse: ids with two texts are counted over any number of lists" {
    printf '{"id":1,"text":"D"}\n' >x
    printf '{"id":2,"text":"D"}\n' >y
    printf '{"id":2,"text":"C"}\n' >z
    try --fuse=rrf x y z
    says 'ids with more than one text, whose chunks are kept apart: 1, the first at .*[yz]:1 and .*[yz]:1$'
}

@test "fuse: equal scores of a reranker stand as they were sent, and --annotate keeps every tie" {
    printf '{"text":"A"}\n{"text":"B"}\n' >m1
    printf '{"text":"A"}\n{"text":"C"}\n' >m2
    edgefold --fuse=rrf --annotate -l rank m1 m2 2>/dev/null | cut -c1-11 >direct
    edgefold --fuse=rrf --annotate m1 m2 2>/dev/null | edgefold -s edgefold.rank --lower-is-better -l rank | cut -c1-11 | diff direct -
    edgefold --fuse=rrf --no-dedup -l rank one two >fused
    printf '[{"index":2,"score":1},{"index":0,"score":1},{"index":1,"score":1}]' >answer
    edgefold --rescore=answer -l rank fused >two-steps
    edgefold --fuse=rrf --rescore=answer -l rank one two 2>/dev/null | cmp - two-steps
}
