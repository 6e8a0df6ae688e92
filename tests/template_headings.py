#!/usr/bin/env python3
"""template_headings.py EDGEFOLD [SEED]: prompts in Markdown whose chunk templates stand before
values on a line, as in a list, and whose values are pieces of what makes headings and fences.
Read by a Markdown parser (Debian's python3-markdown-it), the one heading that is not quoted is
the prompt's own, and the question is below it."""

import json
import random
import subprocess
import sys
import tempfile

from markdown_it import MarkdownIt

PIECES = ["\n", "\n", "\n", " ", "    ", "\t", "-", "--", "---", "=", "===", "`", "``", "```", "~", "~~~",
          "#", "##", "Question", "word", ">", "1.", "*", "+", "<b>", "<!--", "\u0001", "\u00a0",
          "\u200b", "\U000e0041", "\r", "\r\n"]
TEMPLATES = ["- {{text}}\n", "-{{text}}\n", "{{/p}}\n- {{text}}\n", "{{text}}\n- {{/p}}\n", "`{{text}}`\n",
             "`{{/p}}`\n{{text}}\n", "> {{text}}\n", "1. {{text}}\n", "{{/p}}\n={{/q}}\n{{text}}\n",
             "~{{text}}\n", "+ {{/p}}\n+ {{text}}\n", "{{text}}\n> - {{/p}}\n", "  - {{/p}}\n  - {{text}}\n",
             "--- {{/q}}\n{{text}}\n", "``{{/p}}{{text}}``\n", "{{text}}\n-{{/p}}\n", " -  {{/q}}{{/p}}\n{{text}}\n",
             "{{text}}\n{{/p}} ---\n", "{{/p}} ```\n{{text}}\n", "{{text}}{{/p}}---\n", "{{text}} {{/p}}```\n",
             "{{text}}\n {{/q}} {{/p}} ==\n", "{{/q}}{{/p}}~~~ {{text}}\n"]


def value(rng, most):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, most)))


def headings(prompt):
    """Of those that are in no quote, the texts; and what stands behind the last one."""
    tokens, quotes, found, last = MarkdownIt("commonmark").parse(prompt), 0, [], 0
    for at, token in enumerate(tokens):
        quotes += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type == "heading_open" and quotes == 0:
            found.append(tokens[at + 1].content)
            last = at + 3
    return found, [token.content for token in tokens[last:] if token.type == "inline"]


def check(edgefold, rng, template):
    chunks = [{"text": value(rng, 6) + rng.choice("wx"), "p": value(rng, 4), "q": value(rng, 1),
               "score": -n} for n in range(2)]
    with tempfile.NamedTemporaryFile("w", suffix=".template") as file:
        file.write(template)
        file.flush()
        run = subprocess.run(
            [edgefold, "-f", "markdown", f"--chunk-template={file.name}", "-q", "END", "--no-instructions",
             "--no-dedup", "--layout=rank"],
            input="".join(json.dumps(chunk) + "\n" for chunk in chunks).encode(), stdout=subprocess.PIPE, check=True)
    prompt = run.stdout.decode()
    if headings(prompt) != (["Question"], ["END"]):
        sys.exit(f"{template!r}: {chunks!r} make {prompt!r}")


def main():
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for template in TEMPLATES:
        for _ in range(30):
            check(sys.argv[1], rng, template)


main()
