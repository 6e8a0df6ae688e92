#!/usr/bin/env python3
"""random_chunks.py SEED N: N small, nasty NDJSON chunk lines on stdout.

The same SEED and N give the same bytes.  Every line is valid input, though
a few texts are empty and some blank lines come on top of the N.  Field names
change with SEED, and the first line has all but rarely a score.  All
characters are older than Unicode 14, so that Python's tables and utf8proc's
agree on them.
"""

import json
import random
import sys
import unicodedata
from fractions import Fraction

# Each row is one word to dedup, in spellings that differ in bytes.
WORDS = [row.split() for row in """
    paid|PAID|Ｐａｉｄ  bob|Bob  alice  10  90|９０  x²|x2|X²  ١٢  naïve|NAÏVE
    straße|STRASSE|strasse|STRAẞE  oﬃce|office|OFFICE  ﬁle|file|Ｆile  Ⅷ|viii|ⅷ
    ΣΊΣΥΦΟΣ|Σίσυφος|σίσυφοσ  ὈΔΌΣ|ὀδός|ὀδόσ  ᾠδή|ὠιδή|ᾨΔΉ  ᾳ|αι|ΑΙ  İi|i̇i  ılık
    Füße|FÜSSE|füsse  ŉa|ʼna  ſat|sat|SAT  Ǆ|ǆ|ǅ|dž  Å|å|Å  Ꭰ|ꭰ  Աև|աեւ  Ж|ж
    한국어  각|각  東京  首都  猫  豈|豈  ガ|ｶﾞ  か  กา  ກາ  ကာ  កា  𠮷  𝐀𝐁|ab
    हिन्दी  क़|क़  שלום  مرحبا|ﻣﺮﺣﺒﺎ  ㎏|kg  №|no  é̂|É̂  q̣̇|q̣̇  x̄̌  ☕️
    """.replace("|", "\0").split()]
WORDS = [row[0].split("\0") for row in WORDS]
GAPS = [" ", " ", " ", ", ", ". ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "\u200b", "\u2028",
        "-", "/", "…", "。", " 🙂 ", " 👩\u200d💻 ", "\u00ad", "\ufeff", "\x1f", "\x7f", "\x0b", "\x85"]
# Runs without spaces: their near-copies differ in a character or two.
RUNS = ["东京是日本的首都", "退款需要五个工作日到账", "データベースを開く", "ﾃﾞｰﾀﾍﾞｰｽを開く", "กรุงเทพมหานครน้ำ",
        "ນະຄອນຫຼວງ", "រាជធានីភ្នំពេញ", "ရန်ကုန်မြို့", "東京タワーは高い", "日本語ABC混在です", "ไทยกับไทย", "가나다라", "𠮷野家で牛丼"]
# Texts without a word, of white space only, or odd in some other way.
ODD = ["!!!", "???", "!!!", "—", "🙂", "🙂", "👍🏽", "🇫🇷", "...", "…", " ", "\t\n", "\u3000", " ", "\u200b", "\0",
       "1️⃣", "❤️", "\u0301", "´", "\u0345", "a\u0345", "ﷺ", "\u00adsoft", "nul\0inside", "々", "か゛", "½x", "ー", "ก",
       'say "hi" \\ /', '{"text":"no","score":9}', "a < b && c", "%s%n", "\ufffd", "\ue000", "cut \ud83d", "\ude00", "\ud83dab", "caf\udce9", "\udcff\udcfe", "\udcf0\udc9f"]
THRESHOLDS = ["1/2", "17/20", "4/5", "2/3", "3/4", "9/10", "1", "16/19", "6/7", "7/9", "5/6", "84/99"]
SCORES = ["0.5", "0.50", "5e-1", "5E-1", '"0.5"', "1", "1.0", '"1"', "0", "-0", "-0.0", "0.0", "1e0", "10E-1",
          "0.1", "0.10000000000000000001", "-1", "-7.25", '"-7.25"', "-11e+0", "1.9669532775878906e-06",
          "9007199254740993", "9007199254740992", '"1155190875668611194"', "1155190875668611000",
          "18446744073709551616", "-9223372036854775809", "1" + "0" * 40, "1e308", "-1.5E+308", "5e-324", "1e400", "-1e999", "NaN", "Infinity", "-Infinity",
          "2.2250738585072011e-308", "1e-400", "0.0075093843042850494", "29.987600326538086", "29.987598419189453"]
IDS = ["1", "-1", "0", "9007199254740993", "9007199254740992", "9223372036854775808", "-7013890438520559398",
       "18446744073709551616", "123456789012345678901234567890", '"1"', '"a/b"', '"d\\u0000e"', '"é"', '""', "null"]
OTHERS = [("metadata", '{"score":99,"text":"decoy","id":[1,{"score":"no"}]}'), ("title", '""'), ("zz", "null"),
          ("inner_hits", '{"hits":[{"_score":0.69,"text":"decoy"}],"max_score":1E3}'), ("ok", "true"),
          ("tags", '[ "text" , -0.5e-3,[], {} ]'), ("note", '"\\"score\\": 5, }{"'), ("Text", '"other case"')]


