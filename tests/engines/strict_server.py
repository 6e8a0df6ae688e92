#!/usr/bin/env python3
"""strict_server.py PORT-FILE: the providers' endpoints on localhost, which refuse what theirs would.

Writes the port it has found to the file and answers until it is killed.  A request that
follows the documentation gets a short answer in the provider's own shape; any other gets
a status of 4xx and a message that says where and why.  Each rule has the place where it
was read: a page of the documentation, a type of the SDK (anthropic 2.14.0, cohere 7.3.1,
openai 3.57.0, google-genai 3.6.1, ollama 0.6.3), or an issue that quotes the provider's answer.
Members are those that edgefold and its recipes write, and no others.
"""

import json
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Refusal(Exception):
    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


def refuse_if(wrong, where, message):
    if wrong:
        raise Refusal(f"{where}: {message}")


# What every endpoint asks of a body.


def no_repeats(pairs):
    # RFC 8259, 4: what a reader makes of a name that is there twice cannot be relied on.
    names = [name for name, _ in pairs]
    refuse_if(len(names) != len(set(names)), "body", f"a name is there twice: {names}")
    return dict(pairs)


def no_constants(name):
    # RFC 8259, 6: Infinity and NaN are no numbers.
    raise Refusal(f"body: {name} is not JSON")


