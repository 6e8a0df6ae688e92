"""Times by hyperfine, peak memory by GNU time; nothing is measured in Python itself."""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

DEBIAN_PACKAGE = {"hyperfine": "hyperfine", "time": "time"}

# A command that takes longer than this is run once: more runs would add hours
# and change no conclusion.
ONCE = 15.0


def progress(text):
    print(text, file=sys.stderr, flush=True)


def missing_tools():
    """The Debian packages of the tools that are not there."""
    return [package for tool, package in DEBIAN_PACKAGE.items() if not shutil.which(tool)]


@dataclass
class Command:
    argv: list  # ends in the file to read: hyperfine 1.15 redirects nothing
    env: dict = field(default_factory=dict)

    def environment(self):
        return {**os.environ, **self.env}


@dataclass
class Result:
    seconds: float = 0.0
    processor: float = 0.0  # seconds, user and system
    peak: int = 0  # bytes
    lines: int = 0  # of output
    digest: str = ""  # of the output's bytes
    problem: str = ""  # why there are no figures


def kill_group(process):
    """Ends the whole group that we started, since GNU time does not pass a signal on;
    returns the seconds of processor time that it has had."""
    used = subprocess.run(["ps", "-o", "cputimes=", "--sid", str(process.pid)],
                          capture_output=True, text=True, check=False).stdout
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return float(sum(map(int, used.split())))


def lines_and_digest(path):
    lines, digest = 0, hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            lines += block.count(b"\n")
            digest.update(block)
    return lines, digest.hexdigest()


def elapsed_of(report):
    """Seconds, from GNU time's h:mm:ss or m:ss.cc."""
    clock = re.search(r"Elapsed .*\): (\S+)", report).group(1)
    seconds = 0.0
    for part in clock.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


def probe(command, limit):
    """Runs the command once under GNU time, for its memory and whether it works at all."""
    with tempfile.TemporaryDirectory() as folder:
        report, out, err = (Path(folder, name) for name in ("time", "out", "err"))
        with open(out, "wb") as o, open(err, "wb") as e:
            process = subprocess.Popen(
                [shutil.which("time"), "-v", "-o", report, *command.argv],
                stdin=subprocess.DEVNULL, stdout=o, stderr=e, env=command.environment(),
                start_new_session=True)
            try:
                status = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                return Result(processor=kill_group(process), problem=f"over {limit:g} s")
            except BaseException:
                kill_group(process)
                raise
        if status != 0:
            said = err.read_text(errors="replace").strip().splitlines() or ["no message"]
            return Result(problem=f"failed, status {status}: {said[-1][:80]}")
        text = report.read_text()
        peak = int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", text).group(1))
        processor = sum(map(float, re.findall(r"(?:User|System) time \(seconds\): (\S+)", text)))
        return Result(elapsed_of(text), processor, peak * 1024, *lines_and_digest(out))


def hyperfine(commands, runs, warmup):
    """Its results for commands that have one environment."""
    with tempfile.NamedTemporaryFile(suffix=".json") as export:
        done = subprocess.run(
            ["hyperfine", "-N", "--style", "none", "--warmup", str(warmup), "--runs", str(runs),
             "--export-json", export.name, *[shlex.join(map(str, c.argv)) for c in commands]],
            env=commands[0].environment(), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"hyperfine: {done.stderr}")
        return json.load(export)["results"]


def measure(command, limit):
    """Median wall time and peak memory, or the problem."""
    result = probe(command, limit)
    if not result.problem and result.seconds <= ONCE:
        # About three seconds of runs, but never fewer than three or more than a hundred.
        runs = max(3, min(100, int(3 / max(result.seconds, 0.001))))
        result.seconds = hyperfine([command], runs, 3 if runs >= 10 else 1)[0]["median"]
    return result


def alternating_times(commands, rounds):
    """The processor times (user and system) of each command, a list of one a round.  The
    runs alternate, and every other round goes backwards, so that the machine's drift and
    who else uses the processor meet all alike."""
    times = [[] for _ in commands]
    for turn in range(rounds):
        places = range(len(commands)) if turn % 2 == 0 else range(len(commands) - 1, -1, -1)
        results = hyperfine([commands[place] for place in places], 1, 0)
        for place, result in zip(places, results):
            times[place].append(result["user"] + result["system"])
    return times


def rounds_for(seconds):
    """More for what is over soon, where the noise is a larger part."""
    return 3 if seconds > 2 else 5 if seconds > 0.5 else 11 if seconds > 0.1 else 41


def processor_times(commands, seconds):
    """The median processor times of commands that take about so many seconds each."""
    return [statistics.median(column)
            for column in alternating_times(commands, rounds_for(seconds))]


def best_times(commands, tried):
    """(the best processor time of each command, of how many runs).  `tried` are their
    results of probe(), which count where a run is so long that GNU time's hundredths of a
    second do not matter."""
    longest = max(result.seconds for result in tried)
    rounds = 1 if longest > ONCE else 2 * rounds_for(longest) - 1 if longest < 2 else 3
    columns = alternating_times(commands, rounds)
    if longest <= ONCE:
        return [min(column) for column in columns], rounds
    return [min([*column, result.processor]) for column, result in zip(columns, tried)], rounds + 1
