"""Refine the fitted values by least squares on pieces and on chunks.

Conditional means are right boundary by boundary, but the errors of one word
or one language have the same sign and add up.  So the values are moved, as
little as needed, to lower the squared errors of
- the cost of each piece, and
- the relative cost of each part of a document, about 800 tokens,
with every class weighted alike.

A piece costs 1 + max(0, sum of its values), so that a sum below 0 means "one
token, surely".  Seen from given values that is linear: pieces below 0 do not
react.  Each such linear system is solved by conjugate gradients, and the next
one starts from its solution.
"""

import numpy


class System:
    """The normal equations; see the module's comment."""

    def __init__(self, parameter, piece, piece_weight, parts, prior):
        self.parameter, self.piece = parameter, piece
        self.piece_weight, self.prior = piece_weight, prior
        self.part_piece, self.part, self.count, self.part_weight = parts
        self.size = len(prior)
        self.reacts = numpy.ones(len(piece_weight))
        self.moves = numpy.ones(self.size)
        self.diagonal = prior + numpy.bincount(
            parameter, piece_weight[piece], self.size)

    def pieces(self, values):
        """Return the sum of the values that each piece uses."""
        return numpy.bincount(self.piece, values[self.parameter],
                              len(self.piece_weight))

    def errors(self, values, truth):
        """Return by how much the cost of each piece is too low."""
        sums = self.pieces(values)
        self.reacts = (sums > 0).astype(float)
        return truth - 1 - numpy.maximum(sums, 0)

    def pull(self, piece_error):
        """Return how piece errors pull at each value, pieces and parts."""
        part_error = numpy.bincount(
            self.part, self.count * piece_error[self.part_piece],
            len(self.part_weight))
        weighted = self.piece_weight * piece_error
        weighted += numpy.bincount(
            self.part_piece, self.count
            * (self.part_weight * part_error)[self.part], len(weighted))
        weighted *= self.reacts
        return numpy.bincount(self.parameter, weighted[self.piece], self.size)

    def apply(self, change):
        """Return the left side of the normal equations."""
        reaction = self.reacts * self.pieces(change)
        return self.moves * (self.pull(reaction) + self.prior * change)

    def solve(self, rest, rounds):
        """Return the change whose left side is `rest`, nearly."""
        change = numpy.zeros(self.size)
        direction = step = rest / self.diagonal
        product = rest @ step
        for _ in range(rounds):
            applied = self.apply(direction)
            length = product / (direction @ applied)
            change += length * direction
            rest = rest - length * applied
            step = rest / self.diagonal
            product, previous = rest @ step, product
            direction = step + product / previous * direction
        return change


def refine(system, values, truth, bounds, steps, rounds):
    """Return refined values within bounds, for the true tokens of pieces.

    A value that leaves its bounds is set to the bound and stays there, so that
    the others make up for it in the next steps.
    """
    start = values
    for step in range(steps):
        error = system.errors(values, truth)
        # The prior draws towards the start, not towards the last step.
        target = system.pull(error) + system.prior * (start - values)
        values = values + system.solve(target * system.moves, rounds)
        outside = (values < bounds[0]) | (values > bounds[1])
        system.moves[outside] = 0
        values = numpy.clip(values, *bounds)
        size = numpy.average(error ** 2, weights=system.piece_weight)
        print(f"refine: mean squared error of pieces was {size:.4f}; "
              f"{int(system.size - system.moves.sum())} values at bounds")
    return values