def no_halves(value):
    # "The request body is not valid JSON: no low surrogate in string":
    # github.com/anthropics/claude-code/issues/60394; RFC 8259, 8.2.
    if isinstance(value, str):
        refuse_if(re.search("[\ud800-\udfff]", value), "body", "half of a surrogate pair in a string")
    elif isinstance(value, list):
        for item in value:
            no_halves(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            no_halves(name)
            no_halves(item)


def parse(raw):
    try:
        # RFC 8259, 8.1: UTF-8, and no byte-order mark.
        body = json.loads(raw.decode("utf-8"), object_pairs_hook=no_repeats, parse_constant=no_constants)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Refusal(f"body: {error}") from error
    no_halves(body)
    return body


def members(value, where, required, optional=()):
    """The value is an object with all of the required members and no others than these."""
    refuse_if(not isinstance(value, dict), where, "must be an object")
    for name in required:
        refuse_if(name not in value, f"{where}.{name}", "Field required")
    for name in value:
        # "Extra inputs are not permitted": github.com/anthropics/claude-code/issues/4378.
        # The types of the SDKs have no other members.
        refuse_if(name not in required and name not in optional, f"{where}.{name}", "Extra inputs are not permitted")


def string(value, where):
    refuse_if(not isinstance(value, str), where, "must be a string")


def filled(value, where):
    string(value, where)
    refuse_if(not value.strip(), where, "must have text that is not white space")


def flag(value, where):
    refuse_if(not isinstance(value, bool), where, "must be true or false")


def whole(value, where, least):
    refuse_if(isinstance(value, bool) or not isinstance(value, int), where, "must be a whole number")
    refuse_if(value < least, where, f"must be at least {least}")


def some(value, where):
    refuse_if(not isinstance(value, list), where, "must be an array")
    refuse_if(not value, where, "must have an element")
    return [(f"{where}.{index}", item) for index, item in enumerate(value)]


def one_of(value, where, choices):
    refuse_if(value not in choices, where, f"must be one of {', '.join(choices)}")


# Anthropic: POST /v1/messages.


def check_cache_control(value, where):
    # types/cache_control_ephemeral_param.py
    members(value, where, ["type"], ["ttl"])
    one_of(value["type"], f"{where}.type", ["ephemeral"])
    one_of(value.get("ttl", "5m"), f"{where}.ttl", ["5m", "1h"])


def check_text_block(block, where):
    # types/text_block_param.py
    members(block, where, ["type", "text"], ["cache_control"])
    one_of(block["type"], f"{where}.type", ["text"])
    # "text content blocks must be non-empty" and "must contain non-whitespace text":
    # github.com/anthropics/claude-code/issues/59812 and 23440.
    filled(block["text"], f"{where}.text")
    if "cache_control" in block:
        check_cache_control(block["cache_control"], f"{where}.cache_control")


def check_search_result(block, where):
    # types/search_result_block_param.py, and the table of required fields in
    # platform.claude.com/docs/en/build-with-claude/search-results.
    members(block, where, ["type", "source", "title", "content"], ["citations", "cache_control"])
    string(block["source"], f"{where}.source")
    string(block["title"], f"{where}.title")
    # The same page: an array of text blocks, at least one, whose text is not empty.
    for place, part in some(block["content"], f"{where}.content"):
        check_text_block(part, place)
    if "citations" in block:
        # types/citations_config_param.py
        members(block["citations"], f"{where}.citations", ["enabled"])
        flag(block["citations"]["enabled"], f"{where}.citations.enabled")
    if "cache_control" in block:
        check_cache_control(block["cache_control"], f"{where}.cache_control")


def check_blocks(content, where):
    for place, block in some(content, where):
        members(block, place, ["type"], block.keys() if isinstance(block, dict) else ())
        one_of(block["type"], f"{place}.type", ["text", "search_result"])
        (check_text_block if block["type"] == "text" else check_search_result)(block, place)


def every_block(messages):
    return [block for message in messages if isinstance(message["content"], list) for block in message["content"]]


def check_anthropic(body):
    # types/message_create_params.py: MessageCreateParamsBase
    members(body, "body", ["model", "max_tokens", "messages"], ["system", "stream"])
    filled(body["model"], "model")
    # The same: 0 fills the cache.
    whole(body["max_tokens"], "max_tokens", 0)
    if isinstance(body.get("system"), list):
        for place, block in some(body["system"], "system"):
            check_text_block(block, place)
    elif "system" in body:
        filled(body["system"], "system")
    # The same: "There is a limit of 100,000 messages in a single request."
    refuse_if(len(some(body["messages"], "messages")) > 100000, "messages", "too many")
    for place, message in some(body["messages"], "messages"):
        # types/message_param.py and user_message_param.py
        members(message, place, ["role", "content"])
        one_of(message["role"], f"{place}.role", ["user", "assistant"])
        if isinstance(message["content"], str):
            filled(message["content"], f"{place}.content")
        else:
            check_blocks(message["content"], f"{place}.content")
    # The same: a last message of the assistant's is a prefill, which newer models refuse.
    refuse_if(body["messages"][-1]["role"] != "user", "messages", "the last must be the user's")
    blocks = every_block(body["messages"])
    # The page on search results: citations are on for all of a request's results, or for none.
    cites = {block.get("citations", {}).get("enabled", False) for block in blocks if block["type"] == "search_result"}
    refuse_if(len(cites) > 1, "citations", "must be enabled for all search results or for none")
    # "A maximum of 4 blocks with cache_control may be provided. Found 5.":
    # github.com/tghamm/Anthropic.SDK/issues/50
    caches = sum("cache_control" in block for block in blocks)
    refuse_if(caches > 4, "cache_control", f"a maximum of 4 blocks, found {caches}")
    return anthropic_answer(body)


def anthropic_answer(body):
    # types/message.py, thinking_block.py, text_block.py and citations_search_result_location.py;
    # what a model thinks comes before its words.
    results = [block for block in every_block(body["messages"]) if block["type"] == "search_result"]
    thinking = {"type": "thinking", "thinking": "The last of them says it.", "signature": "s"}
    text = {"type": "text", "text": f"Out of {len(results)} documents: "}
    cited = {"type": "text", "text": "what the last of them says."}
    if results and results[-1].get("citations", {}).get("enabled"):
        cited["citations"] = [{
            "type": "search_result_location", "search_result_index": len(results) - 1,
            "source": results[-1]["source"], "title": results[-1]["title"],
            "cited_text": results[-1]["content"][0]["text"], "start_block_index": 0, "end_block_index": 1}]
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"],
            "content": [thinking, text, cited], "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}


# OpenAI: POST /v1/chat/completions and /v1/responses.

# "Expected a string with maximum length 1048576": github.com/gptscript-ai/clio/issues/41,
# and 10485760 for responses: github.com/VectorlyApp/bluebox/issues/31.
CHAT_LENGTH, RESPONSES_LENGTH = 1048576, 10485760


def check_length(text, where, most):
    refuse_if(len(text) > most, where, f"string too long, {len(text)} of at most {most}")


def check_parts(content, where, part_type, most):
    """A string, or an array of parts that have one."""
    if isinstance(content, str):
        check_length(content, where, most)
        return
    for place, part in some(content, where):
        members(part, place, ["type", "text"])
        one_of(part["type"], f"{place}.type", [part_type])
        string(part["text"], f"{place}.text")
        check_length(part["text"], f"{place}.text", most)


def check_chat(body):
    # types/chat/completion_create_params.py: CompletionCreateParamsBase
    members(body, "body", ["model", "messages"], ["stream", "max_completion_tokens"])
    filled(body["model"], "model")
    if "max_completion_tokens" in body:
        whole(body["max_completion_tokens"], "max_completion_tokens", 1)
    for place, message in some(body["messages"], "messages"):
        # types/chat/chat_completion_system_message_param.py, ..._user_message_param.py and
        # ..._developer_message_param.py; the others need what nothing here writes.
        members(message, place, ["role", "content"], ["name"])
        one_of(message["role"], f"{place}.role", ["developer", "system", "user"])
        check_parts(message["content"], f"{place}.content", "text", CHAT_LENGTH)
    # types/chat/chat_completion.py
    answer = {"role": "assistant", "content": f"Out of {len(body['messages'])} messages.", "refusal": None}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"],
            "choices": [{"index": 0, "message": answer, "finish_reason": "stop", "logprobs": None}]}


