#!/usr/bin/env python3
"""Fit the estimator of token counts and write its table.

usage: fit.py CACHE WORK OUTPUT

The model: a piece of the o200k split costs
    1 + sum over the inner boundaries between its code points of
            P(a token starts here | context)
      + sum over its code points of I(code point), the number of tokens that
            start inside the bytes of that code point.
P comes from the first level that knows the context:
    2  two code points to the left, two to the right
    1  one to the left, one to the right
    0  a cell: the classes of both, the distances to both ends of the piece
The contexts of level 2 and 1 that improve the fit most go into one table.
The lower levels are then estimated again on what the table does not cover,
else they would be right about the frequent contexts they never meet.  At last
refine.py moves all values a little, so that words and chunks come out right;
after that they are costs, no longer probabilities, and may leave 0..1.
"""

import pathlib
import sys

import numpy

import emit
import languages
import refine
import shapes
import tokens

# In 65,536 slots: more would fit, but make absent contexts slow to look up.
CONTEXTS = 40960
LISTED_POINTS = 1024
# A context of fewer documents is chance.
FEWEST_DOCUMENTS = 3
# Rows of cells; their numbers are bytes.
MOST_ROWS = 256

# Weights of the classes, by default 1 and 0.6 for further languages and code:
# what is retrieved most often counts most.  Random strings count although they
# are rare, for they teach what uncommon contexts cost.
WEIGHTS = {"en_prose": 2, "en_tech": 2, "markdown": 2, "python": 1.5,
           "c": 1.5, "js": 1.5, "x_random": 1, "x_unseen": 0.1}
FURTHER_WEIGHT = 0.6
SMALL_WEIGHT = 0.1
# Tokens; a class with less text gets less weight.
SMALLEST_CLASS = 20000

# Priors, as weights of so many occurrences, towards the next level.
PRIOR = 3.0
PRIOR_CELL = 20.0
PRIOR_ROW = 5.0
# P where a character of the shared classes, with 1, 2, 3 or more tokens of its
# own, meets anything: it nearly always starts a token.
RARE_START = [0.6, 0.9, 0.95, 0.95]

# Refinement: how much the errors of parts of documents count against those of
# pieces, how firmly the values are held, and how often the solver goes round.
PART_FACTOR = 100
HOLD = 3
STEPS = 5
ROUNDS = 40

START, END, ANY = emit.START, emit.END, emit.ANY


def class_weights(data):
    """Return the weight of each class."""
    default = dict.fromkeys(languages.SMALL, SMALL_WEIGHT) | WEIGHTS
    return numpy.array([
        default.get(label, FURTHER_WEIGHT if label.startswith("x_") else 1)
        for label in data["labels"]])


def piece_weights(data):
    """Return the weight of each distinct piece, balanced over the classes."""
    label = data["part_label"][data["part"]]
    size = numpy.bincount(label, data["count"] * data["tokens"][data["piece"]])
    per_class = 1e6 * class_weights(data) / numpy.maximum(size, SMALLEST_CLASS)
    return numpy.bincount(data["piece"], data["count"] * per_class[label])


def part_weights(data):
    """Return the weight of the squared error of each part, in tokens."""
    size = numpy.bincount(data["part"], data["count"]
                          * data["tokens"][data["piece"]])
    label = data["part_label"]
    parts = numpy.maximum(numpy.bincount(label), SMALLEST_CLASS / 700)
    per_class = 1e6 * PART_FACTOR * class_weights(data) / parts
    # A short last part would have a huge relative error.
    return per_class[label] / numpy.maximum(size, 300) ** 2


class Boundaries:
    """The inner boundaries of all pieces, as parallel arrays.

    Pieces of ASCII digits are left out: they are one token by rule.
    """

    def __init__(self, data, weights):
        points = data["points"].astype(numpy.int64)
        lengths = data["lengths"]
        piece = numpy.repeat(numpy.arange(len(lengths)), lengths)
        first = numpy.cumsum(lengths) - lengths
        position = numpy.arange(len(points)) - first[piece]
        rest = lengths[piece] - position
        digit = (points >= 48) & (points < 58)
        fixed = numpy.bincount(piece, digit) == lengths
        at = numpy.flatnonzero((position > 0) & ~fixed[piece])
        self.left, self.right = points[at - 1], points[at]
        self.far_left = numpy.where(position[at] > 1, points[at - 2], START)
        after = numpy.minimum(at + 1, len(points) - 1)
        self.far_right = numpy.where(rest[at] > 1, points[after], END)
        self.position = numpy.minimum(position[at], 4) - 1
        self.rest = numpy.minimum(rest[at], 4) - 1
        self.starts = data["starts"][at].astype(float)
        self.piece = piece[at]
        self.weight = weights[piece[at]]
        self.documents = data["documents"][piece[at]].astype(float)


