load helper

# The ranks 1..n in the order that a layout gives them: chunk ids are the ranks.
layout() { # LAYOUT N
    for i in $(seq "$2"); do chunks "$i:$((100 - i))"; done |
        edgefold --no-dedup -l "$1" | ids
}

# table LAYOUT: reads "N: ranks" lines and checks each of them.
table() {
    local n ranks
    while read -r n ranks; do
        [ -n "$n" ] || continue
        local got
        got=$(layout "$1" "${n%:}")
        [ "$got" = "$ranks" ] || { echo "$1, $n chunks: $got, expected $ranks"; return 1; }
    done
}

@test "fold: the best is first, the second-best last, the weakest in the middle" {
    table fold <<'END'
1: 1
2: 1 2
3: 1 3 2
4: 1 3 4 2
5: 1 3 5 4 2
6: 1 3 5 6 4 2
7: 1 3 5 7 6 4 2
8: 1 3 5 7 8 6 4 2
9: 1 3 5 7 9 8 6 4 2
10: 1 3 5 7 9 10 8 6 4 2
END
}

@test "fold: fold-last is the mirror of fold" {
    table fold-last <<'END'
1: 1
2: 2 1
3: 2 3 1
4: 2 4 3 1
5: 2 4 5 3 1
6: 2 4 6 5 3 1
7: 2 4 6 7 5 3 1
8: 2 4 6 8 7 5 3 1
9: 2 4 6 8 9 7 5 3 1
10: 2 4 6 8 10 9 7 5 3 1
END
}

@test "fold: langchain is as LongContextReorder, best last when the count is even" {
    table langchain <<'END'
1: 1
2: 2 1
3: 1 3 2
4: 2 4 3 1
5: 1 3 5 4 2
6: 2 4 6 5 3 1
7: 1 3 5 7 6 4 2
8: 2 4 6 8 7 5 3 1
9: 1 3 5 7 9 8 6 4 2
10: 2 4 6 8 10 9 7 5 3 1
END
}

@test "fold: rank is best first and reverse is best last" {
    local n
    for n in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(layout rank "$n")" = "$(seq "$n" | paste -sd' ' -)" ]
        [ "$(layout reverse "$n")" = "$(seq "$n" | sort -rn | paste -sd' ' -)" ]
    done
}

@test "fold: edges:2 puts two at each end, each group in rank order" {
    table edges:2 <<'END'
1: 1
2: 1 2
3: 1 2 3
4: 1 2 3 4
5: 1 2 5 3 4
6: 1 2 5 6 3 4
7: 1 2 5 6 7 3 4
8: 1 2 5 6 7 8 3 4
9: 1 2 5 6 7 8 9 3 4
10: 1 2 5 6 7 8 9 10 3 4
END
}

@test "fold: edges:1 and edges:3 take one and three, and a K beyond the count is rank order" {
    table edges:1 <<'END'
2: 1 2
3: 1 3 2
6: 1 3 4 5 6 2
END
    table edges:3 <<'END'
5: 1 2 3 4 5
6: 1 2 3 4 5 6
8: 1 2 3 7 8 4 5 6
END
    table edges:99 <<'END'
7: 1 2 3 4 5 6 7
END
}

@test "fold: input is the order in which the chunks came" {
    chunks c:0.1 a:0.9 b:0.5 | order "c a b" -l input
}

@test "fold: it comes last, so what is left after a drop is folded anew" {
    chunks a:6 b:5 c:4 d:3 e:2 f:1 | order "a c e d b" -n 5
    chunks a:4 b:3 c:2 d:1 | order "a c b" -b 9 --count=words
}

@test "fold: without a filter it changes no chunk, only their order" {
    chunks a:0.3 b:0.9 c:0.5 d:0.1 e:0.7 >"$BATS_TEST_TMPDIR/in"
    try <"$BATS_TEST_TMPDIR/in"
    expect 0
    cmp <(sort "$out") <(sort "$BATS_TEST_TMPDIR/in")
}
