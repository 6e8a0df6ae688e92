"""Counts tokens slowly, by the definitions that vocabularies refer to.

Text is split by the regular expressions that stand in the file: `re` runs
them, with classes such as \\p{L} written out from unicodedata for the
characters that occur.  Merging is byte-pair encoding as it is told: of all
adjacent parts, those of the lowest rank are joined, the leftmost first.
"""

import base64
import codecs
import functools
import json
import re
import unicodedata

from small_vocab import EXPRESSIONS, LETTERS

# The property White_Space; Python's own has four characters more.
WHITE_SPACE = {*map(chr, range(0x09, 0x0e)), " ", "\x85", "\xa0", "\u1680",
               *map(chr, range(0x2000, 0x200b)), "\u2028", "\u2029",
               "\u202f", "\u205f", "\u3000"}
BYTES = {letter: byte for byte, letter in enumerate(LETTERS)}
NO_RANK = 1 << 32
NEVER = "\U0010fffe"    # keeps a class from being empty
ELEMENT = re.compile(r"\\p\{(\w+)\}|\\[sS]|\\.|[+*?}]\+|.", re.DOTALL)


def members(name, characters):
    """What a class has of the characters, for use inside of [...]."""
    if name == "s":
        found = WHITE_SPACE
    else:
        found = {character for character in characters
                 if unicodedata.category(character).startswith(name)}
    return "".join(map(re.escape, sorted(found | {NEVER})))


def translated(expression, characters):
    """An expression of the tokenizers' in Python's syntax.

    None of them needs that a repetition is possessive: what follows one never
    matches what the repetition could give back.
    """
    out, in_class = [], False
    for element in ELEMENT.finditer(expression):
        text, name = element.group(), element.group(1)
        if name or text == r"\s":
            inside = members(name or "s", characters)
            text = inside if in_class else f"[{inside}]"
        elif text == r"\S":
            text = f"[^{members('s', characters)}]"
        elif len(text) == 2 and text[1] == "+" and not in_class:
            text = text[0]
        elif text in ("[", "]"):
            in_class = text == "["
        elif text == "$" and not in_class:
            text = r"\Z"
        out.append(text)
    return "".join(out)


def isolated(pattern, text):
    """The matches of a pattern and what is left between them."""
    pieces, at = [], 0
    for match in pattern.finditer(text):
        pieces += [text[at:match.start()], match.group()]
        at = match.end()
    return [piece for piece in pieces + [text[at:]] if piece]


def split(patterns, text):
    """The pieces of a text that is cut by one pattern after the other."""
    pieces = [text] if text else []
    for pattern in patterns:
        pieces = [part for piece in pieces
                  for part in isolated(pattern, piece)]
    return [piece.encode() for piece in pieces]


def merged(ranks, piece):
    """The parts of a piece when no two of them can be joined any more."""
    parts = [piece[i:i + 1] for i in range(len(piece))]
    order = [ranks(a, b) for a, b in zip(parts, parts[1:])]
    while order and (lowest := min(order)) < NO_RANK:
        at = order.index(lowest)
        parts[at:at + 2] = [parts[at] + parts[at + 1]]
        del order[at]
        for i in range(max(at - 1, 0), min(at + 1, len(order))):
            order[i] = ranks(parts[i], parts[i + 1])
    return parts


def each_byte(error):
    """Error handler: U+FFFD for each byte that is not UTF-8."""
    return "\ufffd" * (error.end - error.start), error.end


codecs.register_error("each byte", each_byte)


class Vocabulary:
    """A vocabulary with the rules that text is split and counted by."""

    nfc = False

    def split_all(self, documents):
        """The pieces of each document, all of it in bytes."""
        texts = [self.text(document) for document in documents]
        characters = set().union(*texts)
        patterns = [re.compile(translated(expression, characters))
                    for expression in self.expressions]
        return [split(patterns, text) for text in texts]

    def count_all(self, documents):
        """The number of tokens of each document."""
        return [sum(map(self.count_piece, pieces))
                for pieces in self.split_all(documents)]

    def text(self, document):
        text = document.decode("utf-8", "each byte")
        return unicodedata.normalize("NFC", text) if self.nfc else text

    @functools.lru_cache(maxsize=None)
    def count_piece(self, piece):
        return 1 if piece in self.whole else len(merged(self.rank, piece))

    def samples(self):
        """The tokens of more than a byte, the unreached ones too."""
        return [token for token in {**self.ranks, **dict.fromkeys(self.whole)}
                if len(token) > 1]

    def rank(self, left, right):
        """By what the two parts are together, as in tiktoken."""
        return self.ranks.get(left + right, NO_RANK)


class RankFile(Vocabulary):
    """Ranks in base64, as tiktoken and its npm package have them."""

    def __init__(self, tokens, expression):
        self.ranks = {base64.b64decode(token): rank for token, rank in tokens}
        self.whole = self.ranks
        self.expressions = [expression]


class Tokenizer(Vocabulary):
    """A tokenizer.json; its letters become bytes."""

    def __init__(self, root):
        model = root["model"]
        self.nfc = (root["normalizer"] or {}).get("type") == "NFC"
        self.expressions = expressions_of(root["pre_tokenizer"])
        pairs = [merge.split(" ") if isinstance(merge, str) else merge
                 for merge in model["merges"]]
        self.pairs = [(in_bytes(a), in_bytes(b)) for a, b in pairs]
        self.ranks = {}
        for rank, (a, b) in enumerate(self.pairs):
            self.ranks.setdefault(a + b, rank)
        tokens = model["vocab"] if model["ignore_merges"] else []
        self.whole = dict.fromkeys(map(in_bytes, tokens))


class PairTokenizer(Tokenizer):
    """A tokenizer.json by the letter: a merge is of these two parts only."""

    def __init__(self, root):
        super().__init__(root)
        self.by_pair = {pair: i for i, pair in enumerate(self.pairs)}

    def rank(self, left, right):
        return self.by_pair.get((left, right), NO_RANK)


def expressions_of(pre_tokenizer):
    """What a pre_tokenizer splits by; ByteLevel alone is as GPT-2 does."""
    if pre_tokenizer["type"] == "ByteLevel":
        return EXPRESSIONS["r50k"]
    return [step["pattern"]["Regex"]
            for step in pre_tokenizer["pretokenizers"][:-1]]


def in_bytes(token):
    """The bytes of a token; none when it has other characters."""
    if not all(letter in BYTES for letter in token):
        return b""
    return bytes(BYTES[letter] for letter in token)


def load(path, by_pair):
    """The vocabulary in a file; a .tiktoken file's name says how to split."""
    if path.suffix == ".tiktoken":
        lines = map(str.split, path.read_text("ascii").splitlines())
        name = path.stem.replace("_base", "").replace("p50k", "r50k")
        return RankFile([(token, int(rank)) for token, rank in lines],
                        EXPRESSIONS[name][0])
    root = json.loads(path.read_text("utf-8"))
    if "bpe_ranks" in root:
        return RankFile(listed(root["bpe_ranks"]), root["pat_str"])
    return PairTokenizer(root) if by_pair else Tokenizer(root)


def listed(ranks):
    """The tokens of the npm package's lines, with their ranks."""
    for line in ranks.split("\n"):
        _, first, *tokens = line.split(" ")
        for i, token in enumerate(tokens):
            yield token, int(first) + i
