load helper

@test "top: the N best are kept" {
    chunks a:1 b:3 c:2 d:4 | order "d b" -n 2
}

@test "top: an N beyond the count keeps all" {
    chunks a:1 b:3 | order "b a" --top=99
}

@test "top: it counts what dedup has left" {
    (chunk a 0.9 "x y z"; chunk a2 0.8 "z y x"; chunk b 0.7 "other") | order "a b" -n 2
}
