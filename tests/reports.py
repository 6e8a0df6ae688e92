#!/usr/bin/env python3
"""Compares edgefold's reports with the oracle's, over every file of real chunks.

    reports.py EDGEFOLD DIR

Kept and dropped must be what was read, each fate and its evidence the oracle's,
the exit status the same, and the lines of --dropped those with such a fate.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile

import oracle

RUNS = [
    ["-d", "0.6", "-n", "20", "--min-score", "0.5"],
    ["-b", "600", "--count=words", "--margin=0"],
    ["-b", "3000", "--count=chars", "--fit=skip", "-d", "0.5"],
    ["-f", "xml", "-b", "900", "--count=words", "--shingle=2", "-d", "0.4"],
]


def files_under(folder):
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".ndjson"):
                yield os.path.join(place, name)


def ask_oracle(options, file, folder):
    report = os.path.join(folder, "oracle")
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            status = oracle.main([*options, f"--report={report}", file], io.BytesIO())
    except SystemExit as stop:
        return stop.code, None
    with open(report, encoding="utf-8") as lines:
        return status, [json.loads(line) for line in lines]


def compare(edgefold, options, file, folder):
    """What is wrong, or None."""
    report, dropped = os.path.join(folder, "report"), os.path.join(folder, "dropped")
    done = subprocess.run([edgefold, *options, f"--report={report}", f"--dropped={dropped}", file],
                          capture_output=True)
    status, expected = ask_oracle([o for o in options if o != "--margin=0"], file, folder)
    if status == 9:
        return None                          # beyond it: it does not neutralise tags
    if done.returncode != status:
        return f"status {done.returncode}, the oracle's {status}"
    if status > 1:
        return None
    with open(report, encoding="utf-8") as text:
        document = json.load(text)
    totals, chunks = document["totals"], document["chunks"]
    if totals["kept"] + sum(totals["dropped"].values()) != totals["read"] or len(chunks) != totals["read"]:
        return "totals do not add up"
    with open(dropped, "rb") as lines:
        if len(lines.readlines()) != totals["read"] - totals["kept"]:
            return "other lines dropped"
    for chunk, other in zip(chunks, expected, strict=True):
        mine = (chunk["line"], chunk["fate"], chunk["rank"], chunk["position"])
        theirs = tuple(other[key] for key in ("line", "fate", "rank", "position"))
        if mine != theirs:
            return f"{mine} for {theirs}"
        if chunk["fate"] == "duplicate":
            mine = (chunk["of"]["line"], chunk["shared"], chunk["united"])
            if mine != (other["of"], other["num"], other["den"]):
                return f"{mine} for {other}"
    return None


def main():
    edgefold, data = sys.argv[1:]
    runs = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files_under(data):
            options = RUNS[runs % len(RUNS)]
            wrong = compare(edgefold, options, file, folder)
            runs += 1
            if wrong:
                failed += 1
                print(f"{file}: {' '.join(options)}: {wrong}")
    print(f"{runs} reports, {failed} different")
    return failed > 0 or runs == 0


if __name__ == "__main__":
    sys.exit(main())