def spell(rng, word):
    """One of a word's spellings, sometimes decomposed."""
    word = rng.choice(word)
    return unicodedata.normalize("NFD", word) if rng.random() < 0.2 else word


def sentence(rng, words):
    """These words in any order, some of them twice."""
    words = words + rng.sample(words, rng.randrange(1 + len(words) // 3))
    rng.shuffle(words)
    gap = rng.choice(GAPS) if rng.random() < 0.5 else None
    text = "".join(spell(rng, word) + (gap or rng.choice(GAPS)) for word in words)
    return text if rng.random() < 0.3 else text.strip()


def twins(rng):
    """Two texts whose similarity is a common threshold or a word off it."""
    ratio = Fraction(rng.choice(THRESHOLDS))
    times = rng.randint(1, max(1, 10 // ratio.denominator))
    both, union = ratio.numerator * times, ratio.denominator * times + rng.choice([0, 0, 0, 1])
    plain = [[f"w{n}", f"W{n}"] for n in range(union)]
    words = (rng.sample(WORDS, rng.randrange(len(WORDS))) + plain)[:union]
    cut = rng.randint(both, union)       # words[both:cut] are the first text's alone
    return [sentence(rng, words[:cut]), sentence(rng, words[:both] + words[cut:])]


def run_twins(rng):
    run = rng.choice(RUNS)
    at = rng.randrange(len(run))
    return [run, run[:at] + rng.choice("三府のกa ") + run[at + rng.randrange(2):], run + "。" + rng.choice(RUNS)]


def texts(rng, count):
    pool = []
    while len(pool) < count:
        pool += rng.choices([twins, run_twins, lambda r: [r.choice(ODD)]], [6, 2, 1])[0](rng)
    rng.shuffle(pool)
    return pool[:count]


def space(rng):
    return rng.choice([" ", "  ", "\t", "\r"]) if rng.random() < 0.1 else ""


def quote(rng, text, escaping):
    """A JSON string; escaping is the share of characters written as escapes."""
    quoted = ""
    for char in text:
        half = "\ud800" <= char <= "\udfff"
        byte = "\udc80" <= char <= "\udcff"           # one that is not UTF-8
        if half and not byte or rng.random() < escaping and not byte:
            units = char.encode("utf-16-be", "surrogatepass")
            form = rng.choice(["\\u%02x%02x", "\\u%02X%02X"])
            quoted += "".join(form % pair for pair in zip(units[0::2], units[1::2]))
        elif char == "/" and rng.random() < 0.5:
            quoted += "\\/"
        else:
            quoted += json.dumps(char, ensure_ascii=False)[1:-1]
    return f'"{quoted}"'


def encode(rng, members):
    """An object of (key, JSON) pairs, oddly spaced."""
    pairs = []
    for key, value in members:
        key = quote(rng, key, 0.3 if rng.random() < 0.05 else 0)
        pairs.append(space(rng) + key + space(rng) + ":" + rng.choice(["", " "]) + space(rng) + value + space(rng))
    return "{" + ",".join(pairs) + "}"


def nest(rng, path, value):
    """The member that puts value at path."""
    *outer, key = path.split(".")
    for name in reversed(outer):
        value, key = encode(rng, [(key, value)]), name
    return key, value


def line(rng, names, text, is_first):
    text_path, score_path, id_path = names
    members = [nest(rng, text_path, quote(rng, text, rng.choice([0, 0, 0.2, 1])))]
    # The first line decides where the score is: it nearly always has one.
    if rng.random() < (0.95 if is_first else 0.9):
        members.append(nest(rng, score_path, rng.choice(SCORES) if rng.random() < 0.95 else "null"))
    if rng.random() < 0.8:
        members.append((id_path, rng.choice(IDS)))
    members += rng.sample(OTHERS, rng.choice([0, 0, 1, 2, 3]))
    rng.shuffle(members)
    if rng.random() < 0.1:             # a repeated key: the last one counts
        at = rng.randrange(len(members))
        members.insert(rng.randint(0, at), (members[at][0], rng.choice(['"old"', "[]", "-3", "false"])))
    start = "\x1e" if rng.random() < 0.02 else "\ufeff" if rng.random() < 0.02 else ""
    return start + space(rng) + encode(rng, members) + (" " if rng.random() < 0.05 else "")


def main():
    seed, count = map(int, sys.argv[1:])
    rng = random.Random(seed)
    names = (rng.choice(["text"] * 4 + ["content", "page_content", "payload.text", "node.text", "_source.content"]),
             rng.choice(["score"] * 4 + ["relevance_score", "_score", "similarity", "distance", "_distance"]),
             rng.choice(["id"] * 2 + ["_id", "docid", "chunk_id"]))
    for number, text in enumerate(texts(rng, count)):
        if number and rng.random() < 0.02:
            text = ""
        end = rng.choice(["\n"] * 6 + ["\r\n", "\n\n", "\n \t\r\n"])
        sys.stdout.buffer.write((line(rng, names, text, number == 0) + end).encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main()
