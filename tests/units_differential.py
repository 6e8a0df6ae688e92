#!/usr/bin/env python3
"""Compares edgefold's units with the oracle, and holds stitching to its promises.

    units_differential.py EDGEFOLD SEED COUNT [--go-on] [--only=KIND]

Each seed is one random input and a few command lines, of one of three kinds:

    units   groups, orders, pins and layouts: the same bytes as the oracle's
    cuts    texts cut into windows that overlap: put together again they must be
            the texts; where nothing is ambiguous, the same lines as the oracle's
    soup    texts that overlap in many ways at once: promises only, since here
            the description leaves a choice; agreement with the oracle is counted

The promises: nothing is lost, every kept text stands whole in its passage but
for white space, what is called overlap was said before, passages that could be
joined are, no output is over its budget.  At the first mismatch it prints the
command, where the input is, and both answers, and exits 1; with --go-on at
the end.
"""

import collections
import contextlib
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import oracle
import units_oracle
from units_oracle import folded, longest_overlap, place_in

LAYOUTS = ["fold", "fold-last", "edges:1", "edges:2", "edges:5", "rank", "reverse", "input", "langchain"]
COUNTERS = {"chars": len, "bytes": lambda text: len(text.encode())}


class Mismatch(Exception):
    """What edgefold did is not what was expected."""


def check(holds, what, got="", expected=""):
    if not holds:
        raise Mismatch(f"{what}\n--- edgefold:\n{got}\n--- expected:\n{expected}")


def ask_oracle(options):
    out = io.BytesIO()
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            status = units_oracle.main(options, out)
    except SystemExit as stop:
        status = stop.code
    return status, out.getvalue()


class Runner:
    """Runs edgefold on one input and remembers what was run."""

    def __init__(self, edgefold, seed, lines):
        self.edgefold, self.seed, self.command = edgefold, seed, []
        self.folder = tempfile.gettempdir()
        self.path = os.path.join(self.folder, f"units-{os.getpid()}-{seed}.ndjson")
        self.report_path = self.path + ".report"
        with open(self.path, "wb") as file:
            file.write(b"".join(line + b"\n" for line in lines))

    def run(self, options):
        self.command = [self.edgefold, *options, self.path]
        run = subprocess.run(self.command, stdin=subprocess.DEVNULL, capture_output=True)
        return run.returncode, run.stdout

    def forget(self):
        for path in (self.path, self.report_path):
            if os.path.exists(path):
                os.remove(path)


def lines_of(data):
    return data.split(b"\n")[:-1]


def shown(data):
    """Ids where they are lines, else the bytes."""
    try:
        return " ".join(str(json.loads(line).get("id")) for line in lines_of(data))
    except (ValueError, AttributeError):
        return data.decode("utf-8", "replace")


# ---- random units

def random_value(rng, kind, number):
    if kind == "int":
        return str(number)
    if kind == "string":
        return json.dumps(f"doc {number}", ensure_ascii=rng.random() < 0.5)
    if kind == "odd":
        return ['"ä"', '"\\u00e4\\u0000"', '""', '"a b"', '"A B"', "true", "false", "-7", "18446744073709551617",
                "18446744073709551616", '"null"', '"é"', '"e\\u0301"'][number % 13]
    return json.dumps([f"x/{number}.md", "x"][number % 2 and number % 11 == 0])


ORDERS = {
    "int": lambda rng, n: str(n - 2),
    "decimal": lambda rng, n: rng.choice([f"{n}", f"{n}.0", f"{n}.00000000000000000001", f"{n}e0",
                                          f"{n * 10}E-1", f"-{n}.5"]),
    "big": lambda rng, n: str(2 ** 63 + n),
    "digits": lambda rng, n: rng.choice([f"{n}", f'"{n}"', f'"{n}.5"', f'"1{n}e-1"']),
    "date": lambda rng, n: f'"2024-{n % 12 + 1:02}-{rng.randint(1, 28):02}T1{n % 10}:00:00Z"',
    "word": lambda rng, n: json.dumps(rng.choice(["Kapitel ", "kapitel ", "ä", "z", "\U0001f600", "\uffee"])
                                      + str(n)),
    "mixed": lambda rng, n: rng.choice([f"{n}", '"chapter"']),
    "clash": lambda rng, n: rng.choice([f"{n}"] * 12 + ['"chapter"']),
}
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()


