"""What all the Python peers do alike: read NDJSON, rank, fold, write NDJSON."""

import json
import re
import sys


def read():
    """The records of the file that is the argument, best score first."""
    with open(sys.argv[1], "rb") as file:
        return sorted(map(json.loads, file), key=lambda r: -r["score"])


def fold(ranked):
    return ranked[::2] + ranked[1::2][::-1]


def words(record):
    return set(re.findall(r"\w+", record["text"].lower()))


def write(records):
    for record in records:
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
