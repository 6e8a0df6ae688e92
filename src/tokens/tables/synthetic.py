"""Made-up documents: logs, CSV, tables, API-like JSON, emoji, random strings,
lists of molecules.

Packages hold little of these, yet they are common in retrieved text.
"""

import base64
import json

LEVELS = ["INFO", "WARN", "ERROR", "DEBUG"]


def date(rng):
    """Return a day in ISO form."""
    return (f"20{rng.randint(15, 26)}-{rng.randint(1, 12):02d}"
            f"-{rng.randint(1, 28):02d}")


def clock(rng):
    """Return a time of day."""
    return (f"{rng.randrange(24):02d}:{rng.randrange(60):02d}"
            f":{rng.randrange(60):02d}")


def access_line(rng, words):
    """Return a line of a web server's log."""
    address = ".".join(str(rng.randrange(256)) for _ in range(4))
    return (f"{address} - - [{rng.randint(1, 30):02d}/Nov/2025:{clock(rng)}"
            f' +0000] "GET /{rng.choice(words)}/{rng.choice(words)}'
            f'?id={rng.randrange(10 ** 5)} HTTP/1.1" '
            f"{rng.choice([200, 301, 404, 500])} {rng.randrange(10 ** 5)}"
            ' "-" "Mozilla/5.0 (X11; Linux x86_64)"')


def application_line(rng, words):
    """Return a line of an application's log."""
    return (f"{date(rng)} {clock(rng)},{rng.randrange(1000):03d}"
            f" {rng.choice(LEVELS)} [{rng.choice(words)}-{rng.randrange(32)}]"
            f" com.example.{rng.choice(words)}.{rng.choice(words).title()}:"
            f" {' '.join(rng.choices(words, k=5))} key={rng.choice(words)}"
            f" took {rng.randrange(5000)} ms")


def csv_line(rng, words):
    """Return a row of comma separated values."""
    return ",".join([str(rng.randrange(10 ** 6)),
                     " ".join(rng.choices(words, k=2)),
                     f"{rng.uniform(0, 1000):.4f}",
                     f"{rng.uniform(-10, 10):.2f}", rng.choice(words),
                     date(rng)])


def tsv_line(rng, words):
    """Return a row of tab separated values."""
    return "\t".join([f"chr{rng.randint(1, 22)}", str(rng.randrange(10 ** 8)),
                      str(rng.randrange(10 ** 8)), rng.choice(words),
                      f"{rng.lognormvariate(0, 3):.6g}", rng.choice("+-")])


def system_line(rng, words):
    """Return a line as the system log has them."""
    return (f"Nov {rng.randint(1, 30):2d} {clock(rng)} host{rng.randrange(9)}"
            f" {rng.choice(words)}[{rng.randrange(32768)}]:"
            f" {' '.join(rng.choices(words, k=rng.randint(3, 8)))}"
            f" 0x{rng.getrandbits(32):08x}")


LINES = [access_line, application_line, csv_line, tsv_line, system_line]


def logs(rng, words, number):
    """Return one log or data file of 300 lines."""
    line = LINES[number % len(LINES)]
    return "\n".join(line(rng, words) for _ in range(300))


def record(rng, words, depth=0):
    """Return an object as web interfaces answer with."""
    makers = [
        lambda: rng.randrange(10 ** rng.randint(1, 9)),
        lambda: round(rng.uniform(-1000, 1000), rng.randint(1, 6)),
        lambda: rng.choice([True, False, None]),
        lambda: " ".join(rng.choices(words, k=rng.randint(1, 8))),
        lambda: f"{date(rng)}T{clock(rng)}Z",
        lambda: f"https://example.org/{rng.choice(words)}/"
                f"{rng.randrange(10 ** 4)}",
        lambda: rng.choices(words, k=rng.randint(0, 5)),
    ]
    if depth < 2:
        makers.append(lambda: record(rng, words, depth + 1))
    return {key_name(rng, words): rng.choice(makers)()
            for _ in range(rng.randint(3, 9))}