def small_text(rng, number, repeats):
    if repeats:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 4)))
    return f"text {number} of {rng.choice(WORDS)} " + "x" * rng.randint(0, 30)


def unit_lines(rng):
    """0 to 64 units of 1 to 5 chunks each, in any order."""
    kind, order = rng.choice(["int", "string", "odd", "plain"]), rng.choice(sorted(ORDERS))
    holes, ties, repeats = rng.choice([0, 0, 0.1, 0.5]), rng.random() < 0.3, rng.random() < 0.3
    units = rng.choice([0, 1, 2, 3, rng.randint(0, 12), rng.randint(0, 64)])
    members = [unit for unit in range(units) for _ in range(rng.randint(1, 5))]
    rng.shuffle(members)
    lines = []
    for number, unit in enumerate(members):
        pairs = [("id", json.dumps(f"c{number % (len(members) if rng.random() < 0.95 else 3)}")),
                 ("text", json.dumps(small_text(rng, number, repeats)))]
        score = rng.choice(["0.5", "1", "1e0"]) if ties else f"{rng.random():.3f}"
        if number == 0 or rng.random() < 0.95:
            pairs.append(("score", score if number == 0 or rng.random() < 0.95 else "null"))
        if rng.random() >= holes:
            pairs.append(("doc", random_value(rng, kind, unit)))
        elif rng.random() < 0.6:
            pairs.append(("doc", rng.choice(["null", "[]", '["a"]', "{}", '{"a":1}'])))
        if rng.random() >= holes / 2:
            pairs.append(("sec", ORDERS[order](rng, rng.randint(0, 8))))
        elif rng.random() < 0.5:
            pairs.append(("sec", "null"))
        rng.shuffle(pairs)
        lines.append("{" + ",".join(f'"{key}":{value}' for key, value in pairs) + "}")
    return [line.encode() for line in lines]


def unit_options(rng, lines):
    options = []
    grouped = rng.random() < 0.7
    if grouped:
        options.append("--group=doc")
    ordered = rng.random() < 0.6
    if ordered:
        options.append("--order=sec")
    if grouped and rng.random() < 0.4:
        options.append(f"--per-group={rng.randint(1, 4)}")
    if grouped or not ordered or rng.random() < 0.03:
        options.append(f"--layout={rng.choice(LAYOUTS)}")
    if rng.random() < 0.4:
        options += ["-n", str(rng.randint(1, max(1, len(lines))))]
    if rng.random() < 0.4:
        ids = [f"c{number}" for number in range(len(lines))] + ["nobody"] * (rng.random() < 0.1)
        for wanted in rng.sample(ids, min(len(ids), rng.randint(1, 4))):
            options.append(f"--pin-{rng.choice(['first', 'last'])}={wanted}")
    if rng.random() < 0.2:
        options.append("--min-score=0.4")
    if rng.random() < 0.3:
        options += [f"--budget={rng.randint(1, 40 * len(lines) + 1)}",
                    f"--count={rng.choice(['chars', 'bytes', 'words'])}",
                    f"--fit={rng.choice(['prefix', 'skip'])}"]
    if rng.random() < 0.5:
        options.append("--no-dedup")
    if rng.random() < 0.2:
        options += ["-f", "plain"]
    return options


def compare(runner, options, tally):
    expected = ask_oracle([*options, runner.path])
    if expected[0] == 9:
        tally["beyond the oracle"] += 1
        return
    tally[f"status {expected[0]}"] += 1
    got = runner.run(options)
    check(got[0] == expected[0], f"status {got[0]}, expected {expected[0]}", shown(got[1]), shown(expected[1]))
    check(got[1] == expected[1], "another output", shown(got[1]), shown(expected[1]))


def units_case(runner, rng, lines, tally):
    for _ in range(4):
        compare(runner, unit_options(rng, lines), tally)


# ---- random texts and their windows

