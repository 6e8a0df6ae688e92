#!/usr/bin/env python3
"""A slow, plain second implementation of groups, order, pins and stitching.

    units_oracle.py [OPTION]... [FILE]...

Options and exit statuses are edgefold's.  What was there before units (reading,
rank, words, layouts, counting) is oracle.py's; what is new is here and is the
obvious slow version: each two texts are laid over each other at every length,
and each budget is tried out by building the whole output again.  Status 9 is
for what it does not do: estimates, --fit=truncate, texts that imitate a format.
--report=FILE has "chunks" only, with id, line, fate, rank, position, overlap.

Where the description leaves a choice, this is the one taken here.  "free" is
what a test must not insist on.

 Groups and order
  1 Values are compared by their text, as ids are: the number 1 and the string
    "1" are one group, 2.0 is 2, true and "true" are one group.             free
  2 An empty string is a value, for --group and for --order (a word).
  3 For --order true, false, an array and an object are as good as missing,
    and so are "NaN" and NaN, as in a score.                                free
  4 "2024" is a number and "2024-05-01" a word: in one unit they are mixed,
    exit 3.  Only kept chunks are looked at, pinned ones not.
  5 --layout=input places a unit by the first line of any kept chunk in it.
  6 --order with --stitch and without --group: passages are the units, their
    order is the layout's, and within a passage overlap decides: --order
    changes nothing.                                                        free
  7 The parity of "langchain" and the K of "edges" count units, without pins.
  8 A chunk without a group is never beyond --per-group, and joins no passage.
 Pins
  9 Several lines with one pinned id stand in input order, at either edge.
 10 --pin-last=y --pin-last=z ends in "z y".  The same id twice at one edge is
    once.  An id counts by its text, 2.0 is 2.
 11 A pinned line that is invalid, or an id that no line has: the rest is
    written, exit 1; so too when nothing is left.
 12 Pins are taken whatever --fit says, and cost first.
 Stitching: when two texts join
 13 White space is Unicode's White_Space property, as for --count=words; not
    U+001C-001F, no zero-width space.
 14 Lengths are code points after each run became one space.  A space at the
    overlap's own end or start counts where both texts have it.             free
 15 An overlap is shorter than both texts; else it is containment.
 16 "Wholly in another" has no least length: a text of five letters joins the
    passage that has them.                                                  free
 17 A text's first and last white space may lack in the one that holds it only
    where that one starts or ends.  A text of white space only joins nothing.
 18 Of equal texts, but for white space, the best-ranked one holds the others.
 19 Texts are compared as the strings that they are: no normalisation of case
    or composition, U+FFFD for what is not Unicode, CR LF is white space.
 Stitching: who joins whom
 20 All pairs of one group at once, longest overlap first; then the pair whose
    better chunk ranks better, then whose worse one does, then the one that
    starts with the better chunk.  Each text gets one successor and one
    predecessor; a pair that would close a circle is passed over.           free
 21 Texts that stand in others take no part in that.  One goes to the best-
    ranked text that holds it and stands in none itself.                    free
 22 Chains are made anew from what is taken, at every step of the budget, and
    of what is kept.                                                        free
 Stitching: what is printed
 23 A passage prints its first text whole, of the others what follows the
    overlap: so the earlier text's white space is printed.  Where the earlier
    text ends in white space of which the later one has more, the rest of it is
    printed; where the two runs differ, the later one is not printed.       free
 24 A text that stands in another comes directly behind it, by where it starts
    there, then the longer, then the better-ranked; its overlap is its length.
                                                                            free
 25 "overlap" counts the code points of the text as decoded from JSON, white
    space at its start included; "passage" is the position; both are there on
    every line, with 0 where nothing was said before.                       free
 26 Inside a unit a passage comes where its earliest chunk, by --order or
    input, would.                                                           free
 27 A passage is joined first, and then trimmed and cleaned as one text.
 28 In NDJSON a chunk costs the tokens of text[overlap:].  A bridge can make
    all cheaper: --fit=prefix still stops at the first that does not fit.   free
"""

