"""Haystack's LostInTheMiddleRanker on the records."""

from haystack import Document
from haystack.components.rankers import LostInTheMiddleRanker

import records

# With an id given, Haystack does not hash every text to make one.
documents = [
    Document(id=str(i), content=r["text"], meta=r, score=r["score"])
    for i, r in enumerate(records.read())
]
records.write(d.meta for d in LostInTheMiddleRanker().run(documents=documents)["documents"])
