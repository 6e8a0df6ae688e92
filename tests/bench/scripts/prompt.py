"""A prompt by plain Python: sorted, cut where the budget ends, folded, the question last.
prompt.py FILE QUESTION BUDGET; a token is taken for four bytes."""

import itertools
import sys

import records


def fitting(ranked, budget):
    used = itertools.accumulate(len(record["text"].encode()) / 4 for record in ranked)
    return [record for record, tokens in zip(ranked, used) if tokens <= budget]


for number, chunk in enumerate(records.fold(fitting(records.read(), float(sys.argv[3]))), 1):
    print(f"[{number}] {chunk['text']}\n")
print("Question:", sys.argv[2])
