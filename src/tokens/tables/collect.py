#!/usr/bin/env python3
"""Collect what the fit needs from the fit half of the corpus.

usage: collect.py CACHE WORK PIECES

Splits every document with the compiled pieces.c, encodes each distinct piece
once with o200k_base, and writes WORK/observations.npz:
points       the code points of all distinct pieces, one piece after another
starts       1 where a token starts at the first byte of that code point
inner        number of tokens that start inside that code point
lengths      code points of each piece
piece, part, count    how often a piece occurs in a part of a document
part_label   the class of each part
documents    in how many documents a piece occurs
labels       the names of the classes
"""

import collections
import json
import pathlib
import subprocess
import sys

import numpy

import tokens

# Documents are cut into parts of this many pieces, about the size of a chunk.
PART_PIECES = 600


def read_documents(path):
    """Return [(class, UTF-8 text)] of the fit half."""
    with open(path, encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return [(row["class"], row["text"].encode()) for row in rows]


def split(program, texts):
    """Yield the list of pieces of each text."""
    output = subprocess.run([program, "o200k"], input=b"\0".join(texts) + b"\0",
                            check=True, stdout=subprocess.PIPE).stdout
    lengths = numpy.frombuffer(output, numpy.uint32).tolist()
    texts, pieces, at = iter(texts), [], 0
    text = next(texts)
    for length in lengths:
        if length:
            pieces.append(text[at:at + length])
            at += length
        else:
            yield pieces
            text, pieces, at = next(texts, None), [], 0


def count_pieces(documents, program):
    """Return (pieces, occurrences as (piece, part, count), part classes,
    number of documents with each piece)."""
    ids, rows, part_labels = {}, [], []
    with_piece = collections.Counter()
    pieces_of = split(program, [text for _, text in documents])
    for (label, _), pieces in zip(documents, pieces_of):
        numbers = [ids.setdefault(piece, len(ids)) for piece in pieces]
        with_piece.update(set(numbers))
        for start in range(0, len(numbers), PART_PIECES):
            part = collections.Counter(numbers[start:start + PART_PIECES])
            rows.append((numpy.fromiter(part.keys(), numpy.int32),
                         numpy.full(len(part), len(part_labels), numpy.int32),
                         numpy.fromiter(part.values(), numpy.int32)))
            part_labels.append(label)
    columns = [numpy.concatenate(column) for column in zip(*rows)]
    in_documents = numpy.array([with_piece[n] for n in range(len(ids))])
    return list(ids), columns, part_labels, in_documents


def observe(pieces, counter):
    """Return the arrays about the code points of all pieces."""
    token_lengths = [counter.token_lengths(piece) for piece in pieces]
    per_piece = numpy.array([len(one) for one in token_lengths])
    ends = numpy.cumsum(numpy.concatenate(token_lengths), dtype=numpy.int64)
    is_start = numpy.zeros(int(ends[-1]) + 1, numpy.int64)
    is_start[0] = 1
    is_start[ends] = 1
    texts = [piece.decode() for piece in pieces]
    points = numpy.frombuffer("".join(texts).encode("utf-32-le"), numpy.uint32)
    widths = (1 + (points >= 0x80) + (points >= 0x800)
              + (points >= 0x10000)).astype(numpy.int64)
    at = numpy.cumsum(widths) - widths
    before = numpy.cumsum(is_start)
    inner = before[at + widths - 1] - before[at]
    return {"points": points, "starts": is_start[at].astype(numpy.uint8),
            "inner": inner.astype(numpy.uint8), "tokens": per_piece,
            "lengths": numpy.array([len(text) for text in texts])}


def main():
    """Write the observations."""
    if len(sys.argv) != 4:
        sys.exit("usage: collect.py CACHE WORK PIECES")
    cache, work = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    documents = read_documents(work / "fit.jsonl")
    pieces, columns, part_labels, in_documents = count_pieces(
        documents, sys.argv[3])
    found = observe(pieces, tokens.Counter(cache))
    found["piece"], found["part"], found["count"] = columns
    found["documents"] = in_documents
    labels = list(dict.fromkeys(part_labels))
    found["labels"] = numpy.array(labels)
    found["part_label"] = numpy.array([labels.index(label)
                                       for label in part_labels])
    numpy.savez(work / "observations.npz", **found)
    print(f"{len(documents)} documents in {len(part_labels)} parts, "
          f"{len(pieces)} distinct pieces, {len(found['points'])} code points")


if __name__ == "__main__":
    main()
