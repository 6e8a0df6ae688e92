#!/usr/bin/env python3
"""Cuts documents into windows that overlap, as real splitters do, and checks
that edgefold --stitch puts them together again.

    cut_documents.py list
    cut_documents.py cut SPLITTER SIZE OVERLAP SEED FILE... > chunks.ndjson
    cut_documents.py check EDGEFOLD SIZE OVERLAP SEED FILE...

SIZE and OVERLAP are in code points; where a splitter counts words or tokens,
they are divided by 5.  A line has id, doc, sec (the number
of the window), score (random, by SEED) and text; the lines are best first.

LangChain's, LlamaIndex's and chonkie's splitters are there if they are
installed; the plain ones always.  check runs edgefold over what each splitter
makes, and compares passages with the stretches of the document that its windows
cover: two windows belong to one stretch when they share at least 40 code points
of it.  White space counts as one space, since splitters trim it.  "ambiguous"
is a document that repeats itself so that the text alone cannot tell which
windows were neighbours; a difference there is shown but is no failure.  A
window that is not in the document as it is, say because a token was cut in
two, is "altered", and its document is not compared.
"""

import collections
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from units_differential import Window, joined, judge, members_of, runs_of
from units_oracle import folded

LEAST = 40


# ---- plain splitters

def steps(length, size, overlap):
    start = 0
    while True:
        yield start, min(length, start + size)
        if start + size >= length:
            return
        start += max(1, size - overlap)


def points(text, size, overlap):
    return [text[a:b] for a, b in steps(len(text), size, overlap)]


def trimmed_points(text, size, overlap):
    return [part.strip() for part in points(text, size, overlap)]