import argparse
import functools
import itertools
import json
import re
import sys
import unicodedata
from dataclasses import dataclass, field
from fractions import Fraction

import oracle

ID_PATHS = "id _id id_ chunk_id node_id docid doc_id".split()
SPACE = "[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
SPACES = re.compile(SPACE + "+")
FOLDED_CHAR = re.compile(SPACE + "+|.", re.S)
IMITATION = re.compile(r"^\W*(\*\s*){3}|^\W*(instructions|question)\s*:", re.I | re.M)


@dataclass
class Own:
    """The options that oracle.py does not have."""
    group: tuple = None
    order: tuple = None
    per_group: int = None
    stitch: int = None
    annotate: str = None
    report: str = None
    plain: bool = False
    final: bool = False                     # the output itself is placed
    pin_first: list = field(default_factory=list)
    pin_last: list = field(default_factory=list)


@dataclass
class Passage:
    """What is printed as one text; one chunk, or several that overlap."""
    chunks: list

    @property
    def rank(self):
        return min(chunk.rank for chunk in self.chunks)

    @property
    def line(self):
        return min(chunk.line for chunk in self.chunks)

    @property
    def text(self):
        return "".join(chunk.text[chunk.overlap:] for chunk in self.chunks)


@dataclass
class Unit:
    """What the layout places."""
    passages: list

    @property
    def rank(self):
        return min(passage.rank for passage in self.passages)

    @property
    def line(self):
        return min(passage.line for passage in self.passages)


# ---- options

def take_own(argv):
    """Own options, and the arguments that are left for oracle.py."""
    own, rest, argv = Own(), [], list(argv)
    readers = {"--group": oracle.path, "--order": oracle.path, "--per-group": oracle.positive,
               "--report": str}
    while argv:
        argument = argv.pop(0)
        name, equals, value = argument.partition("=")
        if argument == "--":
            return own, rest + [argument, *argv]
        if name in readers or name in ("--pin-first", "--pin-last"):
            value = value if equals else argv.pop(0)
            attribute = name[2:].replace("-", "_")
            if name in readers:
                setattr(own, attribute, readers[name](value))
            elif oracle.from_argv(value) not in getattr(own, attribute):
                getattr(own, attribute).append(oracle.from_argv(value))
        elif name == "--stitch":
            own.stitch = oracle.positive(value) if equals else 40
        elif name == "--annotate":
            own.annotate = value if equals else "edgefold"
        elif argument == "--fit=truncate":
            oracle.fail(9, "the oracle does not cut")
        elif argument == "--format=plain":
            own.plain = True
        elif argument == "-f" and argv[:1] == ["plain"]:
            own.plain = True
            argv.pop(0)
        else:
            rest.append(argument)
    return own, rest


def check_own(own, options, rest):
    layout_by_hand = any(re.match("-l|--layout", argument) for argument in rest)
    if own.per_group and not own.group:
        oracle.fail(2, "--per-group needs --group")
    if own.order and not own.group and not own.stitch and layout_by_hand:
        oracle.fail(2, "--order alone makes one unit: --layout has nothing to place")
    if own.stitch and not own.annotate and not own.plain and options.format == "ndjson":
        oracle.fail(2, "--stitch needs a prompt or --annotate")
    if set(own.pin_first) & set(own.pin_last):
        oracle.fail(2, "an id is pinned to both edges")
    if own.plain and options.question is not None:
        oracle.fail(9, "no plain prompts with a question")


# ---- ids, groups, orders

def written(value):
    """How a value counts where ids are compared; None where there is none."""
    if isinstance(value, oracle.Number) and oracle.JSON_NUMBER.fullmatch(value.text):
        return str(Fraction(value.text))
    if isinstance(value, oracle.Number):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else None


def id_of(chunk, options):
    paths = [options.id] if options.id else [(name,) for name in ID_PATHS]
    found = (oracle.lookup(chunk.record, keys) for keys in paths)
    return next((value for value in found if value is not oracle.ABSENT), None)


