#!/usr/bin/env python3
"""each.py EDGEFOLD [VOCABULARY]: many queries in one stream, against other ways to work them off.

2,000 queries of 50 chunks; seconds of processor and, for what is run by parts, of all parts.
VOCABULARY is what --count takes; without it words are counted."""

import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUERIES, CHUNKS, SOME = 2000, 50, 200


def write_stream(path):
    rng = random.Random(3)
    words = ["".join(rng.choice("etaoinshrdlucm") for _ in range(rng.randint(2, 10))) for _ in range(5000)]
    with open(path, "w", encoding="ascii") as file:
        for query in range(QUERIES):
            for n in range(CHUNKS):
                text = " ".join(rng.choices(words, k=70))
                file.write(json.dumps({"qid": f"q{query}", "id": f"{query}-{n}", "score": rng.random(), "text": text}) + "\n")


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command, stdin=None):
    before, start = spent(), time.monotonic()
    with open(stdin or "/dev/null", "rb") as file:
        subprocess.run(command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return spent() - before, time.monotonic() - start


def one_by_one(edgefold, options, stream):
    """A process for each of some queries, for all of them."""
    lines = Path(stream).read_bytes().splitlines(keepends=True)
    before, start = spent(), time.monotonic()
    for query in range(SOME):
        subprocess.run([edgefold, *options], input=b"".join(lines[query * CHUNKS:(query + 1) * CHUNKS]),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    share = QUERIES / SOME
    return (spent() - before) * share, (time.monotonic() - start) * share


def in_python(stream):
    """LangChain's reorder in a loop of one process: sorted, cut to ten, reordered; no dedup, no count."""
    code = """
import itertools, json, sys
from langchain_community.document_transformers import LongContextReorder
from langchain_core.documents import Document
reorder = LongContextReorder()
for _, group in itertools.groupby(map(json.loads, sys.stdin), key=lambda chunk: chunk["qid"]):
    best = sorted(group, key=lambda chunk: -chunk["score"])[:10]
    for document in reorder.transform_documents([Document(page_content=c["text"], metadata=c) for c in best]):
        print(json.dumps(document.metadata))
"""
    try:
        return timed([sys.executable, "-c", code], stream)
    except subprocess.CalledProcessError:
        return None


def main():
    edgefold, *vocabulary = sys.argv[1:]
    options = ["-b", "900", f"--count={vocabulary[0] if vocabulary else 'words'}"]
    with tempfile.TemporaryDirectory() as folder:
        stream = f"{folder}/stream.ndjson"
        write_stream(stream)
        each = [edgefold, "--each=qid", *options, stream]
        rows = [("--each", timed(each)),
                ("--each, no dedup", timed([*each, "--no-dedup"])),
                ("one selection, no dedup", timed([edgefold, "--no-dedup", "-b", "1800000", options[2], stream])),
                ("a process for each query", one_by_one(edgefold, options, stream))]
        if shutil.which("parallel"):
            group = "$_ = (/\"qid\": (\"[^\"]*\")/)[0]"
            rows.append(("GNU parallel, --each", timed(["parallel", "--will-cite", "--pipe", "--group-by", group, "--block",
                                                        "10M", *each[:-1]], stream)))
        langchain = in_python(stream)
        if langchain:
            rows.append(("Python, LangChain's reorder", langchain))
    for name, (processor, wall) in rows:
        print(f"{name:30} {processor:8.2f} s of processor, {wall:8.2f} s, {processor / rows[0][1][0]:6.1f} times --each")


main()
