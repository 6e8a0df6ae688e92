"""Reads edgefold's prompts back: strictly, so that every byte is accounted for."""

import re
import xml.etree.ElementTree
from dataclasses import dataclass, field

from prompt_cases import need

try:
    from markdown_it import MarkdownIt
except ImportError:
    MarkdownIt = None

TAGS = ["context", "document", "instructions", "question"]


def unescape(got):
    need(not re.search("[<>]|&(?!amp;|lt;|gt;|#xff1c;|#xfe64;)", got), f"not escaped: {got!r}")
    got = got.replace("&#xff1c;", "\uff1c").replace("&#xfe64;", "\ufe64")
    return got.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def sees(self, literal):
        return self.text.startswith(literal, self.at)

    def expect(self, literal):
        need(self.sees(literal), f"{literal!r} expected, {self.text[self.at:self.at + 60]!r} found")
        self.at += len(literal)

    def until(self, *literals):
        """The text before the first of these, which is not passed."""
        ends = [end for end in (self.text.find(each, self.at) for each in literals) if end >= 0]
        need(ends, f"none of {literals!r} after {self.text[self.at:self.at + 60]!r}")
        start, self.at = self.at, min(ends)
        return self.text[start:self.at]

    def past(self, literal):
        found = self.until(literal)
        self.expect(literal)
        return found

    def rest(self, end):
        need(self.text.endswith(end) and len(self.text) >= self.at + len(end), f"no {end!r} at the end")
        found, self.at = self.text[self.at:len(self.text) - len(end)], len(self.text)
        return found


@dataclass
class Parsed:
    documents: list = field(default_factory=list)     # (header pairs, body)
    first_question: str = None
    question: str = None
    instructions: str = None
    suffix: str = ""


def parse(text, case):
    reader, parsed = Reader(text), Parsed()
    {"xml": parse_xml, "numbered": parse_numbered, "markdown": parse_markdown,
     "pipe": parse_pipe, "plain": parse_plain}[case.format](reader, parsed, case)
    need(reader.at == len(text), f"more after the end: {text[reader.at:][:60]!r}")
    return parsed


def parse_xml(reader, parsed, case):
    if case.suffix:
        found = re.match("<[a-z]+(-[0-9a-v]{8})>", reader.text)
        need(found, "no suffix on the first tag")
        parsed.suffix = found.group(1)
    context, document, instructions, question = (tag + parsed.suffix for tag in TAGS)
    if case.bookend:
        reader.expect(f"<{question}>\n")
        parsed.first_question = reader.past(f"\n</{question}>\n\n")
    reader.expect(f"<{context}>\n")
    while not reader.sees(f"</{context}>\n"):
        reader.expect(f'<{document} index="{len(parsed.documents) + 1}"')
        attributes = reader.past(">\n")
        need(re.fullmatch('( [^\W0-9][\w.-]*="[^"<>]*")*', attributes), f"attributes {attributes!r}")
        pairs = [(name, unescape(value.replace("&quot;", "\1")).replace("\1", '"'))
                 for name, value in re.findall(' ([^=]+)="([^"]*)"', attributes)]
        parsed.documents.append((pairs, reader.past(f"\n</{document}>\n")))
    reader.expect(f"</{context}>\n")
    if case.has_instructions:
        reader.expect(f"\n<{instructions}>")
        parsed.instructions = reader.past(f"</{instructions}>\n")
    if case.question is not None:
        reader.expect(f"\n<{question}>\n")
        parsed.question = reader.past(f"\n</{question}>\n")


def parse_end(reader, parsed, case):
    """Instructions and question of the formats without tags and headings."""
    if case.has_instructions:
        reader.expect("Instructions: ")
        parsed.instructions = reader.past("\n\n")
    if case.question is not None:
        reader.expect("Question: ")
        parsed.question = reader.rest("\n")


def end_of_documents(case):
    return "Instructions: " if case.has_instructions else "Question: "


def parse_header(text):
    """The pairs in " [A: b | C: d]" or in nothing."""
    if not text:
        return []
    need(re.fullmatch(r" \[[^\[\]]+\]", text), f"not a header: {text!r}")
    return [tuple(pair.split(": ", 1)) for pair in text[2:-1].split(" | ")]


def parse_numbered(reader, parsed, case):
    if case.bookend:
        reader.expect("Question: ")
        parsed.first_question = reader.until("\n\n[1]")
        reader.expect("\n\n")
    number = 1
    while reader.sees(f"[{number}]"):
        reader.expect(f"[{number}]")
        header = parse_header(reader.past("\n"))
        number += 1
        ends = [f"\n\n[{number}]"] + (["\n\n" + end_of_documents(case)] if case.question is not None else [])
        if case.question is None and ends[0] not in reader.text[reader.at:]:
            parsed.documents.append((header, reader.rest("\n\n")))
            return
        parsed.documents.append((header, reader.until(*ends)))
        reader.expect("\n\n")
    parse_end(reader, parsed, case)