def has_id(chunk, wanted):
    if isinstance(chunk.id, oracle.Number) and oracle.JSON_NUMBER.fullmatch(wanted):
        return Fraction(chunk.id.text) == Fraction(wanted)
    return written(chunk.id) == wanted


def order_of(value):
    """A number's worth, a word's bytes, or None; and which of the two."""
    if isinstance(value, oracle.Number):
        value = value.text
    if not isinstance(value, str) or value == "NaN":
        return None, None
    if value.endswith("Infinity") and value in ("Infinity", "-Infinity"):
        return "number", oracle.INFINITE * (-1 if value[0] == "-" else 1)
    if oracle.JSON_NUMBER.fullmatch(value):
        return "number", Fraction(value)
    return "word", value.encode("utf-8", "surrogateescape")


def describe(chunks, own, options):
    """What units need to know of every chunk."""
    for chunk in chunks:
        chunk.id = id_of(chunk, options)
        chunk.overlap = 0
        chunk.edge = None
        for edge, ids in (("first", own.pin_first), ("last", own.pin_last)):
            if any(has_id(chunk, wanted) for wanted in ids):
                chunk.edge = edge
        chunk.group = written(oracle.lookup(chunk.record, own.group)) if own.group else None
        value = oracle.lookup(chunk.record, own.order) if own.order else None
        chunk.kind, chunk.order = order_of(value)


# ---- selection: as oracle.py's, with the pins before everything

def prepare(chunk, options):
    chunk.words = oracle.token_set(chunk.text, options.shingle)
    chunk.scope = oracle.scope_of(chunk.record, options.dedup_field)
    if options.keep_numbers:
        chunk.numbers = oracle.numbers_of(chunk.text)


def dedup(pins, others, options):
    """Pins are compared with nothing better, but the others with them."""
    kept = []
    for chunk in pins + others:
        prepare(chunk, options)
    for chunk in others:
        if any(oracle.is_duplicate(chunk, better, options) for better in pins + kept):
            chunk.fate = "duplicate"
        else:
            kept.append(chunk)
    return kept


def best_of_groups(chunks, limit):
    kept, seen = [], {}
    for chunk in chunks:
        if chunk.group is not None:
            seen[chunk.group] = seen.get(chunk.group, 0) + 1
        if chunk.group is None or seen[chunk.group] <= limit:
            kept.append(chunk)
    return kept


def cost(taken, own, options):
    count = oracle.COUNTERS[options.count]
    passages = placed(taken, own, options)
    if own.plain or options.format == "xml":
        return count(prompt(passages, own, options))
    return sum(count(chunk.text[chunk.overlap:]) for passage in passages for chunk in passage.chunks)


def affordable(pins, others, own, options):
    """The others that the budget takes; None when it does not even take the pins."""
    if pins and cost(pins, own, options) > options.budget:
        return None
    taken = []
    for chunk in others:
        if cost(pins + taken + [chunk], own, options) <= options.budget:
            taken.append(chunk)
        elif options.fit == "prefix":
            break
    return taken


def select(pins, others, own, options, lower):
    if options.min_score is not None:
        good = [c for c in others if oracle.good_enough(c, options.min_score, lower)]
        others = oracle.keep_these(others, good, "below-min-score")
    if options.dedup is not None:
        others = dedup(pins, others, options)
    if own.per_group is not None:
        good = best_of_groups(others, own.per_group)
        others = oracle.keep_these(others, good, "beyond-per-group")
    if options.top is not None:
        others = oracle.keep_these(others, others[:options.top], "beyond-top")
    if options.budget is not None:
        good = affordable(pins, others, own, options)
        others = oracle.keep_these(others, good or [], "over-budget")
        if good is None:
            oracle.keep_these(pins, [], "over-budget")
            return []
    return pins + others


# ---- stitching

@functools.lru_cache(maxsize=None)
def folded(text):
    return SPACES.sub(" ", text)


