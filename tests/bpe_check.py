#!/usr/bin/env python3
"""Compares exact counts with those of bpe_oracle.py.

    bpe_check.py [OPTION]... EDGEFOLD COUNT_DOCS COUNT VOCABULARY...

COUNT_DOCS is the test program of that name.  COUNT random documents, made of
what the splitters tell apart and of the vocabulary's own tokens, and longer
pieces are counted by it; then all of them together by edgefold itself, and
again with the compiled vocabulary.  The options are

    --by-pair      merge by the letter of a tokenizer.json: two certain parts,
                   not any two that are the token together
    --pieces       see too whether text is cut where it should be, with a
                   vocabulary of most pieces as they are, and of others
    --longest=N    bytes of the longest piece
    --seed=N       other documents
    --text=FILE    count this too

Prints what differs and a closing line; status 1 when anything differed.
"""

import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import bpe_oracle
import small_vocab

# Only characters that every Unicode since 9 has in the same category.
LETTERS = ("a b d e l L m M r R s S t T v z Z é É ß ſ ǅ ʰ ª Ж ж Ω λ א ع ك क न "
           "ไ ท 中 一 カ ー 한 ᄒ ᅡ ᆫ 가 𝐀 𠮷 𐐀 𐐨").split()
CJK = "中 文 龥 龦 々 の ぁ ヿ ・ ゠ ゛ \u3099 、 〇 한 1 a".split()
MARKS = "\u0301 \u0300 \u0316 \u093f \u094d \u0e34 \u3099 \u20dd".split()
NUMBERS = "0 1 2 12 123 1234 12345678 ٣ ३ Ⅷ ² ½ 〇 ①".split()
SPACES = [" ", " ", "  ", "   ", "\t", "\n", "\n\n", "\r", "\r\n", "\v", "\f",
          "\x85", "\u00a0", "\u1680", "\u2000", "\u2003", "\u200a", "\u2028",
          "\u2029", "\u202f", "\u205f", "\u3000", " \n ", "\n\t", "\r\n "]
SYMBOLS = ("! \" # $ % & ' ( ) * + , - . / : ; < = > ? @ [ \\ ] ^ _ ` { | } ~ "
           "// /\n /\n/ -- ... ’ “ 。 、 ・ ゠ ゛ € ° © « × 🙂 👍🏽 🇫🇷 "
           "👩\u200d💻 \ufffd #include <b> (x)").split(" ")
OTHERS = ["\0", "\x01", "\x1c", "\x1f", "\x7f", "\x80", "\xad", "\u180e",
          "\u200b", "\u200d", "\u2060", "\ufeff", "\ue000", "\U000f0000"]
SHORTENED = ("'s 'S 'ſ 't 'T 'm 'd 'D 're 'Re 'rE 'r 've 'VE 'v 'll 'lL 'l "
             "'x ' '' don't it's WE'LL").split()
