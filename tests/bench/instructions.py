"""Instruction counts by callgrind: free of the machine's noise."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from measure import progress
from report import significant

STAGES = ("read_chunks", "rank", "dedup", "top", "budget", "place", "write_chunks",
          "write_prompt")
LINE = re.compile(r"^\s*([\d,]+) \([^)]*\)\s+(?:\S*:(\w+) |PROGRAM (TOTALS))")


def available():
    return bool(shutil.which("valgrind") and shutil.which("callgrind_annotate"))


def counts(program, data, *options):
    """Instructions by function, those that it calls included; "TOTALS" is the process."""
    progress(f"callgrind: {data.chunks.stem} {' '.join(options)}")
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "profile")
        with open(data.chunks, "rb") as stdin:
            subprocess.run(
                ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={profile}",
                 program, *options],
                stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        text = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile],
            capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            found.setdefault(match[2] or match[3], int(match[1].replace(",", "")))
    return found


def stages(program, made):
    """Head and rows: instructions a chunk by stage.  The budget is set, and far away, so
    that its counting is seen; the prompt is from a second run with a question."""
    heads, columns = ["stage"], []
    for tokens in (250, 1000):
        data = made.ranked(100, tokens)
        lines = counts(program, data, "-b", "1000000")
        prompt = counts(program, data, "-b", "1000000", "-q", "What is said?")
        lines["write_prompt"] = prompt.get("write_prompt", 0)
        heads.append(f"100 chunks of {data.bytes / 100 / 1000:.1f} KB")
        columns.append(lines)
    names = {"TOTALS": "all, with the start and end of the process"}
    rows = [[names.get(stage, f"`{stage}`")]
            + [f"{c.get(stage, 0) / 100:,.0f}" for c in columns]
            for stage in (*STAGES, "TOTALS")]
    return heads, rows


def dedup_by_size(program, made, sizes):
    """Rows: dedup's instructions a chunk, and each size's ratio to the first."""
    first = None
    for size in sizes:
        each = counts(program, made.windows(size)).get("dedup", 0) / size
        first = first or each
        yield [f"{size:,}", f"{each:,.0f}", significant(each / first)]