class Level:
    """Contexts of one level: groups of boundaries with the same key."""

    def __init__(self, boundaries, keys):
        self.keys, self.group = numpy.unique(keys, return_inverse=True)
        size = len(self.keys)
        weight = boundaries.weight
        self.weight = numpy.bincount(self.group, weight, size)
        self.sum = numpy.bincount(self.group, weight * boundaries.starts, size)
        self.documents = numpy.bincount(self.group, boundaries.documents, size)

    def mean(self, boundaries, values):
        """Return the weighted mean of boundary values per context."""
        total = numpy.bincount(self.group, boundaries.weight * values,
                               len(self.keys))
        return total / self.weight

    def smoothed(self, boundaries, below):
        """Return P per context, drawn towards the level below."""
        expected = self.mean(boundaries, below)
        return expected, (self.sum + expected * PRIOR) / (self.weight + PRIOR)

    def refit(self, boundaries, chosen, values, free):
        """Estimate the chosen contexts again on the boundaries in `free`."""
        weight = boundaries.weight * free
        size = len(self.keys)
        total = numpy.bincount(self.group, weight, size)
        hits = numpy.bincount(self.group, weight * boundaries.starts, size)
        again = (hits + values * PRIOR) / (total + PRIOR)
        return numpy.where(chosen, again, values)


class Cells:
    """Level 0: a row by the classes of both sides, a column by distances.

    The heaviest pairs of classes have a row each; the other pairs share one
    per right class.
    """

    def __init__(self, boundaries, class_of, count):
        self.count = count
        pair = class_of[boundaries.left] * count + class_of[boundaries.right]
        weight = numpy.bincount(pair, boundaries.weight, count * count)
        own = numpy.argsort(-weight, kind="stable")[:MOST_ROWS - count]
        self.row_of_pair = numpy.tile(numpy.arange(count), count)
        self.row_of_pair[own] = count + numpy.arange(len(own))
        self.rows = count + len(own)
        self.row = self.row_of_pair[pair]
        self.cell = (self.row * 4 + boundaries.position) * 4 + boundaries.rest

    def fit(self, boundaries, free):
        """Estimate rows and cells on the boundaries in `free`."""
        weight = boundaries.weight * free
        hits = weight * boundaries.starts
        by_row = ((numpy.bincount(self.row, hits, self.rows)
                   + self.unknown() * PRIOR_ROW)
                  / (numpy.bincount(self.row, weight, self.rows) + PRIOR_ROW))
        size = self.rows * 16
        self.value = (
            numpy.bincount(self.cell, hits, size)
            + numpy.repeat(by_row, 16) * PRIOR_CELL
        ) / (numpy.bincount(self.cell, weight, size) + PRIOR_CELL)
        return self.value[self.cell]

    def unknown(self):
        """Return what to think of a row without any occurrence."""
        value = numpy.full(self.rows, 0.6)
        value[self.count - 4:self.count] = RARE_START
        return value


def key_parts(boundaries):
    """Return dense numbers of the four code points around each boundary."""
    parts = [boundaries.far_left, boundaries.left, boundaries.right,
             boundaries.far_right]
    points, dense = numpy.unique(numpy.concatenate(parts), return_inverse=True)
    assert len(points) < 65536
    return points, numpy.split(dense.astype(numpy.uint64), 4)


def choose(levels, gains):
    """Mark the contexts with the largest gains over all levels."""
    gain = numpy.concatenate(gains)
    order = numpy.argsort(-gain, kind="stable")[:CONTEXTS]
    chosen = numpy.zeros(len(gain), bool)
    chosen[order] = gain[order] > 0
    return numpy.split(chosen, [len(levels[0].keys)])


