load helper

# The recipes of edgefold-recipes(7).  Each has a folder with a response of that
# shape, the command as the page has it in cmd, and what it must print in out; ids
# in place of out has the order alone, where the numbers depend on the version of
# another program.  setup.sql makes docs.db for SQLite, setup.psql a database for
# psql.  unscored says that there is no score, so that no direction can be wrong.
# seen says where the shape was read, in a vendor's documentation, source or SDK.

page=$ROOT/man/edgefold-recipes.7
[ -f "$page" ] || page=$TESTS/edgefold-recipes.7
recipes=$TESTS/recipes
[ -d "$recipes" ] || recipes=$TESTS/cases

setup() {
    bin=$BATS_TEST_TMPDIR/bin
    mkdir -p "$bin"
    ln -sf "$EDGEFOLD" "$bin/edgefold"
}

teardown() {
    if [ -n "${postgres:-}" ]; then
        postgres_stop
    fi
    strict_stop
}

# with OPTION...: the commands of this test call edgefold with these options added.
with() {
    rm -f "$bin/edgefold"
    printf '#!/bin/sh\nexec "%s" "$@" %s\n' "$EDGEFOLD" "$*" >"$bin/edgefold"
    chmod +x "$bin/edgefold"
}

# recipe NAME [RESPONSE]: runs it, on another response when one is given.
recipe() {
    local name=$1 folder=$BATS_TEST_TMPDIR/$1 status=0
    rm -rf "$folder"
    cp -R "$recipes/$name" "$folder"
    if [ $# -gt 1 ]; then
        cp "$2" "$folder/"response.*json
    fi
    if [ -f "$folder/setup.sql" ]; then
        sqlite3 "$folder/docs.db" <"$folder/setup.sql" || return
    fi
    (cd "$folder" && PATH=$bin:$folder/bin:$PATH bash -o pipefail ./cmd) \
        >"$out" 2>"$err" || status=$?
    if [ "$status" -ne 0 ]; then
        echo "recipe $name: status $status" && cat "$err"
        return 1
    fi
}

# matches NAME: what the recipe has printed is what the case says.
matches() {
    if [ -f "$recipes/$1/ids" ]; then
        ids <"$out" | diff "$recipes/$1/ids" -
    else
        diff "$recipes/$1/out" "$out"
    fi
}

# The names of the cases whose command a shell pattern matches: calls PATTERN [not].
calls() {
    local folder command
    for folder in "$recipes"/*/; do
        command=$(<"$folder/cmd")
        # shellcheck disable=SC2053
        if [[ $command == $1 ]] && { [ -z "${2:-}" ] || [[ $command != $2 ]]; }; then
            basename "$folder"
        fi
    done
}

# Cases that need jq and edgefold alone.
plain() {
    calls '*edgefold*' '*@(sqlite3 |psql |parallel |--rescore=|--sweep=|$question|run: \|)*'
}

# agree NAME...: every recipe prints what its case says; all that do not are shown.
agree() {
    [ $# -gt 0 ] || { echo "no such case" && return 1; }
    local name bad=0
    for name in "$@"; do
        if ! { recipe "$name" && matches "$name"; }; then
            echo "recipe $name prints something else" && bad=1
        fi
    done
    return "$bad"
}

# Every literal block of the page, roff escapes undone, one to a file in $blocks.
page_blocks() {
    blocks=$BATS_TEST_TMPDIR/blocks
    mkdir -p "$blocks"
    awk -v folder="$blocks" '
        /^\.Bd -literal/ { name = folder "/" ++count; inside = 1; next }
        /^\.Ed/ { inside = 0; close(name); next }
        inside {
            gsub(/\\\(aq/, "\047"); gsub(/\\\(dq/, "\""); gsub(/\\-/, "-"); gsub(/\\&/, ""); gsub(/\\e/, "\\")
            print >name
        }' "$page"
}

# A throwaway PostgreSQL, which listens on a socket in its own folder alone.
postgres_start() {
    local tools
    tools=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -t/ -k5n | tail -n 1)
    [ -n "$tools" ] || skip "PostgreSQL's server is not installed"
    needs psql
    as=()
    if [ "$(id -u)" -eq 0 ]; then
        # The server refuses to run as root.
        needs setpriv
        as=(setpriv --reuid=nobody --regid="$(id -gn nobody)" --clear-groups)
    fi
    # The path of a socket must be short, and another user's server must get there.
    postgres=$(mktemp -d /tmp/edgefold-postgres.XXXXXX)
    [ ${#as[@]} -eq 0 ] || chown nobody "$postgres"
    chmod 755 "$postgres"
    pg_ctl=("${as[@]}" "$tools/pg_ctl" -D "$postgres/data" -s)
    (
        cd "$postgres" || exit
        "${as[@]}" "$tools/initdb" -D data -U tester -A trust -E UTF8 --locale=C --no-sync
        "${pg_ctl[@]}" start -w -t 600 -l "$postgres/log" \
            -o "-k $postgres -c listen_addresses= -c fsync=off -c autovacuum=off"
    ) >"$BATS_TEST_TMPDIR/postgres" 2>&1 3>&- || {
        cat "$BATS_TEST_TMPDIR/postgres" "$postgres/log"
        return 1
    }
    export PGHOST=$postgres PGUSER=tester PGDATABASE=postgres
    unset PGPORT PGPASSWORD PGSERVICE PGOPTIONS
}

postgres_stop() {
    (cd "$postgres" && "${pg_ctl[@]}" stop -m immediate) >/dev/null 2>&1 || true
    rm -rf "$postgres"
}

# texts: paragraphs of this program's documentation, as NDJSON with id and text.
texts() {
    cat "$ROOT/README.md" "$ROOT/LICENSE" "$ROOT"/man/*.[17] | tr -dc '[:print:]\n' |
        sed -E 's/^\.(PP|Pp|SH|Sh|SS|Ss|TP|It).*//' |
        awk 'BEGIN { RS = ""; FS = "\n" } /[a-z][a-z][a-z]/ { gsub("\n", " "); print }' |
        sort -u | jq -Rc '{id: input_line_number, text: .[0:2000]}'
}

# The first test runs each command once, with an edgefold that also tries the other
# direction and no score at all on the same input, and keeps what they print.
prying() {
    rm -f "$bin/edgefold"
    cat >"$bin/edgefold" <<END
#!/bin/sh
cat >input
"$EDGEFOLD" "\$@" --lower-is-better <input >lower 2>/dev/null
"$EDGEFOLD" "\$@" --higher-is-better <input >higher 2>/dev/null
"$EDGEFOLD" "\$@" -s /no/such/member <input >unread 2>/dev/null
exec "$EDGEFOLD" "\$@" <input
END
    chmod +x "$bin/edgefold"
}

# pry NAME...: each recipe prints what its case says, and something else when the
# scores are read upside down or not at all.
pry() {
    local name wrong folder bad=0
    for name in "$@"; do
        folder=$BATS_TEST_TMPDIR/$name
        if ! { recipe "$name" </dev/null && matches "$name"; }; then
            echo "recipe $name prints something else" && bad=1
        elif [ -f "$folder/input" ]; then
            wrong=lower
            ! grep -q -- --lower-is-better "$folder/cmd" || wrong=higher
            if [ -f "$folder/unscored" ]; then
                diff "$out" "$folder/$wrong" || bad=1
            elif cmp -s "$out" "$folder/$wrong"; then
                echo "recipe $name prints the same when $wrong is better" && bad=1
            elif cmp -s "$out" "$folder/unread"; then
                echo "recipe $name prints the same without a score" && bad=1
            fi
        fi
    done
    return "$bad"
}

@test "recipes: a sweep shows by position where a model reads" {
    needs jq
    agree sweep
}

@test "recipes: each command of the page that needs jq alone prints what it should" {
    needs jq
    local -a names jobs=()
    local share bad=0
    mapfile -t names < <(plain)
    [ "${#names[@]}" -ge 60 ]
    [ "$EDGEFOLD_CHECK" != plain ] || prying
    for share in 0 1 2 3; do
        out=$BATS_TEST_TMPDIR/out.$share err=$BATS_TEST_TMPDIR/err.$share \
            pry "${names[@]:share * ${#names[@]} / 4:(share + 1) * ${#names[@]} / 4 - share * ${#names[@]} / 4}" \
            >"$BATS_TEST_TMPDIR/log.$share" 2>&1 &
        jobs+=($!)
    done
    for share in 0 1 2 3; do
        wait "${jobs[share]}" || { cat "$BATS_TEST_TMPDIR/log.$share" && bad=1; }
    done
    return "$bad"
}

@test "recipes: a reranker's response of each shape gives the chunks its scores" {
    edgefold --help | grep -q -- --rescore || skip "this program has no --rescore"
    # shellcheck disable=SC2046
    agree $(calls '*--rescore=*')
}

@test "recipes: SQLite's full-text search goes in by either command" {
    needs jq
    needs sqlite3
    # shellcheck disable=SC2046
    agree $(calls 'sqlite3 *')
}

@test "recipes: what goes around a model does what it says" {
    needs jq
    export question='When are refunds paid?'
    # shellcheck disable=SC2046
    agree $(calls '*$question*' '*@(--sweep=|curl )*')
}

@test "recipes: requests are taken by a strict server, and the answers are read" {
    strict_start
    export KEY=k model=some-model question='When are refunds "paid"?'
    export anthropic=$strict cohere=$strict gemini=$strict ollama=$strict openai=$strict
    # shellcheck disable=SC2046
    agree $(calls 'edgefold*curl *')
    [ "$(calls 'edgefold*curl *' | wc -l)" -eq 7 ]
    # The server's answer is about the request: one without documents reads otherwise.
    with -n 1
    recipe request-anthropic
    [ "$(cat "$out")" = 'Out of 1 documents: what the last of them says.[1]' ]
}

@test "recipes: what is cached is the same for other questions and other chunks" {
    strict_start
    export KEY=k model=some-model anthropic=$strict question='When are refunds paid?'
    cat >"$bin/curl" <<END
#!/bin/sh
tee "$BATS_TEST_TMPDIR/request" | $(command -v curl) "\$@"
END
    chmod +x "$bin/curl"
    # What comes before the mark, without the mark itself.
    cached() { jq -c '[.system, .messages[0].content[:2]]' "$BATS_TEST_TMPDIR/request"; }
    recipe request-cached
    cached >"$BATS_TEST_TMPDIR/one"
    [ "$(jq -c '[.messages[0].content[] | has("cache_control")]' "$BATS_TEST_TMPDIR/request")" = \
        '[false,true,false,false,false,false]' ]
    question='How much is it, "with tax"?'
    with -n 1
    recipe request-cached
    cached | diff "$BATS_TEST_TMPDIR/one" -
    [ "$(jq '.messages[0].content | length' "$BATS_TEST_TMPDIR/request")" -eq 4 ]
    grep -q 'hold for the day' "$BATS_TEST_TMPDIR/one"
    grep -q 'never promise' "$BATS_TEST_TMPDIR/one"
    # Without an instruction to it, any provider finds the same: a prompt begins alike.
    local asked common
    cd "$recipes/request-cached"
    for asked in 'When?' 'How much?'; do
        edgefold -f messages --pin-first=terms --pin-first=voice -q "$asked" -n "${#asked}" hits.ndjson fixed.ndjson \
            >"$BATS_TEST_TMPDIR/${#asked}"
    done
    common=$(cmp "$BATS_TEST_TMPDIR/5" "$BATS_TEST_TMPDIR/9" | sed 's/.* \([0-9]*\), line.*/\1/') || true
    head -c "$common" "$BATS_TEST_TMPDIR/5" | grep -q 'never promise a date'
}

@test "recipes: the step of a workflow says why, and fails when it must" {
    needs jq
    local folder=$BATS_TEST_TMPDIR/ci
    cp -R "$recipes/ci-github" "$folder"
    cd "$folder"
    # The script of the step, as GitHub's runner takes it out of the YAML and calls it.
    sed '1,/run: |/d; s/^    //' cmd >step
    export GITHUB_STEP_SUMMARY=summary
    PATH=$bin:$PATH bash -e step
    diff out summary
    grep -q 'Refunds are paid' prompt.txt
    sed -i '/"refunds"/d' chunks.ndjson
    rm summary
    run -1 env PATH="$bin:$PATH" bash -e step
    [ "$(cat summary)" = "$(grep -v refunds out)" ]
    echo '{"text":' >>chunks.ndjson
    rm summary
    run -3 env PATH="$bin:$PATH" bash -e step
    grep -q 'chunks.ndjson:4' summary
}

@test "recipes: poppler's own pages go in by the page's command" {
    needs jq
    needs pdftotext
    local folder=$BATS_TEST_TMPDIR/pdf
    cp -R "$recipes/pdf" "$folder"
    rm -r "$folder/bin"
    cd "$folder"
    PATH=$bin:$PATH bash -o pipefail ./cmd 2>"$err" | diff out -
}

@test "recipes: many queries go in and come out as one stream" {
    needs jq
    agree each-run each-batch
    needs parallel
    agree each-parallel
}

@test "recipes: each case's command stands in the page, and each of the page has a case" {
    page_blocks
    local file bad=0
    local -A blocks_of=() cases_of=()
    for file in "$blocks"/*; do blocks_of[$(<"$file")]=1; done
    for file in "$recipes"/*/cmd; do cases_of[$(<"$file")]=1; done
    [ "${#blocks_of[@]}" -ge 60 ]
    for file in "$recipes"/*/cmd; do
        [ -n "${blocks_of[$(<"$file")]:-}" ] || { echo "not in the page: $(<"$file")" && bad=1; }
    done
    for file in "$blocks"/*; do
        # What asks a server cannot be run here, and what an engine runs is in tests/engines.
        [ -n "${cases_of[$(<"$file")]:-}" ] || grep -Eq '^ *curl |pyspark|^COPY |llmlingua' "$file" || {
            echo "without a case: $(<"$file")" && bad=1
        }
    done
    return "$bad"
}

@test "recipes: the page is clean mdoc" {
    needs mandoc
    run -0 mandoc -T lint -W warning "$page"
    [ "$output" = "" ]
}

# real NAME ARRAY SED-SCRIPT <RESPONSE: the recipe on a real response whose ARRAY, a
# jq path, is turned round, with the names of its fields put into the command; every
# chunk is kept and the best comes first.
real() {
    local folder=$BATS_TEST_TMPDIR/$1
    rm -rf "$folder"
    mkdir "$folder"
    jq "$2 |= reverse" >"$folder/response.json"
    sed "$3" "$recipes/$1/cmd" >"$folder/cmd"
    with --no-dedup -l rank
    (cd "$folder" && PATH=$bin:$folder/bin:$PATH bash -o pipefail ./cmd) >"$out" 2>"$err" || {
        cat "$err"
        return 1
    }
    [ -s "$out" ] || { echo "nothing printed" && return 1; }
    response=$folder/response.json
}

# sorted FILTER: what has been printed is what this filter makes of the response.
sorted() {
    jq -c "$1" "$response" | diff - "$out"
}

@test "recipes: real responses of OpenSearch come in the order of a sort by jq" {
    needs jq
    needs_shared
    local field json count=0
    # Those with several hits, and the first string that all of a file's hits have.
    while IFS=$'\t' read -r field json; do
        real elasticsearch .hits.hits "s/_source\.body/_source.$field/" <<<"$json"
        sorted '.hits.hits | to_entries |
            sort_by(.value._score == null, -(.value._score // 0), .key)[].value'
        count=$((count + 1))
    done < <(jq -r '[.hits.hits[]? | ._source // {} |
            [to_entries[] | select(.value | type == "string" and . != "") | .key]] as $hits |
        select($hits | length > 1) |
        first($hits[0][] | select(. as $key | all($hits[]; index([$key]) != null))) as $field |
        "\($field)\t\(tojson)"' "$SHARED"/data/raw/opensearch-*.json)
    [ "$count" -ge 10 ]
}

@test "recipes: real responses of other engines come in the order of a sort by jq" {
    needs jq
    needs_shared
    local raw=$SHARED/data/raw
    real milvus-pymilvus '.[0]' 's/entity\.text/entity.color/' <"$raw/milvus-output-fields.json"
    sorted '.[0] | sort_by(-.distance)[]'

    real azure-semantic .value 's/-i key/-i title/' <"$raw/azure-semantic-answer.json"
    sorted '.value | sort_by(-."@search.rerankerScore")[]'
    real azure .value 's/-i key/-i title/' <"$raw/azure-semantic-answer.json"
    sorted '.value | sort_by(-."@search.score")[]'

    real typesense-digits '.results[].hits' \
        's/--items=hits/--items=results.0.hits/; s/document\.body/document.description/' \
        <"$raw/typesense-search-response.json"
    sorted '.results[0].hits | to_entries | sort_by(-.value.text_match, .key)[].value'

    real typesense '.results[].hits' \
        's/--items=hits/--items=results.0.hits/; s/document\.body/document.company_name/' \
        <"$raw/typesense-search-response-with-highlight-to-0.24.0-rcn32-and-above.json"
    grep -q '"score":"1155190875668611194"' "$out"
}

@test "recipes: real contexts of lost-in-the-middle come in the order of a sort by jq" {
    needs jq
    needs_shared
    local file count=0
    local by='.ctxs | to_entries |
        sort_by(.value.score == null, -(.value.score // 0 | tonumber), .key)[].value'
    for file in "$SHARED"/data/litm/derived-*.ctxs.ndjson; do
        # Contexts alone, their scores in strings.
        real dpr .ctxs '' < <(jq -sc '{question: "", ctxs: .}' "$file")
        sorted "$by"
        count=$((count + 1))
    done
    [ "$count" -ge 2 ]
    real dpr .ctxs '' < <(head -n 1 "$SHARED/data/litm/nq-open-oracle.raw.0-9.ndjson")
    sorted "$by"
}

@test "recipes: jq passes a string's digits on, whatever it does to a number's" {
    needs jq
    printf '%s\n' '{"id":"low","text":"a","score":"578730123365711993"}' \
        '{"id":"high","text":"b","score":"578730123365711994"}' | jq -c . | order "high low" -l rank
    # The page says which versions round numbers; edgefold itself tells the two apart.
    printf '%s\n' '{"id":"low","text":"a","score":578730123365711993}' \
        '{"id":"high","text":"b","score":578730123365711994}' >"$BATS_TEST_TMPDIR/in"
    order "high low" -l rank <"$BATS_TEST_TMPDIR/in"
    if jq -c . "$BATS_TEST_TMPDIR/in" | cmp -s - "$BATS_TEST_TMPDIR/in"; then
        jq -c . "$BATS_TEST_TMPDIR/in" | order "high low" -l rank
    else
        jq -c . "$BATS_TEST_TMPDIR/in" | order "low high" -l rank
    fi
}

@test "recipes: SQLite's own order by bm25 is edgefold's, over real documentation" {
    needs jq
    needs sqlite3
    cd "$BATS_TEST_TMPDIR"
    texts | jq -sc . >texts.json
    sqlite3 docs.db "CREATE VIRTUAL TABLE docs USING fts5(body);
        INSERT INTO docs(rowid, body) SELECT json_extract(value, '\$.id'), json_extract(value, '\$.text')
        FROM json_each(readfile('texts.json'))"
    local words found=0
    for words in 'budget' 'file OR output' 'copy distribute' 'the' 'option NOT file'; do
        # All of the digits, and in the table's order: edgefold has to sort.
        sqlite3 docs.db "SELECT json_object('id', rowid, 'text', body, 'score', printf('%!.17g', rank))
            FROM docs WHERE docs MATCH '$words' ORDER BY rowid" >hits.ndjson
        try --lower-is-better --no-dedup -l rank hits.ndjson
        expect 0
        jq .id "$out" | diff <(sqlite3 docs.db "SELECT rowid FROM docs WHERE docs MATCH '$words' ORDER BY rank, rowid") -
        found=$((found + $(wc -l <hits.ndjson)))
        # As the page has it, with json_object's 15 digits, the best and the second-best
        # stand at the two ends.
        sed "s/'delivery'/'$words'/" "$recipes/sqlite-fts5/cmd" >cmd
        with --no-dedup
        PATH=$bin:$folder/bin:$PATH bash -o pipefail ./cmd >"$out" 2>"$err"
        {
            head -n 1 "$out"
            [ "$(wc -l <"$out")" -lt 2 ] || tail -n 1 "$out"
        } | jq .id | diff <(sqlite3 docs.db "SELECT rowid FROM docs WHERE docs MATCH '$words' ORDER BY rank LIMIT 2") -
    done
    echo "$found hits"
    [ "$found" -ge 40 ]
}

@test "recipes: PostgreSQL's ts_rank and pgvector's operators go in by the page's commands" {
    needs jq
    postgres_start
    cd "$BATS_TEST_TMPDIR"
    local name words found=0
    export vector='[1,0]'
    for name in $(calls 'psql *'); do
        export PGOPTIONS="-c search_path=${name//[.-]/_} -c client_min_messages=warning"
        psql -XAtq -v ON_ERROR_STOP=1 -c "CREATE SCHEMA ${name//[.-]/_}" -f "$recipes/$name/setup.psql"
        agree "$name"
    done
    export PGOPTIONS='-c client_min_messages=warning'

    texts >texts.ndjson
    psql -XAtq -v ON_ERROR_STOP=1 -c 'CREATE TABLE docs (id int PRIMARY KEY, body text)' \
        -c 'CREATE TEMP TABLE raw (line text)' \
        -c "\\copy raw FROM texts.ndjson WITH (FORMAT csv, DELIMITER e'\\x01', QUOTE e'\\x02')" \
        -c "INSERT INTO docs SELECT (line::json->>'id')::int, line::json->>'text' FROM raw"
    for words in budget 'file OR output' 'copy distribute'; do
        sed "s/'delivery'/'$words'/; s/ORDER BY score DESC LIMIT 50/ORDER BY id/" \
            "$recipes/postgresql/cmd" >cmd
        with --no-dedup -l rank
        PATH=$bin:$folder/bin:$PATH bash -o pipefail ./cmd >"$out" 2>"$err"
        found=$((found + $(wc -l <"$out")))
        jq .id "$out" | diff <(psql -XAtq -c "SELECT id FROM docs, websearch_to_tsquery('english', '$words') AS query
            WHERE to_tsvector('english', body) @@ query
            ORDER BY ts_rank(to_tsvector('english', body), query) DESC, id") -
    done
    echo "$found hits"
    [ "$found" -ge 20 ]
}

@test "recipes: ripgrep's own events go in by the page's command" {
    needs jq
    needs rg
    cd "$BATS_TEST_TMPDIR"
    printf 'the pump\nnothing\nprime the pump first\n' >a.txt
    printf 'a pump\377\nthe pump stops\n' >b.txt
    rg --json --sort=path pump a.txt b.txt >events
    recipe ripgrep events
    [ "$(jq -r .id "$out" | paste -sd' ' -)" = "a.txt:1 a.txt:3 b.txt:2" ]
}

@test "recipes: sqlite-utils' own rows go in by the page's commands" {
    needs sqlite-utils
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' '{"id":1,"title":"a","body":"delivery takes three days, and more before a feast"}' \
        '{"id":2,"title":"b","body":"delivery delivery delivery"}' '{"id":3,"title":"c","body":"no word of it"}' \
        '{"id":4,"title":"d","body":"of delivery and pick-up"}' >rows
    sqlite-utils insert docs.db docs rows --nl --pk id
    sqlite-utils enable-fts docs.db docs body
    with -l rank
    sqlite-utils search docs.db docs delivery >found
    recipe sqlite-utils found
    [ "$(jq -c .id "$out" | xargs)" = '2 4 1' ]
    sqlite-utils query docs.db "SELECT rowid AS id, body AS text, bm25(docs_fts) AS score
        FROM docs_fts WHERE docs_fts MATCH 'delivery' ORDER BY rowid" >found
    recipe sqlite-utils-rank found
    [ "$(jq -c .id "$out" | xargs)" = '2 4 1' ]
}
