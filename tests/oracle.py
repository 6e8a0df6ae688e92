#!/usr/bin/env python3
"""A slow, plain second implementation of edgefold, to compare it with.

It shares no code, no library and no trick with the C program: each stage is
the plainest Python that does what the design asks for, every pair of chunks is
compared, every budget is tried out by counting.  Options and exit statuses
are edgefold's.  Ids decide nothing yet and are not looked at.  Of its own it has

    --report=FILE             a JSON line per chunk line: its fate and evidence
    --instructions-text=TEXT  the words edgefold prints between <instructions>
                              tags (asked for only when there is a question)

and status 9 for what it does not do: count with the estimator, neutralise
edgefold's own tags in a text.  In the report lines are counted through all
files as one stream, blank lines too; two equal texts without a word have
similarity 0/0.
"""

import argparse
import itertools
import json
import math
import os
import re
import sys
import unicodedata
from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction

TEXT_PATHS = """text content page_content chunk chunk_text passage body snippet
    document.text document node.text payload.text _source.text _source.content
    metadata.text""".split()
LOWER_KEY = re.compile("distance|(?<![a-z])dist(?![a-z])", re.I)
SCORE_PATHS = """relevance_score _relevance_score rerank_score reranker_score relevanceScore
    @search\0rerankerScore rrf_score score _score similarity _rankingScore @search\0score bm25_score
    similarity_score cosine_similarity distance _distance vector_distance cosine_distance""".split()
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
OPTION_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
OPTION_DECIMAL = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
OWN_TAG = re.compile(r"<[\s/]*(context|document|instructions|question)", re.I)
# Not \S: Python also takes U+001C-001F for white space, Unicode does not.
WORD_TO_COUNT = re.compile(
    "[^\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
                      "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")

# Default_Ignorable_Code_Point, which Python's unicodedata does not have.
IGNORABLE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
                       "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
                       "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")
BLANKS = ("".join(map(chr, [*range(1, 33), 0x7f, 0x85, 0xa0, 0x1680, *range(0x2000, 0x200b)]))
          + "\u2028\u2029\u202f\u205f\u3000")

MARK = b"\xef\xbb\xbf"
LONE = re.compile("[\ud800-\udfff]")
STRING_OR_WORD = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b', re.S)
INFINITE = Fraction(10) ** 5000

ABSENT = object()                                    # no such key; null is None
Number = namedtuple("Number", "text is_integer")     # a number as it was written
Fields = namedtuple("Fields", "text score")          # paths, or None


@dataclass
class Chunk:
    line: int
    raw: bytes
    text: str = ""
    written: str = ""
    score: Fraction = None
    fate: str = None
    rank: int = None
    position: int = None
    record: dict = None
    words: frozenset = frozenset()
    numbers: frozenset = frozenset()
    scope: tuple = ()
    of: int = None
    num: int = None
    den: int = None


class BadLine(ValueError):
    """This line cannot be used."""


def fail(status, message):
    print(f"oracle: {message}", file=sys.stderr)
    sys.exit(status)


# ---- options

def from_argv(argument):
    """An argument's bytes as UTF-8, whatever the locale."""
    return os.fsencode(argument).decode("utf-8", "surrogateescape")


def positive(argument):
    if not re.fullmatch("[0-9]+", argument) or not argument.strip("0"):
        raise argparse.ArgumentTypeError(f"not a positive whole number: '{argument}'")
    return int(argument)


def finite(argument):
    if not OPTION_NUMBER.fullmatch(argument) or not math.isfinite(float(argument)):
        raise argparse.ArgumentTypeError(f"not a finite number: '{argument}'")
    return Fraction(argument)


def threshold(argument):
    """The decimal as written, so that 0.85 is 17/20 and no double near it."""
    if not OPTION_DECIMAL.fullmatch(argument) or not 0 < Fraction(argument) <= 1:
        raise argparse.ArgumentTypeError(f"not a decimal in (0, 1]: '{argument}'")
    return Fraction(argument)


def layout_name(argument):
    name, colon, count = argument.partition(":")
    if name == "edges" and colon:
        return name, positive(count)
    if argument in ("fold", "fold-last", "rank", "reverse", "input", "langchain"):
        return argument, None
    raise argparse.ArgumentTypeError(f"unknown layout: '{argument}'")


def path(argument):
    """The keys of a PATH: dots between them, or a JSON Pointer."""
    argument = from_argv(argument)
    if not argument or re.search("~(?![01])", argument) and argument[0] == "/":
        raise argparse.ArgumentTypeError(f"not a path: '{argument}'")
    if argument[0] != "/":
        return tuple(argument.split("."))
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in argument[1:].split("/"))


