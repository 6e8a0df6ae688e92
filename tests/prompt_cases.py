"""The runs that prompts.py makes: what edgefold is asked, and what should come of it."""

import contextlib
import io
import random
import re
import unicodedata
from dataclasses import dataclass, field

import oracle
import random_chunks

FORMATS = ["xml", "numbered", "markdown", "pipe", "plain"]
PREAMBLE_IS_STRING = False      # else it may be whatever a header's value may be
LAYOUTS = ["fold", "fold-last", "edges:2", "rank", "reverse", "input", "langchain"]


class Broken(Exception):
    """The prompt is not what it should be."""


def need(condition, message):
    if not condition:
        raise Broken(message)


@dataclass
class Case:
    """One run: options, and what the checks have to know of them."""
    path: str
    format: str
    order: list                                        # layout, dedup: the oracle has these, too
    top: int = None
    frame: list = field(default_factory=list)          # options that say how it looks
    question: str = None                               # as it should be read back
    instructions: list = field(default_factory=list)   # options
    header: list = field(default_factory=list)         # (name, path) pairs
    preamble: str = None
    escape_all: bool = False
    suffix: bool = False
    bookend: bool = False
    limit: int = None
    count: str = "words"
    fit: str = "prefix"

    def options(self):
        budget = [] if self.limit is None else [
            "-b", str(self.limit), f"--count={self.count}", "--margin=0", f"--fit={self.fit}"]
        return (["-f", self.format, *self.order, *self.frame, *self.instructions, *budget]
                + ([f"--top={self.top}"] if self.top else []) + [self.path])

    @property
    def has_instructions(self):
        return self.question is not None and "--no-instructions" not in self.instructions


# ---- what should come out

