#!/usr/bin/env python3
"""bodies.py EDGEFOLD FILE...: bodies of requests against the types of the providers' own SDKs."""

import json
import subprocess
import sys

from anthropic.types import MessageParam
from cohere.types import CitationOptions, Document
from openai.types.chat import ChatCompletionMessageParam
from pydantic import TypeAdapter

QUESTION = ["-q", "What is it?", "-n", "8"]


def body(edgefold, file, *options):
    done = subprocess.run([edgefold, "--skip-invalid", *QUESTION, *options, file],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def check_messages(made):
    for message in made["messages"]:
        TypeAdapter(ChatCompletionMessageParam).validate_python(message, strict=True)
    assert set(made) == {"messages"}
    return 1


def check_anthropic(made, cites):
    assert set(made) == {"system", "messages"} and isinstance(made["system"], str)
    content = made["messages"][0]["content"]
    for message in made["messages"]:
        TypeAdapter(MessageParam).validate_python(message)
    *results, question = content
    assert question == {"type": "text", "text": "What is it?"}
    for result in results:
        keys = {"type", "source", "title", "content"} | ({"citations"} if cites else set())
        assert set(result) == keys and result["type"] == "search_result", result
        assert all(isinstance(result[key], str) and result[key] for key in ("source", "title"))
        assert len(result["content"]) == 1 and result["content"][0]["text"].strip()
    return len(results)


def check_cohere(made):
    ids = [document["id"] for document in made["documents"]]
    assert len(ids) == len(set(ids)) and all(isinstance(i, str) for i in ids)
    for document in made["documents"]:
        Document(**document)
        assert all(isinstance(value, str) for value in document["data"].values())
    if "citation_options" in made:
        CitationOptions(**made["citation_options"])
    return len(ids)


def main():
    edgefold, *files = sys.argv[1:]
    checked = 0
    for file in files:
        for made, check in ((body(edgefold, file, "-f", "messages"), check_messages),
                            (body(edgefold, file, "-f", "anthropic"), lambda made: check_anthropic(made, False)),
                            (body(edgefold, file, "-f", "anthropic", "--cite"), lambda made: check_anthropic(made, True)),
                            (body(edgefold, file, "-f", "cohere", "--cite"), check_cohere)):
            if made is not None:
                checked += check(made)
    if checked < 4:
        sys.exit(f"only {checked} blocks were looked at")


main()
