#!/usr/bin/env python3
"""Print how far the estimates are off, as Markdown.

usage: evaluate.py CACHE WORK ESTIMATE_REF [FURTHER]

The texts are the test half of the corpus and made-up hostile inputs, none of
them fitted.  Beside the estimator stand chars/4 and tokenx.  An error is
estimate / true count - 1; p95 is the 95th percentile of its absolute value.

FURTHER is a file of texts from elsewhere, one JSON object a line: class,
source, text.  The texts of one source are taken as a ranked list.
"""

import base64
import json
import pathlib
import random
import subprocess
import sys

import numpy

import inputs
import tokens

UNIT = 1024
# Reach: p95 per class in percent, by size of the chunk: main, further.
REACH = {800: (10, 15), 100: (15, 22)}
REACH_BIAS = 5
REACH_SUM = 3
# Prompts: so many chunks, so many prompts of a kind, the margins in percent.
PROMPT_CHUNKS, PROMPTS = 20, 5000
MARGINS = (0, 3, 4, 5, 6, 8)
# Languages that the fit never met: shown, but nothing is promised for them.
WITHOUT_REACH = {"x_unseen"}


def run(command, texts):
    """Return one number per text, as printed by a program."""
    data = b"".join(text.encode() + b"\0" for text in texts)
    output = subprocess.run(command, input=data, check=True,
                            stdout=subprocess.PIPE).stdout
    return numpy.array(output.split(), float)


def estimates(cache, program, texts):
    """Return {method: estimates of the texts}, not yet rounded up."""
    tokenx = str(inputs.package_directory(cache, "tokenx"))
    script = str(pathlib.Path(__file__).with_name("tokenx.mjs"))
    return {
        "estimator": run([program, "-0"], texts) / UNIT,
        "chars/4": numpy.array([len(text) / 4 for text in texts]),
        "tokenx": run(["node", script, tokenx], texts),
    }


def figures(error):
    """Return (mean, bias, p95, worst) of relative errors, in percent."""
    size = numpy.abs(error)
    return (100 * size.mean(), 100 * error.mean(),
            100 * numpy.quantile(size, 0.95), 100 * error[size.argmax()])


def cell(error):
    """Format the figures of one method."""
    return "{:.1f} / {:+.1f} / {:.1f} / {:+.0f}".format(*figures(error))


def print_classes(size, labels, chosen, errors):
    """Print one row per class; return the rows that miss the reach."""
    print(f"\n### Chunks of about {size} tokens: "
          "mean / bias / p95 / worst error in %\n")
    print("| class | n | " + " | ".join(errors) + " |")
    print("|---|---|" + "---|" * len(errors))
    missed = []
    for label in dict.fromkeys(labels.tolist()):
        rows = chosen & (labels == label)
        if not rows.any():
            continue
        print(f"| {label} | {rows.sum()} | " + " | ".join(
            cell(error[rows]) for error in errors.values()) + " |")
        if label in WITHOUT_REACH:
            continue
        _, bias, p95, _ = figures(errors["estimator"][rows])
        reach = REACH[size][label.startswith("x_")]
        if p95 > reach:
            missed.append(f"{label} p95 {p95:.1f} > {reach}")
        if abs(bias) > REACH_BIAS:
            missed.append(f"{label} bias {bias:+.1f}")
    return missed


def print_sums(size, labels, chosen, guesses, truth):
    """Print the errors of sums of ten random chunks, rounded up once."""
    rng = numpy.random.default_rng(1)
    main = numpy.array([not label.startswith("x_") for label in labels])
    print(f"\n### Sums of ten chunks of about {size} tokens: "
          "mean / bias / p95 / worst error in %\n")
    print("| chunks | " + " | ".join(guesses) + " |")
    print("|---|" + "---|" * len(guesses))
    missed = []
    for name, pool in (("main classes", chosen & main),
                       ("all classes", chosen)):
        picks = rng.choice(numpy.flatnonzero(pool), (2000, 10))
        errors = {method: numpy.ceil(guess[picks].sum(1))
                  / truth[picks].sum(1) - 1
                  for method, guess in guesses.items()}
        print(f"| {name} | " + " | ".join(map(cell, errors.values())) + " |")
        p95 = figures(errors["estimator"])[2]
        if p95 > REACH_SUM:
            missed.append(f"sum of ten, {name}: p95 {p95:.1f} > {REACH_SUM}")
    return missed


