"""house.py SRC: whether the folders of SRC keep to what its pipeline.h says of them.

Prints a line for each fault: an include of another folder's private header, an arrow
between folders that is not listed, a list that goes in a circle, a folder without a
header of its own name, a function of more than 80 lines.
"""

import re
import sys
from pathlib import Path

HALL = {"chunk.h": "chunk", "chunk.c": "chunk", "fate.h": "chunk", "fate.c": "chunk",
        "ids.h": "chunk", "ids.c": "chunk",
        "pipeline.h": "main", "pipeline.c": "main", "main.c": "main", "each.h": "main", "each.c": "main"}
MOST_LINES = 80


def listed_arrows(src):
    """What each folder may include, in the order of the list: {"json": ["base"]}."""
    text = (src / "pipeline.h").read_text(encoding="utf-8")
    return {name: targets.split()
            for name, targets in re.findall(r"^ \*     (\w+) *->((?: \w+)*)$", text, re.MULTILINE)}


def room_of(path):
    """The folder of a path below SRC, or what the hall's file counts as."""
    return path.parts[0] if len(path.parts) > 1 else HALL.get(path.name, path.name)


def list_faults(src, arrows):
    seen = []
    for name, targets in arrows.items():
        for target in targets:
            if target not in seen:
                yield f"pipeline.h: {name} -> {target} points up or in a circle"
        seen.append(name)
    for folder in sorted(p.name for p in src.iterdir() if p.is_dir()):
        if folder not in arrows:
            yield f"pipeline.h: nothing is said of {folder}/"
        if not (src / folder / f"{folder}.h").exists():
            yield f"{folder}/ has no {folder}.h"


def include_faults(src, arrows):
    for file in sorted(src.rglob("*.[ch]")):
        path = file.relative_to(src)
        if "tables" in path.parts:
            continue
        room = room_of(path)
        for name in re.findall(r'^#include "([^"]+)"', file.read_text(encoding="utf-8"), re.M):
            beside = (file.parent / name).resolve()
            target = Path(name) if not beside.exists() else beside.relative_to(src.resolve())
            there = room_of(target)
            if there == room:
                continue
            if there not in arrows.get(room, []):
                yield f"{path}: no arrow from {room} to {there} ({name})"
            if len(target.parts) > 1 and target.name != f"{there}.h":
                yield f"{path}: {name} is private to {there}/"


def function_faults(src):
    for file in sorted(src.rglob("*.c")):
        start = None
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if re.match(r"[a-zA-Z_].*\(", line) and not line.rstrip().endswith(";"):
                start = number
            elif line.startswith("}"):
                if start and number - start > MOST_LINES:
                    yield f"{file.relative_to(src)}:{start}: {number - start} lines"
                start = None


def main():
    src = Path(sys.argv[1])
    arrows = listed_arrows(src)
    faults = [*list_faults(src, arrows), *include_faults(src, arrows), *function_faults(src)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults or not arrows else 0


if __name__ == "__main__":
    sys.exit(main())
