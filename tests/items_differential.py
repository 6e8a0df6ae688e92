#!/usr/bin/env python3
"""items_differential.py EDGEFOLD FILE...: the lines of each file as lines, and as elements of a document.

A document with NaN, a half of a surrogate pair, bytes that are not UTF-8, a number beyond a
double and a key that is there twice around its array must give the lines that the lines
themselves give, white space outside of strings apart, with the same warnings.  Files that
are refused as lines are left out.  Prints how many were compared."""

import re
import subprocess
import sys
from pathlib import Path

BEFORE = b'\n{ "n": [NaN, -Infinity, 1e999], "s": "\\ud83d caf\xe9", "k\\u0000": 1, "hits": 3, "hits": {"hits": [\n'
AFTER = b'\n], "n": NaN } }\n'
# What stands before an object and leaves with its line.
MARKS = b"\xef\xbb\xbf\x1e"


def compact(line):
    """Without the white space outside of strings."""
    parts = re.findall(rb'"(?:[^"\\]|\\.)*"|[^"]+', line.lstrip(MARKS), re.DOTALL)
    return b"".join(part if part.startswith(b'"') else re.sub(rb"[ \t\r\n]", b"", part) for part in parts)


def run(edgefold, options, given):
    done = subprocess.run([edgefold, "-l", "rank", *options], input=given,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def warnings(text):
    """Without places, nor what only lines can have."""
    lines = [re.sub(rb"<stdin>:[^ ]*", b"", line) for line in text.splitlines()]
    kept = [line for line in lines if b"record separator" not in line and b"byte-order mark" not in line]
    return [line.replace(b"elements", b"lines").replace(b"element", b"line") for line in kept]


def compare(edgefold, file):
    given = Path(file).read_bytes()
    status, lines, said = run(edgefold, [], given)
    if status != 0:
        return 0
    elements = [line.strip(b"\r").lstrip(MARKS) for line in given.split(b"\n")]
    document = BEFORE + b" ,\r\n ".join(line for line in elements if line.strip()) + AFTER
    status, ours, said_too = run(edgefold, ["--items=hits.hits"], document)
    expected = b"".join(compact(line) + b"\n" for line in lines.splitlines())
    if status != 0 or ours != expected or warnings(said) != warnings(said_too):
        sys.exit(f"{file}: status {status}\n{said_too!r}\n--- as lines:\n{said!r}\n{expected[:2000]!r}\n"
                 f"--- as elements:\n{ours[:2000]!r}")
    return 1


print(sum(compare(sys.argv[1], file) for file in sys.argv[2:]))
