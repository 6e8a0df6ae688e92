#!/usr/bin/env python3
"""each_differential.py EDGEFOLD SEED COUNT: --each against one run of edgefold for each group.

Random streams of groups, some of one chunk, of no usable chunk, of equal texts, of lines that
are passed over, with values as numbers and strings; lines, annotated lines, prompts, sweeps, reports and dropped lines
must be those that the groups give one by one, in their order, whether they are lines or the
elements of an array in a document."""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
OPTIONS = [[], ["-n", "2"], ["-l", "rank", "--no-dedup"], ["-b", "9", "--count=words"], ["--annotate", "-n", "3"],
           ["-b", "12", "--count=words", "--fit=skip", "--annotate"], ["--lower-is-better", "-d", "0.5"],
           ["--min-score=0.5"], ["--stitch=5", "--annotate"], ["--group=doc", "--per-group=1"]]
PROMPTS = [["-q", "Why?"], ["-q", "Why?", "-b", "60", "--count=words"], ["-q", "Why?", "-f", "numbered", "--cite"],
           ["-q", "Why?", "-b", "45", "--count=words", "--fit=truncate"], ["-f", "plain", "--min-score=0.8"]]


def chunk(rng, group, n):
    text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6)))
    line = {"id": f"{group}-{n}", "text": text if rng.random() < 0.95 else "", "doc": rng.randint(1, 3)}
    if rng.random() < 0.95:
        line["score"] = round(rng.random(), 2)
    return line | rng.choices([{}, {"text": n}, {"score": "high"}], [0.8, 0.1, 0.1])[0]


def stream(rng):
    """Groups as lists of lines; the first line of all has every field, which it decides."""
    groups = []
    for g in range(rng.randint(0, 8)):
        key = rng.choice([g, f"q{g}", f"{g}"])
        lines = [chunk(rng, g, n) for n in range(rng.randint(1, 5))]
        if not groups:
            lines[0] = {"id": "first", "text": "the first of all", "doc": 1, "score": 0.5}
        groups.append([json.dumps({"qid": key} | line, separators=(",", ":")) for line in lines])
    return groups


def start(edgefold, options, given):
    done = subprocess.run([edgefold, "--skip-invalid", *options], input=given.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def run(edgefold, options, lines):
    return start(edgefold, options, "".join(line + "\n" for line in lines))


def run_document(edgefold, options, lines):
    """The same lines as elements, with white space between their members where JSON allows it."""
    elements = [line.replace('","', '" ,\n "') for line in lines]
    given = '{"n": [NaN], "hits": {"hits": [' + ",\n ".join(elements) + "]}}"
    return start(edgefold, ["--items=hits.hits", *options], given)


def without_places(text):
    return [json.loads(line) for line in text.splitlines()]


def fail(options, groups, what, ours, theirs):
    lines = "\n".join(line for group in groups for line in group)
    sys.exit(f"{options}: {what}\n--- --each:\n{ours}\n--- one by one:\n{theirs}\n--- input:\n{lines}")


def check_lines(edgefold, rng, options, groups):
    flat = [line for group in groups for line in group]
    status, ours, said = rng.choice([run, run_document])(edgefold, ["--each=qid", *options], flat)
    single = [run(edgefold, ["-t", "text", "-s", "score", "-i", "id", *options], group) for group in groups]
    theirs = "".join(out for _, out, _ in single)
    if ours != theirs:
        fail(options, groups, "other lines", ours + said, theirs)
    expected = 0 if not groups or any(out for _, out, _ in single) else 1
    if status != expected:
        fail(options, groups, f"status {status}, not {expected}", said, "")


def check_prompts(edgefold, rng, options, groups):
    flat = [line for group in groups for line in group]
    status, ours, said = run(edgefold, ["--each=qid", *options], flat)
    made = [json.loads(line) for line in ours.splitlines()]
    single = [run(edgefold, ["-t", "text", "-s", "score", "-i", "id", *options], group)[1] for group in groups]
    names = [str(json.loads(group[0])["qid"]) for group in groups]
    if [line["prompt"] for line in made] != [out or None for out in single]:
        fail(options, groups, "other prompts", ours + said, single)
    if [line["group"] for line in made] != names or any(("why" in line) != (line["prompt"] is None) for line in made):
        fail(options, groups, "other groups", ours, names)
    if status != (0 if not groups or any(single) else 1):
        fail(options, groups, f"status {status}", said, "")


def check_files(edgefold, rng, groups):
    with tempfile.TemporaryDirectory() as folder:
        report, dropped = Path(folder, "r"), Path(folder, "d")
        options = ["-n", "1", f"--report={report}", f"--dropped={dropped}"]
        rng.choice([run, run_document])(edgefold, ["--each=qid", *options], [line for group in groups for line in group])
        reports = [json.loads(line)["totals"] for line in report.read_text().splitlines()]
        lost = dropped.read_text()
        single = []
        for group in groups:
            run(edgefold, ["-t", "text", "-s", "score", "-i", "id", *options], group)
            single.append((json.loads(report.read_text())["totals"], dropped.read_text()))
        if reports != [totals for totals, _ in single] or lost != "".join(lines for _, lines in single):
            fail(options, groups, "other files", reports, single)


def main():
    edgefold, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for n in range(seed, seed + count):
        rng = random.Random(n)
        groups = stream(rng)
        check_lines(edgefold, rng, rng.choice(OPTIONS), groups)
        check_prompts(edgefold, rng, rng.choice(PROMPTS), groups)
        if n % 5 == 0 and groups:
            check_files(edgefold, rng, groups)


main()
