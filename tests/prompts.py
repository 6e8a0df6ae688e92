#!/usr/bin/env python3
"""Checks edgefold's prompts by reading them back.

    prompts.py EDGEFOLD random COUNT [SEED]  random and hostile chunks
    prompts.py EDGEFOLD data DIR             every *.ndjson with text under DIR
                                             (questions: DIR/queries.json)

Which chunks there are, and in which order, comes from the oracle; everything
else is worked out here from the JSON.  Imitations (of tags, of the lines that
a format is made of) are looked for in two readings: what the narrow one finds
must have been defused, what the wide one does not find must have been left
alone, and what is between them may go either way.

What is wrong is printed with the command that shows it again and its input,
which is kept; the last line counts; the exit status is 1 after a failure.
"""

import contextlib
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree
from dataclasses import replace

import oracle
from prompt_cases import (FORMATS, HEADER, LAYOUTS, Broken, Case, body_of, clean, header_of, hostile, need,
                          random_lines, ranked)
from prompt_reader import TAGS, Parsed, check_as_markdown, check_as_xml, parse, unescape

oracle.token_set = functools.lru_cache(maxsize=5000)(oracle.token_set)

MARK = " [...]"
LESS = "<\uff1c\ufe64"
LINE_END = "\n\u2028\u2029\x85"
WHITE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
UNSEEN = ("\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
          "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff")
IGNORED = re.compile(f"[\0-\x1f\x7f-\x9f{WHITE}{UNSEEN}]")


# ---- reading loosely

@functools.lru_cache(maxsize=None)
def fold_char(char, wide):
    if IGNORED.match(char):
        return ""
    folded = unicodedata.normalize("NFKC", char).casefold()
    if wide:
        folded = unicodedata.normalize("NFKD", folded)
        folded = "".join(c for c in folded if unicodedata.category(c) not in ("Cf", "Mn", "Me")
                         and c not in " \ufffd\u2800")
    return "".join(c for c in folded if not IGNORED.match(c))


def loosely(text, wide):
    return "".join(fold_char(char, wide) for char in text)


def begins_tag(text, at, wide):
    """Whether the < at this place begins one of edgefold's own tags."""
    read = ""
    for place in range(at + 1, len(text)):
        read += fold_char(text[place], wide)
        name = read.lstrip("/") if wide else read.removeprefix("/")
        if name in TAGS:
            after = text[place + 1:place + 2]
            return not re.match("[A-Za-z0-9_-]", after) if wide else after in ("", *"> \t\n/=\"'<")
        if not any(tag.startswith(name) for tag in TAGS):
            return False
    return False


def starts(case, wide):
    """What no line may begin with, in folded letters without spaces."""
    ends = "instructions:|question:"
    names = "".join(rf"|\[{re.escape(loosely(name, wide))}:" for name, _ in case.header)
    return re.compile({"numbered": rf"\[\d+\]|{ends}{names}",
                       "plain": rf"\*{{3,}}\Z|{ends}{names}",
                       "pipe": rf"id:\d|{ends}",
                       "markdown": (r"([>*+-]|\d+[.)])*" if wide else "") + r"(#|=+\Z|-+\Z|<|```|~~~)"
                       + (r"|[>*+-]{16}" if wide else "")}[case.format],
                      0 if wide else re.A)


BARS = "|\uff5c"


def begins_field(text, at, case, wide):
    """Whether a field of the pipe format would follow the bar at this place."""
    names = ["id", "content", *(loosely(name, wide) for name, _ in case.header)]
    read = loosely(text[at + 1:at + 400], wide)
    return any(read.startswith(name + ":") for name in names)


def imitates(line, case, wide):
    if case.format == "xml" or not line:
        return False
    read = loosely(line, wide)
    return bool(starts(case, wide).match(read))


def line_at(text, at):
    return re.match(f"[^{LINE_END}]*", text[at:]).group()


# ---- comparing what was read back