SCRIPTS = {
    "latin": "abcdefghijklmnopqrstuvwxyz",
    "few": "ab",
    "han": "东京是日本的首都退款需要五个工作日到账文件打开用于读写流被定位",
    "thai": "กรุงเทพมหานครน้ำที่เป็นไทยกับคนอยู่",
    "marks": ["e\u0301", "a\u0308\u0323", "q\u0323\u0307", "क्षि", "o", "\u0302", "ñ", "n\u0303"],
    "emoji": ["🙂", "👩\u200d💻", "👍🏽", "🇫🇷", "1\ufe0f\u20e3", "❤\ufe0f", "x", "🏴\u200d☠\ufe0f"],
    "escapes": ['"', "\\", "/", "<b>", "&amp;", "{}", "\u2028", "\ufeff", "\u00ad", "n", "\\n", "u0041"],
}
GAPS = [[" "], [" "], [" ", " ", " ", "\n", ". ", "\n\n"], ["\r\n", " ", "\r\n\r\n"], ["  ", "\t", " ", "\n \n", "   "],
        ["\u3000", "\u00a0", " "], [" ", "\r", "\u2003\u2009"], [""]]
BOILERPLATE = "This page was last edited by the editorial board, and all rights are reserved. "


def random_word(rng, script):
    return "".join(rng.choice(SCRIPTS[script]) for _ in range(rng.randint(1, 8)))


def random_text(rng, vocabularies):
    """Words of one or two scripts; from few words, so that it overlaps with itself, or from many."""
    scripts = rng.sample(sorted(SCRIPTS), rng.choice([1, 1, 2]))
    words = [random_word(rng, rng.choice(scripts)) for _ in range(rng.choice(vocabularies))]
    gaps = rng.choice(GAPS)
    parts = []
    for _ in range(rng.randint(20, 150)):
        parts += [rng.choice(words), rng.choice(gaps)]
        if rng.random() < 0.01:
            parts.append(BOILERPLATE)
    text = "".join(parts[:-1])
    return text if rng.random() < 0.9 else " " + text + "\n"


def by_points(rng, text):
    """Places from and to, anywhere, even inside of what a reader takes for one character."""
    return cut(rng, len(text), rng.randint(60, 250))


def by_words(rng, text):
    words = [found.span() for found in re.finditer(r"\S+", text)] or [(0, len(text))]
    return [(words[a][0], words[b - 1][1]) for a, b in cut(rng, len(words), rng.randint(8, 40))]


def trimmed(rng, text):
    spans = []
    for a, b in by_points(rng, text):
        inside = text[a:b]
        spans.append((a + len(inside) - len(inside.lstrip()), a + len(inside.rstrip())))
    return [(a, b) for a, b in spans if a < b]