def print_kinds(title, labels, error, rows_of_size):
    """Print median, 5th and 95th percentile of the errors by kind."""
    print(f"\n### {title}: median / 5th / 95th percentile of the error in %\n")
    print("| kind | n | " + " | ".join(rows_of_size) + " |")
    print("|---|---|" + "---|" * len(rows_of_size))
    for label in dict.fromkeys(labels.tolist()):
        cells, number = [], 0
        for chosen in rows_of_size.values():
            rows = chosen & (labels == label)
            number += rows.sum()
            cells.append("{:+.1f} / {:+.1f} / {:+.1f}".format(
                *100 * numpy.quantile(error[rows], (0.5, 0.05, 0.95)))
                if rows.any() else "-")
        print(f"| {label} | {number} | " + " | ".join(cells) + " |")


def over_budget(guess, truth, margin):
    """Say of each prompt whether it exceeds a budget that its estimate fills
    up to the margin."""
    return truth > numpy.ceil(guess) / (1 - margin / 100)


def print_prompts(title, prompts):
    """Print how many prompts exceed their budget, by kind and margin.

    prompts is {kind: (estimates, true counts)} of prompts.
    """
    print(f"\n### {title}: median / 5th / 95th percentile of the error in %, "
          "and how many in 1,000 exceed a budget filled up to the margin\n")
    print("| kind | n | error | " + " | ".join(
        f"margin {margin} %" for margin in MARGINS) + " |")
    print("|---|---|---|" + "---|" * len(MARGINS))
    for label, (guess, truth) in prompts.items():
        error = numpy.ceil(guess) / truth - 1
        print(f"| {label} | {len(truth)} | " + "{:+.1f} / {:+.1f} / {:+.1f}"
              .format(*100 * numpy.quantile(error, (0.5, 0.05, 0.95)))
              + " | " + " | ".join(
                  f"{1000 * over_budget(guess, truth, margin).mean():.1f}"
                  for margin in MARGINS) + " |")


def drawn_prompts(labels, guess, truth, chosen):
    """Return prompts of random chunks: of one kind, then of all kinds."""
    rng = numpy.random.default_rng(2)
    kinds = {label: chosen & (labels == label)
             for label in dict.fromkeys(labels.tolist())}
    main = numpy.array([not label.startswith("x_") for label in labels])
    kinds["main classes, mixed"] = chosen & main
    kinds["all classes, mixed"] = chosen
    made = {}
    for label, rows in kinds.items():
        pool = numpy.flatnonzero(rows)
        if len(pool) >= PROMPT_CHUNKS:
            picks = rng.choice(pool, (PROMPTS, PROMPT_CHUNKS))
            made[label] = guess[picks].sum(1), truth[picks].sum(1)
    return made


def ranked_prompts(labels, sources, guess, truth):
    """Return prompts of neighbours in the lists of further texts."""
    made = {}
    for label in dict.fromkeys(labels.tolist()):
        sums = []
        for source in dict.fromkeys(sources[labels == label].tolist()):
            rows = numpy.flatnonzero((labels == label) & (sources == source))
            for start in range(0, max(1, len(rows) - PROMPT_CHUNKS + 1), 5):
                part = rows[start:start + PROMPT_CHUNKS]
                if len(part) * 2 > PROMPT_CHUNKS:
                    sums.append((guess[part].sum(), truth[part].sum()))
        if sums:
            made[label] = tuple(numpy.array(sums).T)
    return made


def print_further(path, cache, program):
    """Print the errors on texts from elsewhere."""
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    counter = tokens.Counter(cache)
    labels = numpy.array([row["class"] for row in rows])
    sources = numpy.array([row["source"] for row in rows])
    texts = [row["text"] for row in rows]
    truth = numpy.array([counter.count(text) for text in texts], float)
    guess = run([program, "-0"], texts) / UNIT
    first = numpy.zeros(len(texts), bool)
    first[list({text: at for at, text in enumerate(texts)}.values())] = True
    print_kinds("Texts from elsewhere", labels, guess / truth - 1,
                {"as they are": first})
    print_prompts(f"{PROMPT_CHUNKS} neighbours in ranked lists from elsewhere",
                  ranked_prompts(labels, sources, guess, truth))


def rare_han(rng, is_rare):
    """Return a Chinese character that takes several tokens alone."""
    while True:
        point = rng.randrange(0x4E00, 0x9FA6)
        if is_rare(point):
            return chr(point)


