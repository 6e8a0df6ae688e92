"""Write the fitted model as constant arrays in C.

Everything is an integer, so that the estimate is the same on every machine.
Costs are in 1/1024 token.  estimate.c is the reader.
"""

import collections

import numpy

import shapes
import unicode

# Stand-ins for code points: outside of the piece, and "any" in near contexts.
START, END, ANY = 0x110000, 0x110001, 0x110002
UNIT = 1024
SLOT_BITS = 16
POINT_SLOT_BITS = 11
WORD_SLOT_BITS = 14
WORD_BYTES = 16
WORD_VALUE_BITS = 2
MASK = (1 << 64) - 1

Model = collections.namedtuple("Model", "tags costs words cells class_of inner "
                               "listed low_runs other_runs crlf_run")


# Costs of boundaries are stored in steps from -OFFSET on: coarse ones in the
# context table, where six bits leave ten for the tag (with eight bits of tag,
# one in a hundred look-ups of an absent context would find another one and the
# estimates would come out 2 % too high), fine ones in the cells.
OFFSET = 512
STEP_CONTEXT, VALUE_BITS = 32, 6
TAG_BITS = 16 - VALUE_BITS
STEP_CELL, CELL_BITS = 8, 8
# The range of costs that both can store, in tokens.
LEAST, MOST = -OFFSET / UNIT, (STEP_CONTEXT * 63 - OFFSET) / UNIT


def stored(cost, step, bits):
    """Return the number that stands for the cost of a boundary, in tokens."""
    number = round((cost * UNIT + OFFSET) / step)
    return min(max(number, 0), (1 << bits) - 1)


def stored_cell(cost):
    """Return the number that stands for the cost of a cell."""
    return stored(cost, STEP_CELL, CELL_BITS)


