#!/usr/bin/env python3
"""strict_clients.py EDGEFOLD SERVER FILE: the providers' own clients, with bodies that edgefold writes.

Shows that strict_server.py is no stricter than what their clients send, and that what it
answers is what they read."""

import json
import subprocess
import sys

import anthropic
import cohere
import openai


def body(edgefold, file, *options):
    done = subprocess.run([edgefold, "-q", "Why?", *options, file], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def main():
    edgefold, server, file = sys.argv[1:]

    client = anthropic.Anthropic(base_url=server, api_key="k", max_retries=0)
    made = body(edgefold, file, "-f", "anthropic", "--cite")
    message = client.messages.create(model="some-model", max_tokens=9, **made)
    # The citation is of the block that the index says.
    citation = message.content[-1].citations[0]
    assert citation.type == "search_result_location"
    block = made["messages"][0]["content"][citation.search_result_index]
    assert (block["source"], block["title"]) == (citation.source, citation.title), citation

    client = openai.OpenAI(base_url=f"{server}/v1", api_key="k", max_retries=0)
    made = body(edgefold, file, "-f", "messages")
    assert client.chat.completions.create(model="some-model", **made).choices[0].message.content == "Out of 2 messages."
    assert client.responses.create(model="some-model", input=made["messages"]).output_text == "Out of 2 items."
    try:
        client.chat.completions.create(model="some-model", messages=[])
        sys.exit("an empty array of messages was taken")
    except openai.BadRequestError as error:
        assert "must have an element" in str(error), error

    client = cohere.ClientV2(api_key="k", base_url=server)
    made = body(edgefold, file, "-f", "cohere", "--cite")
    message = client.chat(model="some-model", **made).message
    source = message.citations[0].sources[0]
    assert source.id == made["documents"][-1]["id"] and source.document == made["documents"][-1]["data"], source


main()