def key_name(rng, words):
    """Return a key in snake case or camel case."""
    parts = rng.choices(words, k=rng.randint(1, 2))
    if rng.random() < 0.5:
        return "_".join(parts)
    return parts[0] + "".join(part.title() for part in parts[1:])


def api_json(rng, words, number):
    """Return an answer of a web interface: indented, compact or by lines."""
    rows = [record(rng, words) for _ in range(60)]
    if number % 3 == 0:
        return json.dumps(rows, indent=2)
    if number % 3 == 1:
        return json.dumps(rows, separators=(",", ":"))
    return "\n".join(json.dumps(row) for row in rows)


def markdown_table(rows, padded):
    """Return a Markdown table; the first row is the header."""
    rows = [[str(cell).replace("|", "/").replace("\n", " ") for cell in row]
            for row in rows]
    widths = [max(len(row[i]) for row in rows) if padded else 0
              for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width
                               in zip(row, widths)) + " |" for row in rows]
    dashes = ("-" * (width + 2) if padded else "---" for width in widths)
    lines.insert(1, "|" + "|".join(dashes) + "|")
    return "\n".join(lines)


def number_table(rng, words, number):
    """Return a Markdown table of made-up figures."""
    kinds = {
        "i": lambda: f"{rng.randrange(10 ** rng.randint(1, 7)):,}",
        "n": lambda: rng.randrange(10 ** rng.randint(1, 7)),
        "f": lambda: round(rng.uniform(-100, 1000), rng.randint(1, 3)),
        "p": lambda: f"{rng.random() * 100:.2f}%",
        "w": lambda: " ".join(rng.choices(words, k=rng.randint(1, 4))),
        "d": lambda: date(rng),
    }
    columns = [rng.choice("infpwwd") for _ in range(rng.randint(3, 8))]
    rows = [[" ".join(rng.choices(words, k=rng.randint(1, 2))).title()
             for _ in columns]]
    rows += [[kinds[kind]() for kind in columns] for _ in range(120)]
    return markdown_table(rows, number % 2)


def emoji_text(rng, words, sentences, pool, number):
    """Return chat-like lines with emoji."""
    lines = []
    for _ in range(160):
        if number % 4 < 2:
            lines.append(rng.choice(sentences) + " "
                         + "".join(rng.choices(pool, k=rng.randint(1, 3))))
        else:
            lines.append("".join(rng.choices(pool, k=rng.randint(1, 8))) + " "
                         + " ".join(rng.choices(words, k=rng.randint(1, 4))))
    return "\n".join(lines)


def random_strings(rng, words, number):
    """Return identifiers without meaning among words: digests, keys, UUIDs."""
    lines = []
    for _ in range(60):
        size = rng.choice([8, 12, 16, 20, 32, 48])
        data = rng.randbytes(size)
        made = rng.choice([
            data.hex(), data.hex().upper(),
            base64.b64encode(data).decode(),
            base64.urlsafe_b64encode(data).decode().rstrip("="),
            "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=size)),
            "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=size)),
        ])
        lines.append(f"{rng.choice(words)}{rng.choice([': ', '=', ' '])}{made}")
    return "\n".join(lines)


def molecules(rng, words, smiles):
    """Return SMILES as a list, with numbers, as a table or in sentences."""
    number = rng.randrange(10 ** 6)
    form = rng.choice([
        lambda one: one,
        lambda one: f"{one} {number}",
        lambda one: f"{one}\t{rng.choice(words)}-{number}",
        lambda one: f"CHEMBL{number},{one},{rng.uniform(0, 12):.2f}",
        lambda one: f'"{one}","{rng.choice(words)} {number}"',
        lambda one: json.dumps({"smiles": one, "id": number}),
        lambda one: f"SMILES: {one}",
        lambda one: f"{rng.choice(words).title()} {rng.choice(words)} is"
                    f" {one} with {rng.choice(words)}.",
    ])
    lines = []
    for one in smiles:
        number += rng.randint(1, 900)
        lines.append(form(one))
    return "\n".join(lines)