def hostile(is_rare):
    """Return [(name, text)] of inputs made to mislead an estimator.

    is_rare tells of a code point whether it takes several tokens alone.
    """
    rng = random.Random(9)
    letters = "abcdefghijklmnopqrstuvwxyz"
    data = rng.randbytes(30000)
    made = [
        ("hexadecimal", data.hex()),
        ("base64", base64.b64encode(data).decode()),
        ("base64 in lines", base64.encodebytes(data).decode()),
        ("digits", "".join(rng.choices("0123456789", k=50000))),
        ("random letters", "".join(rng.choices(letters, k=50000))),
        ("random capitals",
         "".join(rng.choices(letters.upper(), k=50000))),
        ("random mixed case",
         "".join(rng.choices(letters + letters.upper(), k=50000))),
        ("random words of 3 to 12 letters", " ".join(
            "".join(rng.choices(letters, k=rng.randint(3, 12)))
            for _ in range(8000))),
        ("random printable ASCII", "".join(
            chr(rng.randrange(32, 127)) for _ in range(50000))),
        ("random rare Han", "".join(
            rare_han(rng, is_rare) for _ in range(20000))),
        ("random Han U+4E00..9FA5", "".join(
            chr(rng.randrange(0x4E00, 0x9FA6)) for _ in range(20000))),
        ("Han of extension B", "".join(
            chr(rng.randrange(0x20000, 0x2A6D0)) for _ in range(10000))),
        ("random Hangul", "".join(
            chr(rng.randrange(0xAC00, 0xD7A4)) for _ in range(20000))),
        ("random code points", "".join(
            chr(rng.choice([rng.randrange(0x80, 0xD800),
                            rng.randrange(0x10000, 0x20000)]))
            for _ in range(20000))),
        ("family emoji", "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 3000),
        ("DNA", "".join(rng.choices("ACGT", k=50000))),
        ("997 spaces and LF", (" " * 997 + "\n") * 100),
        ("line drawing", ("\u2500" * 60 + "\n" + "\u2502 x " * 15 + "\n")
         * 100),
    ]
    for character in "a A z 0 - = * # / _ . ~ + ! \" \u4e2d \u7684 \u0e01 " \
            "\u00e9 \u0416 \u2500 \u2588 \u2026 \U0001f600".split():
        made.append((f"100,000 x {character}", character * 100000))
    for name, character in (("space", " "), ("tab", "\t"), ("LF", "\n"),
                            ("CR LF", "\r\n"), ("U+00A0", "\u00a0"),
                            ("U+3000", "\u3000")):
        made.append((f"100,000 x {name}", character * 100000))
    return made


def print_hostile(cache, program):
    """Print the errors on hostile inputs."""
    counter = tokens.Counter(cache)
    made = hostile(lambda point: counter.count(chr(point)) > 1)
    texts = [text for _, text in made]
    truth = numpy.array([counter.count(text) for text in texts], float)
    guesses = estimates(cache, program, texts)
    print("\n### Hostile inputs: error in %\n")
    print("| input | tokens | " + " | ".join(guesses) + " |")
    print("|---|---|" + "---|" * len(guesses))
    for number, (name, _) in enumerate(made):
        print(f"| {name} | {truth[number]:.0f} | " + " | ".join(
            f"{100 * (guess[number] / truth[number] - 1):+.0f}"
            for guess in guesses.values()) + " |")


def main():
    """Print all tables."""
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: evaluate.py CACHE WORK ESTIMATE_REF [FURTHER]")
    cache, work = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    with open(work / "chunks.jsonl", encoding="utf-8") as lines:
        chunks = [json.loads(line) for line in lines]
    texts = [chunk["text"] for chunk in chunks]
    truth = numpy.array([chunk["tokens"] for chunk in chunks], float)
    labels = numpy.array([chunk["class"] for chunk in chunks])
    sizes = numpy.array([chunk["size"] for chunk in chunks])
    guesses = estimates(cache, sys.argv[3], texts)
    errors = {name: numpy.ceil(guess) / truth - 1
              for name, guess in guesses.items()}
    missed = []
    for size in REACH:
        missed += [f"{size}: {line}" for line in print_classes(
            size, labels, sizes == size, errors)]
    for size in REACH:
        missed += [f"{size}: {line}" for line in print_sums(
            size, labels, sizes == size, guesses, truth)]
    print_kinds("Chunks", labels, errors["estimator"],
                {f"{size} tokens": sizes == size for size in REACH})
    for size in REACH:
        print_prompts(
            f"{PROMPT_CHUNKS} random chunks of about {size} tokens",
            drawn_prompts(labels, guesses["estimator"], truth, sizes == size))
    if len(sys.argv) == 5:
        print_further(sys.argv[4], cache, sys.argv[3])
    print_hostile(cache, sys.argv[3])
    print(f"\n### Reach\n\n{len(missed)} figures miss the reach.\n")
    for line in missed:
        print(f"- {line}")


if __name__ == "__main__":
    main()
