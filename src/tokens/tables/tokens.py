"""o200k_base as Python objects: exact counts and token boundaries."""

import base64

import numpy
import tiktoken

import inputs

LETTERS_UP = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
LETTERS_LOW = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
PATTERN_O200K = "|".join([
    rf"[^\r\n\p{{L}}\p{{N}}]?[{LETTERS_UP}]*[{LETTERS_LOW}]+{CONTRACTION}?",
    rf"[^\r\n\p{{L}}\p{{N}}]?[{LETTERS_UP}]+[{LETTERS_LOW}]*{CONTRACTION}?",
    r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+",
    r"\s+(?!\S)", r"\s+"])
PATTERN_CL100K = "|".join([
    CONTRACTION, r"[^\r\n\p{L}\p{N}]?\p{L}+", r"\p{N}{1,3}",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
PATTERN_R50K = (r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+"
                r"| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
PATTERNS = {"o200k_base": PATTERN_O200K, "cl100k_base": PATTERN_CL100K,
            "p50k_base": PATTERN_R50K, "r50k_base": PATTERN_R50K}


def ranks(cache, name):
    """Return {token bytes: rank} of one of the encodings."""
    directory = inputs.package_directory(cache, "gpt-tokenizer")
    path = directory / "package" / "data" / f"{name}.tiktoken"
    table = {}
    for line in path.read_bytes().splitlines():
        token, number = line.split()
        table[base64.b64decode(token)] = int(number)
    return table


class Counter:
    """Exact counts of one encoding, special tokens as plain text."""

    def __init__(self, cache, name="o200k_base"):
        self.ranks = ranks(cache, name)
        self.encoding = tiktoken.Encoding(
            name, pat_str=PATTERNS[name], mergeable_ranks=self.ranks,
            special_tokens={})
        self.lengths = numpy.zeros(max(self.ranks.values()) + 1, numpy.uint8)
        for token, number in self.ranks.items():
            self.lengths[number] = len(token)

    def count(self, text):
        """Return the number of tokens of a text."""
        return len(self.encoding.encode_ordinary(text))

    def token_lengths(self, piece):
        """Return the byte length of each token of one piece."""
        return self.lengths[self.encoding._encode_single_piece(piece)]