def consume(text, got, case, quotes):
    """How much of text got holds, defusing undone, and the places defused."""
    if got == text:
        return len(text), []
    i = j = 0
    places = []
    while j < len(got):
        if (quotes and got.startswith("> ", j) and not text.startswith("> ", i)
                and (i == 0 or text[i - 1] in LINE_END) and i not in places):
            places.append(i)
            j += 2
        elif i < len(text) and got[j] == text[i]:
            i, j = i + 1, j + 1
        elif case.format == "xml" and text[i:i + 1] in LESS and i < len(text) and got.startswith("&lt;", j):
            places.append(i)
            i, j = i + 1, j + 4
        elif case.format == "pipe" and text[i:i + 1] in BARS and i < len(text) and got[j] == "/":
            need(begins_field(text, i, case, True), f"bar changed without need: {text[i:][:40]!r}")
            i, j = i + 1, j + 1
        else:
            raise Broken(f"reads {got[j:j + 40]!r} where the input has {text[i:i + 40]!r}")
    return i, places


def check_untouched(got, case, quotes):
    """Nothing that imitates the prompt's own parts is left in a text."""
    if case.format == "xml":
        for found in re.finditer(f"[{LESS}]", got):
            need(not begins_tag(got, found.start(), False), f"own tag left: {got[found.start():][:40]!r}")
    elif quotes:
        for found in re.finditer(f"[{BARS}]", got if case.format == "pipe" else ""):
            need(not begins_field(got, found.start(), case, False), f"field left: {got[found.start():][:40]!r}")
        for line in re.split(f"[{LINE_END}]", got):
            need(not imitates(line, case, False), f"imitating line left: {line[:60]!r}")


def check_text(text, got, case, quotes, mark=""):
    """got is a beginning of text with what it must have defused, no more."""
    if case.escape_all:
        check_untouched(got, case, quotes)         # full-width < is not <
        got = unescape(got)
        need(len(got) <= len(text), "longer than the input")
        folded = str.maketrans(LESS, "<" * len(LESS))
        need(text.translate(folded).startswith(got.translate(folded)), f"{got[:200]!r} for {text[:200]!r}")
        return len(got)
    check_untouched(got + mark, case, quotes)
    end, places = consume(text, got, case, quotes)
    for place in places:
        if case.format == "xml":
            need(begins_tag(text, place, True), f"defused without need: {text[place:][:40]!r}")
        else:
            need(imitates(line_at(text[:end], place), case, True) or imitates(line_at(text, place), case, True),
                 f"quoted without need: {line_at(text, place)[:60]!r}")
    return end


def check_whole(text, got, case, quotes):
    end = check_text(text, got, case, quotes)
    need(end == len(text), f"cut short before {text[end:][:40]!r}")


def check_cut(chunk, got, case):
    """A text that was cut: some of it, to a grapheme's end, and the mark."""
    need(got.endswith(MARK), f"neither whole nor marked as cut: {got[-40:]!r}")
    text = body_of(chunk, case)
    end = check_text(text, got.removesuffix(MARK), case, case.format != "markdown", MARK)
    need(len(body_of(chunk, case, "")) < end < len(text), "nothing or all is left of a cut text")
    need(not inside_cluster(text, end), f"cut inside {text[max(0, end - 3):end + 2]!r}")
    return end


def inside_cluster(text, at):
    """Whether a user sees one character here; not all of Unicode's rules."""
    before, after = text[at - 1], text[at]
    if unicodedata.category(before) in ("Cc", "Zl", "Zp"):
        return False
    flags = len(re.search("[🇦-🇿]*\\Z", text[:at]).group())
    return (unicodedata.category(after) in ("Mn", "Me") or after in "\u200d🏻🏼🏽🏾🏿"
            or flags % 2 and "🇦" <= after <= "🇿"
            or before == "\u200d" and after >= "🌀" and at > 1 and text[at - 2] >= "🌀")


# ---- one run

def quoted(argument):
    """An argument for the shell, in printable characters."""
    if re.fullmatch("[A-Za-z0-9_./:=,@%+-]+", argument):
        return argument
    return "$'" + "".join(c if c.isascii() and c.isprintable() and c not in "\\'" else
                          "".join(f"\\x{byte:02x}" for byte in c.encode()) for c in argument) + "'"


