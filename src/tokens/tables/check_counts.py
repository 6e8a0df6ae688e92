#!/usr/bin/env python3
"""Compare exact counts of count_ref.c with those of tiktoken.

usage: check_counts.py CACHE COUNT_DOCS [DOCUMENTS]

The documents: random ones, the same with broken UTF-8, long runs of a few
characters, and the test chunks are left to `make`.
"""

import codecs
import pathlib
import random
import subprocess
import sys

import fuzz
import inputs
import tokens

ENCODINGS = ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"]
codecs.register_error("each", lambda error: (
    "\ufffd" * (error.end - error.start), error.end))


def broken(documents, rng):
    """Yield documents with random bytes put in or left out."""
    for text in documents:
        data = bytearray(text.encode())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data) + 1)
            if rng.random() < 0.5:
                data[at:at + 1] = b""
            else:
                data[at:at] = bytes([rng.randrange(1, 256)])
        yield bytes(data)


def runs(rng, count):
    """Yield long pieces: the scan and the heap must agree on them."""
    for _ in range(count):
        some = rng.choices(["a", "b", "e", "A", " ", "-", "=", "\n", "\t",
                            "\u4e2d", "\u0e01", "1", "in", "the", "\u00e9"],
                           k=rng.randint(1, 3))
        yield "".join(rng.choices(some, k=rng.randint(20, 3000))).encode()


def check(cache, program, name, documents):
    """Return how many documents have another count than with tiktoken."""
    path = (inputs.package_directory(cache, "gpt-tokenizer") / "package"
            / "data" / f"{name}.tiktoken")
    output = subprocess.run([program, path], check=True,
                            input=b"\0".join(documents) + b"\0",
                            stdout=subprocess.PIPE).stdout.split()
    counter = tokens.Counter(cache, name)
    wrong = 0
    for data, count in zip(documents, output, strict=True):
        if int(count) != counter.count(data.decode("utf-8", "each")):
            wrong += 1
            if wrong <= 3:
                print(name, data, int(count))
    return wrong


def main():
    """Check all four encodings."""
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: check_counts.py CACHE COUNT_DOCS [DOCUMENTS]")
    cache, program = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) == 4 else 50000
    rng = random.Random(2)
    plain = [text.replace("\0", "") for text in fuzz.documents(count, 2)]
    documents = [text.encode() for text in plain]
    documents += [data.replace(b"\0", b"") for data in
                  broken(plain[:count // 5], rng)]
    documents += runs(rng, 300)
    failed = 0
    for name in ENCODINGS:
        wrong = check(cache, program, name, documents)
        print(f"{name}: {len(documents)} documents, {wrong} differ",
              flush=True)
        failed += wrong
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
