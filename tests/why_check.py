#!/usr/bin/env python3
"""why_check.py PROGRAM FILE...: --why against other runs, for every dropped chunk.
why_check.py PROGRAM budgets FILE FIRST LAST OPTION...

What a story says would let a chunk in is tried: with that value the chunk is kept, or
falls to a later reason; with the next smaller one it is as it was.  With "budgets", all of
them from the first to the last are tried, and the least that holds a chunk must be what its
story says.  Prints what differs and a closing line.
"""

import json
import re
import subprocess
import sys

PROGRAM = sys.argv[1]
SETTINGS = [
    ["-b", "1000", "--count=words", "-q", "why"],
    ["-b", "700", "--count=words", "--fit=skip"],
    ["-b", "1500", "-q", "why", "-f", "numbered", "--fit=skip"],
    ["-b", "2000", "-q", "why", "--fit=truncate", "--reserve=100"],
    ["-b", "1500", "-q", "why", "--fit=skip", "--stitch"],
    ["-n", "4"],
    ["-n", "3", "-b", "900", "--count=words"],
]


def run(arguments, file):
    return subprocess.run([PROGRAM, *arguments, file], capture_output=True, text=True,
                          encoding="utf-8", errors="surrogateescape")


def report(arguments, file):
    found = run([*arguments, "--report=/dev/stderr"], file).stderr
    return json.loads(found[found.index("{\n"):])


def fate(arguments, file, line):
    chunk = report(arguments, file)["chunks"][line]
    return chunk["fate"], "cut" in chunk


def story_of(stories, chunk, file):
    """The lines of that chunk's story: several chunks may have the id."""
    place = f"{file}:{chunk['line']}"
    blocks = re.split(r"\n(?=\S)", stories)
    return next((b for b in blocks if place in b.split("\n")[0].split(" is ")[0]), "")


def check_budget(story, settings, file, index):
    value = int(re.search(r"--budget=(\d+)\.", story).group(1))
    at = settings.index("-b") + 1
    def with_budget(n):
        return [*settings[:at], str(n), *settings[at + 1:]]
    if fate(with_budget(value), file, index) != ("kept", False):
        return f"--budget={value} does not hold it"
    if "The least" in story and value - 1 > int(settings[at]) and fate(with_budget(value - 1), file, index) == ("kept", False):
        return f"--budget={value - 1} holds it too"
    return None


def check_top(story, settings, file, index):
    value = int(re.search(r"--top=(\d+) would", story).group(1))
    at = settings.index("-n") + 1
    def with_top(n):
        return [*settings[:at], str(n), *settings[at + 1:]]
    if fate(with_top(value), file, index)[0] == "beyond-top":
        return f"--top={value} leaves it out"
    if fate(with_top(value - 1), file, index)[0] != "beyond-top":
        return f"--top={value - 1} lets it in too"
    return None


def check_duplicate(story, chunk):
    counts = re.search(r"Of the (\d+) words that either has, (\d+) are in both", story)
    if counts is None:
        return None if "same text" in story else "no counts"
    told = int(counts.group(2)), int(counts.group(1))
    return None if told == (chunk["shared"], chunk["united"]) else f"{told} is told"


def check(settings, file):
    whole = report(settings, file)
    dropped = [(i, c) for i, c in enumerate(whole["chunks"])
               if c["id"] and c["fate"] in ("over-budget", "beyond-top", "duplicate")]
    step = max(1, len(dropped) // 12)
    for index, chunk in dropped[::step]:
        result = run([*settings, f"--why={chunk['id']}"], file)
        story = story_of(result.stderr, chunk, file)
        if chunk["fate"] == "over-budget":
            wrong = check_budget(story, settings, file, index)
        elif chunk["fate"] == "beyond-top":
            wrong = check_top(story, settings, file, index)
        else:
            wrong = check_duplicate(story, chunk)
        yield f"{file}: {settings}: {chunk['id']}: {wrong}" if wrong else None


def check_all_budgets(file, first, last, *settings):
    """What budgets from the first to the last hold, and what the stories say at the first."""
    start = report([*settings, "-b", first], file)["chunks"]
    wanted = [i for i, chunk in enumerate(start) if chunk["fate"] == "over-budget"]
    least = {}
    for budget in range(int(first) + 1, int(last) + 1):
        now = report([*settings, "-b", str(budget), "--quiet"], file)["chunks"]
        for i in wanted:
            if now[i]["fate"] == "kept" and "cut" not in now[i]:
                least.setdefault(i, budget)
    stories = run([*settings, "-b", first, "--quiet", *[f"--why={start[i]['id']}" for i in wanted]], file).stderr
    bad = 0
    for i in wanted:
        told = re.search(r"The least budget that holds it: --budget=(\d+)\.", story_of(stories, start[i], file))
        if told is None or int(told[1]) != least.get(i):
            bad += 1
            print(f"{start[i]['id']}: {told and told[0]}, not {least.get(i)}")
    print(f"{len(wanted)} stories, {bad} wrong")
    return 1 if bad or not wanted else 0


def main():
    if sys.argv[2] == "budgets":
        return check_all_budgets(*sys.argv[3:])
    checked = bad = 0
    for file in sys.argv[2:]:
        for settings in SETTINGS:
            for wrong in check(settings, file):
                checked += 1
                if wrong:
                    bad += 1
                    print(wrong)
    print(f"{checked} stories, {bad} wrong")
    return 1 if bad or checked == 0 else 0


sys.exit(main())