def check_responses(body):
    # types/responses/response_create_params.py: ResponseCreateParamsBase
    members(body, "body", ["model", "input"], ["instructions", "stream", "max_output_tokens"])
    filled(body["model"], "model")
    if "instructions" in body:
        string(body["instructions"], "instructions")
    items = [] if isinstance(body["input"], str) else some(body["input"], "input")
    for place, item in items:
        # types/responses/easy_input_message_param.py
        members(item, place, ["role", "content"], ["type"])
        one_of(item.get("type", "message"), f"{place}.type", ["message"])
        one_of(item["role"], f"{place}.role", ["user", "assistant", "system", "developer"])
        check_parts(item["content"], f"{place}.content", "input_text", RESPONSES_LENGTH)
    # types/responses/response.py, response_reasoning_item.py and response_output_text.py
    text = {"type": "output_text", "text": f"Out of {len(items)} items.", "annotations": []}
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": body["model"], "status": "completed",
            "output": [{"type": "reasoning", "id": "rs_1", "summary": []},
                       {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}]}


# Cohere: POST /v2/chat.


def check_cohere_document(document, where):
    # v2/types/v2chat_request_documents_item.py: a string, or types/document.py
    if isinstance(document, str):
        filled(document, where)
        return
    members(document, where, ["data"], ["id"])
    if "id" in document:
        # Numbers are refused: github.com/cohere-ai/cohere-python/issues/603.
        filled(document["id"], f"{where}.id")
    # "document at index 0 cannot be empty": github.com/cohere-ai/cohere-typescript/issues/102
    refuse_if(not isinstance(document["data"], dict) or not document["data"], f"{where}.data", "must have a member")
    for name, value in document["data"].items():
        # types/document.py has any values, types/chat_document.py, of the first version,
        # strings alone; what keeps to the stricter one is safe with both.
        string(value, f"{where}.data.{name}")


def check_cohere(body):
    # v2/client.py: chat
    members(body, "body", ["model", "messages"], ["documents", "citation_options", "stream", "max_tokens"])
    filled(body["model"], "model")
    if "max_tokens" in body:
        whole(body["max_tokens"], "max_tokens", 1)
    for index, (place, message) in enumerate(some(body["messages"], "messages")):
        # types/chat_message_v2.py
        members(message, place, ["role", "content"])
        one_of(message["role"], f"{place}.role", ["system", "user"])
        # "system turn must be the first in the list" and "message must not be empty in a
        # turn": docs.cohere.com/reference/errors
        refuse_if(message["role"] == "system" and index > 0, place, "the system's turn must be the first")
        filled(message["content"], f"{place}.content")
    # A turn of the user's must close: github.com/SillyTavern/SillyTavern/issues/3692 tells
    # of an error otherwise, which newer models no longer give.
    refuse_if(body["messages"][-1]["role"] != "user", "messages", "the last must be the user's")
    if "documents" in body:
        for place, document in some(body["documents"], "documents"):
            check_cohere_document(document, place)
        # types/document.py: "Unique identifier for this document"
        ids = [document["id"] for document in body["documents"] if isinstance(document, dict) and "id" in document]
        refuse_if(len(ids) != len(set(ids)), "documents", "ids must be unique")
    if "citation_options" in body:
        # types/citation_options.py and citation_options_mode.py
        members(body["citation_options"], "citation_options", [], ["mode"])
        modes = ["ENABLED", "DISABLED", "FAST", "ACCURATE", "OFF"]
        one_of(body["citation_options"].get("mode", "ENABLED"), "citation_options.mode", modes)
    return cohere_answer(body)


def cohere_answer(body):
    # v2/types/v2chat_response.py, types/assistant_message_response.py and types/citation.py
    documents = body.get("documents", [])
    text = f"Out of {len(documents)} documents."
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    if documents and "citation_options" in body:
        source = {"type": "document", "id": documents[-1]["id"], "document": documents[-1]["data"]}
        message["citations"] = [{"start": 0, "end": len(text), "text": text, "sources": [source]}]
    return {"id": "1", "finish_reason": "COMPLETE", "message": message}


# Gemini: POST /v1beta/models/MODEL:generateContent.