class Checker:
    def __init__(self, edgefold, folder):
        self.edgefold, self.folder = edgefold, folder
        self.runs = self.failures = 0
        self.instructions = {}

    def run(self, case):
        command = [self.edgefold, *(option.encode() for option in case.options())]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
        need(done.returncode in (0, 1), f"status {done.returncode}: {done.stderr.decode(errors='replace')[:200]}")
        need(done.returncode == 0 or not done.stdout, "output with status 1")
        return done.stdout

    def cost(self, case, lines=None, **changes):
        """What the prompt counts without a budget, perhaps of these lines alone."""
        case = replace(case, limit=None, **changes)
        if lines is not None:
            case.path = self.write("part.ndjson", b"".join(line + b"\n" for line in lines))
            case.top = None
        return oracle.COUNTERS[case.count](self.run(case).decode())

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def standard_instructions(self, case):
        """The instructions of a prompt of one harmless chunk."""
        key = case.format, case.escape_all, case.suffix, *case.instructions
        if key not in self.instructions:
            path = self.write("harmless.ndjson", b'{"text":"a"}\n')
            options = (["-q", "x"] + ["--escape=all"] * case.escape_all + ["--tag-suffix"] * case.suffix)
            asked = Case(path, case.format, [], frame=options, question="x", suffix=case.suffix,
                         escape_all=case.escape_all, instructions=case.instructions)
            parsed = parse(self.run(asked).decode(), asked)
            self.instructions[key] = parsed.instructions.replace(parsed.suffix or "\0", "-SUFFIX")
        return self.instructions[key]

    def check(self, case):
        self.runs += 1
        try:
            self.check_run(case)
        except (Broken, UnicodeDecodeError, xml.etree.ElementTree.ParseError) as error:
            self.failures += 1
            kept = os.path.join(tempfile.gettempdir(), f"prompts-{os.getpid()}-{self.failures}")
            shutil.copytree(self.folder, kept)
            options = [option.replace(self.folder, kept) for option in case.options()]
            print(f"{case.format}: {error}\n  {self.edgefold} {' '.join(map(quoted, options))}")

    def check_run(self, case):
        ranking, fields, layout = ranked(case)
        output = self.run(case)
        need(output == self.run(case), "the same run gives other bytes")
        text = output.decode()
        need(not re.search("[\0-\x08\x0b-\x1f\x7f]", text), "a control character is left")
        parsed = parse(text, case) if output else Parsed()
        kept, cut = self.which(case, ranking, parsed), None
        need(output or case.limit is not None or not ranking, "nothing came out")
        if output:
            cut = self.check_documents(case, kept, layout, parsed)
            self.check_frame(case, parsed, ranking)
            if case.escape_all:
                check_as_xml(text, parsed, case)
            if case.format == "markdown":
                check_as_markdown(text, parsed, case)
        if case.limit is None:
            need(len(kept) == len(ranking), f"{len(kept)} documents of {len(ranking)}")
        else:
            spent = oracle.COUNTERS[case.count](text)
            need(spent <= case.limit, f"{spent} {case.count}, over the budget of {case.limit}")
            self.check_budget(case, ranking, kept, fields, cut)

    def which(self, case, ranking, parsed):
        """The chunks kept, best first; with skip they are found by their text."""
        count = len(parsed.documents)
        need(count <= len(ranking), f"{count} documents, {len(ranking)} at most expected")
        if case.limit is None or case.fit != "skip":
            return ranking[:count]
        left, kept = list(ranking), []
        for document in parsed.documents:
            # Of equal ones the best: it was tried first, with more room.
            found = next((c for c in left if self.is_same(case, c, document)), None)
            need(found, f"no chunk for document {document!r:.200}")
            left.remove(found)
            kept.append(found)
        return sorted(kept, key=lambda c: c.rank)

    def is_same(self, case, chunk, document):
        try:
            self.check_document(case, chunk, document)
            return True
        except Broken:
            return False

    def check_document(self, case, chunk, document):
        header = header_of(chunk.record, case)
        need(document[0] == header, f"header {document[0]}, {header} expected")
        check_whole(body_of(chunk, case), document[1], case, case.format != "markdown")

    def check_documents(self, case, kept, layout, parsed):
        """Each document is its chunk; returns where the last one was cut, if it was."""
        cut = None
        for number, (chunk, document) in enumerate(zip(oracle.laid_out(kept, layout), parsed.documents), 1):
            try:
                self.check_document(case, chunk, document)
            except Broken as error:
                if case.fit != "truncate" or case.limit is None or chunk is not kept[-1]:
                    raise Broken(f"document {number} (line {chunk.line}): {error}")
                cut = check_cut(chunk, document[1], case)
        return cut

    def check_frame(self, case, parsed, ranking):
        if parsed.suffix:
            with open(case.path, "rb") as file:
                need(parsed.suffix[1:].encode() not in file.read(), "the suffix is in the input")
            need(not any(parsed.suffix[1:] in each for each in [case.question or "", *(c.text for c in ranking)]),
                 "the suffix is in a text or the question")
        if case.has_instructions:
            standard = self.standard_instructions(case)
            got = parsed.instructions.replace(parsed.suffix or "\0", "-SUFFIX")
            need(got == standard, f"instructions {got!r}, {standard!r} for a harmless chunk")
            given = [o.split("=", 1)[1] for o in case.instructions if o.startswith("--instructions=")]
            if given and not given[0].startswith("@"):
                wanted = unescape(got) if case.escape_all else got
                need(wanted == given[0], f"instructions {wanted!r}, {given[0]!r} given")
            need(got and "\n" not in got, "instructions are not one line")
        for question in [parsed.question] * (case.question is not None) + [parsed.first_question] * case.bookend:
            check_whole(case.question, question, case, True)

    def check_budget(self, case, ranking, kept, fields, cut):
        dropped = [c for c in ranking if c not in kept]
        if case.fit == "skip":
            for chunk in dropped[:2] + dropped[2:][-2:]:
                better = [c for c in kept if c.rank < chunk.rank] + [chunk]
                need(self.cost_of(case, better, fields) > case.limit, f"line {chunk.line} would have fitted")
            return
        if cut is not None:
            need(self.cost(case, top=len(kept)) > case.limit, "cut, but all of it would have fitted")
            if len(fields.text) == 1:
                self.check_longest(case, kept, fields, cut)
        elif dropped:
            need(self.cost(case, top=len(kept) + 1) > case.limit, "one chunk more would have fitted")
            if case.fit == "truncate" and len(fields.text) == 1:
                self.check_longest(case, kept + dropped[:1], fields, len(body_of(dropped[0], case, "")))

    def check_longest(self, case, chunks, fields, end):
        """The cut may step back to a sentence's end, but does not waste most of the room."""
        chunk, text = chunks[-1], body_of(chunks[-1], case)
        start = len(body_of(chunk, case, ""))
        rest = text[end:].lstrip()
        end += end - start + 40
        # It may step back to where a word begins.
        if end < len(text) and re.search(r"\s", rest[:max(0, end - len(text) + len(rest))]):
            longer = json.dumps({fields.text[0]: text[start:end] + MARK}).encode()[1:]
            changed = replace(chunk, raw=chunk.raw.rstrip(b" \t\r")[:-1] + b"," + longer)
            need(self.cost_of(case, chunks[:-1] + [changed], fields) > case.limit,
                 "far more of the text would have fitted")

    def cost_of(self, case, chunks, fields):
        """As if these chunks had come alone, with the fields that the first decided."""
        pointer = ["".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys or ("no such",))
                   for keys in fields]
        lines = [c.raw for c in sorted(chunks, key=lambda c: c.line)]
        return self.cost(case, lines, frame=case.frame + ["-t", pointer[0], "-s", pointer[1]],
                         order=[*case.order, "--no-dedup"])


