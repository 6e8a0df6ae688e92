#!/usr/bin/env python3
"""duckdb_run.py EDGEFOLD: a TREC run with the texts of its corpus through edgefold and back.

DuckDB joins run, corpus and queries into one stream that is sorted by query; what edgefold
keeps of each becomes a run again, by the ranks that --annotate gives, and ir_measures
reads that."""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import ir_measures

JOIN = """
    COPY (SELECT run.qid, queries.text AS question, run.docid AS id, corpus.text AS text, run.score
          FROM read_csv('{0}/run.txt', delim=' ', header=false,
                        columns={{'qid': 'VARCHAR', 'q0': 'VARCHAR', 'docid': 'VARCHAR', 'rank': 'INT',
                                  'score': 'DOUBLE', 'tag': 'VARCHAR'}}) AS run
          JOIN read_json('{0}/corpus.jsonl', columns={{'_id': 'VARCHAR', 'text': 'VARCHAR'}}) AS corpus
               ON corpus._id = run.docid
          JOIN read_json('{0}/queries.jsonl', columns={{'_id': 'VARCHAR', 'text': 'VARCHAR'}}) AS queries
               ON queries._id = run.qid
          ORDER BY run.qid, run.rank)
    TO '{0}/chunks.ndjson' (FORMAT json)
"""


def write_data(folder):
    rng = random.Random(3)
    corpus = [{"_id": f"d{n}", "text": f"document {n} about " + " ".join(str(rng.randint(1, 999)) for _ in range(8))}
              for n in range(300)]
    queries = [{"_id": str(n), "text": f"What of {n}?"} for n in range(1, 41)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in corpus))
    (folder / "queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in queries))
    run = []
    for query in queries:
        for rank, number in enumerate(rng.sample(range(300), 20), 1):
            run.append(f"{query['_id']} Q0 d{number} {rank} {21 - rank + rng.random():.4f} bm25\n")
    (folder / "run.txt").write_text("".join(run))
    return [ir_measures.Qrel(query["_id"], f"d{n}", 1) for query in queries for n in rng.sample(range(300), 40)]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        qrels = write_data(folder)
        duckdb.sql(JOIN.format(name))
        lines = subprocess.run([sys.argv[1], "--each=qid", "--annotate", "-n", "10", f"{name}/chunks.ndjson"],
                               stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
        run = []
        for line in map(json.loads, lines):
            rank = line["edgefold"]["rank"]
            run.append(f"{line['qid']} Q0 {line['id']} {rank} {line['score']} edgefold\n")
        (folder / "kept.txt").write_text("".join(run))
        measures = [ir_measures.P @ 10, ir_measures.nDCG @ 10, ir_measures.RR @ 10]
        before = ir_measures.calc_aggregate(measures, qrels, ir_measures.read_trec_run(f"{name}/run.txt"))
        after = ir_measures.calc_aggregate(measures, qrels, ir_measures.read_trec_run(f"{name}/kept.txt"))
    # The ten best of each query, in whatever order they stand, measure as they did.
    if before != after or len(lines) != 400:
        sys.exit(f"{len(lines)} lines; before {before}, after {after}")


main()
