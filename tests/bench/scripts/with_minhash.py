"""datasketch's MinHashLSH: near-duplicates in rank order, approximately; no fold."""

from datasketch import MinHash, MinHashLSH

import records


def distinct(ranked):
    index = MinHashLSH(threshold=0.85, num_perm=128)
    for number, record in enumerate(ranked):
        sketch = MinHash(num_perm=128)
        sketch.update_batch([word.encode() for word in records.words(record)])
        if not index.query(sketch):
            index.insert(number, sketch)
            yield record


records.write(distinct(records.read()))
