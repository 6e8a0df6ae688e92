#!/usr/bin/env python3
"""Compares edgefold with the oracle, byte for byte.

    differential.py EDGEFOLD data DIR        every file with text under DIR
    differential.py EDGEFOLD random COUNT [SEED]

Prints what differs, with the command that shows it again, and how many runs
were compared; exit status 1 when anything differed.
"""

import collections
import contextlib
import functools
import io
import os
import random
import re
import subprocess
import sys
import tempfile

import oracle

# The same text is compared under many options.
oracle.words_of = functools.lru_cache(maxsize=5000)(oracle.words_of)
oracle.shared = functools.lru_cache(maxsize=None)(oracle.shared)
oracle.token_set = functools.lru_cache(maxsize=5000)(oracle.token_set)

QUESTION = "how are the documents read?"
LAYOUTS = ["fold", "fold-last", "edges:2", "edges:3", "rank", "reverse", "input", "langchain"]
FILE_OPTIONS = [
    [],
    ["--no-dedup", "-l", "rank"],
    ["-d", "0.5", "-n", "7", "-l", "edges:2"],
    ["-d", "0.6", "-b", "900", "--count=words", "-l", "fold-last"],
    ["-b", "4000", "--count=chars", "--fit=skip", "-l", "input"],
    ["-d", "1", "--lower-is-better", "-b", "2500", "--count=bytes", "-l", "langchain"],
    ["-f", "xml", "-n", "5", "-l", "reverse"],
    ["--shingle=3", "-d", "0.4", "--keep-numbers", "-l", "rank"],
    ["--similarity=containment", "-d", "0.7", "--dedup-field=title", "-l", "rank"],
    ["-q", QUESTION, "-b", "700", "--count=words"],
    ["-q", QUESTION, "-b", "3000", "--count=bytes", "--fit=skip"],
]


def instructions(edgefold):
    """The words between the instructions tags, which the oracle is told."""
    run = subprocess.run([edgefold, "-q", QUESTION], input=b'{"text":"a","score":1}\n',
                         stdout=subprocess.PIPE, check=True)
    return re.search(r"<instructions>(.*)</instructions>", run.stdout.decode()).group(1)


def ask_oracle(options, words):
    out = io.BytesIO()
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            status = oracle.main([*options, f"--instructions-text={words}"], out)
    except SystemExit as stop:
        status = stop.code
    return status, out.getvalue()


def ask_edgefold(edgefold, options):
    run = subprocess.run([edgefold, *options], stdin=subprocess.DEVNULL, capture_output=True)
    return run.returncode, run.stdout


class Comparison:
    def __init__(self, edgefold):
        self.edgefold, self.words = edgefold, instructions(edgefold)
        self.compared = self.skipped = self.different = 0
        self.statuses = collections.Counter()

    def compare(self, options, note=""):
        expected = ask_oracle(options, self.words)
        if expected[0] == 9:
            self.skipped += 1
            return
        self.compared += 1
        self.statuses[expected[0]] += 1
        got = ask_edgefold(self.edgefold, options)
        if got != expected:
            self.different += 1
            print(f"different: edgefold {' '.join(map(repr, options))} {note}\n"
                  f"  status {got[0]}, the oracle's {expected[0]}; "
                  f"{len(got[1])} bytes, the oracle's {len(expected[1])}")


def files_with_text(top):
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(set(folders) - {"quirks", "raw"})
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".ndjson"))


def compare_data(comparison, top):
    for path in files_with_text(top):
        with open(path, "rb") as file:
            large = len(file.readlines()) > 300   # the double loop takes its time
        for options in FILE_OPTIONS[:6 if large else None]:
            comparison.compare([*options, path])
        oracle.shared.cache_clear()


def random_options(rng):
    options = ["-l", rng.choice(LAYOUTS)]
    if rng.random() < 0.2:
        options.append("--no-dedup")
    elif rng.random() < 0.8:
        options += ["-d", rng.choice(["0.5", ".5", "0.85", "0.8", "0.6667", "0.6666", "0.75", "0.9",
                                      "1", "1.0", "0.05", "0.857142857", "0.99", "0.1"])]
    if rng.random() < 0.2:
        options.append("--similarity=containment")
    if rng.random() < 0.2:
        options.append(f"--shingle={rng.randint(1, 5)}")
    if rng.random() < 0.2:
        options.append("--keep-numbers")
    if rng.random() < 0.15:
        options.append("--dedup-field=" + rng.choice(["title", "ok", "/tags/0", "id"]))
    if rng.random() < 0.3:
        options += ["-n", str(rng.randint(1, 12))]
    if rng.random() < 0.3:
        options += ["--min-score", rng.choice(["0", "0.5", "-1", "1e-3", "-7.25", "9007199254740992"])]
    if rng.random() < 0.4:
        counter = rng.choice(["words", "chars", "bytes"])
        options += ["-b", str(rng.randint(1, {"words": 80, "chars": 400, "bytes": 700}[counter])),
                    f"--count={counter}", f"--fit={rng.choice(['prefix', 'skip'])}"]
    if rng.random() < 0.2:
        options.append(rng.choice(["--lower-is-better", "--higher-is-better"]))
    if rng.random() < 0.2:
        options += rng.choice([["-q", QUESTION], ["-f", "xml"], ["-q", QUESTION, "-f", "ndjson"]])
    return options


def compare_random(comparison, count, seed):
    print(f"random inputs, seeds {seed} to {seed + count - 1}")
    generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random_chunks.py")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count, 10):
            path = os.path.join(folder, "chunks.ndjson")
            rng = random.Random(number)
            lines = rng.randint(1, 40)
            with open(path, "wb") as file:
                subprocess.run([sys.executable, "-S", generator, str(number), str(lines)],
                               stdout=file, check=True)
            for _ in range(10):
                comparison.compare([*random_options(rng), path],
                                   f"(random_chunks.py {number} {lines})")
            oracle.shared.cache_clear()


def main():
    edgefold, what, *rest = sys.argv[1:]
    comparison = Comparison(edgefold)
    if what == "data":
        compare_data(comparison, rest[0])
    else:
        compare_random(comparison, int(rest[0]), int(rest[1]) if len(rest) > 1 else 1)
    print(f"{comparison.compared} runs compared, {comparison.different} different, "
          f"{comparison.skipped} beyond the oracle; statuses "
          + ", ".join(f"{status}: {n}" for status, n in sorted(comparison.statuses.items())))
    return 1 if comparison.different or not comparison.compared else 0


if __name__ == "__main__":
    sys.exit(main())
