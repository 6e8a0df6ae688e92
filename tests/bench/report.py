"""Markdown, and figures as people read them."""

import os


def time_of(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if abs(seconds) >= size:
            return f"{significant(seconds / size)} {unit}"
    return f"{significant(seconds / 1e-6)} µs"


def significant(value):
    """Three digits: more would be noise."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def memory_of(size):
    return f"{significant(size / 1e6)} MB"


def table(heads, rows):
    """The first column is text, the others are figures."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def section(title, repeat, *parts):
    """The load is told because wall times suffer from it: 1 is this bench alone."""
    load = f"load average over the last 15 minutes: {os.getloadavg()[2]:.1f}"
    print(f"## {title}\n", *parts, f"Repeat: `{repeat}` ({load})\n", sep="\n", flush=True)
