#!/usr/bin/env python3
"""spark.py EDGEFOLD: a stream of queries through Apache Spark, against one process.

Rows of 2,000 queries, 20 each, in any order; partitioned by query and sorted in each
partition, every partition is the input of one edgefold."""

import json
import os
import random
import subprocess
import sys

from pyspark.sql import SparkSession
from pyspark.rdd import portable_hash

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
EDGEFOLD = f"{sys.argv[1]} --each=qid -n 3 -t text -s score -i id"


def rows():
    rng = random.Random(1)
    for query in range(2000):
        for n in range(20):
            words = " ".join(str(rng.randint(1, 99)) for _ in range(9))
            yield {"qid": f"q{query}", "id": f"{query}-{n}", "score": rng.random(), "text": f"{n} of {query}: {words}"}


def main():
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    chunks = list(rows())
    random.Random(2).shuffle(chunks)
    # More partitions than it has to be: those that are empty are empty inputs, which is fine.
    pairs = spark.sparkContext.parallelize(chunks, 8).map(lambda row: ((row["qid"], row["id"]), json.dumps(row)))
    lines = (pairs
             .repartitionAndSortWithinPartitions(numPartitions=5, partitionFunc=lambda key: portable_hash(key[0]))
             .values().pipe(EDGEFOLD, checkCode=True).collect())
    chunks.sort(key=lambda row: (row["qid"], row["id"]))
    one = subprocess.run(EDGEFOLD.split(), input="".join(json.dumps(row) + "\n" for row in chunks).encode(),
                         stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    spark.stop()
    if len(one) != 6000 or sorted(lines) != sorted(one):
        sys.exit(f"{len(lines)} lines from Spark, {len(one)} from one process")


main()
