#!/usr/bin/env python3
"""Writes small vocabularies of every kind that --count takes.

    small_vocab.py FOLDER TEXT...

Their merges are of two sorts.  Trained ones are learned from the TEXTs and
from SAMPLES, as those of a real tokenizer are; no token of theirs goes on
after a line end with other white space.  Tangled ones are drawn at random over
a few bytes: they overlap, stand before the merges that make their parts, lead
to one token in two ways, and to tokens that no merging reaches.

A .tiktoken file does not say how text is split: the program knows the four
encodings by a sum over their tokens.  Each such file here has one token more,
the key, of eight bytes that give it the sum of one of the four.
"""

import base64
import collections
import json
import pathlib
import random
import re
import struct
import sys

MERGES = 900
TANGLED = 160
LONGEST = 48            # tangled token

# Pieces that make merges of certain shapes, and how often they are seen:
# overlapping runs, tokens beyond 12 and 32 bytes, parts of characters.
SAMPLES = {
    "-" * 64: 20, "=" * 40: 9, " " * 80: 30, " " * 7: 20, "\t" * 5: 30,
    "\n" * 6: 40, "\r\n" * 3: 40, " \n": 40, "aaaaaaaaaaa": 30, "ababab": 30,
    " pneumonoultramicroscopicsilicovolcanoconiosis": 60,
    "internationalization": 60, "'s": 50, "'ll": 50, "'re": 50, "\ufffd": 90,
    "\ufffd\ufffd": 60, "123": 50, "000": 60, "2024": 20, "中文": 60,
    "日本語": 60, "テキスト": 60, "한국어": 60, "ไทย": 40, "हिन्दी": 60,
    "العربية": 60, "Ελληνικά": 60, " привет": 60, "ПРИВЕТ": 40, "é": 90,
    "e\u0301": 30, "🙂": 60, "👍🏽": 40, "。": 50, "・": 50, "\u3000": 50,
    "\u00a0": 40, "\u2028": 30, "{}();\n": 40, "://": 30, "--\n": 30,
}
PIECES = re.compile(r"[^\r\n\w]?[^\W\d_]+|\d{1,3}| ?[^\s\w]+[\r\n]*"
                    r"|\s*[\r\n]+|\s+(?!\S)|\s+|_")

CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
SPACE = r"\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
FIRST = r"[^\r\n\p{L}\p{N}]?"
CL100K = (CONTRACTION + "|" + FIRST + r"\p{L}+|\p{N}{1,3}"
          r"| ?[^\s\p{L}\p{N}]+[\r\n]*|" + SPACE)