def parse_options(argv):
    parser = argparse.ArgumentParser(prog="oracle", allow_abbrev=False)
    # So that the -1e-3 of "--min-score -1e-3" is an argument, as for getopt.
    parser._negative_number_matcher = re.compile(r"-\.?[0-9]")
    add = parser.add_argument
    add("-t", "--text", type=path, metavar="PATH")
    add("-s", "--score", type=path, metavar="PATH")
    add("-i", "--id", type=path, metavar="PATH")
    add("--lower-is-better", dest="lower", action="store_const", const=True)
    add("--higher-is-better", dest="lower", action="store_const", const=False)
    add("--min-score", type=finite, metavar="X")
    add("-n", "--top", type=positive, metavar="N")
    add("-d", "--dedup", type=threshold, metavar="T", default="0.85")
    add("--no-dedup", dest="dedup", action="store_const", const=None)
    add("--similarity", choices=["jaccard", "containment"], default="jaccard")
    add("--shingle", type=positive, default=1)
    add("--keep-numbers", action="store_true")
    add("--dedup-field", type=path, action="append", default=[])
    add("-b", "--budget", type=positive, metavar="N")
    add("--count", choices=["estimate", *COUNTERS])
    add("--fit", choices=["prefix", "skip"], default="prefix")
    add("-l", "--layout", type=layout_name, metavar="NAME", default="fold")
    add("-q", "--question", type=from_argv, metavar="TEXT")
    add("-f", "--format", choices=["ndjson", "xml"])
    add("--skip-invalid", action="store_true")
    add("--report", metavar="FILE")
    add("--instructions-text", type=from_argv, metavar="TEXT")
    add("files", nargs="*", metavar="FILE")
    options = parser.parse_intermixed_args(argv)
    if options.format is None:
        options.format = "ndjson" if options.question is None else "xml"
    if options.count == "estimate" or options.budget and not options.count:
        fail(9, "the oracle has no estimator: give --count=words, chars or bytes")
    if options.format == "xml" and options.question is not None and options.instructions_text is None:
        fail(9, "a prompt with a question needs --instructions-text")
    return options


# ---- read

def read_bytes(name):
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        fail(4, f"{name}: {error.strerror}")


def split_lines(data):
    """One file's lines, without line ends and byte-order mark."""
    *ended, rest = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    # A \r belongs to the line end only where a \n follows.
    return [line.removesuffix(b"\r") for line in ended] + ([rest] if rest else [])


def constant(word):
    """Python's own words, which JSON has not: NaN is no score, infinity the best or worst."""
    return None if word == "NaN" else Number(word, False)


def real(text):
    return Number(text, False)


def parse(raw, as_they_are=False):
    """The object of a line; bytes that are not UTF-8 are U+FFFD, or told apart."""
    raw = raw.removeprefix(MARK).removeprefix(b"\x1e")
    text = raw.decode("utf-8", "surrogateescape")
    text = text if as_they_are else LONE.sub("\ufffd", text)
    record = json.loads(text, parse_float=real, parse_int=lambda text: Number(text, True),
                        parse_constant=constant)
    if not isinstance(record, dict):
        raise BadLine("not an object")
    return record


def as_written(raw):
    """The line that leaves: null for the words that JSON has not, no byte-order mark."""
    return STRING_OR_WORD.sub(lambda found: found.group() if found.group()[:1] == b'"' else b"null",
                              raw.removeprefix(MARK))


