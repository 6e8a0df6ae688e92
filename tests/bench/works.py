"""The works of --baseline: each by this program and by another commit's, side by side."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import corpora
import counting
import instructions
from measure import Command, best_times, probe, progress
from report import memory_of, significant, time_of

NAMES = ("o75", "o25", "b", "shingle", "few", "exact", "estimate", "identical", "common",
         "tiny", "distinct")


@dataclass
class Pair:
    """What one work took with this program and with the other."""
    results: list  # of probe(), this program's first
    seconds: list  # of processor, the best; empty where either has a problem

    def problem(self):
        return next((result.problem for result in self.results if result.problem), "")

    def cells(self, figure):
        """figure(result, seconds) of each, or why there is none."""
        seconds = self.seconds or [result.processor for result in self.results]
        return [result.problem or figure(result, taken)
                for result, taken in zip(self.results, seconds)]

    def same(self):
        if self.problem():
            return ""
        return "identical" if self.results[0].digest == self.results[1].digest else "differs"


def ratio(ours, theirs):
    return significant(ours / theirs) if theirs else ""


class Works:
    def __init__(self, options, baseline, made, project):
        self.programs = [options["program"], baseline.program]
        self.commit, self.made, self.project = baseline.short, made, project
        self.cache, self.limit = Path(options["cache"]).resolve(), options["limit"]
        self.quick, self.huge, self.names = options["quick"], options["huge"], options["works"]

    def heads(self):
        return ["work", "now", self.commit, "now : then", "peak now", f"peak {self.commit}",
                "now : then", "output"]

    def rows(self):
        for name in NAMES:
            if name in self.names:
                yield from getattr(self, name)()

    def of_documents(self):
        """Whether any of the works is on windows of documentation."""
        return bool({"o75", "o25", "shingle", "few"} & set(self.names))

    def size(self, full, quick):
        return quick if self.quick else full

    def pair(self, argv_of, timed=True):
        """argv_of(program) run with both."""
        commands = [Command(argv_of(program)) for program in self.programs]
        results = [probe(command, self.limit) for command in commands]
        if not timed or any(result.problem for result in results):
            return Pair(results, [])
        return Pair(results, best_times(commands, results)[0])

    def row(self, what, pair, figure, size=None):
        """Where the input's `size` in bytes is given, memory is told as a multiple, too."""
        def memory(result, _):
            multiple = f", {significant(result.peak / size)} ×" if size else ""
            return memory_of(result.peak) + multiple

        peaks = [result.peak for result in pair.results]
        return [what, *pair.cells(figure), ratio(*pair.seconds) if pair.seconds else "",
                *pair.cells(memory), "" if pair.problem() else ratio(*peaks), pair.same()]

    def work(self, what, data, *options, timed=True):
        """(the row, the pair) of a work on chunks."""
        progress(f"{what}: {data.count:,}")
        pair = self.pair(lambda program: [program, *options, data.chunks], timed)
        row = self.row(f"{what}, {data.count:,}", pair, lambda _, seconds: time_of(seconds),
                       data.chunks.stat().st_size)
        return row, pair

    def o75(self):
        data = self.made.ranked(self.size(200_000, 1000))
        for threshold in ("0.85", "0.5"):
            yield self.work(f"windows that share three quarters, T = {threshold}", data,
                            "-d", threshold)[0]

    def o25(self):
        data = self.made.ranked(self.size(97_000, 1000), quarters=1)
        for threshold in ("0.85", "0.5"):
            yield self.work(f"windows that share a quarter, T = {threshold}", data,
                            "-d", threshold)[0]

    def b(self):
        """The growth is of the time a chunk, from each size to the next."""
        sizes = [200, 2000] if self.quick else [10_000, 100_000]
        sizes += [1_000_000] if self.huge else []
        before = None
        for count in sizes:
            data = self.made.hostile(corpora.near_threes, count)
            row, pair = self.work("90 random words, three near each other", data)
            yield row
            if before and before[1] and pair.seconds:
                grown = [many / count / (few / before[0])
                         for few, many in zip(before[1], pair.seconds)]
                yield [f"the time a chunk, {before[0]:,} to {count:,}",
                       *(f"{significant(factor)} ×" for factor in grown), ratio(*grown),
                       "", "", "", ""]
            before = count, pair.seconds

    def shingle(self):
        """For its memory: the time is of one run."""
        data = self.made.ranked(self.size(200_000, 1000))
        yield self.work("windows that share three quarters, `--shingle=3`, one run", data,
                        "--shingle=3", timed=False)[0]

    def few(self):
        data = self.made.ranked(50, tokens=1000)
        what = f"50 chunks of {data.bytes / 50 / 1000:.1f} KB"
        yield self.work(what, data)[0]
        if not instructions.available():
            yield [f"{what}, instructions", "valgrind is not installed", *[""] * 6]
            return
        for options in ((), ("--no-dedup",)):
            found = [instructions.counts(program, data, *options)["TOTALS"]
                     for program in self.programs]
            yield [" ".join([f"{what}, instructions", *(f"`{option}`" for option in options)]),
                   *(f"{significant(count / 1e6)} M" for count in found), ratio(*found), *[""] * 4]

    def counted(self, what, methods):
        """Rows: a megabyte of each text, by `methods`, one for each program."""
        known = dict(zip(self.programs, methods))
        for name, text in counting.texts(self.project):
            progress(f"{what}: {name}")
            size = len(text.encode())
            with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                pair = self.pair(lambda program: [
                    program, "--count-only", f"--count={known[program]}", file.name])
            yield self.row(f"{what}, {name}", pair,
                           lambda _, seconds: f"{significant(size / seconds / 1e6)} MB/s")

    def exact(self):
        what = "exact count, o200k_base"
        ranks = counting.ranks(self.cache)
        if ranks is None:
            yield [what, "no vocabulary: npm failed", *[""] * 6]
            return
        with tempfile.TemporaryDirectory() as folder:
            tables = [counting.compiled(program, ranks, Path(folder, f"{place}.vocab"))
                      for place, program in enumerate(self.programs)]
            yield from self.counted(what, tables)

    def estimate(self):
        yield from self.counted("estimate", ["estimate", "estimate"])

    def hostile(self, what, kind, count):
        yield self.work(what, self.made.hostile(kind, count))[0]

    def identical(self):
        yield from self.hostile("all chunks identical", corpora.identical,
                                self.size(100_000, 1000))

    def common(self):
        yield from self.hostile("84 words in every chunk, 8 of its own", corpora.common_and_own,
                                self.size(20_000, 500))

    def tiny(self):
        yield from self.hostile("chunks of two words", corpora.tiny, self.size(200_000, 2000))

    def distinct(self):
        yield from self.hostile("100 words that no other chunk has", corpora.distinct_words,
                                self.size(20_000, 500))