O200K = (f"{FIRST}[{UPPER}]*[{LOWER}]+{CONTRACTION}?"
         f"|{FIRST}[{UPPER}]+[{LOWER}]*{CONTRACTION}?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + SPACE)

# As the tokenizers' files and tiktoken spell them, letter for letter.
EXPRESSIONS = {
    "r50k": [r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+"
             r"|\s+(?!\S)|\s+"],
    "r50k-possessive": [r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++"
                        r"| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"],
    "cl100k": [CL100K],
    "cl100k-possessive": [
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"],
    "qwen2": [CL100K.replace("{1,3}", "")],
    "qwen3.5": [CONTRACTION + "|" + FIRST + r"[\p{L}\p{M}]+|\p{N}"
                r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|" + SPACE],
    "o200k": [O200K],
    "tekken": [O200K.replace(CONTRACTION + "?", "").replace("{1,3}", "")],
    "deepseek": [
        r"\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+",
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
        "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*"
        "|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"],
}

# What the tokens of each encoding, and their number, sum up to.
SUMS = {"r50k_base": 0x490640e51f287042, "p50k_base": 0x2b250c0a846bb18f,
        "cl100k_base": 0x877b3266573cd861, "o200k_base": 0x984ee7eb8862380e}


def singles(text):
    """The bytes of a text, one by one."""
    data = text.encode()
    return [data[i:i + 1] for i in range(len(data))]


def joined_once(word, pair):
    """A list of parts with each occurrence of a pair joined, from the left."""
    parts, at = [], 0
    while at < len(word):
        if (word[at], *word[at + 1:at + 2]) == pair:
            parts.append(pair[0] + pair[1])
            at += 2
        else:
            parts.append(word[at])
            at += 1
    return parts


def train(texts, count):
    """The merges learned from texts, the most frequent pair first."""
    weights = collections.Counter(SAMPLES)
    for text in texts:
        weights.update(PIECES.findall(text))
    words = {piece: singles(piece) for piece in weights}
    pairs, homes = collections.Counter(), collections.defaultdict(set)

    def note(piece, sign):
        for pair in zip(words[piece], words[piece][1:]):
            pairs[pair] += sign * weights[piece]
            homes[pair].add(piece)

    for piece in words:
        note(piece, 1)
    merges = {}
    while len(merges) < count:
        pair = max(zip(pairs.values(), pairs))[1]
        merges[pair] = True
        for piece in homes[pair]:
            note(piece, -1)
            words[piece] = joined_once(words[piece], pair)
            note(piece, 1)
        del pairs[pair]
    return list(merges)


def tangle(rng, count):
    """Merges at random, a third of them moved to some other place."""
    tokens = [b"a", b"b", b"c", *singles("é")]
    merges = []
    while len(merges) < count:
        pair = rng.choice(tokens), rng.choice(tokens[:5] + tokens[-20:])
        if len(pair[0] + pair[1]) <= LONGEST and pair not in merges:
            merges.append(pair)
            tokens.append(pair[0] + pair[1])
    for at in rng.sample(range(count), count // 3):
        merges.insert(rng.randrange(count), merges.pop(at))
    # of a part that no merge makes, too
    return merges + [(b"cac", b"acc" * 5)]


def tokens_of(merges):
    """All bytes and what the merges lead to, each once."""
    made = [bytes([i]) for i in range(256)] + [a + b for a, b in merges]
    return list(dict.fromkeys(made))


def alphabet():
    """The letters that stand for bytes in a tokenizer.json, by byte."""
    shown = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(i if i in shown else next(others)) for i in range(256)]


LETTERS = alphabet()


def spelled(token):
    """A token in the letters of a tokenizer.json."""
    return "".join(LETTERS[byte] for byte in token)


def pre_tokenizer(expressions):
    """Steps that split by each expression in turn."""
    steps = [{"type": "Split", "pattern": {"Regex": expression},
              "behavior": "Isolated", "invert": False}
             for expression in expressions]
    steps.append({"type": "ByteLevel", "add_prefix_space": False,
                  "trim_offsets": True, "use_regex": False})
    return {"type": "Sequence", "pretokenizers": steps}


def tokenizer(merges, split, as_strings=True, pieces=None, nfc=False):
    """A tokenizer.json; with `pieces`, those are tokens without merging."""
    rows = [[spelled(a), spelled(b)] for a, b in merges]
    parts = [part for pair in merges for part in pair]
    tokens = dict.fromkeys(tokens_of(merges) + parts + (pieces or []))
    vocab = {spelled(token): i for i, token in enumerate(tokens)}
    vocab["no letters of bytes"] = len(vocab)
    model = {"type": "BPE", "dropout": None, "unk_token": None,
             "continuing_subword_prefix": "", "end_of_word_suffix": "",
             "fuse_unk": False, "byte_fallback": False,
             "ignore_merges": pieces is not None, "vocab": vocab,
             "merges": [" ".join(row) if as_strings else row for row in rows]}
    return {"version": "1.0", "added_tokens": [], "model": model,
            "normalizer": {"type": "NFC"} if nfc else None,
            "pre_tokenizer": split}


def mixed(root):
    """A tokenizer.json with a third of its merges in the other spelling."""
    merges = root["model"]["merges"]
    merges[::3] = [merge.split(" ") for merge in merges[::3]]
    root["normalizer"] = {"type": "Sequence", "normalizers": []}
    return root


def encoder(tokens, expression, ranks):
    """An encoder of the npm package: a line for each run of ranks."""
    lines, last = [], None
    for token, rank in zip(tokens, ranks):
        if last is None or rank != last + 1:
            lines.append(f"! {rank}")
        lines[-1] += " " + base64.b64encode(token).decode()
        last = rank
    return {"pat_str": expression, "special_tokens": {},
            "bpe_ranks": "\n".join(lines)}


def mix(a, b):
    """Two numbers mixed into one."""
    product = (a ^ b * 0xC2B2AE3D27D4EB4F) * 0x9E3779B97F4A7C15 % 2**64
    return (product ^ product >> 32) * 0xD6E8FEB86659FD93 % 2**64


def unmix(mixed_up, b):
    """The number that mixed with b gives mixed_up."""
    product = mixed_up * pow(0xD6E8FEB86659FD93, -1, 2**64) % 2**64
    product ^= product >> 32
    a = product * pow(0x9E3779B97F4A7C15, -1, 2**64)
    return (a ^ b * 0xC2B2AE3D27D4EB4F) % 2**64


def token_sum(token, rank):
    """What one token adds to the sum of its vocabulary."""
    words = [int.from_bytes(token[i:i + 8], "little")
             for i in range(0, len(token), 8)]
    if len(token) <= 12:
        rest = words[1] if len(words) > 1 else 0
        return mix(words[0], mix(rest, rank | len(token) << 24))
    total = len(token)
    for word in words:
        total = mix(total, word)
    return mix(total, rank)


def with_key(ranks, wanted):
    """The ranks and a token more, which brings their sum to `wanted`."""
    rank = max(ranks.values()) + 1
    others = sum(token_sum(token, ranks[token]) for token in ranks)
    rest = (wanted - others - len(ranks) - 1) % 2**64
    key = struct.pack("<Q", unmix(rest, mix(0, rank | 8 << 24)))
    return {**ranks, key: rank}


def tiktoken(ranks, end="\n"):
    """The lines of a .tiktoken file."""
    return end.join(f"{base64.b64encode(token).decode()} {rank}"
                    for token, rank in ranks.items())


def write_tokenizers(folder, trained, tangled, pieces):
    """Write a tokenizer.json for each way of splitting, and odd ones."""
    files = {"gpt2": tokenizer(trained, {"type": "ByteLevel",
                                         "add_prefix_space": False})}
    for i, (name, expressions) in enumerate(EXPRESSIONS.items()):
        files[name] = tokenizer(trained, pre_tokenizer(expressions),
                                as_strings=i % 2 == 0)
    cl100k = pre_tokenizer(EXPRESSIONS["cl100k"])
    r50k = pre_tokenizer(EXPRESSIONS["r50k"])
    files["nfc"] = tokenizer(trained, cl100k, nfc=True)
    files["whole"] = tokenizer(trained, cl100k, pieces=pieces)
    files["tangled"] = mixed(tokenizer(tangled, r50k))
    files["tangled-whole"] = tokenizer(tangled, r50k, pieces=[b"abcabc" * 9])
    for i, (name, root) in enumerate(files.items()):
        text = json.dumps(root, ensure_ascii=i % 2 == 0, indent=i % 3 or None)
        (folder / f"{name}.json").write_text("\n" * (i % 2) + text, "utf-8")


def write_ranks(folder, trained, tangled):
    """Write tiktoken's files and encoders of its npm package."""
    tokens, knots = tokens_of(trained), tokens_of(tangled)
    ties = [max(i, 256) - max(i - 256, 0) % 40 for i in range(len(knots))]
    for name, expression, made, ranks in (
            ("npm", EXPRESSIONS["o200k"], tokens, range(len(tokens))),
            ("tangled-npm", EXPRESSIONS["cl100k-possessive"], knots, ties)):
        root = encoder(made, expression[0], ranks)
        (folder / f"{name}.json").write_text(json.dumps(root), "utf-8")
    for i, (name, wanted) in enumerate(SUMS.items()):
        ranks = dict(zip(knots, ties)) if i == 0 else {
            token: rank for rank, token in enumerate(tokens)}
        text = tiktoken(with_key(ranks, wanted), "\r\n" if i == 1 else "\n")
        text += "\n" if i > 1 else ""
        (folder / f"{name}.tiktoken").write_bytes(text.encode())


def main():
    folder, *names = map(pathlib.Path, sys.argv[1:])
    texts = [name.read_text("utf-8") for name in names]
    trained = train(texts, MERGES)
    tangled = tangle(random.Random(1), TANGLED)
    made = set(tokens_of(trained))
    words = dict.fromkeys(PIECES.findall("".join(texts)))
    pieces = [word.encode() for word in words if word.encode() not in made]
    folder.mkdir(exist_ok=True)
    write_tokenizers(folder, trained, tangled,
                     pieces[::5] + [b"unmerged" * 5])
    write_ranks(folder, trained, tangled)


if __name__ == "__main__":
    main()