def gain_of(level, values, expected):
    """Return the squared error that listing a context would save."""
    gain = level.weight * (values - expected) ** 2
    gain[level.documents < FEWEST_DOCUMENTS] = 0
    return gain


class Contexts:
    """The chosen contexts of both levels over the cells."""

    def __init__(self, boundaries, cells):
        everything = numpy.ones(len(boundaries.weight))
        by_cell = cells.fit(boundaries, everything)
        self.points, parts = key_parts(boundaries)
        shift = numpy.uint64(16)
        near = Level(boundaries, parts[1] << shift | parts[2])
        far = Level(boundaries, ((parts[0] << shift | parts[1]) << shift
                                 | parts[2]) << shift | parts[3])
        expected, near_value = near.smoothed(boundaries, by_cell)
        near_gain = gain_of(near, near_value, expected)
        by_near = numpy.where(near_gain > 0, near_value, expected)[near.group]
        expected, far_value = far.smoothed(boundaries, by_near)
        far_gain = gain_of(far, far_value, expected)
        near_in, far_in = choose((near, far), (near_gain, far_gain))
        free = ~far_in[far.group]
        near_value = near.refit(boundaries, near_in, near_value, free)
        self.near, self.far = near, far
        self.near_at = numpy.flatnonzero(near_in)
        self.far_at = numpy.flatnonzero(far_in)
        by_far, by_near = ~free, near_in[near.group] & free
        free &= ~by_near
        cells.fit(boundaries, free)
        self.values = numpy.concatenate((
            far_value[self.far_at], near_value[self.near_at], cells.value))
        self.parameter = self.number(by_far, by_near, cells)

    def number(self, by_far, by_near, cells):
        """Return which value each boundary uses."""
        far_number = numpy.cumsum(numpy.bincount(
            self.far_at, minlength=len(self.far.keys))) - 1
        near_number = numpy.cumsum(numpy.bincount(
            self.near_at, minlength=len(self.near.keys))) - 1
        return numpy.where(
            by_far, far_number[self.far.group], numpy.where(
                by_near, len(self.far_at) + near_number[self.near.group],
                len(self.far_at) + len(self.near_at) + cells.cell))

    def listed(self, values):
        """Yield (four code points, value) of each chosen context."""
        far_values = values[:len(self.far_at)]
        near_values = values[len(self.far_at):][:len(self.near_at)]
        for index, value in zip(self.far_at, far_values):
            key = int(self.far.keys[index])
            yield (tuple(int(self.points[key >> shift & 0xFFFF])
                         for shift in (48, 32, 16, 0)), float(value))
        for index, value in zip(self.near_at, near_values):
            key = int(self.near.keys[index])
            yield ((ANY, int(self.points[key >> 16]),
                    int(self.points[key & 0xFFFF]), ANY), float(value))


def fit_inner(data, weights, class_of, count):
    """Return (listed code points, values of I, which value a point uses).

    The values are those of the classes, then those of the listed points.
    """
    points = data["points"]
    piece = numpy.repeat(numpy.arange(len(data["lengths"])), data["lengths"])
    weight = weights[piece]
    size = shapes.CODE_POINTS
    total = numpy.bincount(points, weight, size)
    inner = numpy.bincount(points, weight * data["inner"], size)
    documents = numpy.bincount(points, data["documents"][piece], size)
    class_weight = numpy.bincount(class_of, total, count)
    class_inner = numpy.bincount(class_of, inner, count)
    mean = (class_inner + 0.01) / (class_weight + 0.01)
    value = (inner + mean[class_of] * PRIOR) / (total + PRIOR)
    gain = total * (value - mean[class_of]) ** 2
    gain[documents < FEWEST_DOCUMENTS] = 0
    order = numpy.argsort(-gain, kind="stable")[:LISTED_POINTS]
    listed = numpy.zeros(size, bool)
    listed[order] = gain[order] > 0
    left = numpy.where(listed, 0, total)
    mean = ((numpy.bincount(class_of, numpy.where(listed, 0, inner), count)
             + mean * PRIOR)
            / (numpy.bincount(class_of, left, count) + PRIOR))
    at = numpy.flatnonzero(listed)
    parameter = class_of.copy()
    parameter[at] = count + numpy.arange(len(at))
    return at, numpy.concatenate((mean, value[at])), parameter