BROKEN = [b"\x80", b"\xff", b"\xc3", b"\xc0\x80", b"\xc1\xbf", b"\xe4\xb8",
          b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf",
          b"\xf0\x9f\x99", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80",
          b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xe4A\xb8", b"\xf0a"]
KINDS = [[part.encode() for part in kind] for kind in (
    LETTERS, CJK, MARKS, NUMBERS, SPACES, SYMBOLS, OTHERS, SHORTENED)]
KINDS.append(BROKEN)
# At least one of each class that a splitter tells apart.
CLASSES = "asBéʰ中ǅ\u03011²' \n\r\t\u00a0!/・°\u200b\x1c"


def document(rng, tokens):
    """Bytes of a few kinds: of mixed parts, and now and then a run of one."""
    kinds = rng.choices(KINDS, k=rng.randint(1, 4)) + [tokens]
    out = []
    for _ in range(rng.randint(1, 24)):
        part = rng.choice(rng.choice(kinds))
        out.append(part * (rng.randint(2, 40) if rng.random() < 0.08 else 1))
    return b"".join(out)


def similar_words(rng):
    """Words that begin alike, of lengths that tables hold in a slot or not."""
    return b" ".join(b"abcdefgh" + bytes(rng.choices(b"abcd", k=size))
                     for size in rng.choices((2, 3, 4, 6, 7, 8), k=300))


def long_pieces(rng, tokens, longest):
    """Documents that are one piece, or nearly, of tens of bytes and more."""
    for part in ("a", "ab", "aab", " ", "\n", " \n", "-", "1", "中", "の", "é",
                 "e\u0301", "\u0301", "\u3000", "\u200b", "'s", "Aa", "\0"):
        yield part.encode() * rng.randint(30, 120)
    yield b"\xff" * 100
    words = [token for token in tokens if token.isalpha()]
    for size in (31, 32, 33, 34, 100, longest, 200):
        text = b"".join(rng.choices(words or tokens, k=size))
        yield text[:size]
        yield bytes(rng.choices(b"abc", k=size))


def documents(rng, tokens, count, longest):
    """All documents for a vocabulary with those tokens."""
    yield from (b"", b"a", b"\xff", b"\0", bytes(range(256)))
    yield similar_words(rng)
    for part in SHORTENED:
        yield f"X{part}".encode()
    for _ in range(count):
        yield document(rng, tokens)
    yield from long_pieces(rng, tokens, longest)


def short_texts(rng):
    """All strings of up to three of CLASSES, and some of a few more."""
    for size in range(1, 4):
        for text in itertools.product(CLASSES, repeat=size):
            yield "".join(text).encode()
    for _ in range(len(CLASSES) ** 2):
        yield "".join(rng.choices(CLASSES, k=rng.randint(4, 12))).encode()


def run(*command, **options):
    """The standard output of a command that must succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          **options).stdout


class Comparison:
    """Counts by the program beside those by the oracle."""

    def __init__(self, options):
        self.options = options
        self.compared = self.different = 0

    def compare(self, name, data, expected, got):
        self.compared += 1
        if got != expected:
            self.different += 1
            if self.different <= 5:
                print(f"{name}: {got} tokens, {expected} by the definition: "
                      f"{data[:300]!r}")

    def each_alone(self, file, texts, expected):
        """Documents are separated by NUL, so those with one are left out."""
        fair = [i for i, text in enumerate(texts) if b"\0" not in text]
        data = b"".join(texts[i] + b"\0" for i in fair)
        counts = run(self.options.count_docs, file, input=data).split()
        for i, got in zip(fair, counts, strict=True):
            self.compare(file, texts[i], expected[i], int(got))

    def all_at_once(self, file, text, expected):
        got = run(self.options.edgefold, "--count-only", f"--count={file}",
                  input=text)
        self.compare(file, text, expected, int(got))

    def vocabulary(self, file):
        """Compare with one vocabulary, as it is and compiled."""
        known = bpe_oracle.load(file, self.options.by_pair)
        rng = random.Random(f"{file.name} {self.options.seed}")
        texts = list(documents(rng, known.samples(), self.options.count,
                               self.options.longest))
        whole = [b"".join(texts)] + [
            text.read_bytes() for text in self.options.texts]
        expected = known.count_all(texts + whole)
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / (file.name + ".vocab")
            table.write_bytes(run(self.options.edgefold,
                                  f"--compile-vocab={file}"))
            self.each_alone(file, texts, expected)
            self.each_alone(table, texts[::3], expected[::3])
            for text, count in zip(whole, expected[len(texts):]):
                self.all_at_once(file, text, count)
                self.all_at_once(table, text, count)
            if self.options.pieces:
                self.pieces(file, pathlib.Path(folder), known, rng, texts)

    def pieces(self, file, folder, known, rng, texts):
        """Compare with a vocabulary that tells well where text is cut."""
        short = list(short_texts(rng))
        texts = texts + short
        split = known.split_all(texts)
        seen = dict.fromkeys(itertools.chain(short, *split))
        tokens = [piece for piece in seen if rng.random() < 0.6]
        made = folder / ("pieces-" + file.name)
        made.write_text(json.dumps(with_pieces(file, tokens)), "utf-8")
        lengths = dict.fromkeys(tokens, 1)
        expected = [sum(lengths.get(piece, len(piece)) for piece in pieces)
                    for pieces in split]
        self.each_alone(made, texts, expected)


def with_pieces(file, pieces):
    """A tokenizer.json that has no merges, but pieces that are tokens."""
    root = json.loads(file.read_text("utf-8"))
    vocab = {small_vocab.spelled(piece): i for i, piece in enumerate(pieces)}
    root["model"].update(merges=[], ignore_merges=True, vocab=vocab)
    return root


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--by-pair", action="store_true")
    parser.add_argument("--pieces", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--text", dest="texts", type=pathlib.Path,
                        action="append", default=[])
    parser.add_argument("--longest", type=int, default=400)
    parser.add_argument("edgefold")
    parser.add_argument("count_docs")
    parser.add_argument("count", type=int)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    comparison = Comparison(parser.parse_args())
    for file in comparison.options.files:
        comparison.vocabulary(file)
    print(f"{comparison.compared} counts, {comparison.different} different")
    return 1 if comparison.different or not comparison.compared else 0


if __name__ == "__main__":
    sys.exit(main())