def cut(rng, length, size):
    share, even = rng.choice([0.1, 0.3, 0.5, 0.5, 0.75, 0.9]), rng.random() < 0.7
    start, spans = 0, []
    while True:
        end = min(length, start + (size if even else rng.randint(size // 2 + 1, size)))
        spans.append((start, end))
        if end == length:
            return spans
        step = max(1, int((end - start) * (1 - (share if even else rng.random() * share))))
        start += step


def at_the_limit(least):
    """A cutter whose windows share just as much as joins them, or a code point less or more."""
    def cutter(rng, text):
        start, spans = 0, []
        while start < len(text):
            end = start + rng.randint(2 * least, 4 * least)
            spans.append((start, min(end, len(text))))
            start = end - least + rng.choice([-1, 0, 0, 1])
        return spans
    return cutter


def tidy(rng, text):
    """Windows of one size and distance, so that each two share much or nothing."""
    size = rng.randint(160, 240)
    step = size // rng.choice([2, 3, 4])
    return [(start, start + size) for start in range(0, max(1, len(text) - size), step)]


class Window:
    def __init__(self, doc, number, span, text):
        self.doc, self.number, self.span, self.text = doc, number, span, text
        self.id = f"{doc}#{number}"


def windows_of(rng, doc, text, cutters):
    spans = rng.choice(cutters)(rng, text)
    if rng.random() < 0.2:                 # some that are missing
        spans = [span for span in spans if rng.random() < 0.8] or spans[:1]
    if tidy not in cutters and rng.random() < 0.3:   # one inside another
        a, b = rng.choice(spans)
        if b - a > 20:
            spans.append((a + rng.randint(0, 9), b - rng.randint(0, 9)))
    plain = rng.random() < 0.15            # every run of white space made one space
    return [Window(doc, number, span, folded(text[slice(*span)]) if plain else text[slice(*span)])
            for number, span in enumerate(sorted(spans, key=lambda s: (s[0], -s[1])))]


def line_of(rng, window, score):
    quote = lambda text: json.dumps(text, ensure_ascii=rng.random() < 0.5)
    return (f'{{"id":{quote(window.id)},"doc":{quote(window.doc)},"n":{window.number},'
            f'"score":{score},"text":{quote(window.text)}}}').encode()


def relation(text, a, b):
    """What two windows' places say: one "inside" the other, or the folded overlap."""
    if a.doc != b.doc:
        return 0
    if a.span[0] <= b.span[0] and b.span[1] <= a.span[1] or b.span[0] <= a.span[0] and a.span[1] <= b.span[1]:
        return "inside"
    start, end = max(a.span[0], b.span[0]), min(a.span[1], b.span[1])
    return len(folded(text[start:end])) if start < end else 0


def is_true(text, a, b, least):
    """Whether what the two texts say of each other is what their places say, and nothing else."""
    if a.span > b.span:
        a, b = b, a
    real = relation(text, a, b)
    if real == "inside":
        inner, outer = (a, b) if b.span[0] <= a.span[0] and b.span[1] >= a.span[1] else (b, a)
        inner, outer = folded(inner.text).strip(), folded(outer.text).strip()
        return bool(inner) and outer.count(inner) == 1 and not longest_overlap(a.text, b.text, least) \
            and not longest_overlap(b.text, a.text, least)
    if place_in(a.text, b.text) >= 0 or place_in(b.text, a.text) >= 0 or longest_overlap(b.text, a.text, least):
        return False
    if abs(real - least) <= 2 and text[b.span[0]:a.span[1]].strip() != text[b.span[0]:a.span[1]]:
        return False                    # whether the space at its edge counts is not said
    return longest_overlap(a.text, b.text, least) == (real if real >= least else 0)


def judge(texts, windows, least, grouped):
    """Whether all is as the places say ("true"), and besides no two windows have a
    short overlap or stand in one another, so that every order of joining comes to
    the same ("clean")."""
    true = clean = True
    for a, b in itertools.combinations(windows, 2):
        if a.doc != b.doc and grouped:
            continue
        true = true and (a.doc == b.doc or not longest_overlap(b.text, a.text, least)) \
            and is_true(texts[a.doc], a, b, least)
        real = relation(texts[a.doc], a, b)
        clean = clean and true and real != "inside" and not 0 < real < least
    return true, clean


def runs_of(texts, windows, least):
    """The texts that windows cover: two are in one run where a chain of overlaps joins them."""
    runs = []
    for window in sorted(windows, key=lambda w: (w.doc, w.span[0], -w.span[1])):
        text = texts[window.doc]
        if runs and runs[-1][0] == window.doc:
            doc, start, end = runs[-1]
            shared = len(folded(text[window.span[0]:end])) if window.span[0] < end else 0
            if window.span[1] <= end or shared >= least:
                runs[-1] = doc, start, max(end, window.span[1])
                continue
        runs.append((window.doc, *window.span))
    return [texts[doc][start:end] for doc, start, end in runs]


# ---- the promises

def members_of(data):
    """The lines of annotated output, by passage: [[line, ...], ...]."""
    passages, seen = [], set()
    for raw in lines_of(data):
        line = json.loads(raw)
        mark = line.get("edgefold", {})
        check("overlap" in mark and "passage" in mark, "a line without passage or overlap", raw.decode())
        check(isinstance(mark["overlap"], int) and 0 <= mark["overlap"] <= len(line["text"]),
              "an overlap beyond its text", raw.decode())
        name = json.dumps(mark["passage"])
        if mark["passage"] is None or not passages or name != passages[-1][0]:
            check(name not in seen or mark["passage"] is None, "a passage in two places", raw.decode())
            passages.append((name, []))
            seen.add(name)
        passages[-1][1].append(line)
    return [lines for _, lines in passages]


def joined(lines):
    return "".join(line["text"][line["edgefold"]["overlap"]:] for line in lines)


def stands(text, holder):
    return not folded(text).strip(" ") or place_in(text, holder) >= 0


def check_passage(lines, least, grouped):
    whole, said = joined(lines), ""
    check(lines[0]["edgefold"]["overlap"] == 0, "the first line of a passage has an overlap", lines[0]["id"])
    if len(lines) > 1 and grouped:
        check(len({json.dumps(line.get("doc")) for line in lines}) == 1 and lines[0].get("doc") is not None,
              "a passage of two groups", [line["id"] for line in lines])
    before = None
    for line in lines:
        text, overlap = line["text"], line["edgefold"]["overlap"]
        check(stands(text, whole), f"{line['id']} is not whole in its passage", whole, text)
        if said and overlap < len(text):
            again = folded(text[:overlap])
            check(folded(said).endswith(again) or folded(said).rstrip(" ").endswith(again.rstrip(" ")),
                  f"{line['id']}: its overlap is not the end of what stands before", said, text[:overlap])
            shortest = min(len(folded(other["text"])) for other in lines)
            check(len(again) >= min(least - 1, shortest), f"{line['id']}: joined by too little", again)
            if not stands(before, text):
                longest = longest_overlap(before, text, least)
                check(len(again) >= longest - 1, f"{line['id']}: {longest} code points of it were said before", again)
        before = text if overlap < len(text) else before
        said += text[overlap:]
        check(not said or stands(text, said), f"{line['id']} is not whole so far", said, text)


def check_maximal(passages, least, grouped):
    """No two passages are left that overlap: their ends are free."""
    for one, two in itertools.permutations(passages, 2):
        if grouped and (one[0].get("doc") != two[0].get("doc") or one[0].get("doc") is None):
            continue
        for a, b in itertools.product(one, two if len(one) == 1 else []):
            check(len(folded(a["text"])) < least + 2 or not stands(a["text"], b["text"]),
                  f"{a['id']} stands in {b['id']} of another passage")
        last = [line for line in one if joined(one).endswith(line["text"])]
        first = [line for line in two if joined(two).startswith(line["text"])]
        for a, b in itertools.product(last[:1], first[:1]):
            longest = longest_overlap(a["text"], b["text"], least + 1)
            check(not longest, f"{a['id']} ends as {b['id']} starts, {longest} code points, but they are apart")


def check_lines(data, lines, least, grouped, pinned=()):
    """The promises that annotated output keeps; its passages."""
    passages = members_of(data)
    known = collections.Counter(json.loads(line)["id"] for line in lines)
    printed = collections.Counter(line["id"] for passage in passages for line in passage)
    check(printed <= known, "a line that is not in the input", printed, known)
    for passage in passages:
        check_passage(passage, least, grouped)
        check(len(passage) == 1 or not any(line["id"] in pinned for line in passage), "a pin in a passage")
    free = [p for p in passages if p[0]["id"] not in pinned]
    check_maximal(free, least, grouped)
    return passages


def check_all_kept(passages, lines):
    check(sum(map(len, passages)) == len(lines), "lines are lost", sum(map(len, passages)), len(lines))


def check_prompt(runner, options, least, windows, budget=None, counter=None, pinned=()):
    """The promises of a prompt in the format plain, from its report."""
    status, out = runner.run([*options, "-f", "plain", f"--report={runner.report_path}"])
    if status == 9:                        # the oracle in edgefold's place, which does not cut
        return []
    check(status in (0, 1), f"status {status}, expected 0 or 1")
    text = out.decode()
    if budget is not None:
        check(COUNTERS[counter](text) <= budget, f"over budget: {COUNTERS[counter](text)} of {budget}", text)
    documents = [document.removesuffix("\n") for document in re.split(r"(?:^|(?<=\n))\*\*\*\n", text)[1:-1]]
    with open(runner.report_path, encoding="utf-8") as file:
        chunks = json.load(file)["chunks"]
    by_id = {window.id: window for window in windows}
    seen = set()
    for chunk in chunks:
        if chunk["fate"] != "kept":
            continue
        place = chunk["position"]
        check(isinstance(place, int) and 1 <= place <= len(documents), f"position {place} of {len(documents)}", text)
        seen.add(place)
        check("overlap" in chunk, "no overlap in the report")
        text_of = oracle.cleaned(oracle.trimmed(by_id[chunk["id"]].text))
        check(chunk.get("cut") is not None or stands(text_of, documents[place - 1]),
              f"{chunk['id']} is not whole in document {place}", documents[place - 1], text_of)
        check(chunk["id"] not in pinned or documents[place - 1] == text_of, f"the pin {chunk['id']} is joined")
    check(seen == set(range(1, len(documents) + 1)), "a document without a chunk", sorted(seen), len(documents))
    return documents


def check_report(runner, passages):
    """The prompt's report says the same of overlaps as the annotated lines of the same chunks."""
    with open(runner.report_path, encoding="utf-8") as file:
        reported = {chunk["id"]: chunk["overlap"] for chunk in json.load(file)["chunks"]}
    annotated = {line["id"]: line["edgefold"]["overlap"] for passage in passages for line in passage}
    check(reported == annotated, "the report has other overlaps", reported, annotated)


# ---- kinds of cases

def stitch_options(rng, least):
    options = ["--stitch" if least == 40 else f"--stitch={least}"]
    if rng.random() < 0.5:
        options.append(f"--layout={rng.choice(LAYOUTS)}")
    return options


def cuts_input(rng, least):
    """Texts and windows; half of the time such that the oracle's very lines can be asked for."""
    if rng.random() < 0.5:
        vocabularies, cutters = [2000], [tidy]
    else:
        vocabularies = [3, 30, 2000, 2000]
        cutters = [by_points, by_points, by_words, trimmed, at_the_limit(least)]
    texts = {f"doc{number}": random_text(rng, vocabularies) for number in range(rng.choice([1, 1, 2, 4]))}
    windows = [window for doc, text in texts.items() for window in windows_of(rng, doc, text, cutters)]
    rng.shuffle(windows)
    if rng.random() < 0.3:
        windows = windows[:rng.randint(1, len(windows))]
    windows = windows[:40]
    return texts, windows


def compare_sets(got, expected, what):
    """Two lists of texts, the same in any order."""
    if sorted(got) != sorted(expected):
        same = sorted(map(folded, got)) == sorted(map(folded, expected))
        check(False, what + (": white space at a seam differs" if same else ""),
              json.dumps(sorted(got), ensure_ascii=False, indent=1),
              json.dumps(sorted(expected), ensure_ascii=False, indent=1))


def cuts_case(runner, rng, cutting, tally):
    texts, windows, lines, least = cutting
    grouped = rng.random() < 0.6
    base = stitch_options(rng, least) + ["--no-dedup"] + ["--group=doc", "--order=n"] * grouped
    true, clean = judge(texts, windows, least, grouped)
    literal = all(window.text == texts[window.doc][slice(*window.span)] for window in windows)
    tally["cuts true"] += true
    tally["cuts clean"] += clean
    status, out = runner.run([*base, "--annotate"])
    check(status == 0, f"status {status}")
    passages = check_lines(out, lines, least, grouped)
    check_all_kept(passages, lines)
    if true:
        runs = runs_of(texts, windows, least)
        form = (lambda text: text) if literal else folded
        compare_sets([form(joined(p)) for p in passages], [form(run) for run in runs], "not the text that was cut")
    if clean:
        compare_orders(runner, [*base, "--annotate"])
    documents = check_prompt(runner, base, least, windows)
    check_report(runner, passages)
    if true and literal:
        check(len(documents) == len(runs), "another number of documents", len(documents), len(runs))
        compare_sets(documents, [oracle.cleaned(oracle.trimmed(run)) for run in runs], "the prompt is not the text")
    budget_case(runner, rng, base, cutting, clean, tally)


def compare_orders(runner, options):
    """The ids that the oracle has, in its order, whatever else the lines have."""
    expected = ask_oracle([*options, runner.path])
    got = runner.run(options)
    check(got[0] == expected[0], f"status {got[0]}, expected {expected[0]}", shown(got[1]), shown(expected[1]))
    check(shown(got[1]) == shown(expected[1]), "other ids", shown(got[1]), shown(expected[1]))
    marks = [[{key: json.loads(line)["edgefold"].get(key) for key in ("rank", "position", "overlap")}
              for line in lines_of(out)] for out in (got[1], expected[1])]
    check(marks[0] == marks[1], "other annotations", got[1].decode(), expected[1].decode())


def budget_case(runner, rng, base, cutting, clean, tally):
    """Budgets, tops and pins with stitching: exact where all orders of joining are one."""
    _, windows, lines, least = cutting
    total = sum(len(window.text) for window in windows)
    counter = rng.choice(sorted(COUNTERS))
    budget = rng.randint(1, total + 20)
    more = [f"--budget={budget}", f"--count={counter}", f"--fit={rng.choice(['prefix', 'skip'])}"]
    pins = [window.id for window in rng.sample(windows, min(len(windows), rng.choice([0, 0, 0, 1, 2])))]
    more += [f"--pin-{rng.choice(['first', 'last'])}={pin}" for pin in pins]
    if rng.random() < 0.3:
        more.append(f"--top={rng.randint(1, len(windows))}")
    if "--group=doc" in base and rng.random() < 0.3:
        more.append(f"--per-group={rng.randint(1, 8)}")
    grouped = "--group=doc" in base
    options = [*base, *more, "--annotate"]
    status, out = runner.run(options)
    check(status in (0, 1), f"status {status}")
    passages = check_lines(out, lines, least, grouped, pins)
    spent = sum(COUNTERS[counter](line["text"][line["edgefold"]["overlap"]:]) for p in passages for line in p)
    check(spent <= budget, f"over budget: {spent} of {budget}", shown(out))
    if status == 0:
        ids = {line["id"] for passage in passages for line in passage}
        check(ids >= set(pins), "a pin is lost", ids, pins)
    if clean:
        compare_orders(runner, options)
    check_prompt(runner, [*base, *more], least, windows, budget, counter, pins)
    if clean:
        compare(runner, [*base, *more, "-f", "plain"], tally)
    if rng.random() < 0.3:
        check_prompt(runner, [*base, *more[:2], "--fit=truncate"], least, windows, budget, counter)


def soup_texts(rng):
    """Texts that overlap in many ways at once."""
    word = lambda: random_word(rng, rng.choice(["latin", "latin", "few", "han", "emoji"]))
    sentence = lambda n: rng.choice([" ", "", "\n", "\r\n"]).join(word() for _ in range(n))
    kind = rng.choice(["boilerplate", "circle", "unary", "nested", "same", "spaces", "prefix", "periodic", "short"])
    count = rng.randint(2, 20)
    if kind == "boilerplate":           # it ends one text and starts many
        texts = [sentence(5) + BOILERPLATE] + [BOILERPLATE + sentence(5) for _ in range(count)]
    elif kind == "circle":
        parts = [sentence(12) for _ in range(rng.randint(2, 4))]
        texts = [a + "|" + b for a, b in zip(parts, parts[1:] + parts[:1])]
    elif kind == "unary":
        texts = ["a" * rng.randint(1, 200) for _ in range(count)]
    elif kind == "nested":
        text = sentence(60)
        places = [sorted(rng.sample(range(len(text) + 1), 2)) for _ in range(count)]
        texts = [text[a:b] for a, b in places]
    elif kind == "same":
        texts = [rng.choice([sentence(10)] * 2 + [BOILERPLATE]) for _ in range(3)] * 3
    elif kind == "spaces":              # the same but for white space
        words = [word() for _ in range(60)]
        gap = lambda: rng.choice([" ", "  ", "\n", "\r\n", "\t", "\u3000", "\n\n"])
        edge = lambda: gap() * rng.randrange(2)
        spell = lambda some: edge() + "".join(w + gap() for w in some).rstrip() + edge()
        starts = range(0, 50, rng.randint(3, 9))
        texts = [spell(words[start:start + 14]) for start in starts]
    elif kind == "prefix":
        text = sentence(40)
        texts = [text[:n] for n in rng.sample(range(1, len(text) + 1), min(count, len(text)))]
    elif kind == "periodic":
        period = sentence(rng.randint(1, 6)) + " "
        texts = [(period * 40)[a:a + rng.randint(20, 150)] for a in rng.choices(range(80), k=count)]
    else:
        texts = [sentence(1) for _ in range(count)] + [sentence(30)]
    return [text for text in texts if text.strip()][:30] or ["a"]


def soup_case(runner, rng, cutting, tally):
    _, windows, lines, least = cutting
    grouped = rng.random() < 0.3
    base = stitch_options(rng, least) + ["--no-dedup"] + ["--group=doc"] * grouped
    status, out = runner.run([*base, "--annotate"])
    check(status == 0, f"status {status}")
    passages = check_lines(out, lines, least, grouped)
    check_all_kept(passages, lines)
    tally["soups as the oracle has them"] += shown(out) == shown(ask_oracle([*base, "--annotate", runner.path])[1])
    check_prompt(runner, base, least, windows)
    budget_case(runner, rng, base, cutting, False, tally)


# ---- worked examples and wrong usage

DOC = """{"id":"A2","doc":"contract","sec":2,"score":0.9,"text":"The notice period is three months."}
{"id":"B1","doc":"faq","sec":1,"score":0.8,"text":"Notice can be given by letter."}
{"id":"A1","doc":"contract","sec":1,"score":0.7,"text":"This contract begins in May."}
{"id":"A3","doc":"contract","sec":3,"score":0.6,"text":"It ends with the notice period."}"""
OVERLAP = """{"id":2,"score":0.9,"text":"jumps over the lazy dog by the slow brown river. Then it sleeps."}
{"id":1,"score":0.8,"text":"The quick brown fox jumps over the lazy dog by the slow brown river."}"""
WHOLE = "The quick brown fox jumps over the lazy dog by the slow brown river. Then it sleeps."
EXAMPLES = [
    ("--group=doc --order=sec", "A1 A2 A3 B1"),
    ("--group=doc --order=sec -l fold-last", "B1 A1 A2 A3"),
    ("--group=doc --per-group=2", "A2 A1 B1"),
    ("--pin-first=A3 --pin-last=A1 -n 1", "A3 A2 A1"),
    ("--order=sec", "B1 A1 A2 A3"),
]
WRONG = ["--per-group=2", "--per-group=0 --group=doc", "--order=sec -l fold", "--stitch", "--stitch=0 --annotate",
         "--stitch=x --annotate", "--pin-first=A1 --pin-last=A1", "--group= "]


def worked_examples(edgefold):
    runner = Runner(edgefold, "examples", DOC.encode().split(b"\n"))
    for options, ids in EXAMPLES:
        status, out = runner.run(options.split())
        check((status, shown(out)) == (0, ids), " ".join(runner.command), f"{status}: {shown(out)}", ids)
    for options in WRONG:
        status, out = runner.run(options.split(" "))
        check((status, out) == (2, b""), f"{' '.join(runner.command)}: status {status}, expected 2", shown(out))
    runner.forget()
    runner = Runner(edgefold, "overlap", OVERLAP.encode().split(b"\n"))
    status, out = runner.run(["--stitch", "-f", "plain"])
    check((status, out) == (0, f"***\n{WHOLE}\n***\n".encode()), "--stitch -f plain", out.decode())
    status, out = runner.run(["--stitch", "--annotate"])
    check((status, shown(out)) == (0, "1 2"), "--stitch --annotate", shown(out), "1 2")
    check(joined(json.loads(line) for line in lines_of(out)) == WHOLE, "--stitch --annotate", out.decode(), WHOLE)
    runner.forget()


# ---- main

def one_case(edgefold, seed, kind, tally):
    """A case by its seed; what was wrong with it, or None."""
    rng = random.Random(seed)
    least = rng.choice([8, 20, 40, 40])
    kind = kind or rng.choices(["units", "cuts", "soup"], [4, 4, 2])[0]
    if kind == "units":
        case = lines = unit_lines(rng)
    else:
        if kind == "cuts":
            texts, windows = cuts_input(rng, least)
        else:
            texts, windows = {}, [Window(f"doc{number % 2}", number, None, text)
                                  for number, text in enumerate(soup_texts(rng))]
        scores = rng.sample(range(1000), len(windows))
        lines = [line_of(rng, window, score) for window, score in zip(windows, scores)]
        case = texts, windows, lines, least
    runner = Runner(edgefold, seed, lines)
    tally["inputs of " + kind] += 1
    try:
        {"units": units_case, "cuts": cuts_case, "soup": soup_case}[kind](runner, rng, case, tally)
    except Mismatch as mismatch:
        command = " ".join(f"'{word}'" if re.search(r"[^\w/.=:,#-]", word) else word for word in runner.command)
        return f"seed {seed} ({kind}): {command}\n{mismatch}"
    runner.forget()
    for cache in (units_oracle.folded, units_oracle.longest_overlap, units_oracle.place_in):
        cache.cache_clear()
    return None


def main():
    flags = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    edgefold, seed, count = [argument for argument in sys.argv[1:] if argument not in flags]
    kind = next((flag[7:] for flag in flags if flag.startswith("--only=")), None)
    tally, wrong = collections.Counter(), 0
    try:
        worked_examples(edgefold)
    except Mismatch as mismatch:
        print(f"worked example: {mismatch}")
        wrong += 1
    for number in range(int(seed), int(seed) + int(count)):
        if wrong and "--go-on" not in flags:
            break
        message = one_case(edgefold, number, kind, tally)
        if message:
            print(message)
            wrong += 1
    print(f"{wrong} wrong; " + ", ".join(f"{name}: {n}" for name, n in sorted(tally.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
