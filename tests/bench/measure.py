"""Times by hyperfine, peak memory by GNU time; nothing is measured in Python itself."""

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
    problem: str = ""  # why there are no figures


def kill_group(process):
    """Ends the whole group that we started, since GNU time does not pass a signal on;
    returns the seconds of processor time that it has had."""
    used = subprocess.run(["ps", "-o", "cputimes=", "--sid", str(process.pid)],
                          capture_output=True, text=True, check=False).stdout
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return float(sum(map(int, used.split())))


def count_lines(path):
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


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
        return Result(elapsed_of(text), processor, peak * 1024, count_lines(out))


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


def processor_times(commands, seconds):
    """The median processor times (user and system) of commands that take about so many
    seconds each.  For differences and ratios: the runs alternate, so that the machine's
    drift meets all alike, and who else uses the processor counts less than in wall time."""
    rounds = 3 if seconds > 2 else 5 if seconds > 0.5 else 11 if seconds > 0.1 else 41
    times = []
    for _ in range(rounds):
        times.append([r["user"] + r["system"] for r in hyperfine(commands, 1, 0)])
    return [statistics.median(column) for column in zip(*times)]