@functools.lru_cache(maxsize=None)
def longest_overlap(first, second, least):
    """The longest end of one that is a start of the other, 0 if it is too short."""
    first, second = folded(first), folded(second)
    for length in range(min(len(first), len(second)) - 1, least - 1, -1):
        if first.endswith(second[:length]):
            return length
    return 0


@functools.lru_cache(maxsize=None)
def place_in(text, holder):
    """Where a text stands in another, or -1; white space at the holder's edges may be lost."""
    text = folded(text)
    return f" {folded(holder).strip(' ')} ".find(text) if text != " " else -1


def stands_in(chunk, holder):
    """Of two that hold each other, the worse-ranked one stands in the better."""
    if chunk is holder or place_in(chunk.text, holder.text) < 0:
        return False
    return place_in(holder.text, chunk.text) < 0 or holder.rank < chunk.rank


def already_said(before, text, length):
    """How many code points at a text's start are the end of the text before it."""
    pieces = FOLDED_CHAR.findall(text)[:length]
    last = pieces[-1]
    if SPACES.fullmatch(last):
        end = re.search(SPACE + "+$", before).group()
        if last.startswith(end):
            last = end                      # the rest of this run was not said yet
    return sum(map(len, pieces[:-1])) + len(last)


def successors(chunks, least):
    """By line: the chunk that follows, and the overlap's folded length."""
    pairs = [(a, b, longest_overlap(a.text, b.text, least))
             for a, b in itertools.permutations(chunks, 2)]
    pairs = [pair for pair in pairs if pair[2]]
    pairs.sort(key=lambda p: (-p[2], min(p[0].rank, p[1].rank), max(p[0].rank, p[1].rank), p[0].rank))
    after, before = {}, {}
    for a, b, length in pairs:
        end = b                             # a chain from b that ends in a would be a circle
        while end.line in after:
            end = after[end.line][0]
        if a.line not in after and b.line not in before and end is not a:
            after[a.line] = b, length
            before[b.line] = a
    return after, before


def with_guests(chunk, guests):
    """A chunk and those that stand in it, by where they do."""
    inside = [guest for guest, holder in guests if holder is chunk]
    inside.sort(key=lambda g: (place_in(g.text, chunk.text), -len(folded(g.text)), g.rank))
    for guest in inside:
        guest.overlap = len(guest.text)
    return [chunk] + inside


def stitched(chunks, least):
    """These chunks as passages, in no order."""
    tops = [c for c in chunks if not any(stands_in(c, other) for other in chunks)]
    guests = []
    for chunk in chunks:
        holders = [top for top in tops if stands_in(chunk, top)]
        if holders:
            guests.append((chunk, min(holders, key=lambda top: top.rank)))
    after, before = successors(tops, least)
    passages = []
    for chunk in tops:
        if chunk.line in before:
            continue
        chunk.overlap = 0
        members = with_guests(chunk, guests)
        while chunk.line in after:
            following, length = after[chunk.line]
            following.overlap = already_said(chunk.text, following.text, length)
            members += with_guests(following, guests)
            chunk = following
        passages.append(Passage(members))
    return passages


# ---- units and their places

def passages_of(chunks, own):
    for chunk in chunks:
        chunk.overlap = 0
    if own.stitch is None or not chunks:
        return [Passage([chunk]) for chunk in chunks]
    if own.group and chunks[0].group is None:
        return [Passage([chunk]) for chunk in chunks]
    return stitched(chunks, own.stitch)


def unit_of(chunks, own):
    """One unit of all these chunks, inside it by --order or as they came."""
    kinds = {chunk.kind: chunk.line for chunk in chunks if chunk.kind}
    if len(kinds) > 1 and own.final:        # what is only tried for the budget breaks nothing
        oracle.fail(3, f"lines {kinds['number']} and {kinds['word']}: a number and a word for --order")
    for chunk in chunks:
        chunk.key = chunk.kind is None, chunk.kind == "word", chunk.order, chunk.line
    return Unit(sorted(passages_of(chunks, own), key=lambda p: min(c.key for c in p.chunks)))