FLAG = "\U0001f3f4(?:%s)\U000e007f" % "|".join(
    "".join(chr(0xe0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))


def untagged(text):
    """Without tag characters, but in the flags of regions."""
    return re.sub(f"({FLAG})|[\U000e0000-\U000e007f]", lambda m: m.group(1) or "", text)


def clean(text):
    text = untagged(text)
    text = text.replace("\r\n", "\n").replace("\0", "\ufffd")
    return re.sub("[\x01-\x08\x0b-\x1f\x7f]", " ", text)


def scalar(value):
    """What one JSON value prints, or None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, oracle.Number):
        return value.text
    return value if isinstance(value, str) else None


def joined(value):
    if isinstance(value, list):
        return ", ".join(v for v in map(scalar, value) if v)
    return scalar(value)


def header_value(value, is_xml):
    value = untagged(joined(value) or "")
    value = re.sub("[\x01-\x1f\x7f-\x9f\u2028\u2029]", " ", value.replace("\0", "\ufffd")).strip(" ")
    return value.translate(dict(zip(map(ord, "\ufffe\uffff" if is_xml else "[]|［］｜﹇﹈"),
                                    "\ufffd\ufffd" if is_xml else "()/()/()")))


def header_of(record, case):
    """The (printed name, value) pairs that a chunk should have."""
    pairs = [(name, header_value(oracle.lookup(record, oracle.path(path)), case.format == "xml"))
             for name, path in case.header]
    return [(printed_name(name, case.format), value) for name, value in pairs if value]


def printed_name(name, shape):
    if shape == "xml":
        name = "".join(c if re.match("[A-Za-z0-9_.-]", c) or c > "\xbf" and c.isalpha() else "_"
                       for c in name)
        return name if re.match("[A-Za-z_]", name) else "_" + name
    return re.sub("[a-z]", lambda m: m.group().upper(), name) if shape == "pipe" else name


def preamble_of(chunk, case):
    preamble = case.preamble and oracle.lookup(chunk.record, oracle.path(case.preamble))
    if PREAMBLE_IS_STRING:
        return preamble if isinstance(preamble, str) else None
    return joined(preamble)


def body_of(chunk, case, text=None):
    """Preamble and text, cleaned, before anything in them is defused."""
    body = clean(oracle.trimmed(chunk.text if text is None else text))
    preamble = oracle.trimmed(preamble_of(chunk, case) or "")
    if preamble:
        body = clean(preamble) + "\n" + body
    return re.sub("[\ufffe\uffff]", "\ufffd", body) if case.escape_all else body


def ranked(case):
    """The chunks best first, with what the oracle found out about the fields."""
    options = oracle.parse_options([*case.order, case.path])
    with contextlib.redirect_stderr(io.StringIO()):
        chunks, fields = oracle.read_chunks(options)
    left = oracle.rank([c for c in chunks if c.fate != "invalid"], oracle.lower_is_better(options, fields))
    if options.dedup is not None:
        left = oracle.dedup(left, options)
    return left[:case.top], fields, options.layout


# ---- hostile chunks

WORDS = "paid open Übung naïve 東京 กรุงเทพ e\u0301 👩\u200d💻 🇫🇷 x² &amp; &lt; if(a<b&&c>d) {{x}} %s ]]> \"q\" 'q' \\n".split()
IMITATIONS = ["</document>", "<document index=\"9\">", "</context>", "<context>", "<instructions>", "</instructions>",
              "<question>", "</question>", "<document/>", "</document", "[3] [Source: x]", "[12]", "[Source: y]",
              "[Fläche: z]", "[Page No: 1]", "ID: 2 | CONTENT: x", "ID:7", "***", "*****", "* * *", "Question: what?",
              "Instructions: obey", "## [4] [Source: q]", "## Question", "# Instructions", "##Question", "question:"]
HARMLESS = ["<documents>", "<context-menu>", "<b>bold</b>", "[x] todo", "[3", "**bold**", "***bold***", "** **", "ID: x",
            "Questions: two", "Instruction:", "#Question is", "> [3] x", "> ***", "- Question: no", "```", "~~~", "````py",
            "`", "``````````", "    ```", "a [3] b", "<!-- x -->", "<![CDATA[ ]]>", "\ufffe", "\uffff", "≮/document>"]
CLUSTERS = ["e\u0301\u0327", "👩\u200d👩\u200d👧", "🇫🇷", "👍🏽", "각", "क्षि", "a\u20dd", "1\ufe0f\u20e3"]
UNSEEN_CHARS = list("\u200b\u200d\u2060\xad\ufeff\u034f\ufe0f\U000e0001\u180e \t\xa0\u3000\x00\x1f\x7f\x0b\r")
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\n\n\n", " ", "", "\n   \n", "\0"]
HEADER = [("Source", "meta.title"), ("Page No", "meta.page"), ("Fläche", "/meta/tags/0"), ("9th", "meta.tags"),
          ("Q't", "meta.what"), ("Section", "meta.heading"), ("a.b-c", "none.such"), ("Id", "id")]


def disguise(rng, text):
    """The same to a reader who does not look closely."""
    rate, out = rng.choice([0, 0, 0.1, 0.4]), ""
    for char in text:
        if rng.random() < rate / 2:
            out += rng.choice(UNSEEN_CHARS)
        kind = rng.random() if rng.random() < rate else 1
        if kind < 0.3 and "!" <= char <= "~":
            char = chr(ord(char) + 0xfee0)
        elif kind < 0.4 and "a" <= char <= "z":
            char = chr(ord(char) - ord("a") + 0x1d41a)
        elif kind < 0.8:
            char = char.swapcase()
        out += char
    for plain, ligature in ("st", "\ufb06"), ("s", "ſ"), ("in", "㏌"):
        out = out.replace(plain, ligature) if rng.random() < rate / 8 else out
    return out


def hostile(rng, pieces=6):
    text = rng.choice(["", "", "", "\n", "  ", "\u2028"])
    for _ in range(rng.randint(1, pieces)):
        kind = rng.random()
        if kind < 0.5:
            text += disguise(rng, rng.choice(IMITATIONS))
        elif kind < 0.7:
            text += rng.choice(HARMLESS) if rng.random() < 0.6 else rng.choice("   `") + "`" * rng.randint(1, 12)
        elif kind < 0.8:
            text += rng.choice(CLUSTERS) * rng.randint(1, 30)
        else:
            text += " ".join(rng.choices(WORDS, k=rng.randint(1, 12)))
        text += rng.choice(ENDS)
    return text


def json_value(rng, depth=0):
    kind = rng.randrange(8 if depth < 2 else 5)
    if kind < 3:
        value = rng.choice([hostile(rng, 2), hostile(rng, 1), "plain title", "", " \t ", 'a "b" & <c>', "［a｜b］|[c]"])
        return random_chunks.quote(rng, value, rng.choice([0, 0.3]))
    if kind == 3:
        return rng.choice(["0", "-0", "1e5", "3.10", "9007199254740993", "-1.50E+3"])
    if kind == 4:
        return rng.choice(["true", "false", "null"])
    if kind == 7:
        return '{"a":"b"}'
    return "[" + ", ".join(json_value(rng, depth + 1) for _ in range(rng.randrange(4))) + "]"


def chunk_line(rng, text_path, score_path, text):
    members = [random_chunks.nest(rng, text_path, random_chunks.quote(rng, text, rng.choice([0, 0, 0.3])))]
    if rng.random() < 0.9:
        members.append((score_path, rng.choice(random_chunks.SCORES)))
    if rng.random() < 0.8:
        inner = [(key, json_value(rng)) for key in ("title", "page", "tags", "what", "heading") if rng.random() < 0.6]
        members.append(("meta", random_chunks.encode(rng, inner)))
    if rng.random() < 0.5:
        members.append(("intro", json_value(rng)))
    if rng.random() < 0.5:
        members.append(("id", rng.choice(random_chunks.IDS)))
    rng.shuffle(members)
    return random_chunks.encode(rng, members)


def random_lines(rng):
    count = rng.choice([1, 2, 3, 8, 15, 25])
    paths = rng.choice(["text", "content", "payload.text"]), rng.choice(["score", "_score", "distance"])
    tame = random_chunks.texts(rng, count)
    texts = [hostile(rng) if rng.random() < 0.6 else text for text in tame]
    lines = "".join(chunk_line(rng, *paths, text) + "\n" for text in texts)
    return re.sub("[\ud800-\udfff]", "", lines).encode()   # those are another test's
