#!/usr/bin/env python3
"""found.py EDGEFOLD GOLD [OPTIONS]...: how much of the evidence gets into the prompt.

GOLD/questions.ndjson has questions whose evidence is known: {"corpus", "question", "gold":
[[start, end], ...]}, places in code points of GOLD/CORPUS.md, as the chunking evaluation of
Chroma has them (github.com/brandonstarxel/chunking_evaluation, MIT).

The texts are cut into windows of 150 words of which neighbours share a part; the 50 best of
each question, by SQLite's bm25, go to edgefold with a budget in words.  Printed is, for the
default and each OPTIONS, what share of the evidence's runs of five words stands in the
output, and what share of the output's runs stood in it before."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

WINDOW, POOL, RUN = 150, 50, 5
SHARES = (0, 0.25, 0.5, 0.75)
BUDGETS = (375, 750, 1500, 3000)


def windows(text, share):
    words = [match.span() for match in re.finditer(r"\S+", text)]
    step = round(WINDOW * (1 - share))
    for start in range(0, max(1, len(words) - round(WINDOW * share)), step):
        part = words[start:start + WINDOW]
        yield text[part[0][0]:part[-1][1]]


def index(corpora, share):
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE chunks USING fts5(text, doc UNINDEXED, tokenize = 'porter')")
    for name, text in corpora.items():
        base.executemany("INSERT INTO chunks VALUES (?, ?)", ((window, name) for window in windows(text, share)))
    return base


def retrieve(base, question):
    words = " OR ".join(f'"{word}"' for word in sorted(set(re.findall(r"\w+", question.lower()))))
    rows = base.execute("SELECT rowid, text, doc, -bm25(chunks) FROM chunks WHERE chunks MATCH ? "
                        "ORDER BY bm25(chunks), rowid LIMIT ?", (words, POOL))
    return "".join(json.dumps({"id": row, "text": text, "doc": doc, "score": score}) + "\n"
                   for row, text, doc, score in rows)


def runs(text):
    words = text.split()
    return [tuple(words[i:i + RUN]) for i in range(len(words) - RUN + 1)]


def measure(edgefold, options, chunks, budget, evidence):
    done = subprocess.run([edgefold, "-f", "xml", "-b", str(budget), "--count=words", *options],
                          input=chunks.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    printed = [run for block in re.split(r"</?document.*>", done.stdout.decode()) for run in runs(block)]
    wanted = {run for text in evidence for run in runs(text)}
    found = len(wanted & set(printed)) / len(wanted) if wanted else 1
    return found, 1 - len(set(printed)) / len(printed) if printed else 0


def main():
    edgefold, gold, *sets = sys.argv[1:]
    questions = [json.loads(line) for line in Path(gold, "questions.ndjson").read_text("utf-8").splitlines()]
    corpora = {q["corpus"]: Path(gold, q["corpus"] + ".md").read_text("utf-8") for q in questions}
    print(f"{len(questions)} questions; found, and of the output said before, at {BUDGETS} words, in percent")
    for share in SHARES:
        base = index(corpora, share)
        pools = [retrieve(base, q["question"]) for q in questions]
        for options in ["", *sets]:
            cells = []
            for budget in BUDGETS:
                results = [measure(edgefold, options.split(), pool, budget,
                                   [corpora[q["corpus"]][start:end] for start, end in q["gold"]])
                           for q, pool in zip(questions, pools)]
                found, repeated = (100 * sum(column) / len(results) for column in zip(*results))
                cells.append(f"{found:5.1f} {repeated:4.1f}")
            print(f"share {share:4}  {options or '(default)':20}  " + " | ".join(cells), flush=True)


main()