def units_of(chunks, own):
    if own.group:
        groups = {}
        for chunk in chunks:                # a line's own number where there is no value
            groups.setdefault(chunk.line if chunk.group is None else chunk.group, []).append(chunk)
        return [unit_of(members, own) for members in groups.values()]
    if own.order and own.stitch is None:
        return [unit_of(chunks, own)] if chunks else []
    return [Unit([passage]) for passage in passages_of(chunks, own)]


def at_edge(chunks, edge, ids):
    """The chunks pinned there, from the edge inwards by id, by line within one."""
    found = []
    for wanted in ids:
        same = [c for c in chunks if c.edge == edge and has_id(c, wanted) and c not in found]
        found = found + same if edge == "first" else same + found
    return [Passage([chunk]) for chunk in found]


def placed(kept, own, options):
    """All passages in the order of the output."""
    kept = sorted(kept, key=lambda c: c.line)
    for chunk in kept:
        chunk.overlap = 0
    units = units_of([c for c in kept if not c.edge], own)
    units = oracle.laid_out(sorted(units, key=lambda unit: unit.rank), options.layout)
    between = [passage for unit in units for passage in unit.passages]
    return at_edge(kept, "first", own.pin_first) + between + at_edge(kept, "last", own.pin_last)


# ---- write

def prompt(passages, own, options):
    texts = [oracle.Chunk(passage.line, b"", text=passage.text) for passage in passages]
    if not own.plain:
        return oracle.prompt(texts, options)
    parts = ["***\n"]
    for chunk in texts:
        printed = oracle.cleaned(oracle.trimmed(chunk.text))
        plain = unicodedata.normalize("NFKC", printed)
        if IMITATION.search(plain) or re.search("[\U000e0000-\U000e007f]", printed):
            oracle.fail(9, f"line {chunk.line}: the oracle does not escape")
        parts.append(printed + "\n***\n")
    return "".join(parts) if texts else ""


def annotated(chunk, own, options):
    line = oracle.as_written(chunk.raw).rstrip(b" \t\r")
    if own.annotate is None:
        return line
    member = {"rank": chunk.rank, "position": chunk.position}
    if own.stitch is not None:
        member |= {"passage": chunk.position, "overlap": chunk.overlap}
    return line[:-1] + f',"{own.annotate}":{json.dumps(member)}}}'.encode()


def write_report(name, chunks):
    keys = "line fate rank position overlap".split()
    members = [{"id": written(getattr(chunk, "id", None))} | {key: getattr(chunk, key, None) for key in keys}
               for chunk in chunks]
    with open(name, "w", encoding="ascii") as file:
        json.dump({"chunks": members}, file, indent=1)


def main(argv, out):
    try:
        own, rest = take_own(argv)
    except (argparse.ArgumentTypeError, IndexError) as error:
        oracle.fail(2, error)
    options = oracle.parse_options(rest)
    check_own(own, options, rest)
    chunks, fields = oracle.read_chunks(options)
    lower = oracle.lower_is_better(options, fields)
    ranking = oracle.rank([c for c in chunks if c.fate != "invalid"], lower)
    describe(ranking, own, options)
    pins = [c for c in ranking if c.edge]
    kept = select(pins, [c for c in ranking if not c.edge], own, options, lower)
    own.final = True
    passages = placed(kept, own, options)
    for number, passage in enumerate(passages, 1):
        for chunk in passage.chunks:
            chunk.fate, chunk.position = "kept", number
    if own.report:
        write_report(own.report, chunks)
    lost = [wanted for wanted in own.pin_first + own.pin_last
            if not any(has_id(chunk, wanted) for chunk in kept)]
    in_prompt = own.plain or options.format == "xml"
    if not passages:
        return 1 if chunks or in_prompt or lost else 0
    if in_prompt:
        out.write(prompt(passages, own, options).encode("utf-8", "surrogateescape"))
    else:
        out.write(b"".join(annotated(chunk, own, options) + b"\n"
                           for passage in passages for chunk in passage.chunks))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout.buffer))