def check_gemini_content(content, where, roles):
    # google/genai/types.py: Content and Part
    members(content, where, ["parts"], ["role"])
    one_of(content.get("role", roles[0]), f"{where}.role", roles)
    for place, part in some(content["parts"], f"{where}.parts"):
        members(part, place, ["text"])
        string(part["text"], f"{place}.text")


def check_gemini(body):
    # google/genai/models.py: _GenerateContentParameters_to_mldev, which names the members
    members(body, "body", ["contents"], ["systemInstruction", "generationConfig"])
    for place, content in some(body["contents"], "contents"):
        check_gemini_content(content, place, ["user", "model"])
    if "systemInstruction" in body:
        check_gemini_content(body["systemInstruction"], "systemInstruction", ["user"])
    # google/genai/types.py: GenerateContentResponse and Candidate
    parts = [{"text": f"Out of {len(body['contents'])} "}, {"text": "contents."}]
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}


# Ollama: POST /api/chat.


def check_ollama(body):
    # ollama/_types.py: ChatRequest and what it is made of
    members(body, "body", ["model", "messages"], ["stream", "options", "keep_alive", "think"])
    filled(body["model"], "model")
    # github.com/ollama/ollama/blob/main/docs/api.md: without it the answer is a stream.
    refuse_if("stream" not in body, "stream", "must be false, for this server does not stream")
    # The same: no messages at all are the wish to load the model.
    for place, message in some(body["messages"], "messages"):
        members(message, place, ["role", "content"])
        one_of(message["role"], f"{place}.role", ["system", "user", "assistant", "tool"])
        string(message["content"], f"{place}.content")
    if "options" in body:
        # ollama/_types.py: Options
        members(body["options"], "options", [], ["num_ctx", "num_predict", "seed", "temperature"])
        if "num_ctx" in body["options"]:
            whole(body["options"]["num_ctx"], "options.num_ctx", 1)
    # ollama/_types.py: ChatResponse, and docs/api.md
    answer = {"role": "assistant", "content": f"Out of {len(body['messages'])} messages."}
    return {"model": body["model"], "created_at": "2026-11-30T00:00:00Z", "message": answer, "done": True,
            "done_reason": "stop", "prompt_eval_count": 1, "eval_count": 1}


# The way to each endpoint, what must stand in the headers, and the most bytes.

# "The maximum request size is 32 MB": platform.claude.com/docs/en/api/errors; the others
# say nothing of the sort.
BEARER = r"authorization: (?i:bearer) .+"
ENDPOINTS = [
    # platform.claude.com/docs/en/api/versioning has the first version and x-api-key, the SDK
    # the second and a bearer (_constants.py and auth_headers in _client.py).
    (r"/v1/messages", check_anthropic,
     [rf"x-api-key: .+|{BEARER}", r"anthropic-version: (2023-06-01|2026-10-21)"], 32 << 20),
    (r"/v1/chat/completions", check_chat, [BEARER], None),
    (r"/v1/responses", check_responses, [BEARER], None),
    (r"/v2/chat", check_cohere, [BEARER], None),
    (r"/v1beta/models/[\w.-]+:generateContent", check_gemini, [r"x-goog-api-key: .+"], None),
    (r"/api/chat", check_ollama, [], None),
]
# The commands of Ollama's docs/api.md leave curl's own type.
ANY_TYPE = ["/api/chat"]


def answer(path, headers, raw):
    for pattern, check, wanted, most in ENDPOINTS:
        if re.fullmatch(pattern, path):
            break
    else:
        raise Refusal(f"no such endpoint: {path}", 404)
    lines = [f"{name.lower()}: {value}" for name, value in headers.items()]
    for line in wanted:
        # The SDKs send these with each request.
        if not any(re.fullmatch(line, there) for there in lines):
            raise Refusal(f"no header is {line}", 401)
    if headers.get_content_type() != "application/json" and path not in ANY_TYPE:
        raise Refusal("content-type: must be application/json", 415)
    if most is not None and len(raw) > most:
        raise Refusal("Request exceeds the maximum allowed number of bytes.", 413)
    body = parse(raw)
    if isinstance(body, dict) and "stream" in body:
        flag(body["stream"], "stream")
        refuse_if(body["stream"], "stream", "this server does not stream")
    return check(body)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        try:
            status, reply = 200, answer(self.path, self.headers, raw)
        except Refusal as refusal:
            status, reply = refusal.status, {"error": {"message": str(refusal)}}
        sent = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass


def main():
    server = HTTPServer(("127.0.0.1", 0), Handler)
    # Renamed into place, so that whoever sees the file sees all of it.
    with open(sys.argv[1] + ".part", "w", encoding="ascii") as file:
        file.write(f"{server.server_port}\n")
    os.rename(sys.argv[1] + ".part", sys.argv[1])
    server.serve_forever()


main()
