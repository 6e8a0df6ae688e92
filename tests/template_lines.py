#!/usr/bin/env python3
"""template_lines.py EDGEFOLD [SEED]: chunks whose values are pieces of markers, put next to
each other by templates that have no character of their own in these places.  No line of what
comes out may begin as the format's own do; the values are all there, in their order."""

import json
import random
import re
import subprocess
import sys
import tempfile

# What begins a line in each format, and what a line is made of by those who try.
OWN = {
    "numbered": re.compile(r"\s*(\[\d+\]|instructions:|question:)", re.I),
    "markdown": re.compile(r"[\s>*+-]*(#|<|```|~~~|=+\s*$)"),
    "pipe": re.compile(r"\s*(id:\s*\d|instructions:|question:)|.*\|\s*(id|content):", re.I),
    "plain": re.compile(r"\s*(\*{3,}\s*$|instructions:|question:)", re.I),
}
PIECES = ["[", "1", "]", "23", "Quest", "ion", ":", "*", "**", "#", "I", "D", " ", "\n", "\n",
          "|", "CON", "TENT", "Instruc", "tions", "`", "``", "~", "=", "<", "b", "word", "\u200b"]
TEMPLATES = ["{{/p}}{{text}}", "{{text}}{{/p}}{{id}}", "{{id}}\n{{/p}}{{text}}\n", "{{/p}}{{text}}\n"]


def value(rng, most):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, most)))


def plain(text):
    """What is left of a text when what is put in or left out is away."""
    return re.sub(r"[\s>|/]", "", text)


def check(edgefold, rng, form, template):
    chunks = [{"id": value(rng, 3) or "x", "p": value(rng, 4), "text": value(rng, 6) + "w" + value(rng, 4),
               "score": -n} for n in range(3000)]
    with tempfile.NamedTemporaryFile("w", suffix=".template") as file:
        file.write(template)
        file.flush()
        run = subprocess.run(
            [edgefold, "-f", form, f"--chunk-template={file.name}", "-q", "END", "--no-instructions",
             "--no-dedup", "--layout=rank"],
            input="".join(json.dumps(chunk) + "\n" for chunk in chunks).encode(), stdout=subprocess.PIPE, check=True)
    context = run.stdout.decode().rpartition("\n\n")[0].removesuffix("\n## Question")
    for line in context.split("\n"):
        seen = line.replace("\u200b", "")
        if OWN[form].match(seen) and not seen.startswith("> "):
            sys.exit(f"{form}, {template!r}: {line!r}")
    filled = "".join(
        re.sub(r"{{(/p|text|id)}}", lambda slot: chunk[slot[1].removeprefix("/")], template) for chunk in chunks)
    if plain(filled) != plain(context):
        sys.exit(f"{form}, {template!r}: the values are not those that were put in")


def main():
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for form in OWN:
        for template in TEMPLATES:
            check(sys.argv[1], rng, form, template)


main()
