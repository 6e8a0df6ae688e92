#!/usr/bin/env python3
"""Reads a page of --report=FILE.html as a browser would, and holds it to the JSON report.

    page_check.py PAGE REPORT INPUT...

The page must be one document that asks for nothing: elements that are closed, no reference
but to its own ids, one style and one script, which the Content-Security-Policy names by their
digests.  The kept chunks stand in the order of the prompt with the texts of the input, the
dropped ones by fate and rank, and every figure is the report's.
"""

import base64
import hashlib
import json
import re
import sys
import unicodedata
from html.parser import HTMLParser

VOID = {"meta"}
ELEMENTS = set("html head meta title style body header p h1 h2 h3 h4 span main section nav div a i b ul ol li "
               "details summary bdi dl dt dd mark del table tr th td code script noscript".split())
# What it may have; a style or an event handler is none of it.
ATTRIBUTES = set("lang charset http-equiv content name class id href title role dir open scope "
                 "aria-label aria-labelledby".split())
SHOWN = re.compile(r"\\u\{([0-9a-f]+)\}|\\x([0-9a-f]{2})")


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.children = tag, dict(attributes), parent, []

    def classes(self):
        return (self.attributes.get("class") or "").split()

    def all(self, tag=None, name=None):
        for child in self.children:
            if isinstance(child, Element):
                if tag in (None, child.tag) and (name is None or name in child.classes()):
                    yield child
                yield from child.all(tag, name)

    def one(self, tag=None, name=None):
        found = list(self.all(tag, name))
        check(len(found) == 1, f"{len(found)} of {tag} {name}, not one")
        return found[0]

    def text(self):
        """What it says, with characters that are shown by number as themselves."""
        said = "".join(child if isinstance(child, str) else child.text() for child in self.children)
        return SHOWN.sub(unshow, said) if self.tag == "b" and "u" in self.classes() else said


def unshow(match):
    return chr(int(match[1], 16)) if match[1] else bytes([int(match[2], 16)]).decode("utf-8", "replace")


class Page(HTMLParser):
    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", [], None)
        self.ids, self.counts = set(), {}
        check(source.startswith("<!DOCTYPE html>\n"), "it does not begin as a page")
        self.feed(source)
        self.close()
        check(self.at is self.root, f"{self.at.tag} is not closed")

    def handle_starttag(self, tag, attrs):
        check(tag in ELEMENTS, f"the element {tag}")
        names = [name for name, _ in attrs]
        check(len(names) == len(set(names)), f"{tag} has an attribute twice")
        check(set(names) <= ATTRIBUTES, f"{tag} has {names}")
        self.counts[tag] = self.counts.get(tag, 0) + 1
        element = Element(tag, attrs, self.at)
        name = element.attributes.get("id")
        check(name is None or name not in self.ids, f"the id {name} is there twice")
        self.ids.add(name)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag):
        check(tag == self.at.tag, f"{self.at.tag} is closed by {tag}")
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.children.append(data)

    def handle_comment(self, data):
        check(False, f"a comment: {data[:40]}")

    def handle_pi(self, data):
        check(False, f"an instruction: {data[:40]}")

    def unknown_decl(self, data):
        check(False, f"a declaration: {data[:40]}")


def check(holds, what):
    if not holds:
        sys.exit(f"page_check.py: {what}")


def same(what, is_there, expected):
    check(is_there == expected, f"{what}: {is_there!r}, expected {expected!r}")


def digest(element):
    return "'sha256-" + base64.b64encode(hashlib.sha256(element.text().encode()).digest()).decode() + "'"


