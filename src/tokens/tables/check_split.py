#!/usr/bin/env python3
"""Compare the pieces of the C splitter with independent references.

usage: check_split.py CACHE PIECES [DOCUMENTS]

PIECES is the compiled pieces.c.  Two references:
- tiktoken: the tokens of a document must be those of its pieces, for
  r50k_base, cl100k_base and o200k_base;
- the patterns themselves, run by the library `regex` (all families) and by
  `tokenizers` (DeepSeek, which needs three passes): the same boundaries.
Documents with characters that a reference classifies by another version of
Unicode are left out of that comparison and counted.
"""

import functools
import pathlib
import subprocess
import sys
import unicodedata

import numpy
import regex
import tokenizers
import unicodedata2

import fuzz
import tokens

# A pattern of its own per rule set; tiktoken's three come from tokens.py.
QWEN2 = tokens.PATTERN_CL100K.replace(r"\p{N}{1,3}", r"\p{N}")
QWEN35 = "|".join([
    tokens.CONTRACTION, r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+", r"\p{N}",
    r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
TEKKEN = tokens.PATTERN_O200K.replace(tokens.CONTRACTION + "?", "").replace(
    r"\p{N}{1,3}", r"\p{N}")
DEEPSEEK = [
    r"\p{N}{1,3}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
    r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"]
PATTERNS = {"r50k": tokens.PATTERN_R50K, "cl100k": tokens.PATTERN_CL100K,
            "o200k": tokens.PATTERN_O200K, "qwen2": QWEN2,
            "qwen3.5": QWEN35, "tekken": TEKKEN}
# The library's \s has these four, which are not White_Space.
NOT_SPACE = "\x1c\x1d\x1e\x1f"


def split(program, rules, documents):
    """Return the piece lengths that the C program prints per document."""
    data = b"".join(text.encode() + b"\0" for text in documents)
    output = subprocess.run([program, rules], input=data, check=True,
                            stdout=subprocess.PIPE).stdout
    lengths = numpy.frombuffer(output, numpy.uint32)
    ends = numpy.flatnonzero(lengths == 0)
    starts = numpy.concatenate(([0], ends[:-1] + 1))
    return [lengths[start:end] for start, end in zip(starts, ends)]


def cut(text, lengths):
    """Return the pieces of a text as bytes."""
    data, pieces, at = text.encode(), [], 0
    for length in lengths:
        pieces.append(data[at:at + length])
        at += length
    assert at == len(data), "the pieces are not the text"
    return pieces


def check_tokens(program, cache, rules, documents):
    """Count documents whose tokens differ from those of tiktoken."""
    counter = tokens.Counter(cache, rules + "_base")
    wrong = 0
    for text, lengths in zip(documents, split(program, rules, documents)):
        ours = []
        for piece in cut(text, lengths):
            ours += counter.encoding._encode_single_piece(piece)
        if ours != counter.encoding.encode_ordinary(text):
            wrong += 1
            if wrong <= 3:
                print(repr(text), cut(text, lengths))
    return wrong


def newer(text, known):
    """Say whether a text has characters that a reference does not know."""
    return any(known(character) != unicodedata2.category(character)
               for character in text)


def regex_category(character):
    """Return the category that the library `regex` sees, as far as asked."""
    for name in ("Lu", "Lt", "Lm", "Lo", "Ll", "M", "N", "P", "S"):
        if CATEGORY[name].match(character):
            return name
    return "other"


CATEGORY = {name: regex.compile(r"\p{%s}" % name)
            for name in ("Lu", "Lt", "Lm", "Lo", "Ll", "M", "N", "P", "S")}


@functools.cache
def agrees(character):
    """Say whether `regex` and our table agree on a character."""
    category = unicodedata2.category(character)
    if character in NOT_SPACE:
        return False
    seen = regex_category(character)
    if category[0] in "MNPS":
        return seen == category[0]
    return seen == (category if category[0] == "L" else "other")


def check_pattern(program, rules, documents):
    """Count (differing, skipped) documents against `regex`."""
    pattern = regex.compile(PATTERNS[rules])
    wrong = skipped = 0
    for text, lengths in zip(documents, split(program, rules, documents)):
        if not all(agrees(character) for character in set(text)):
            skipped += 1
            continue
        theirs = [m.group().encode() for m in pattern.finditer(text)]
        if theirs != cut(text, lengths):
            wrong += 1
            if wrong <= 3:
                print(rules, repr(text), theirs, cut(text, lengths))
    return wrong, skipped


def check_deepseek(program, documents):
    """Count (differing, skipped) documents against `tokenizers`."""
    steps = tokenizers.pre_tokenizers.Sequence([
        tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")
        for pattern in DEEPSEEK])
    wrong = skipped = 0
    for text, lengths in zip(documents, split(program, "deepseek", documents)):
        # Its engine is older than Unicode 16: Python's data of Unicode 14
        # are the common ground.
        if newer(text, unicodedata.category) or "\u180e" in text:
            skipped += 1
            continue
        theirs = [piece.encode() for piece, _ in steps.pre_tokenize_str(text)]
        if theirs != cut(text, lengths):
            wrong += 1
            if wrong <= 3:
                print("deepseek", repr(text), theirs, cut(text, lengths))
    return wrong, skipped


def main():
    """Run every comparison."""
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: check_split.py CACHE PIECES [DOCUMENTS]")
    cache, program = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) == 4 else 50000
    documents = [text.replace("\0", "") for text in fuzz.documents(count, 1)]
    failed = 0
    for rules in ("r50k", "cl100k", "o200k"):
        wrong = check_tokens(program, cache, rules, documents)
        print(f"{rules}: tokens of {count} documents, {wrong} differ",
              flush=True)
        failed += wrong
    for rules in PATTERNS:
        wrong, skipped = check_pattern(program, rules, documents)
        print(f"{rules}: pieces of {count - skipped} documents, {wrong} "
              f"differ, {skipped} skipped", flush=True)
        failed += wrong
    wrong, skipped = check_deepseek(program, documents)
    print(f"deepseek: pieces of {count - skipped} documents, {wrong} differ, "
          f"{skipped} skipped")
    sys.exit(1 if failed + wrong else 0)


if __name__ == "__main__":
    main()
