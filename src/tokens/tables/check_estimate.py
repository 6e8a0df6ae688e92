#!/usr/bin/env python3
"""Check the estimator in C against its documentation.

usage: check_estimate.py WORK PIECES ESTIMATE_REF

- A second reader of estimate_table.h, written from the comment at its head,
  must give the same estimate for random documents and for test chunks.
- Where a text is cut after LF and goes on with neither white space nor '/',
  the estimates of both parts must add up to that of the whole.
"""

import json
import pathlib
import random
import re
import sys

import emit
import evaluate
import fuzz
from check_split import cut, split

RUN_FREE = 16
LONG_WORD = 24
RANDOM_LETTER = 563


class Table:
    """The arrays and constants of estimate_table.h."""

    def __init__(self, path):
        text = path.read_text(encoding="ascii")
        self.constant = {name: int(value.rstrip("u"), 0) for name, value
                         in re.findall(r"#define ESTIMATE_(\w+) (\w+)", text)}
        arrays = re.findall(r"estimate_(\w+)\[[^=]*= \{(.*?)\n\};", text, re.S)
        for name, numbers in arrays:
            # Some arrays are called as methods are.
            setattr(self, name + "_numbers",
                    [int(number) for number in re.findall(r"\d+", numbers)])
        self.runs = dict(zip(self.other_runs_numbers[::2],
                             self.other_runs_numbers[1::2]))

    def class_of(self, point):
        """Return the class of a code point."""
        if point >= self.constant["CLASS_POINTS"]:
            return self.constant["CLASSES"] - 1
        shift = self.constant["CLASS_SHIFT"]
        block = self.class_index_numbers[point >> shift]
        return self.class_blocks_numbers[(block << shift)
                                 + (point & (1 << shift) - 1)]

    def context(self, *points):
        """Return the stored value of a context or None."""
        value = emit.context_hash(*points)
        tag = value >> 38 & 1023 or 1
        at = value >> 48
        while self.contexts_numbers[at]:
            if self.contexts_numbers[at] >> 6 == tag:
                return self.contexts_numbers[at] & 63
            at = (at + 1) % 65536
        return None

    def word(self, piece):
        """Return the listed tokens after the first of a piece or None."""
        data = piece.encode()
        if len(data) > self.constant["WORD_BYTES"]:
            return None
        value = emit.word_hash(data)
        tag = value >> 36 & 16383 or 1
        at = value >> 50
        while self.words_numbers[at]:
            if self.words_numbers[at] >> 2 == tag:
                return self.words_numbers[at] & 3
            at = (at + 1) % 16384
        return None

    def inner(self, point):
        """Return I of a code point."""
        if point < 0x80:
            return 0
        at = (point * 0x9E3779B1 & 0xFFFFFFFF) >> 21
        while self.points_numbers[at]:
            if self.points_numbers[at] >> 11 == point:
                return 2 * (self.points_numbers[at] & 2047)
            at = (at + 1) % 2048
        return self.inner_numbers[self.class_of(point)]

    def boundary(self, points, i):
        """Return (B before points[i], whether the wide context is listed)."""
        offset = self.constant["OFFSET"]
        value = self.context(points[i - 2] if i > 1 else emit.START,
                             points[i - 1], points[i],
                             points[i + 1] if i + 1 < len(points)
                             else emit.END)
        if value is not None:
            return 32 * value - offset, True
        value = self.context(emit.ANY, points[i - 1], points[i], emit.ANY)
        if value is not None:
            return 32 * value - offset, False
        pair = (self.class_of(points[i - 1]) * self.constant["CLASSES"]
                + self.class_of(points[i]))
        cell = (min(i, 4) - 1) * 4 + min(len(points) - i, 4) - 1
        return 8 * self.rows_numbers[self.pairs_numbers[pair] * 16 + cell] - offset, False

    def long_run(self, point):
        """Return the cost of one more character of a long run."""
        if point < 0x80:
            return self.low_runs_numbers[point]
        return self.runs.get(point, 1024 + self.inner(point))


def is_letter(point):
    """Say whether a code point is an ASCII letter."""
    return chr(point).isascii() and chr(point).isalpha()


def estimate(table, piece):
    """Return the estimate of a piece in 1/1024 token."""
    if piece.isdigit() and piece.isascii():
        return 1024
    if table.word(piece) is not None:
        return 1024 * (1 + table.word(piece))
    points = [ord(character) for character in piece]
    cost = table.inner(points[0])
    run = by_turn = 1
    letters = known = 0
    for i in range(1, len(points)):
        pair = points[i - 1:i + 1]
        run = run + 1 if pair[0] == pair[1] else 1
        by_turn = by_turn + 1 if sorted(pair) == [10, 13] else 1
        if by_turn > RUN_FREE:
            cost += table.constant["CRLF_RUN"]
        elif run > RUN_FREE:
            cost += table.long_run(points[i])
        else:
            step, listed = table.boundary(points, i)
            cost += step + table.inner(points[i])
            letters += is_letter(points[i])
            known += is_letter(points[i]) and listed
    if letters > LONG_WORD and known * 4 < letters:
        cost = max(cost, letters * RANDOM_LETTER)
    return 1024 + max(cost, 0)


def check_reader(table, pieces, program, texts):
    """Return how many texts the two readers disagree on."""
    wrong, cache = 0, {}
    found = evaluate.run([program, "-0"], texts)
    for text, lengths, units in zip(texts, split(pieces, "o200k", texts),
                                    found):
        total = 0
        for piece in cut(text, lengths):
            if piece not in cache:
                cache[piece] = estimate(table, piece.decode())
            total += cache[piece]
        wrong += total != units
    return wrong


def check_sums(program, texts):
    """Return (cuts, how many of them change the sum)."""
    rng = random.Random(4)
    whole = "".join(texts)
    ends = [match.end() for match in re.finditer(r"\n(?=[^\s/\x1c-\x1f])",
                                                 whole)]
    wrong, trials = 0, 200
    for _ in range(trials):
        a, b, c = sorted(rng.sample(ends, 3))
        b = min(b, ends[min(len(ends) - 1, ends.index(a) + 50)])
        if a < b < c:
            c = min(c, b + 100000)
            one, two, both = evaluate.run([program, "-0"], [
                whole[a:b], whole[b:c], whole[a:c]])
            wrong += one + two != both
    return trials, wrong


def main():
    """Run both checks."""
    if len(sys.argv) != 4:
        sys.exit("usage: check_estimate.py WORK PIECES ESTIMATE_REF")
    work, pieces, program = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    table = Table(pathlib.Path(__file__).with_name("estimate_table.h"))
    with open(work / "chunks.jsonl", encoding="utf-8") as lines:
        chunks = [json.loads(line)["text"] for line in lines]
    hostile = evaluate.hostile(lambda point: point % 3 == 0)
    texts = ([text.replace("\0", "") for text in fuzz.documents(20000, 5)]
             + chunks[::10] + [text[:3000] for _, text in hostile])
    wrong = check_reader(table, pieces, program, texts)
    print(f"second reader: {len(texts)} documents, {wrong} differ")
    cuts, unequal = check_sums(program, chunks)
    print(f"sums: {cuts} cuts, {unequal} differ")
    sys.exit(1 if wrong + unequal else 0)


if __name__ == "__main__":
    main()