def run_cost(counter, text):
    """Return the tokens per repetition in a long run of a text."""
    longest, shortest = (numpy.mean([
        len(counter.token_lengths((text * count).encode()))
        for count in range(start, start + 128)]) for start in (1152, 128))
    return (longest - shortest) / 1024


def run_costs(counter, solo):
    """Return ([cost per ASCII character], [(code point, cost)]) of runs."""
    low = [run_cost(counter, chr(point)) for point in range(128)]
    others = []
    texts = {token.decode("utf-8", "ignore") for token in counter.ranks}
    candidates = sorted(text[0] for text in texts if len(text) >= 2
                        and ord(text[0]) >= 0x80 and len(set(text)) == 1)
    for character in dict.fromkeys(candidates):
        cost = run_cost(counter, character)
        if cost < 0.95 * solo[ord(character)]:
            others.append((ord(character), cost))
    return low, others


def report(data, errors):
    """Print the bias per class on the fitted parts, in percent."""
    label = data["part_label"][data["part"]]
    size = numpy.bincount(label, data["count"] * data["tokens"][data["piece"]])
    error = numpy.bincount(label, data["count"] * errors[data["piece"]])
    print("bias on fitted texts:", " ".join(
        f"{name} {-100 * one:+.1f}"
        for name, one in zip(data["labels"], error / size)))


def value_bounds(split, inner, count):
    """Return the least and the greatest of each value.

    The shared classes keep what they stand for: 0, 1, 2 or 3 tokens inside.
    """
    low = numpy.repeat([emit.LEAST, 0.0], [split, inner])
    high = numpy.repeat([emit.MOST, 4.0], [split, inner])
    shared = slice(split + count - 4, split + count)
    low[shared] = high[shared] = range(4)
    return low, high


def refined(data, weights, boundaries, contexts, inner, inner_parameter,
            count):
    """Return the values of contexts and cells, and those of I, refined."""
    points, lengths = data["points"], data["lengths"]
    piece = numpy.repeat(numpy.arange(len(lengths)), lengths)
    wide = numpy.flatnonzero(points >= 0x80)
    split = len(contexts.values)
    prior = numpy.full(split + len(inner), PRIOR)
    prior[len(contexts.far_at) + len(contexts.near_at):split] = PRIOR_CELL
    system = refine.System(
        numpy.concatenate((contexts.parameter,
                           split + inner_parameter[points[wide]])),
        numpy.concatenate((boundaries.piece, piece[wide])), weights,
        (data["piece"], data["part"], data["count"], part_weights(data)),
        prior * HOLD)
    values = numpy.concatenate((contexts.values, inner))
    bounds = value_bounds(split, len(inner), count)
    values = refine.refine(system, values, data["tokens"], bounds, STEPS,
                           ROUNDS)
    report(data, system.errors(values, data["tokens"]))
    return values[:split], values[split:]


def main():
    """Fit and write the table."""
    if len(sys.argv) != 4:
        sys.exit("usage: fit.py CACHE WORK OUTPUT")
    cache, work = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    data = dict(numpy.load(work / "observations.npz"))
    counter = tokens.Counter(cache)
    weights = piece_weights(data)
    piece = numpy.repeat(numpy.arange(len(data["lengths"])), data["lengths"])
    solo = shapes.solo_tokens(counter)
    class_of, count = shapes.classes(solo, numpy.bincount(
        data["points"], weights[piece], shapes.CODE_POINTS))
    boundaries = Boundaries(data, weights)
    cells = Cells(boundaries, class_of, count)
    contexts = Contexts(boundaries, cells)
    listed, inner, inner_parameter = fit_inner(data, weights, class_of, count)
    values, inner = refined(data, weights, boundaries, contexts, inner,
                            inner_parameter, count)
    cells.value = values[-len(cells.value):]
    low, others = run_costs(counter, solo)
    crlf = run_cost(counter, "\r\n") / 2
    emit.write(sys.argv[3], emit.Model(
        list(contexts.listed(values)), cells, class_of, inner[:count],
        list(zip(listed.tolist(), inner[count:].tolist())), low, others, crlf))


if __name__ == "__main__":
    main()
