"""LlamaIndex's LongContextReorder on the records."""

from llama_index.core.postprocessor import LongContextReorder
from llama_index.core.schema import NodeWithScore, TextNode

import records

nodes = [
    NodeWithScore(node=TextNode(text=r["text"], metadata=r), score=r["score"])
    for r in records.read()
]
records.write(n.node.metadata for n in LongContextReorder().postprocess_nodes(nodes))
