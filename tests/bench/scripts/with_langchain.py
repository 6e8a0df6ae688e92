"""LangChain's LongContextReorder on the records."""

import warnings

warnings.simplefilter("ignore")

from langchain_community.document_transformers import LongContextReorder  # noqa: E402
from langchain_core.documents import Document  # noqa: E402

import records  # noqa: E402

documents = [Document(page_content=r["text"], metadata=r) for r in records.read()]
records.write(d.metadata for d in LongContextReorder().transform_documents(documents))