def check_closed(page):
    """That it asks for nothing, and that nothing of it runs but its own script."""
    same("scripts and styles", (page.counts["script"], page.counts["style"]), (1, 1))
    style, script = page.root.one("style"), page.root.one("script")
    check(not re.search(r"url\(|@import|image-set|src\(|//[a-z]", style.text(), re.I), "the style asks for something")
    check(not re.search(r"fetch|XMLHttp|import|eval|innerHTML|https?:|Worker|WebSocket|sendBeacon|\.src\b",
                        script.text()), "the script asks for something")
    metas = {meta.attributes.get("http-equiv"): meta.attributes.get("content") for meta in page.root.all("meta")}
    same("metas that act", set(metas), {None, "Content-Security-Policy"})
    same("policy", metas["Content-Security-Policy"],
         f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'; form-action 'none'")
    for link in page.root.all("a"):
        target = link.attributes["href"]
        check(target.startswith("#") and target[1:] in page.ids, f"a link to {target}")
    for element in page.root.all():
        for name in (element.attributes.get("aria-labelledby") or "").split():
            check(name in page.ids, f"a label {name}")


def check_visible(root):
    """That no character of the page reorders or hides others, but line ends and tabs."""
    for element in root.all():
        if element.tag in ("style", "script"):
            continue
        for words in [child for child in element.children if isinstance(child, str)] + list(element.attributes.values()):
            for c in words or "":
                hidden = unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\n\t\r\u200c\u200d"
                check(not hidden, f"U+{ord(c):04X} in {element.tag}")


def facts(chunk):
    return {row.one("dt").text(): row.one("dd").text() for row in chunk.one("dl").all("div")}


def number(text):
    return None if text in ("none", None) else float(text)


def lines_of(files, report):
    """The lines of the input by file and number, with the path of the text in each."""
    lines = {}
    paths = {fields["file"]: fields["text"] for fields in report["fields"]}
    for name in files:
        with open(name, "rb") as file:
            for place, line in enumerate(file.read().split(b"\n"), 1):
                if line.strip():
                    lines[name, place] = line, paths[name]
    return lines


def expected_text(line, chunk, path):
    if chunk["fate"] == "invalid":
        return line.decode("utf-8", "replace").rstrip("\r")
    text = json.loads(line.decode("utf-8", "replace"))
    for name in path.split("."):
        text = text[name]
    return "".join("\ufffd" if 0xd800 <= ord(c) < 0xe000 else c for c in text)


def check_chunk(element, chunk, lines):
    """One chunk of the page, against what the report says of it."""
    said = facts(element)
    place = f"{chunk['file']}:{chunk['line']}"
    same("line", said["Line"], place)
    kept = chunk["fate"] == "kept"
    summary = {name: element.one("span", name).text() for name in ("n", "score", "tokens", "start")}
    same(f"{place}: why", said.get("Fate", "kept") if kept else summary["start"], chunk["why"])
    same(f"{place}: id", element.one("bdi", "id").text(), place if chunk["id"] is None else chunk["id"])
    same(f"{place}: score", summary["score"], f"score {chunk['written']}" if chunk["written"] else "")
    same(f"{place}: tokens", summary["tokens"], "" if chunk["tokens"] is None else f"{chunk['tokens']} tokens")
    number = f"position {chunk['position']}" if kept else f"rank {chunk['rank']}" if chunk["rank"] else "-"
    same(f"{place}: number", summary["n"], number)
    same(f"{place}: rank", said.get("Rank"), str(chunk["rank"]) if kept else None)
    same(f"{place}: overlap", int(said.get("Said before", 0)), chunk.get("overlap", 0))
    for name in ("of", "joins"):
        if chunk.get(name):
            other = chunk[name]
            key = "Lost to" if name == "of" else "Goes on from"
            same(f"{place}: {name}", said[key], other["id"] or f"{other['file']}:{other['line']}")
    text = element.one("div", "text").text()
    line, path = lines[chunk["file"], chunk["line"]]
    same(f"{place}: text", text, expected_text(line, chunk, path))


def check_totals(page, totals, options):
    rows = {row.one("th").text(): row.one("td").text() for row in page.root.one("table", "totals").all("tr")}
    for name in ("read", "kept", "tokens", "neutralised"):
        same(name, int(rows[name]), totals[name])
    for fate, count in totals["dropped"].items():
        same(fate, int(rows[fate]), count)
    for name in ("worst_kept_score", "best_dropped_score"):
        same(name, number(rows[name.replace("_", " ")]), totals[name])
    rows = {row.one("th").text(): row.one("td").text() for row in page.root.one("table", "options").all("tr")}
    in_force = {name: value for name, value in options.items()
                if value is not None and value is not False and value != [] and name != "report"}
    same("options", set(rows) - {"report"}, set(in_force))
    for name, value in in_force.items():
        same(f"option {name}", rows[name] if isinstance(value, str) else json.loads(rows[name]), value)


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        page = Page(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    lines = lines_of(sys.argv[3:], report)
    check_closed(page)
    check_visible(page.root)
    check_totals(page, report["totals"], report["options"])
    chunks = report["chunks"]
    kept = sorted((chunk for chunk in chunks if chunk["fate"] == "kept"), key=lambda chunk: chunk["position"])
    there = list(page.root.one("section", "kept").all("details", "chunk"))
    order = {f"{chunk['file']}:{chunk['line']}": chunk for chunk in kept}
    standing = [order.pop(facts(element)["Line"]) for element in there]  # a passage has one position
    same("kept chunks", [chunk["position"] for chunk in standing], [chunk["position"] for chunk in kept])
    for element, chunk in zip(there, standing):
        check_chunk(element, chunk, lines)
    cells = [cell for cell in page.root.all("a", "s") if "q" not in cell.classes()]
    same("cells", [cell.attributes["href"] for cell in cells],
         ["#" + element.one("div", "open").attributes["id"] for element in there])
    question = report["options"]["question"]
    same("questions", [element.text() for element in page.root.all("div", "asked")], [question] if question else [])
    for box in page.root.all("details", "fate"):
        fate = re.match(r"[a-z-]+", box.one("h3").text())[0]
        dropped = [chunk for chunk in chunks if chunk["fate"] == fate]
        dropped.sort(key=lambda chunk: chunk["rank"] or len(chunks) + 1)
        there = list(box.all("details", "chunk"))
        same(f"{fate} chunks", len(there), len(dropped))
        for element, chunk in zip(there, dropped):
            check_chunk(element, chunk, lines)
    same("chunks in all", page.counts.get("dl", 0), len(chunks))
    marked = sum(1 for _ in page.root.all("mark"))
    print(f"{len(chunks)} chunks, {len(kept)} kept, {marked} marks")


if __name__ == "__main__":
    main()
