"""Token counting beside other counters, on the same texts.

Peers count inside their own process and time only that, after one pass to warm
up; edgefold is timed as a whole process, its start and the loading included.
"""

import json
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from measure import progress
from peers import Installer, quiet

NPM = ["tiktoken@1.0.22", "gpt-tokenizer@4.0.0", "ai-tokenizer", "tokenx@2.2.0"]
NODE_PEERS = {
    "tiktoken, WASM (npm)": "const {get_encoding}=require('tiktoken');"
                            "const e=get_encoding('o200k_base');"
                            "const count=t=>e.encode_ordinary(t).length;",
    "gpt-tokenizer (npm)": "const {countTokens}=require('gpt-tokenizer/encoding/o200k_base');"
                           "const count=t=>countTokens(t);",
    "ai-tokenizer (npm)": "const {Tokenizer}=require('ai-tokenizer');"
                          "const e=new Tokenizer(require('ai-tokenizer/encoding/o200k_base'));"
                          "const count=t=>e.count(t);",
    "tokenx (npm), an estimate": "const {estimateTokenCount}=require('tokenx');"
                                 "const count=t=>estimateTokenCount(t);",
}
PYPI = "tiktoken==0.14.0"
# The ranks are in a file of the npm package: Python's tiktoken would fetch them.
IN_PYTHON = """
import sys, time
sys.path.insert(0, sys.argv[1])
from exact import reference
count = reference("o200k_base=" + sys.argv[2])
text = open(sys.argv[3], encoding="utf-8", newline="").read()
count(text)
start = time.perf_counter()
number = count(text)
print(time.perf_counter() - start, number)
"""
CRATE = ("bpe-openai", "0.3.2")
CARGO = """[package]
name = "count"
version = "0.0.0"
edition = "2021"

[dependencies]
{} = "={}"

[workspace]
"""
IN_RUST = """use std::{env, fs, time::Instant};

fn main() {
    let path = env::args().nth(1).expect("a file");
    let text = fs::read_to_string(path).expect("a text");
    let encoding = bpe_openai::o200k_base();
    encoding.count(text.as_str());
    let start = Instant::now();
    let number = encoding.count(text.as_str());
    println!("{} {}", start.elapsed().as_secs_f64(), number);
}
"""
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


@dataclass
class Counter:
    """One that counts inside its own process and prints the seconds and the number."""
    name: str
    argv: list  # the file of text comes last
    folder: Path = None
    problem: str = ""

    def measure(self, path):
        """(seconds, number), the best of some runs, or None."""
        found = []
        for _ in range(RUNS):
            run = subprocess.run([*self.argv, path], cwd=self.folder, capture_output=True,
                                 text=True, check=False)
            if run.returncode:
                return None
            seconds, number = run.stdout.split()
            found.append((float(seconds), int(number)))
        return min(found)


def whole_process(argv):
    """The same of edgefold."""
    found = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run = subprocess.run(argv, capture_output=True, text=True, check=False)
        if run.returncode:
            return None
        found.append((time.perf_counter() - start, int(run.stdout)))
    return min(found)


def node_folder(cache):
    folder = Path(cache).resolve() / "counting"
    folder.mkdir(parents=True, exist_ok=True)
    about = folder / "package.json"
    if not about.exists():  # else npm would take away what an earlier one names
        about.write_text('{"private": true}')
    return folder


def node_module(cache, package):
    """The folder of an npm package, which is installed if need be; None if it cannot be."""
    folder = node_folder(cache)
    name = package.rsplit("@", 1)[0] if "@" in package[1:] else package
    found = folder / "node_modules" / name
    if not found.exists():
        progress(f"installing {package} from npm")
        if not shutil.which("npm") or not quiet(
                ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts",
                 "--prefix", folder, package]):
            return None
    return found if found.exists() else None


def ranks(cache):
    """The text file of o200k_base, or None."""
    package = node_module(cache, "gpt-tokenizer@4.0.0")
    file = package / "data" / "o200k_base.tiktoken" if package else None
    return file if file and file.exists() else None


def compiled(program, vocabulary, path):
    """The path of the table that the program makes of the vocabulary."""
    with open(path, "wb") as file:
        subprocess.run([program, f"--compile-vocab={vocabulary}"], stdout=file,
                       stderr=subprocess.DEVNULL, check=False)
    return path


def in_node(cache):
    folder = node_folder(cache)
    for (name, code), package in zip(NODE_PEERS.items(), NPM):
        problem = "" if node_module(cache, package) else "not to be had: npm failed"
        yield Counter(name, ["node", "-e", code + TIMED], folder, problem)


def in_python(cache, project, vocabulary):
    interpreter = Installer(cache).python("tiktoken", PYPI)
    yield Counter("tiktoken (PyPI)",
                  [interpreter, "-B", "-c", IN_PYTHON, project / "tests", vocabulary],
                  problem="" if interpreter else "not to be had: pip failed")


def in_rust(cache):
    """A program of a few lines around the crate, built here."""
    folder = Path(cache).resolve() / "counting" / CRATE[0]
    counter = Counter(f"{CRATE[0]} (crate)", [folder / "target" / "release" / "count"])
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(CARGO.format(*CRATE))
    (folder / "src" / "main.rs").write_text(IN_RUST)
    if not counter.argv[0].exists():
        progress(f"building with the crate {CRATE[0]}")
    if not shutil.which("cargo"):
        counter.problem = "not to be had: no cargo"
    elif not quiet(["cargo", "build", "--release", "--quiet", "--manifest-path",
                    folder / "Cargo.toml"]):
        counter.problem = "not to be had: cargo failed"
    yield counter


def own_methods(program, cache):
    """What --count takes, by the name in the table."""
    methods = {"**edgefold**, estimate": "estimate"}
    vocabulary = ranks(cache)
    if vocabulary:
        table = compiled(program, vocabulary, node_folder(cache) / "o200k_base.vocab")
        methods |= {"**edgefold**, exact, compiled table": table,
                    "**edgefold**, exact, text file": vocabulary}
    return methods


def shown(found, size, expected):
    """One cell; where a counter is exact and its number is another, that is told."""
    if found is None:
        return "failed"
    seconds, number = found
    other = f", {number - expected:+,} tokens" if expected not in (None, number) else ""
    return f"{size / seconds:.1f} MB/s{other}"


def rows(program, cache, project):
    """A head and a row a counter: megabytes a second on each text, or why there are none."""
    methods = own_methods(program, cache)
    others = [*in_python(cache, project, ranks(cache)), *in_rust(cache), *in_node(cache)]
    heads = ["counter"]
    columns = []
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        for name, text in texts(project):
            progress(f"counting: {name}")
            heads.append(name)
            file.seek(0)
            file.truncate()
            file.write(text)
            file.flush()
            size = len(text.encode()) / 1e6
            found = {peer: whole_process([program, "--count-only", f"--count={method}", file.name])
                     for peer, method in methods.items()}
            exact = next((f[1] for peer, f in found.items() if "exact" in peer and f), None)
            column = [shown(f, size, exact if "exact" in peer else None)
                      for peer, f in found.items()]
            column += [other.problem or shown(other.measure(file.name), size,
                                              None if "estimate" in other.name else exact)
                       for other in others]
            columns.append(column)
    names = [*methods, *(other.name for other in others)]
    return heads, [[name, *(column[place] for column in columns)]
                   for place, name in enumerate(names)]