def words(text, size, overlap):
    """Words with the white space that they had between them."""
    spans = [found.span() for found in re.finditer(r"\S+", text)]
    return [text[spans[a][0]:spans[b - 1][1]] for a, b in steps(len(spans), size // 5, overlap // 5)]


def joined_words(text, size, overlap):
    """Words with a space between them, as " ".join(text.split()[a:b]) makes them."""
    every = text.split()
    return [" ".join(every[a:b]) for a, b in steps(len(every), size // 5, overlap // 5)]


def lines(text, size, overlap):
    """Whole lines; some 60 code points each."""
    every = text.splitlines(keepends=True)
    return ["".join(every[a:b]) for a, b in steps(len(every), max(2, size // 60), max(1, overlap // 60))]


def crlf_points(text, size, overlap):
    return points(re.sub("\r?\n", "\r\n", text), size, overlap)


PLAIN = {"points": points, "trimmed-points": trimmed_points, "words": words, "joined-words": joined_words,
         "lines": lines, "crlf-points": crlf_points}


# ---- real ones

def bundled_vocabulary():
    """LlamaIndex brings a vocabulary along; tiktoken would ask the network for it."""
    try:
        found = importlib.util.find_spec("llama_index.core")
    except ImportError:
        return
    if found:
        folder = os.path.join(os.path.dirname(found.origin), "_static", "tiktoken_cache")
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", folder)


def langchain():
    import langchain_text_splitters as made
    bundled_vocabulary()
    by = lambda kind, **more: lambda text, size, overlap: kind(
        chunk_size=size, chunk_overlap=overlap, **more).split_text(text)
    return {"langchain-recursive": by(made.RecursiveCharacterTextSplitter),
            "langchain-recursive-untrimmed": by(made.RecursiveCharacterTextSplitter, strip_whitespace=False),
            "langchain-recursive-end": by(made.RecursiveCharacterTextSplitter, keep_separator="end"),
            "langchain-recursive-dropping": by(made.RecursiveCharacterTextSplitter, keep_separator=False),
            "langchain-character": by(made.CharacterTextSplitter, separator=" "),
            "langchain-markdown": by(made.MarkdownTextSplitter),
            "langchain-token": lambda text, size, overlap: made.TokenTextSplitter(
                "cl100k_base", chunk_size=size // 5, chunk_overlap=overlap // 5).split_text(text)}


def llama_index():
    from llama_index.core import node_parser as made
    by = lambda kind: lambda text, size, overlap: kind(
        chunk_size=size // 5, chunk_overlap=overlap // 5).split_text(text)
    return {"llama-index-sentence": by(made.SentenceSplitter), "llama-index-token": by(made.TokenTextSplitter)}


def chonkie():
    import chonkie as made
    texts = lambda chunks: [chunk.text for chunk in chunks]

    def refined(text, size, overlap):
        chunks = made.RecursiveChunker(tokenizer="character", chunk_size=size - overlap)(text)
        refinery = made.OverlapRefinery(tokenizer="character", context_size=overlap, method="prefix", merge=True)
        return texts(refinery.refine(chunks))

    by = lambda kind: lambda text, size, overlap: texts(
        kind(tokenizer="character", chunk_size=size, chunk_overlap=overlap)(text))
    return {"chonkie-token": by(made.TokenChunker), "chonkie-sentence": by(made.SentenceChunker),
            "chonkie-refined": refined}


def splitters():
    found = dict(PLAIN)
    for library in (langchain, llama_index, chonkie):
        try:
            found |= library()
        except (ImportError, AttributeError) as missing:
            print(f"cut_documents.py: {library.__name__}: {missing}", file=sys.stderr)
    return found


# ---- cut

def cut(split, size, overlap, names):
    """Windows without places, and the documents."""
    texts, windows = {}, []
    for name in names:
        with open(name, encoding="utf-8", newline="") as file:
            texts[name] = file.read()
        parts = [part for part in split(texts[name], size, overlap) if part.strip()]
        windows += [Window(name, number, None, part) for number, part in enumerate(parts, 1)]
    return texts, windows


def ndjson(windows, seed):
    rng = random.Random(seed)
    lines = []
    for window in windows:
        score = round(rng.random(), 6)
        line = {"id": window.id, "doc": window.doc, "sec": window.number, "score": score, "text": window.text}
        lines.append((-score, json.dumps(line, ensure_ascii=rng.random() < 0.5)))
    return "".join(line + "\n" for _, line in sorted(lines))


# ---- check

def find_places(texts, windows):
    """Give each window its place in the folded document; the documents where one has none."""
    altered, start = set(), collections.Counter()
    for window in windows:
        inside = folded(window.text).strip(" ")
        at = texts[window.doc].find(inside, start[window.doc])
        if at < 0:
            altered.add(window.doc)
        window.span = at, at + len(inside)
        start[window.doc] = max(start[window.doc], at)   # windows start one after the other
    return altered


def stitch(edgefold, windows, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson", encoding="utf-8") as file:
        file.write(ndjson(windows, seed))
        file.flush()
        command = [edgefold, "--stitch", "--annotate", "--no-dedup", "--group=doc", "--order=sec", file.name]
        run = subprocess.run(command, capture_output=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: status {run.returncode}\n{run.stderr.decode()}")
    return members_of(run.stdout)


def show(passages, runs):
    """The first difference, in a line or two."""
    for kind, texts in (("too much", passages - runs), ("missing", runs - passages)):
        for text in list(texts)[:2]:
            print(f"    {kind}: {len(text)} code points: {text[:60]!r} ... {text[-60:]!r}")


def check_one(name, split, edgefold, size, overlap, seed, names):
    try:
        texts, windows = cut(split, size, overlap, names)
    except Exception as error:             # one that wants the network, or refuses these sizes
        print(f"{name}: not run: {type(error).__name__}: {str(error)[:100]}")
        return 0
    texts = {doc: folded(text) for doc, text in texts.items()}
    altered = find_places(texts, windows)
    passages = stitch(edgefold, windows, seed)
    counts, failed = collections.Counter(), 0
    for doc in texts:
        mine = [window for window in windows if window.doc == doc]
        if doc in altered:
            counts["altered"] += 1
            continue
        got = collections.Counter(folded(joined(p)).strip(" ") for p in passages if p[0]["doc"] == doc)
        runs = collections.Counter(run.strip(" ") for run in runs_of(texts, mine, LEAST))
        whole = got == runs
        counts["whole" if list(got) == [texts[doc].strip(" ")] else "restored" if whole else "different"] += 1
        if not whole:
            ambiguous = not judge(texts, mine, LEAST, True)[0]
            counts["ambiguous"] += ambiguous
            failed += not ambiguous
            print(f"  {name}, {doc}: {sum(got.values())} passages, expected {sum(runs.values())}"
                  + (" (ambiguous)" if ambiguous else ""))
            show(got, runs)
    print(f"{name}: {len(windows)} windows of {len(texts)} documents; "
          + ", ".join(f"{what} {n}" for what, n in sorted(counts.items()) if n))
    return failed


def main():
    what, *rest = sys.argv[1:] or ["--help"]
    if what == "list":
        print("\n".join(splitters()))
        return 0
    if what not in ("cut", "check") or len(rest) < 5:
        sys.exit(__doc__)
    which, size, overlap, seed, *names = rest
    size, overlap, seed = int(size), int(overlap), int(seed)
    if what == "cut":
        _, windows = cut(splitters()[which], size, overlap, names)
        sys.stdout.write(ndjson(windows, seed))
        return 0
    edgefold = os.path.abspath(which)
    failed = sum(check_one(name, split, edgefold, size, overlap, seed, names)
                 for name, split in splitters().items())
    print(f"{failed} documents differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
