#!/usr/bin/env python3
"""Compares exact counts with the tokenizers' own.

    exact.py COUNT_DOCS VOCABULARY REFERENCE COUNT [SEED] [FILE...]

COUNT_DOCS is the test program of that name.  VOCABULARY is what --count takes.
REFERENCE is an encoding of Python's tiktoken and its ranks (NAME=FILE.tiktoken),
or a tokenizer.json for Hugging Face's tokenizers.  COUNT random documents, made
to hit the corners of the splitters, and the texts of the FILEs are counted by
both; the FILE every-code-point is just that, in two contexts.  Prints what differs and a closing line; status 1 when anything differed.
"""

import base64
import json
import random
import re
import subprocess
import sys

PARTS = ["the", " The", "WORD", "Word", "camelCase", "x", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", " \n ",
         "'s", "'S", "'ll", "'LL", "'re", "'t", "\u017f", "'\u017f", "don't", "1", "12", "123", "1234", "12345",
         "3.14", "!", "!!", "...", "--", "/", "//", " /", "/\n", "\n/", "<|endoftext|>", "<|im_start|>",
         "中文", "日本語テキスト", "한국어", "ไทย", "हिन्दी", "العربية", "עברית", "Ελληνικά", "Привет", "ПРИВЕТ",
         "é", "e\u0301", "\u0301", "a\u0300\u0316", "ﬁ", "Ǆ", "ǅ", "ª", "ʰ", "Ⅷ", "²", "½", "\u00a0", "\u3000",
         "\u2003", "\u2028", "\u0085", "\u180e", "\u200b", "\ufeff", "\x1c", "\x1f", "🙂", "👩\u200d💻",
         "🇫🇷", "👍🏽", "𝐀", "𠮷", "\ue000", "\U0010ffff", "\ufffd", "・", "ー", "「」", "，", "。", "_", "__init__",
         "{}", "();", "a=b", "#", "\\n", "%s", "https://example.org/a?b=c", "0x1F", "ab" * 20, "z" * 40, "-" * 50]


def document(rng):
    parts = [rng.choice(PARTS) for _ in range(rng.randint(0, 30))]
    for _ in range(rng.randint(0, 3)):
        code = rng.choice([rng.randrange(0x20, 0x250), rng.randrange(0x250, 0x3000), rng.randrange(0x3000, 0xd800),
                           rng.randrange(0xe000, 0x110000)])
        parts.insert(rng.randint(0, len(parts)), chr(code))
    return "".join(parts)


def reference(name):
    """A function from a text to its number of tokens."""
    if "=" not in name:
        import tokenizers
        tokenizer = tokenizers.Tokenizer.from_file(name)
        tokenizer.encode_special_tokens = True      # their text is text
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    import tiktoken
    import tiktoken_ext.openai_public as public
    encoding, path = name.split("=", 1)
    with open(path, "rb") as file:
        ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, file)}
    load, public.load_tiktoken_bpe = public.load_tiktoken_bpe, lambda *_, **__: ranks
    try:
        parameters = public.ENCODING_CONSTRUCTORS[encoding]()
    finally:
        public.load_tiktoken_bpe = load
    parameters.pop("explicit_n_vocab", None)
    made = tiktoken.Encoding(**parameters)
    return lambda text: len(made.encode_ordinary(text))


def count_all(program, vocabulary, texts):
    data = "\0".join(texts).encode() + b"\0"
    run = subprocess.run([program, vocabulary], input=data, stdout=subprocess.PIPE, check=True)
    return list(map(int, run.stdout.split()))


def texts_of(path):
    """The texts of a file of chunks, wherever they are in it."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            text = record.get("text") or record.get("content")
            if isinstance(text, str) and text:
                yield text


def every_code_point():
    """All code points in two contexts, sixty-four to a document."""
    points = [chr(c) for c in range(1, 0x110000) if not 0xd800 <= c < 0xe000]
    for at in range(0, len(points), 64):
        for before, after in ("a", "b"), (" ", "1"):
            yield "".join(f"{before}{point}{after}\n" for point in points[at:at + 64])


def is_fair(text):
    """Documents are separated by NUL; and no tokenizer takes halves of surrogate pairs."""
    return text and "\0" not in text and not re.search("[\ud800-\udfff]", text)


def main():
    program, vocabulary, name, count, *rest = sys.argv[1:]
    rng = random.Random(int(rest[0]) if rest else 1)
    texts = [document(rng) for _ in range(int(count))]
    for path in rest[1:]:
        texts += every_code_point() if path == "every-code-point" else texts_of(path)
    texts = [text for text in texts if is_fair(text)]
    expected = reference(name)
    different = 0
    for text, got in zip(texts, count_all(program, vocabulary, texts), strict=True):
        true = expected(text)
        if got != true:
            different += 1
            if different <= 5:
                print(f"{got} tokens, {true} by the reference: {text!r}")
    print(f"{len(texts)} documents, {different} different")
    return 1 if different or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
