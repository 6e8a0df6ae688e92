"""Classes of code points for contexts that the table does not list.

A class is a script block, whether the character is a capital or a mark, and
how many tokens the character takes on its own (1, 2, or more).  The last part
makes rare characters expensive although the corpus hardly shows them.
"""

import numpy

import unicode

CODE_POINTS = 0x110000
# From here on, all code points are of the last class: rare, several tokens.
TABLE_POINTS = 0x20000
BLOCKS = [
    0x80, 0x100, 0x180, 0x250, 0x300, 0x370, 0x400, 0x530, 0x590, 0x600, 0x700,
    0x900, 0x980, 0xA00, 0xA80, 0xB00, 0xB80, 0xC00, 0xC80, 0xD00, 0xD80,
    0xE00, 0xE80, 0xF00, 0x1000, 0x10A0, 0x1100, 0x1200, 0x13A0, 0x1780,
    0x1800, 0x1E00, 0x1F00, 0x2000, 0x2070, 0x2100, 0x2190, 0x2400, 0x2500,
    0x25A0, 0x2600, 0x27C0, 0x2E80, 0x3040, 0x30A0, 0x3100, 0x3400, 0x4E00,
    0xA000, 0xAC00, 0xD7B0, 0xE000, 0xF900, 0xFB50, 0xFE00, 0xFE10, 0xFE70,
    0xFF00, 0x10000, 0x1F000, 0x1F300, 0x1FB00, 0x20000]
ASCII_CLASSES = ["lower", "upper", "digit", "space", "newline", "tab",
                 "control", "punctuation"]
CAPITAL = (unicode.CLASS_NUMBER["UPPER"], unicode.CLASS_NUMBER["TITLE"])
MARK = unicode.CLASS_NUMBER["MARK"]
MOST_CLASSES = 128


def ascii_class(point):
    """Return the index into ASCII_CLASSES."""
    character = chr(point)
    if character.islower():
        return 0
    if character.isupper():
        return 1
    if character.isdigit():
        return 2
    if character in " \n\r\t":
        return {" ": 3, "\n": 4, "\r": 4, "\t": 5}[character]
    return 6 if point < 32 else 7


def solo_tokens(counter):
    """Return how many tokens each code point takes on its own."""
    solo = numpy.ones(CODE_POINTS, numpy.uint8)
    for point in range(0x80, CODE_POINTS):
        if not 0xD800 <= point < 0xE000:
            solo[point] = len(counter.token_lengths(chr(point).encode()))
    return solo


def detailed_keys(solo):
    """Return a number per code point that tells block, kind and cost."""
    kind = numpy.zeros(CODE_POINTS, numpy.int64)
    for point in range(0x80, CODE_POINTS):
        number = unicode.class_of(point)
        kind[point] = 1 if number in CAPITAL else 2 if number == MARK else 0
    block = numpy.searchsorted(BLOCKS, numpy.arange(CODE_POINTS), "right")
    keys = (block * 3 + kind) * 3 + numpy.minimum(solo, 3) - 1
    return keys + len(ASCII_CLASSES)


def classes(solo, weights):
    """Return (class of each code point, number of classes).

    weights are the weights of the code points in the corpus: the heaviest
    keys become classes, the others share one class per solo count.
    """
    keys = detailed_keys(solo)
    points = numpy.arange(CODE_POINTS)
    weight_of_key = numpy.bincount(keys, weights * (points >= 0x80))
    own = numpy.argsort(-weight_of_key, kind="stable")
    own = own[:MOST_CLASSES - len(ASCII_CLASSES) - 4]
    own = own[weight_of_key[own] > 0]
    number_of_key = numpy.full(len(weight_of_key), -1)
    number_of_key[own] = numpy.arange(len(own)) + len(ASCII_CLASSES)
    result = number_of_key[keys]
    first_shared = len(ASCII_CLASSES) + len(own)
    shared = result < 0
    result[shared] = first_shared + numpy.minimum(solo[shared], 4) - 1
    for point in range(0x80):
        result[point] = ascii_class(point)
    result[TABLE_POINTS:] = first_shared + 3
    return result, first_shared + 4
