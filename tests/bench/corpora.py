"""The inputs: windows of documentation text, made-up text, and hostile sets."""

import functools
import json
import os
import random
import subprocess
import sys
from pathlib import Path

from measure import progress

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT.parent / "shared" / "data" / "make_corpus.py"
SMALL = ["python3.11-doc"]
MEDIUM = SMALL + ["manpages", "manpages-dev", "git-doc"]
LARGE = MEDIUM + ["perl-doc", "linux-doc-6.1"]
EVERYTHING = 10_000_000


def packages_for(count):
    return SMALL if count <= 1000 else MEDIUM if count <= 20_000 else LARGE


SYLLABLES = [c + v + end for end in ("l", "n", "s", "rt")
             for v in "aeiou" for c in "bdfgklmnprstvz"]


def made_word(number):
    """A pronounceable word for each number, short ones for the frequent."""
    word = ""
    while True:
        number, syllable = divmod(number, len(SYLLABLES))
        word += SYLLABLES[syllable]
        if number == 0:
            return word
        number -= 1


def made_documents(words):
    """Documents of about that many words in all.  The rank of a word is spread evenly on
    a logarithmic scale, which is Zipf's law with exponent 1.  Every fourth document or so
    is the one before with a word in fifty changed, as another version of a manual is."""
    rng = random.Random(1)
    vocabulary = [made_word(n) for n in range(max(2000, words // 20))]

    def any_word():
        return vocabulary[int(len(vocabulary) ** rng.random()) - 1]

    document = []
    while words > 0:
        if document and rng.random() < 0.25:
            document = [w if rng.random() < 0.98 else any_word() for w in document]
        else:
            document = [any_word() for _ in range(rng.randrange(1000, 4000))]
        words -= len(document)
        yield document


def windows(documents, size, step, count):
    """The texts of `count` windows in shuffled order: neighbours are near-duplicates,
    and the documents are as densely covered for a small count as for a large one."""
    rng = random.Random(2)
    documents = list(documents)
    rng.shuffle(documents)
    texts = []
    for document in documents:
        for start in range(0, max(1, len(document) - size + 1), step):
            text = " ".join(document[start:start + size])
            if text.isascii():
                texts.append(text)
        if len(texts) >= count:
            break
    if len(texts) < count:
        sys.exit(f"run: the documents have {len(texts):,} windows, {count:,} are wanted")
    del texts[count:]
    rng.shuffle(texts)
    return texts


class Input:
    """A file of chunks, and the same texts one a line."""

    def __init__(self, chunks):
        self.chunks = Path(chunks)
        self.texts = self.chunks.with_suffix(".txt")
        self.count = self.bytes = 0

    def write(self, texts):
        """Chunks whose rank is their place, with a score each."""
        with open(self.chunks, "w", encoding="utf-8") as file:
            for i, text in enumerate(texts):
                record = {"id": f"c{i}", "text": text, "score": round(1 - i / len(texts), 8)}
                file.write(json.dumps(record) + "\n")

    def read_back(self):
        """Counts, and writes the texts for the programs that read no JSON."""
        with open(self.chunks, encoding="utf-8") as file, \
                open(self.texts, "w", encoding="utf-8") as texts:
            for line in file:
                text = json.loads(line)["text"]
                self.count += 1
                self.bytes += len(text.encode())
                texts.write(" ".join(text.split()) + "\n")
        return self


class Corpora:
    """Makes inputs on demand and keeps them in the cache."""

    def __init__(self, cache, quick):
        self.folder = Path(cache) / "corpora"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.root = Path(cache) / "debian"
        self.documents_from = SMALL if quick else LARGE
        self.inputs = {}

    @functools.cached_property
    def real(self):
        """Whether documentation can be had; asked only when an input is made of it."""
        return SCRIPT.exists() and self._script(
            self.folder / "trial.ndjson", SMALL, "--n", "1", "--fetch")

    def origin(self):
        if self.real:
            return "documentation in Debian packages, by `../shared/data/make_corpus.py`"
        return ("words of the bench's own generator, since `../shared/data/make_corpus.py` "
                "or its packages could not be had")

    def _script(self, output, packages, *options):
        """Runs the corpus script; whether it worked.  The output appears whole or not at all."""
        part = output.with_suffix(".part")
        done = subprocess.run(
            [sys.executable, SCRIPT, "--root", self.root, "--packages", ",".join(packages),
             *options, "-o", part],
            capture_output=True, text=True, check=False)
        if done.returncode == 0:
            os.replace(part, output)
        else:
            progress(f"{SCRIPT.name}: {done.stderr[-200:]}")
        return done.returncode == 0

    def _once(self, name, make, made_up=False):
        """The input of that name; make(path) writes its chunks where they are not cached.
        What is made up is the same with and without documentation."""
        if name not in self.inputs:
            origin = "made" if made_up or not self.real else "debian"
            path = self.folder / f"{origin}-{name}.ndjson"
            if not path.exists():
                progress(f"making {path.name}")
                part = path.with_suffix(".part")
                make(part)
                os.replace(part, path)
            self.inputs[name] = Input(path).read_back()
        return self.inputs[name]

    def ranked(self, count, tokens=200, quarters=3):
        """What a retriever returns: the best windows, of which a neighbour shares so many
        quarters, best first."""
        overlap = tokens * quarters // 4

        def make(path):
            if not self.real:
                words = tokens * 3 // 4  # the script's tokens are also punctuation
                step = words - words * quarters // 4
                text = made_documents(10_000 + count * step * 8 // 5)
                Input(path).write(windows(text, words, step, count))
            elif not self._script(path, packages_for(count), "--fetch", "--n", str(count),
                                  "--window", str(tokens), "--overlap", str(overlap)):
                sys.exit("run: the corpus script failed")
        share = "" if quarters == 3 else f"-{quarters}"
        return self._once(f"ranked-{count}-{tokens}{share}", make)

    def _documents(self, words):
        """Lists of words."""
        if not self.real:
            return made_documents(words)
        path = self.folder / f"documents-{len(self.documents_from)}.ndjson"
        # A window as long as any document gives the documents.
        if not path.exists() and not self._script(
                path, self.documents_from, "--fetch", "--window", str(EVERYTHING),
                "--overlap", "0", "--n", str(EVERYTHING), "--order", "doc"):
            sys.exit("run: the corpus script failed")
        with open(path, encoding="utf-8") as file:
            return [json.loads(line)["text"].split() for line in file]

    def windows(self, count, step=50):
        """ASCII windows of 200 words in no order."""
        words = int(count * step * 1.3) + 100_000
        return self._once(f"windows-{count}-{step}", lambda path: Input(path).write(
            windows(self._documents(words), 200, step, count)))

    def made_windows(self, count):
        """The same of made-up text, for sizes that no documentation fills."""
        return self._once(f"made-windows-{count}", lambda path: Input(path).write(
            windows(made_documents(count * 60), 200, 50, count)), made_up=True)

    def hostile(self, kind, count):
        """What one of the functions below yields."""
        return self._once(f"{kind.__name__}-{count}",
                          lambda path: Input(path).write(list(kind(random.Random(3), count))),
                          made_up=True)


def word(number):
    return f"w{number}"


def identical(rng, count):
    """All chunks alike."""
    text = " ".join(made_word(rng.randrange(2000)) for _ in range(200))
    return [text] * count


def small_vocabulary(rng, count):
    """168 to 186 of 200 words: each pair is nearly at the threshold."""
    for _ in range(count):
        yield " ".join(map(word, rng.sample(range(200), rng.randint(168, 186))))


def no_rare_words(rng, count):
    """120 of 1,200 words: every list of postings is long."""
    for _ in range(count):
        yield " ".join(map(word, rng.sample(range(1200), 120)))


def template(rng, count):
    """120 fixed words of which 10 are replaced: as a form that is filled in."""
    for i in range(count):
        words = [word(n) for n in range(120)]
        for place in rng.sample(range(120), 10):
            words[place] = f"v{rng.randrange(100_000)}"
        yield " ".join(words)


def late_words(rng, count):
    """20 words that come up late and then are in every chunk: they pass for rare
    where the order of first appearance stands for rarity."""
    for i in range(count):
        words = [word(n) for n in rng.sample(range(5000), 100)]
        if i >= count // 20:
            words += [f"late{n}" for n in range(20)]
        yield " ".join(words)


def near_threes(rng, count):
    """90 words by Zipf's law, and twice the same with some of them replaced: one is a
    near-duplicate for sure, the other at the usual threshold or below."""
    vocabulary = [made_word(n) for n in range(100_000)]

    def any_word():
        return vocabulary[int(len(vocabulary) ** rng.random()) - 1]

    texts = []
    while len(texts) < count:
        first = [any_word() for _ in range(90)]
        for replaced in (0, 3, 9):
            words = list(first)
            for place in rng.sample(range(90), replaced):
                words[place] = any_word()
            texts.append(" ".join(words))
    del texts[count:]
    rng.shuffle(texts)
    return texts


def common_and_own(rng, count):
    """84 words that are in every chunk, and 8 that are in no other: each pair is just below
    the usual threshold, and no chunk can do without the common words to be told apart."""
    common = [word(n) for n in range(84)]
    for i in range(count):
        words = common + [f"own{i}x{n}" for n in range(8)]
        rng.shuffle(words)
        yield " ".join(words)


def tiny(rng, count):
    """Two words, one of them its own: what is kept for a chunk is more than its text."""
    for i in range(count):
        yield f"{made_word(rng.randrange(2000))} {i}"


def distinct_words(_, count):
    """100 words that no other chunk has: the vocabulary is as large as the input."""
    for i in range(count):
        yield " ".join(f"d{i}x{n}" for n in range(100))