def context_hash(far_left, left, right, far_right):
    """Return the hash of a context; estimate.c has the same function.

    Works on integers of 64 bits in arrays, too.
    """
    mixed = ((far_left << 21 | left) * 0x9E3779B97F4A7C15
             ^ (right << 21 | far_right) * 0xC2B2AE3D27D4EB4F) & MASK
    return (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93 & MASK


def slot_and_tag(value, slot_bits, tag_bits):
    """Return where a hash starts to look in a table, and its tag there."""
    tag = value >> (64 - slot_bits - tag_bits) & (1 << tag_bits) - 1
    return value >> (64 - slot_bits), tag


class TagTable:
    """A table with open addressing that keeps only tags of its keys.

    So a key may find the entry of another one.
    """

    def __init__(self, slot_bits, tag_bits):
        self.slot_bits, self.tag_bits = slot_bits, tag_bits
        self.tags = numpy.zeros(1 << slot_bits, numpy.int64)

    def add(self, value):
        """Return the slot of a hash, and whether it was free before."""
        at, tag = slot_and_tag(value, self.slot_bits, self.tag_bits)
        tag = tag or 1
        while self.tags[at] and self.tags[at] != tag:
            at = (at + 1) % len(self.tags)
        free = not self.tags[at]
        self.tags[at] = tag
        return at, free

    def find(self, values):
        """Return the slots of many hashes, -1 for those that are absent."""
        at, tag = slot_and_tag(values, self.slot_bits, self.tag_bits)
        at, tag = at.astype(numpy.int64), numpy.maximum(tag, 1).astype(numpy.int64)
        found = numpy.full(len(values), -1)
        left = numpy.arange(len(values))
        while len(left):
            here = self.tags[at[left]]
            hit = here == tag[left]
            found[left[hit]] = at[left[hit]]
            left = left[(here != 0) & ~hit]
            at[left] = (at[left] + 1) % len(self.tags)
        return found


def word_hash(word):
    """Return the hash of a piece; estimate.c has the same function."""
    head = int.from_bytes(word[:8], "little")
    tail = int.from_bytes(word[8:], "little") + len(word)
    mixed = (head * 0x9E3779B97F4A7C15 ^ tail * 0xC2B2AE3D27D4EB4F) & MASK
    return (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93 & MASK


def word_table(words):
    """Return (slots, number of words lost because the tag was taken)."""
    table = TagTable(WORD_SLOT_BITS, 16 - WORD_VALUE_BITS)
    slots, lost = [0] * len(table.tags), 0
    for word, extra in words:
        at, free = table.add(word_hash(word))
        lost += not free
        if free:
            slots[at] = int(table.tags[at]) << WORD_VALUE_BITS | extra
    return slots, lost


def context_table(tags, costs):
    """Return the entries of the slots with these tags, 0 for none."""
    return [tag and tag << VALUE_BITS | stored(cost, STEP_CONTEXT, VALUE_BITS)
            for tag, cost in zip(tags.tolist(), costs.tolist())]


def point_table(listed):
    """Return the hash table of the listed code points: point << 11 | I / 2."""
    size = 1 << POINT_SLOT_BITS
    slots = [0] * size
    for point, inner in listed:
        at = point * 0x9E3779B1 % (1 << 32) >> (32 - POINT_SLOT_BITS)
        while slots[at]:
            at = (at + 1) % size
        slots[at] = point << 11 | min(max(round(inner * UNIT / 2), 0), 2047)
    return slots


def class_stages(class_of):
    """Return (shift, block numbers, blocks) of the smallest class table."""
    values = class_of[:shapes.TABLE_POINTS].astype(numpy.uint8).tolist()
    tables = [(shift, *unicode.two_stages(values, shift))
              for shift in (5, 6, 7)]
    return min(tables, key=lambda table: 2 * len(table[1])
               + (len(table[2]) << table[0]))


def array(kind, name, numbers, size=None):
    """Yield the lines of an array of numbers."""
    yield f"static const {kind} {name}[{size or len(numbers)}] = {{"
    yield from unicode.number_lines(numbers, 16)
    yield "};"
    yield ""


def matrix(kind, name, rows):
    """Yield the lines of an array of rows."""
    yield f"static const {kind} {name}[{len(rows)}][{len(rows[0])}] = {{"
    for row in rows:
        yield "    {" + ",".join(map(str, row)) + "},"
    yield "};"
    yield ""


COMMENT = """\
/* Generated by fit.py: do not edit.
 *
 * Table of the token estimator, fitted on o200k_base.  Read by estimate.c:
 *
 * cost(piece) = what estimate_words lists, or else
 *               the sum over its inner boundaries of B, plus the sum over its
 *               code points of I, but not less than 0, plus ESTIMATE_UNIT
 *
 * estimate_words has pieces of up to ESTIMATE_WORD_BYTES bytes.  All in 64 bits
 * without sign, and with the first byte in the lowest bits:
 *   h = (first 8 bytes) * 0x9E3779B97F4A7C15
 *     ^ (the other bytes + number of bytes) * 0xC2B2AE3D27D4EB4F
 *   h = (h ^ h >> 32) * 0xD6E8FEB86659FD93
 *   slot = the top ESTIMATE_WORD_SLOT_BITS bits of h, tag = the next 14 bits, or
 *   1 if those are 0.  Walk on from the slot, around the end, to an entry of 0
 *   (absent) or with the tag in its top 14 bits: the low 2 bits are the number
 *   of tokens after the first.
 *
 * B of the boundary between code points b and c of a piece ... a b | c d ... is
 * the first that exists of
 *   32 * context(a, b, c, d) - ESTIMATE_OFFSET, with ESTIMATE_START for a,
 *       ESTIMATE_END for d where the piece ends,
 *   32 * context(ESTIMATE_ANY, b, c, ESTIMATE_ANY) - ESTIMATE_OFFSET,
 *   8 * estimate_rows[estimate_pairs[class(b) * ESTIMATE_CLASSES + class(c)]]
 *           [(min(before, 4) - 1) * 4 + min(after, 4) - 1] - ESTIMATE_OFFSET
 *       with the numbers of code points before and after the boundary.
 *
 * context(a, b, c, d), all in 64 bits without sign:
 *   h = (a << 21 | b) * 0x9E3779B97F4A7C15
 *     ^ (c << 21 | d) * 0xC2B2AE3D27D4EB4F
 *   h = (h ^ h >> 32) * 0xD6E8FEB86659FD93
 *   slot = the top ESTIMATE_SLOT_BITS bits of h, tag = the next 10 bits, or 1
 *   if those are 0.  Walk on from the slot, around the end, to an entry of 0
 *   (absent) or with the tag in its top 10 bits: the value is the low 6 bits.
 *
 * I(c) = estimate_inner[class(c)], unless estimate_points lists c:
 *   slot = c * 0x9E3779B1 in 32 bits, top ESTIMATE_POINT_SLOT_BITS bits; walk
 *   on to 0 (absent) or an entry with c in the bits from 11 on: I is twice the
 *   low 11 bits.  ASCII characters have no I.
 *
 * A piece of ASCII digits costs ESTIMATE_UNIT.
 *
 * class(c) = estimate_class_blocks[estimate_class_index[c >> s]]
 *   [c & ((1 << s) - 1)], s = ESTIMATE_CLASS_SHIFT, below
 * ESTIMATE_CLASS_POINTS, the last class from there on.
 *
 * In a run of one code point, the code points after the first ones cost, in
 * place of B and I, what estimate_low_runs (ASCII) or estimate_other_runs
 * (pairs, sorted) say, or else UNIT + I.  CR LF by turns counts as such a run,
 * at ESTIMATE_CRLF_RUN per character.
 */"""


def text(model):
    """Return the text of the header."""
    slots = context_table(model.tags, model.costs)
    words, lost_words = word_table(model.words)
    shift, index, blocks = class_stages(model.class_of)
    pairs = model.cells.row_of_pair.tolist()
    rows = [[stored_cell(cost) for cost in row]
            for row in model.cells.value.reshape(-1, 16).tolist()]
    points = point_table(model.listed)
    size = (2 * len(slots) + 2 * len(words) + 2 * len(index)
            + (len(blocks) << shift)
            + len(pairs) + 16 * len(rows) + 4 * len(points))
    print(f"table: {(model.tags > 0).sum()} contexts, "
          f"{len(model.words)} words ({lost_words} lost), "
          f"{model.cells.count} classes, {len(blocks)} blocks of {1 << shift}, "
          f"{len(rows)} rows, {len(model.listed)} points, "
          f"{len(model.other_runs)} runs: {size} bytes")
    lines = [
        COMMENT, "#ifndef ESTIMATE_TABLE_H", "#define ESTIMATE_TABLE_H", "",
        "#include <stdint.h>", "",
        f"#define ESTIMATE_OFFSET {OFFSET}",
        f"#define ESTIMATE_CONTEXT_STEP {STEP_CONTEXT}",
        f"#define ESTIMATE_CELL_STEP {STEP_CELL}",
        f"#define ESTIMATE_VALUE_BITS {VALUE_BITS}",
        f"#define ESTIMATE_SLOT_BITS {SLOT_BITS}",
        f"#define ESTIMATE_POINT_SLOT_BITS {POINT_SLOT_BITS}",
        f"#define ESTIMATE_WORD_SLOT_BITS {WORD_SLOT_BITS}",
        f"#define ESTIMATE_WORD_VALUE_BITS {WORD_VALUE_BITS}",
        f"#define ESTIMATE_WORD_BYTES {WORD_BYTES}",
        f"#define ESTIMATE_START {START:#x}u",
        f"#define ESTIMATE_END {END:#x}u", f"#define ESTIMATE_ANY {ANY:#x}u",
        f"#define ESTIMATE_CLASS_SHIFT {shift}",
        f"#define ESTIMATE_CLASS_POINTS {shapes.TABLE_POINTS:#x}u",
        f"#define ESTIMATE_CLASSES {model.cells.count}",
        f"#define ESTIMATE_CRLF_RUN {round(model.crlf_run * UNIT)}",
        f"#define ESTIMATE_OTHER_RUNS {len(model.other_runs)}", "",
        *array("uint16_t", "estimate_contexts", slots),
        *array("uint16_t", "estimate_words", words),
        *array("uint16_t", "estimate_class_index", index),
        *matrix("uint8_t", "estimate_class_blocks", blocks),
        *array("uint8_t", "estimate_pairs", pairs),
        *matrix("uint8_t", "estimate_rows", rows),
        *array("uint16_t", "estimate_inner",
               [max(round(inner * UNIT), 0) for inner in model.inner]),
        *array("uint32_t", "estimate_points", points),
        *array("uint16_t", "estimate_low_runs",
               [round(cost * UNIT) for cost in model.low_runs]),
        *matrix("uint32_t", "estimate_other_runs",
                [(point, round(cost * UNIT))
                 for point, cost in model.other_runs]),
        "#endif"]
    return "\n".join(lines) + "\n"


def write(path, model):
    """Write the header."""
    with open(path, "w", encoding="ascii", newline="\n") as output:
        output.write(text(model))
