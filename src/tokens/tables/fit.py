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

The pieces that this gets wrong most, by frequency and error, are listed with
their number of tokens, and everything is fitted again without them: a text
keeps coming back to the words of its topic, so that their errors do not cancel
out.
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
CONTEXTS = 34000
LISTED_POINTS = 1024
# In 16,384 slots.
WORDS = 11000
# A context of fewer documents is chance.
FEWEST_DOCUMENTS = 3
# Rows of cells; their numbers are bytes.
MOST_ROWS = 256

# Weights of the classes, by default 1 and 0.6 for further languages and code:
# what is retrieved most often counts most.  Random strings count although they
# are rare, for they teach what uncommon contexts cost.
WEIGHTS = {"en_prose": 2, "en_tech": 2, "markdown": 2, "python": 1.5,
           "c": 1.5, "js": 1.5, "en_web": 5, "x_random": 1.5, "x_ocr": 2.2,
           "x_ru_latin": 0.5, "x_smiles": 0.5, "x_unseen": 0.1}
# For the choice of the listed words: in prose a text is about its words.
WORD_WEIGHTS = WEIGHTS | {"en_web": 18}
FURTHER_WEIGHT = 0.6
SMALL_WEIGHT = 0.15
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
FIRST_STEPS, STEPS = 2, 5
ROUNDS = 40

START, END, ANY = emit.START, emit.END, emit.ANY


def class_weights(data, weights=None):
    """Return the weight of each class."""
    default = (dict.fromkeys(languages.SMALL, SMALL_WEIGHT)
               | (weights or WEIGHTS))
    return numpy.array([
        default.get(label, FURTHER_WEIGHT if label.startswith("x_") else 1)
        for label in data["labels"]])