# ---- making runs

def ask(rng, checker, case, question):
    """Give a case its question, on the command line or in a file."""
    # Neither a byte-order mark nor line ends at its end count.
    question = question.rstrip("\r\n").removeprefix("\ufeff") or "?"
    if rng.random() < 0.5 or "\0" in question:
        name = checker.write("question", question.encode() + rng.choice([b"", b"\n", b"\r\n\n"]))
        case.frame.append(f"--question-file={name}")
    else:
        case.frame.append(f"--question={question}")
    case.question = clean(question)
    if rng.random() < 0.3:
        case.frame.append("--bookend")
        case.bookend = True
    instructions = [[], [], ["--no-instructions"], ["--instructions=Be brief & <b>kind</b>."], ["--refusal"],
                    ["--refusal=I cannot say."], ["@"]]
    if case.format != "plain":
        instructions += [["--cite"], ["--cite", "--refusal"]]
    case.instructions = rng.choice(instructions)
    if case.instructions == ["@"]:
        case.instructions = ["--instructions=@" + checker.write("told", b"Do as told.\n")]


def make_case(rng, checker, path, shape, header, question, dedups):
    case = Case(path, shape, ["-l", rng.choice(LAYOUTS), *rng.choice(dedups)])
    case.top = rng.choice([None, None, rng.randint(1, 12)])
    if shape == "pipe":                  # has an ID of its own
        header = [pair for pair in header if pair[0] != "Id"]
    if header and rng.random() < 0.7:
        case.header = rng.sample(header, min(len(header), rng.randint(1, 3)))
    if case.header:
        case.frame.append("--header=" + ",".join(f"{name}={where}" for name, where in case.header))
    if rng.random() < 0.4:
        case.preamble = rng.choice(["intro", "meta.heading", "title"])
        case.frame.append(f"--preamble={case.preamble}")
    if shape == "xml" and rng.random() < 0.4:
        case.frame.append("--escape=all")
        case.escape_all = True
    if shape == "xml" and rng.random() < 0.3:
        case.frame.append("--tag-suffix")
        case.suffix = True
    if rng.random() < 0.8:
        ask(rng, checker, case, question)
    return case


