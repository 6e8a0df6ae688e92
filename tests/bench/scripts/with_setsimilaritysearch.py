"""SetSimilaritySearch: all similar pairs, exactly, then the kept in rank order; no fold."""

from SetSimilaritySearch import all_pairs

import records


def distinct(ranked):
    sets = [records.words(r) for r in ranked]
    better = {}
    for x, y, _ in all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=0.85):
        better.setdefault(max(x, y), []).append(min(x, y))
    dropped = set()
    for number, record in enumerate(ranked):
        if any(other not in dropped for other in better.get(number, ())):
            dropped.add(number)
        else:
            yield record


records.write(distinct(records.read()))
