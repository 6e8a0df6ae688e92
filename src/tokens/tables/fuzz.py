"""Random documents that tempt a splitter into mistakes."""

import random

ALPHABETS = [
    list("abcxyzstmdrvel"), list("ABCXYZSTMDRVEL"), list("0123456789"),
    [" ", " ", "  ", "   ", "\t", "\u00a0", "\u3000", "\u2003", "\u0085",
     "\u2028", "\u180e", "\u200b", "\ufeff", "\x0b", "\x0c", "\x1c", "\x1f"],
    ["\n", "\r\n", "\r", "\n\n"],
    ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'Ve",
     "'LL", "'lL", "'\u017f", "\u2019s", "''s", "'", "'r", "'l", "'v"],
    list(".,;:!?-_/\\()[]{}<>@#$%^&*+=|~`\""),
    ["//", "/\n", "/\r\n//", "...", "---", "==="],
    list("\u4e2d\u6587\u5b57\u7b26\u65e5\u672c\u8a9e\u6771\u4eac\u6f22"),
    list("\u3072\u3089\u304c\u306a\u30ab\u30bf\u30ca\u30fc\uff71\uff72"),
    list("\ud55c\uad6d\uc5b4\uc870\uc120\ub9d0\uae00"),
    list("\u0645\u0631\u062d\u0628\u0627\u0627\u0644") + ["\u064b", "\u0651"],
    list("\u0928\u092e\u0938\u094d\u0924\u0947\u0926\u0941\u0928\u093f"),
    list("\u0e2a\u0e27\u0e31\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e33"),
    list("\u00e9\u00e8\u00fc\u00f1\u00df\u00c0\u00c9\u00dc\u017d\u017e\u0111"),
    ["e\u0301", "a\u0308", "\u0301", "\u0308\u0301", "\u20dd", "\u0345"],
    ["\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
     "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f", "\u200d",
     "\ufe0f"],
    ["\u01c5", "\u01f2", "\u1f88"],
    ["\u00aa", "\u00ba", "\u02b0", "\u02e3", "\u3005", "\u30fc"],
    ["\u00bd", "\u00b2", "\u2167", "\u2460", "\u0663", "\u096b", "\u3007"],
    list("\u03b1\u03b2\u03b3\u0391\u0392\u0393\u0434\u0435\u0436\u0414\u0415"),
    ["\U0001d400", "\U0001d7d8", "\U00020000", "\U0001f9ff", "\U0010ffff",
     "\ue000", "\u0378", "\U00030000"],
    list("K\u212a\u017f"),
    list("\u30fb\u30a0\u3040\u3097\u3099\u309b\u309d\u30a2\u4e00\u9fa5\u9fa6"),
    ["<|endoftext|>", "<|im_start|>", "<|fim_prefix|>"],
]
PLANES = [(1, 0x250), (1, 0x250), (0x250, 0x3100), (0x250, 0x3100),
          (0x3100, 0xD800), (0xE000, 0x10000), (0x10000, 0x110000)]


def mixed(rng):
    """Return a document over a few of the alphabets."""
    some = rng.sample(ALPHABETS, rng.choice([2, 3, 4, 5, 8]))
    parts = []
    for _ in range(rng.choice([2, 3, 4, 6, 10, 20, 60])):
        alphabet = rng.choice(some)
        repeat = rng.randint(1, 6) if rng.random() < 0.3 else 1
        parts += rng.choices(alphabet, k=repeat)
    return "".join(parts)


def scalars(rng):
    """Return a document of random code points."""
    return "".join(chr(rng.randrange(*rng.choice(PLANES)))
                   for _ in range(rng.randint(1, 30)))


def documents(count, seed):
    """Yield documents; every seventh is of random code points."""
    rng = random.Random(seed)
    for number in range(count):
        yield scalars(rng) if number % 7 == 6 else mixed(rng)
