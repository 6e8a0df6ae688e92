"""Plain Python: sort, drop near-duplicates by the double loop over sets, fold."""

import records

THRESHOLD = 0.85


def distinct(ranked):
    kept, sets = [], []
    for record in ranked:
        a = records.words(record)
        if any(len(a & b) / (len(a | b) or 1) >= THRESHOLD for b in sets):
            continue
        kept.append(record)
        sets.append(a)
    return kept


records.write(records.fold(distinct(records.read())))