def check_with_budget(rng, checker, case):
    """The case, or the case with a budget that some of it fits into."""
    if rng.random() < 0.6:
        case.count, case.fit = rng.choice(["words", "chars", "bytes"]), rng.choice(["prefix", "skip", "truncate"])
        with contextlib.suppress(Broken, UnicodeDecodeError):        # the run itself will say it
            all_of_it = checker.cost(case)
            case.limit = rng.randint(1 + all_of_it // 5, all_of_it + 3)
    if case.question is not None and case.escape_all:
        case.question = re.sub("[\ufffe\uffff]", "\ufffd", case.question)
    checker.check(case)


def check_random(checker, count, seed):
    for number in range(seed, seed + count):
        rng = random.Random(number)
        path = checker.write("chunks.ndjson", random_lines(rng))
        question = rng.choice([hostile(rng, 3), hostile(rng, 2), "What is paid?", "why\n\n"])
        dedups = [["--no-dedup"], ["--no-dedup"], []]
        case = make_case(rng, checker, path, FORMATS[number % 5], HEADER, question, dedups)
        check_with_budget(rng, checker, case)


def usable(path):
    """The records of a file that edgefold can take, or nothing."""
    try:
        return ranked(Case(path, "xml", ["--no-dedup"]))[0]
    except SystemExit:
        return []


def paths_of(record, above=""):
    for key, value in record.items():
        if isinstance(value, dict):
            yield from paths_of(value, f"{above}{key}.")
        elif re.fullmatch("[A-Za-z_]+", key):
            yield f"{above}{key}"


def ndjson_files(top):
    for folder, folders, names in os.walk(top):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".ndjson"))


def check_data(checker, top):
    questions = {}
    with contextlib.suppress(FileNotFoundError), open(os.path.join(top, "queries.json"), "rb") as file:
        questions = json.load(file)
    for path in ndjson_files(top):
        chunks = usable(path)
        if chunks:
            header = [("The " + where, where) for where in paths_of(chunks[0].record)
                      if oracle.lookup(chunks[0].record, where.split(".")) != chunks[0].text]
            rng = random.Random(os.path.relpath(path, top))
            for shape in FORMATS:
                question = questions.get(os.path.relpath(path, top), "What does it say?")
                dedups = [["--no-dedup"], []] if len(chunks) <= 60 else [["--no-dedup"]]
                case = make_case(rng, checker, path, shape, header, question, dedups)
                case.top = case.top or 40
                check_with_budget(rng, checker, case)


def main():
    edgefold, what, *rest = sys.argv[1:]
    sys.setrecursionlimit(10000)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(edgefold, folder)
        if what == "data":
            check_data(checker, rest[0])
        else:
            check_random(checker, int(rest[0]), int(rest[1]) if len(rest) > 1 else 1)
    print(f"{checker.runs} runs, {checker.failures} failures")
    return 1 if checker.failures or not checker.runs else 0


if __name__ == "__main__":
    sys.exit(main())