def parse_plain(reader, parsed, case):
    if case.bookend:
        reader.expect("Question: ")
        parsed.first_question = reader.past("\n\n***\n")
    else:
        reader.expect("***\n")
    names = tuple(f"[{name}: " for name, _ in case.header)
    while reader.at < len(reader.text) and not reader.sees("\n" + end_of_documents(case)):
        header = " " + reader.past("\n") if names and reader.text.startswith(names, reader.at) else ""
        parsed.documents.append((parse_header(header), reader.past("\n***\n")))
    if case.question is not None:
        reader.expect("\n")
    parse_end(reader, parsed, case)


def parse_pipe(reader, parsed, case):
    if case.bookend:
        reader.expect("Question: ")
        parsed.first_question = reader.until("\n\nID: 1 | ")
        reader.expect("\n\n")
    number = 1
    while reader.sees(f"ID: {number} | "):
        reader.expect(f"ID: {number} | ")
        pairs = []
        while not reader.sees("CONTENT: "):
            pairs.append((reader.past(": "), reader.past(" | ")))
        reader.expect("CONTENT: ")
        number += 1
        ends = [f"\nID: {number} | "] + (["\n\n" + end_of_documents(case)] if case.question is not None else [])
        if case.question is None and ends[0] not in reader.text[reader.at:]:
            parsed.documents.append((pairs, reader.rest("\n")))
            return
        parsed.documents.append((pairs, reader.until(*ends)))
        reader.expect("\n")
    reader.expect("\n")
    parse_end(reader, parsed, case)


def fenced(reader):
    """A fenced block as CommonMark has it: the first fence long enough ends it."""
    fence = re.match("`{3,}", reader.text[reader.at:])
    need(fence, f"no fence: {reader.text[reader.at:][:60]!r}")
    reader.expect(fence.group() + "\n")
    close = re.compile(f" {{0,3}}`{{{len(fence.group())},}}[ \t]*$", re.M).search(reader.text, reader.at)
    need(close and close.group() == fence.group() and reader.text[close.start() - 1] == "\n", "no such fence ends it")
    body = reader.text[reader.at:close.start() - 1]
    longest = max([2, *map(len, re.findall("`+", body))])
    need(len(fence.group()) == longest + 1, f"fence of {len(fence.group())} around a run of {longest}")
    reader.at = close.end()
    reader.expect("\n")
    return body


def parse_markdown(reader, parsed, case):
    if case.bookend:
        reader.expect("## Question\n\n")
        parsed.first_question = reader.until("\n\n## [1]")
        reader.expect("\n\n")
    while reader.sees("## ["):
        reader.expect(f"## [{len(parsed.documents) + 1}]")
        header = parse_header(reader.past("\n"))
        reader.expect("\n")
        parsed.documents.append((header, fenced(reader)))
        reader.expect("\n")
    if case.has_instructions:
        reader.expect("## Instructions\n\n")
        parsed.instructions = reader.until("\n\n## Question\n\n")
        reader.expect("\n\n")
    if case.question is not None:
        reader.expect("## Question\n\n")
        parsed.question = reader.rest("\n")


# ---- other readers' view

def check_as_xml(text, parsed, case):
    """With everything escaped an XML parser sees the same documents."""
    root = xml.etree.ElementTree.fromstring(f"<root>{text}</root>")
    tags = (["question"] * case.bookend + ["context"] + ["instructions"] * case.has_instructions
            + ["question"] * (case.question is not None))
    need([child.tag for child in root] == [tag + parsed.suffix for tag in tags], "an XML parser sees other elements")
    documents = root.find("context" + parsed.suffix)
    need(len(documents) == len(parsed.documents), "an XML parser sees other documents")
    for number, (document, (pairs, body)) in enumerate(zip(documents, parsed.documents), 1):
        need(document.text == f"\n{unescape(body)}\n", f"an XML parser reads document {number} otherwise")
        need(document.attrib == {"index": str(number), **dict(pairs)}, f"attributes {document.attrib}")


def check_as_markdown(text, parsed, case):
    """A CommonMark parser sees the same fences (a question may open its own)."""
    if MarkdownIt is None or case.bookend and re.search("[`~<>]|^[ \t]|^[-+*\\d]", case.question, re.M):
        return
    fences = [t for t in MarkdownIt("commonmark").parse(text) if t.type == "fence" and t.level == 0]
    for number, (_, body) in enumerate(parsed.documents):
        need(number < len(fences) and fences[number].content == body + "\n",
             f"a Markdown parser reads document {number + 1} otherwise")
