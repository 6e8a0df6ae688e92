"""Turn the files of the packages into plain text: HTML, roff, gettext, Fluent.

The aim is text as a retriever would return it, not a faithful rendering.
"""

import bz2
import gzip
import html
import html.parser
import re
import struct
import zipfile


class TextOfHtml(html.parser.HTMLParser):
    """Collect the text of a page, one line per block element."""

    BLOCKS = {"p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "pre",
              "dt", "dd", "br", "table", "title", "section"}
    HIDDEN = {"script", "style", "head"}

    def __init__(self):
        super().__init__()
        self.parts = []
        self.hidden = 0
        self.preformatted = 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in self.HIDDEN
        self.preformatted += tag == "pre"
        if tag in self.BLOCKS:
            self.parts.append("\n")
        if tag == "li":
            self.parts.append("- ")
        if tag in ("td", "th"):
            self.parts.append(" ")

    def handle_endtag(self, tag):
        if tag in self.HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        if tag == "pre":
            self.preformatted = max(0, self.preformatted - 1)
        if tag in self.BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data if self.preformatted
                              else re.sub(r"\s+", " ", data))


def text_of_html(page):
    """Return the text of an HTML or Mallard page."""
    parser = TextOfHtml()
    parser.feed(page)
    text = re.sub(r"[ \t]+\n", "\n", "".join(parser.parts))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def text_of_mallard(page):
    """Return the text of a GNOME help page without its metadata."""
    return text_of_html(re.sub(r"<(info|comment)\b.*?</\1>", "", page,
                               flags=re.S))


def text_of_office_help(page):
    """Return the body of a LibreOffice help page without the navigation."""
    body = re.search(r'<div id="DisplayArea".*?(?=<div id="DonationFrame")',
                     page, re.S)
    return text_of_html(body.group(0) if body else page)


ROFF_SKIP = (".\\\"", "'\\\"", ".TH", ".de", ".if", ".ie", ".ta", ".nr")
ROFF_KEEP = re.compile(r"\.(?:SH|SS|B|I|BR|IR|RB|IB|BI|RI|TP|PP|P|IP|LP|sp|br|"
                       r"RS|RE|nf|fi|EX|EE)\b ?(.*)")
ROFF_TEXT = [("\\-", "-"), ("\\(aq", "'"), ("\\e", "\\"), ("\\(bu", "\u2022"),
             ("\\ ", " "), ("\\(co", "\u00a9"), ("\\(em", "\u2014")]


def text_of_roff(source):
    """Return the prose of a manual page: requests out, escapes resolved."""
    lines = []
    for line in source.split("\n"):
        if line.startswith(ROFF_SKIP):
            continue
        request = ROFF_KEEP.match(line)
        if request:
            line = request.group(1).replace('"', "")
        elif line.startswith("."):
            continue
        line = re.sub(r"\\f[BRIP]|\\f\([A-Z]{2}|\\&|\\/|\\,|\\c|\\:", "", line)
        for escape, plain in ROFF_TEXT:
            line = line.replace(escape, plain)
        lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def text_of_gettext(data, accelerators="", originals=False, shortest=40):
    """Return the messages of a compiled catalogue, one per paragraph.

    Short messages are left out: they are button labels, not sentences.
    """
    count, at_original, at_translation = struct.unpack("<III", data[8:20])
    table = at_original if originals else at_translation
    messages = []
    for number in range(1, count):
        length, start = struct.unpack_from("<II", data, table + 8 * number)
        message = data[start:start + length].decode("utf-8", "replace")
        message = message.split("\0")[0].split("\4")[-1]
        for accelerator in accelerators:
            message = message.replace(accelerator, "")
        if len(message.encode()) > shortest:
            messages.append(message)
    return "\n".join(messages)


def text_of_fluent(source):
    """Return the values of a Fluent file, one per line."""
    lines = []
    for line in source.split("\n"):
        if line.startswith("#"):
            continue
        value = re.sub(r"^\s*[-.\w]+ =\s*", "", line).strip()
        if len(value) > 20 and not value.startswith(("[", "*[", "{", "}")):
            lines.append(value)
    return "\n".join(lines)


WIKI_NAMED = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
WIKI_OUT = re.compile(r"<!--.*?-->|<ref[^<>]*/>|<ref\b.*?</ref>|<math.*?</math>"
                      r"|<gallery.*?</gallery>|<[^<>]*>|__[A-Z]+__", re.S)


def without_nested(text, pattern):
    """Drop what a pattern matches, from the inside out."""
    for _ in range(8):
        text, number = re.subn(pattern, "", text)
        if not number:
            break
    return text


def text_of_wiki(source):
    """Return the prose of an article in wiki markup: no tables, no lists."""
    text = WIKI_OUT.sub("", html.unescape(source))
    text = without_nested(text, r"\{\{[^{}]*\}\}")
    text = without_nested(text, r"(?s)\{\|(?:(?!\{\|).)*?\|\}")
    text = without_nested(text, r"\[\[(?:File|Image|Category):[^\[\]]*"
                          r"(?:\[\[[^\[\]]*\]\][^\[\]]*)*\]\]")
    for _ in range(2):
        text = WIKI_NAMED.sub(r"\1", text)
    text = re.sub(r"\[\w+://\S+ ?([^\]]*)\]", r"\1", text)
    text = re.sub(r"'{2,}", "", text).replace("()", "")
    lines = [re.sub(r"^=+ *(.*?) *=+$", r"\1", line.strip())
             for line in text.split("\n")
             if not line.startswith(("|", "!", "*", "#", ":", ";", "{"))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def wiki_articles(path):
    """Yield (title, text) of the longer articles of a compressed wiki dump."""
    dump = bz2.decompress(path.read_bytes()).decode("utf-8")
    for page in re.findall(r"<page>.*?</page>", dump, re.S):
        title = re.search(r"<title>(.*?)</title>", page).group(1)
        source = re.search(r"<text[^>]*>(.*?)</text>", page, re.S)
        if source and ":" not in title and len(source.group(1)) > 3000:
            yield title, text_of_wiki(html.unescape(source.group(1)))


def glosses(source):
    """Return the entries of a WordNet file as "word: meaning" lines."""
    lines = []
    for line in source.split("\n"):
        entry, bar, gloss = line.partition(" | ")
        if bar and not line.startswith(" "):
            word = entry.split()[4].replace("_", " ")
            lines.append(f"{word}: {gloss.strip()}")
    return lines


def definitions(source):
    """Return "name: definition" lines of an ontology in OBO format."""
    return [f"{name}: {text}".replace('\\"', '"') for name, text
            in re.findall(r'\nname: (.*)\n(?:alt_id.*\n)*def: "(.*?)" \[',
                          source)]


def fluent_files(path):
    """Yield (name, text) for the Fluent files of a language pack."""
    with zipfile.ZipFile(path) as pack:
        for name in sorted(pack.namelist()):
            if name.endswith(".ftl"):
                yield name, text_of_fluent(pack.read(name).decode("utf-8"))


def read(path):
    """Return the text of a file, gzipped or not; None if it is not UTF-8."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
