"""picture.py EDGEFOLD: draws what goes in and what comes out, for the README.

Runs the program on sample.ndjson, beside this file, and prints an SVG: the chunks as they
come, what the report says of each, and the prompt, its lines cut to the width.  It has a
ground of its own, so that it can be read on a light page and on a dark one.
"""

import json
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLE = "sample.ndjson"
OPTIONS = ["-q", "How long does delivery take?", "-b", "150"]

WIDTH, TOP, LINE = 1000, 92, 18
LEFT, RIGHT, COLUMN = 24, 548, 428
LETTER = 7.23  # the width of one, at 12 pixels
COLOURS = ["#7ee787", "#79c0ff", "#e3b341", "#d2a8ff", "#ff9bce"]  # by rank
GREY, TEXT, FAINT, PANEL, BACK = "#9198a1", "#e6edf3", "#7d8590", "#161b22", "#0d1117"


def run(program):
    """The prompt's lines, and the report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run([program, *OPTIONS, f"--report={report}", SAMPLE], cwd=HERE, check=True,
                              capture_output=True, text=True)
        return done.stdout.splitlines(), json.loads(report.read_text(encoding="utf-8"))


def cut(text, width=COLUMN - 24):
    most = int(width / LETTER)
    return text if len(text) <= most else text[:most - 1] + "…"


def words(x, y, text, colour=TEXT, more=""):
    return f'<text x="{x}" y="{y}" fill="{colour}"{more}>{escape(text, quote=False)}</text>'


def panel(x, height, heading):
    return [words(x, TOP - 14, heading, GREY, ' class="s"'),
            f'<rect x="{x}" y="{TOP}" width="{COLUMN}" height="{height}" rx="6" fill="{PANEL}"/>']


def fate_of(chunk):
    if chunk["fate"] == "kept":
        return f"rank {chunk['rank']}: kept"
    if chunk["fate"] == "duplicate":
        return f"rank {chunk['rank']}: says what {chunk['of']['id']} says"
    return f"rank {chunk['rank']}: {chunk['why']}"


def colour_of(chunk):
    return COLOURS[(chunk["rank"] - 1) % len(COLOURS)] if chunk["fate"] == "kept" else FAINT


def draw_chunks(chunks):
    """The chunks as they come, and where the line to each begins."""
    lines, starts = [], {}
    records = [json.loads(line) for line in (HERE / SAMPLE).read_text(encoding="utf-8").splitlines()]
    for i, (record, chunk) in enumerate(zip(records, chunks)):
        y = TOP + 26 + i * 66
        colour = colour_of(chunk)
        head, _, tail = json.dumps(record).partition(' "passage"')
        lines.append(f'<rect x="{LEFT + 6}" y="{y - 14}" width="3" height="50" fill="{colour}"/>')
        lines.append(words(LEFT + 16, y, head, colour))
        lines.append(words(LEFT + 16, y + LINE, cut(' "passage"' + tail), TEXT if chunk["position"] else FAINT))
        lines.append(words(LEFT + 16, y + 2 * LINE - 2, fate_of(chunk), GREY, ' class="s"'))
        starts[chunk["position"]] = (y + 6, colour)
    return lines, starts


def draw_prompt(prompt, starts):
    """The prompt, and the lines from the chunks to their places in it."""
    lines, position = [], 0
    for i, line in enumerate(prompt):
        y = TOP + 24 + i * LINE
        inside = line.startswith("<document ") or (position and not line.startswith("<"))
        if line.startswith("<document "):
            position += 1
        begins = inside and not line.startswith("<") and position in starts  # a chunk's text
        colour = starts[position][1] if begins else GREY if line.startswith("<") else TEXT
        lines.append(words(RIGHT + 14, y, cut(line), colour))
        if begins:
            start, colour = starts.pop(position)
            x, end, middle = LEFT + COLUMN, RIGHT + 8, (LEFT + COLUMN + RIGHT) // 2
            lines.append(f'<path d="M{x} {start}C{middle} {start} {middle} {y - 4} {end} {y - 4}" '
                         f'stroke="{colour}" fill="none" stroke-width="2"/>')
            lines.append(f'<path d="M{end} {y - 8}l6 4l-6 4z" fill="{colour}"/>')
    return lines


def main():
    prompt, report = run(Path(sys.argv[1]).resolve())
    totals, chunks = report["totals"], report["chunks"]
    height = max(len(chunks) * 66 + 14, len(prompt) * LINE + 20)
    drawn, starts = draw_chunks(chunks)
    starts.pop(None, None)
    question = OPTIONS[1]
    command = f"$ retriever | edgefold -q '{question}' -b {OPTIONS[3]} | llm"
    dropped = ", ".join(f"{n} {fate.replace('-', ' ')}" for fate, n in totals["dropped"].items() if n)
    sums = (f"{totals['read']} chunks in, {totals['kept']} out ({dropped}); {totals['tokens']} tokens, question and all, "
            f"of {OPTIONS[3]}; the best first, the second-best last")
    bottom = TOP + height + 30
    print("\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 20}" width="{WIDTH}" '
        f'height="{bottom + 20}" role="img" aria-labelledby="title desc">',
        "<title id=\"title\">What goes into edgefold and what comes out</title>",
        f'<desc id="desc">Left, {totals["read"]} chunks with scores as lines of JSON, unsorted. Right, the prompt '
        f'that edgefold makes of them: {escape(sums)}.</desc>',
        "<style>text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "white-space:pre}.s{font:12px system-ui,'Segoe UI',Helvetica,'DejaVu Sans',sans-serif}"
        ".c{font-size:15px}</style>",
        f'<rect width="{WIDTH}" height="{bottom + 20}" rx="10" fill="{BACK}"/>',
        words(LEFT, 40, command, TEXT, ' class="c"'),
        *panel(LEFT, height, "in: what a retriever found, one JSON object a line"),
        *panel(RIGHT, height, "out: a prompt that fits, the question last"),
        *drawn, *draw_prompt(prompt, starts),
        words(LEFT, bottom, sums, GREY, ' class="s"'),
        "</svg>"]))


if __name__ == "__main__":
    main()