def lookup(value, keys):
    for key in keys:
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and ARRAY_INDEX.fullmatch(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return ABSENT
    return value


def first_path(record, paths, counts):
    keys = (tuple(key.replace("\0", ".") for key in name.split(".")) for name in paths)
    return next((found for found in keys if counts(lookup(record, found))), None)


def choose_fields(record, options):
    return Fields(
        options.text or first_path(record, TEXT_PATHS, lambda value: isinstance(value, str))
        or first_path(record, TEXT_PATHS, lambda value: value is None),
        options.score or first_path(record, SCORE_PATHS, lambda value: value is not ABSENT))


def text_of(record, keys):
    text = lookup(record, keys) if keys else ABSENT
    if text is None:
        return ""
    if not isinstance(text, str):
        raise BadLine("no text")
    return text


def score_of(record, keys):
    score = lookup(record, keys) if keys else ABSENT
    if score is ABSENT or score is None:
        return None
    if isinstance(score, Number):
        score = score.text
    if score in ("Infinity", "-Infinity"):
        return -INFINITE if score[0] == "-" else INFINITE
    if score == "NaN":
        return None
    if not isinstance(score, str) or not JSON_NUMBER.fullmatch(score):
        raise BadLine("the score is not a number")
    return Fraction(score)       # exact: integers beyond 2**53 are not the same


def read_chunks(options):
    """Every chunk line, and the fields that the first usable one decided."""
    lines = [line for name in options.files or ["-"] for line in split_lines(read_bytes(name))]
    chunks, fields = [], None
    for number, raw in enumerate(lines, 1):
        if not raw.strip(b" \t\r"):
            continue
        chunk = Chunk(number, raw)
        chunks.append(chunk)
        try:
            record = parse(raw)
            candidate = fields or choose_fields(record, options)
            chunk.record = record
            chunk.written = text_of(parse(raw, True), candidate.text)
            chunk.text = LONE.sub("\ufffd", text_of(record, candidate.text))
            chunk.score = score_of(record, candidate.score)
            fields = candidate               # only a line that is usable decides
        except (ValueError, RecursionError) as error:
            if not options.skip_invalid:
                fail(3, f"line {number}: {error}")
            chunk.fate = "invalid"
        if not chunk.text:
            chunk.fate = "invalid"
    return chunks, fields


# ---- rank, min-score, dedup, top, budget: each takes the chunks still kept,
# ---- best first, marks those it drops and returns the others

def lower_is_better(options, fields):
    if options.lower is not None:
        return options.lower
    return bool(fields and fields.score) and any(map(LOWER_KEY.search, fields.score))


def rank(chunks, lower):
    sign = 1 if lower else -1
    ranking = sorted(chunks, key=lambda c: (c.score is None, sign * (c.score or 0)))
    for number, chunk in enumerate(ranking, 1):
        chunk.rank = number
    return ranking


def keep_these(chunks, wanted, fate):
    """Give the chunks that are not wanted this fate."""
    lines = {chunk.line for chunk in wanted}
    for chunk in chunks:
        if chunk.line not in lines:
            chunk.fate = fate
    return wanted


def good_enough(chunk, limit, lower):
    if chunk.score is None:
        return False
    return chunk.score <= limit if lower else chunk.score >= limit


def kind(char):
    if unicodedata.category(char)[0] not in "LMN":
        return "between"
    return "unspaced" if UNSPACED.match(char) else "spaced"


def words_of(text):
    """Words in order, and character pairs where a script has no spaces between words."""
    text = unicodedata.normalize("NFKC", IGNORABLE.sub("", text))
    folded = unicodedata.normalize("NFKC", text.casefold())
    words = []
    for what, chars in itertools.groupby(folded, kind):
        run = "".join(chars)
        if what == "spaced":
            words.append(run)
        elif what == "unspaced":             # a run of one: the slice is that character
            words += [run[i:i + 2] for i in range(max(1, len(run) - 1))]
    return words


def token_set(text, shingle):
    """Runs of so many words; a text with fewer makes one of them."""
    words = words_of(text)
    count = min(shingle, len(words))
    return frozenset(tuple(words[i:i + count]) for i in range(len(words) - count + 1) if count)


def numbers_of(text):
    return frozenset(word for word in words_of(text)
                     if any(unicodedata.category(char) == "Nd" for char in word))


def scope_of(record, paths):
    """What the --dedup-field members are: their kind matters, 1 is not "1", but 1.0."""
    return tuple(worth(lookup(record, keys)) for keys in paths)


def worth(value):
    """A form that is the same just for equal values; a missing one is null."""
    if value is ABSENT or value is None:
        return None
    if isinstance(value, Number):
        infinite = value.text.endswith("Infinity")
        return "number", value.text if infinite else Fraction(value.text)
    if isinstance(value, dict):
        return "object", frozenset((key, worth(member)) for key, member in value.items())
    if isinstance(value, list):
        return "array", tuple(map(worth, value))
    return type(value).__name__, value


def shared(words, others):
    return len(words & others)


def is_duplicate(chunk, better, options):
    if chunk.scope != better.scope:
        return False
    chunk.num = shared(chunk.words, better.words)
    chunk.den = len(chunk.words)
    if options.similarity == "jaccard":
        chunk.den += len(better.words) - chunk.num
    chunk.of = better.line
    if not chunk.words or not better.words:
        return not chunk.words and not better.words and chunk.written == better.written
    if chunk.numbers - better.numbers and better.numbers - chunk.numbers:
        return False
    # num/den >= T, multiplied out: integers, and faster than a Fraction a pair
    return chunk.num * options.dedup.denominator >= options.dedup.numerator * chunk.den


def dedup(chunks, options):
    kept = []
    for chunk in chunks:
        chunk.words = token_set(chunk.text, options.shingle)
        chunk.scope = scope_of(chunk.record, options.dedup_field)
        if options.keep_numbers:
            chunk.numbers = numbers_of(chunk.text)
        if any(is_duplicate(chunk, better, options) for better in kept):
            chunk.fate = "duplicate"         # any() stopped at the best-ranked one
        else:
            chunk.of = chunk.num = chunk.den = None
            kept.append(chunk)
    return kept


COUNTERS = {
    "words": lambda text: len(WORD_TO_COUNT.findall(text)),
    "chars": len,
    "bytes": lambda text: len(text.encode("utf-8", "surrogateescape")),
}


def cost(chunks, options):
    count = COUNTERS[options.count]
    if options.format == "xml":
        return count(prompt(laid_out(chunks, options.layout), options))
    return sum(count(chunk.text) for chunk in chunks)


def longest_prefix(chunks, options):
    """A chunk more never costs less, so the first that is too many ends it."""
    size = 0
    while size < len(chunks) and cost(chunks[:size + 1], options) <= options.budget:
        size += 1
    return chunks[:size]


def all_that_fit(chunks, options):
    taken = []
    for chunk in chunks:
        if cost(taken + [chunk], options) <= options.budget:
            taken.append(chunk)
    return taken


def budget(chunks, options):
    choose = longest_prefix if options.fit == "prefix" else all_that_fit
    return keep_these(chunks, choose(chunks, options), "over-budget")


# ---- fold and write

def laid_out(best_first, layout):
    name, k = layout
    fold = best_first[0::2] + best_first[1::2][::-1]
    if name == "langchain":
        name = "fold" if len(best_first) % 2 else "fold-last"
    return {
        "fold": fold,
        "fold-last": fold[::-1],
        "edges": best_first[:k] + best_first[2 * (k or 0):] + best_first[k:2 * (k or 0)],
        "rank": best_first,
        "reverse": best_first[::-1],
        "input": sorted(best_first, key=lambda c: c.line),
    }[name]


def cleaned(text):
    """Controls make way: CR LF is a line end, NUL U+FFFD, the others a space."""
    text = text.replace("\r\n", "\n").replace("\0", "\ufffd")
    return re.sub("[\x01-\x08\x0b-\x1f\x7f]", " ", text)


def trimmed(text):
    """Without blank lines at the start and white space at the end."""
    blank = len(text) - len(text.lstrip(BLANKS))
    line = max(text.rfind(end, 0, blank) for end in "\n\x85\u2028\u2029")
    return text[line + 1:].rstrip(BLANKS)


def prompt(chunks, options):
    parts = ["<context>\n"]
    for number, chunk in enumerate(chunks, 1):
        if OWN_TAG.search(chunk.text):
            fail(9, f"line {chunk.line}: the oracle does not neutralise tags")
        parts.append(f'<document index="{number}">\n{cleaned(trimmed(chunk.text))}\n</document>\n')
    parts.append("</context>\n")
    if options.question is not None:
        parts.append(f"\n<instructions>{options.instructions_text}</instructions>\n"
                     f"\n<question>\n{options.question}\n</question>\n")
    return "".join(parts)


def write_report(name, chunks):
    keys = "line fate rank position".split()
    with open(name, "w", encoding="ascii") as file:
        for chunk in chunks:
            more = ["of", "num", "den"] if chunk.fate == "duplicate" else []
            print(json.dumps({key: getattr(chunk, key) for key in keys + more}), file=file)


def main(argv, out):
    sys.setrecursionlimit(10000)
    options = parse_options(argv)
    chunks, fields = read_chunks(options)
    lower = lower_is_better(options, fields)
    left = rank([c for c in chunks if c.fate != "invalid"], lower)
    if options.min_score is not None:
        good = [c for c in left if good_enough(c, options.min_score, lower)]
        left = keep_these(left, good, "below-min-score")
    if options.dedup is not None:
        left = dedup(left, options)
    if options.top is not None:
        left = keep_these(left, left[:options.top], "beyond-top")
    if options.budget is not None:
        left = budget(left, options)
    left = laid_out(left, options.layout)
    for number, chunk in enumerate(left, 1):
        chunk.fate, chunk.position = "kept", number
    if options.report:
        write_report(options.report, chunks)
    if not left:
        return 1 if chunks or options.format == "xml" else 0
    if options.format == "xml":
        output = prompt(left, options).encode("utf-8", "surrogateescape")
    else:
        output = b"".join(as_written(chunk.raw) + b"\n" for chunk in left)
    out.write(output)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout.buffer))