def piece_weights(data, weights=None):
    """Return the weight of each distinct piece, balanced over the classes."""
    label = data["part_label"][data["part"]]
    size = numpy.bincount(label, data["count"] * data["tokens"][data["piece"]])
    per_class = (1e6 * class_weights(data, weights)
                 / numpy.maximum(size, SMALLEST_CLASS))
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

    Pieces of known cost are left out.
    """

    def __init__(self, data, weights):
        points = data["points"].astype(numpy.int64)
        lengths = data["lengths"]
        piece = numpy.repeat(numpy.arange(len(lengths)), lengths)
        first = numpy.cumsum(lengths) - lengths
        position = numpy.arange(len(points)) - first[piece]
        rest = lengths[piece] - position
        at = numpy.flatnonzero((position > 0) & ~data["fixed"][piece])
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


def is_digits(data):
    """Say of each piece whether it is all ASCII digits: one token by rule."""
    points, lengths = data["points"], data["lengths"]
    piece = numpy.repeat(numpy.arange(len(lengths)), lengths)
    return numpy.bincount(piece, (points >= 48) & (points < 58)) == lengths


class Level:
    """Contexts of one level: groups of boundaries with the same key."""

    def __init__(self, boundaries, keys, is_far):
        self.is_far = is_far
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
        near = Level(boundaries, parts[1] << shift | parts[2], False)
        far = Level(boundaries, ((parts[0] << shift | parts[1]) << shift
                                 | parts[2]) << shift | parts[3], True)
        expected, near_value = near.smoothed(boundaries, by_cell)
        near_gain = gain_of(near, near_value, expected)
        by_near = numpy.where(near_gain > 0, near_value, expected)[near.group]
        expected, far_value = far.smoothed(boundaries, by_near)
        far_gain = gain_of(far, far_value, expected)
        near_in, far_in = choose((near, far), (near_gain, far_gain))
        free = ~far_in[far.group]
        near_value = near.refit(boundaries, near_in, near_value, free)
        self.fill((far, near), (far_in, near_in), (far_gain, near_gain),
                  (far_value, near_value))
        # From here on as the reader finds them, false hits included.
        by_far, by_near = (
            self.table.find(self.hashes(level))[level.group]
            for level in (far, near))
        by_near[by_far >= 0] = -1
        cells.fit(boundaries, (by_far < 0) & (by_near < 0))
        self.parameter = numpy.where(by_far >= 0, by_far, numpy.where(
            by_near >= 0, by_near, len(self.costs) + cells.cell))
        self.values = numpy.concatenate((self.costs, cells.value))

    def hashes(self, level):
        """Return the hashes of all contexts of a level."""
        def point(shift):
            return self.points[level.keys >> numpy.uint64(shift)
                               & numpy.uint64(0xFFFF)].astype(numpy.uint64)
        if level.is_far:
            return emit.context_hash(*map(point, (48, 32, 16, 0)))
        every = numpy.full(len(level.keys), ANY, numpy.uint64)
        return emit.context_hash(every, point(16), point(0), every)

    def fill(self, levels, chosen, gains, values):
        """Put the chosen contexts into the table, the most useful first."""
        self.table = emit.TagTable(emit.SLOT_BITS, emit.TAG_BITS)
        self.costs = numpy.zeros(1 << emit.SLOT_BITS)
        hashes, gain, value = (numpy.concatenate([
            one[inside] for one, inside in zip(group, chosen)])
            for group in (map(self.hashes, levels), gains, values))
        lost = 0
        for at in numpy.argsort(-gain, kind="stable").tolist():
            slot, free = self.table.add(int(hashes[at]))
            lost += not free
            if free:
                self.costs[slot] = value[at]
        print(f"{len(hashes)} contexts, {lost} of them lost to others")


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
            count, steps):
    """Return the values of contexts and cells, and those of I, refined."""
    points, lengths = data["points"], data["lengths"]
    piece = numpy.repeat(numpy.arange(len(lengths)), lengths)
    wide = numpy.flatnonzero((points >= 0x80) & ~data["fixed"][piece])
    split = len(contexts.values)
    prior = numpy.full(split + len(inner), PRIOR)
    prior[len(contexts.costs):split] = PRIOR_CELL
    system = refine.System(
        numpy.concatenate((contexts.parameter,
                           split + inner_parameter[points[wide]])),
        numpy.concatenate((boundaries.piece, piece[wide])), weights,
        (data["piece"], data["part"], data["count"], part_weights(data)),
        prior * HOLD)
    values = numpy.concatenate((contexts.values, inner))
    bounds = value_bounds(split, len(inner), count)
    # A piece of known cost has no error: nothing is to be added to 1.
    truth = numpy.where(data["fixed"], 1, data["tokens"])
    values = refine.refine(system, values, truth, bounds, steps, ROUNDS)
    errors = system.errors(values, truth)
    report(data, errors)
    return values[:split], values[split:], errors


class Fit:
    """A fit of everything but the listed words."""

    def __init__(self, data, weights, class_of, count, steps):
        boundaries = Boundaries(data, weights)
        self.cells = Cells(boundaries, class_of, count)
        self.contexts = Contexts(boundaries, self.cells)
        self.listed, inner, parameter = fit_inner(data, weights, class_of,
                                                  count)
        values, self.inner, self.errors = refined(
            data, weights, boundaries, self.contexts, inner, parameter, count,
            steps)
        self.cells.value = values[-len(self.cells.value):]
        self.values = values


def piece_texts(data):
    """Return the bytes of each piece."""
    text = data["points"].astype(numpy.uint32).tobytes().decode("utf-32-le")
    ends = numpy.cumsum(data["lengths"]).tolist()
    return [text[start:end].encode() for start, end in zip([0] + ends, ends)]


def worst_words(data, texts, weights, errors):
    """Return the pieces to list: the numbers of the worst ones that fit."""
    fits = numpy.array([len(text) <= emit.WORD_BYTES for text in texts])
    fits &= data["tokens"] <= 1 << emit.WORD_VALUE_BITS
    fits &= data["documents"] >= FEWEST_DOCUMENTS
    gain = weights * errors ** 2 * fits
    order = numpy.argsort(-gain, kind="stable")[:WORDS]
    return order[gain[order] > 0]


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
    data["fixed"] = is_digits(data)
    first = Fit(data, weights, class_of, count, FIRST_STEPS)
    texts = piece_texts(data)
    words = worst_words(data, texts, piece_weights(data, WORD_WEIGHTS),
                        first.errors)
    data["fixed"][words] = True
    fit = Fit(data, weights, class_of, count, STEPS)
    low, others = run_costs(counter, solo)
    crlf = run_cost(counter, "\r\n") / 2
    emit.write(sys.argv[3], emit.Model(
        fit.contexts.table.tags, fit.values,
        [(texts[at], int(data["tokens"][at]) - 1) for at in words], fit.cells,
        class_of, fit.inner[:count],
        list(zip(fit.listed.tolist(), fit.inner[count:].tolist())),
        low, others, crlf))


if __name__ == "__main__":
    main()
