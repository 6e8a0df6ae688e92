"""What finding near-duplicates costs: edgefold less edgefold --no-dedup, in ratios."""

import corpora
from measure import Command, probe, processor_times, progress
from report import memory_of, significant, time_of

HOSTILE = {
    corpora.small_vocabulary: "200-word vocabulary, 168 to 186 of it",
    corpora.no_rare_words: "1,200-word vocabulary, 120 of it",
    corpora.template: "template, 10 of 120 words replaced",
    corpora.late_words: "20 late words shared by every chunk",
}
THRESHOLDS = ("0.5", "0.6", "0.7", "0.8")


class TooSlow(Exception):
    """A run was over the time limit."""


class Ratios:
    def __init__(self, program, allpairs, made, limit, quick, huge):
        self.program, self.allpairs, self.made, self.limit = program, allpairs, made, limit
        self.sizes = [1000] if quick else [10_000, 100_000]
        self.hostile_size = 1000 if quick else 10_000
        self.quick, self.huge = quick, huge
        self.known = {}

    def edgefold(self, data, *options):
        return Command([self.program, *options, data.chunks], {"LC_ALL": "C"})

    def dedup_times(self, data, *variants):
        """Seconds that words and dedup take with each variant of the options."""
        progress(f"dedup alone: {data.chunks.stem}")
        commands = [self.edgefold(data, *options) for options in variants]
        tried = [probe(command, self.limit) for command in commands]
        if any(result.problem for result in tried):
            raise TooSlow
        commands.append(self.edgefold(data, "--no-dedup"))
        commands.append(Command(["wc", "-w", data.texts], {"LC_ALL": "C"}))
        *with_dedup, without, self.known[data, "wc"] = processor_times(
            commands, max(result.seconds for result in tried))
        return [seconds - without for seconds in with_dedup]

    def dedup(self, data):
        """The same with the default options, measured once."""
        if data not in self.known:
            self.known[data] = self.dedup_times(data, ())[0]
        return self.known[data]

    def aim(self, text):
        """The aims are for the full sizes."""
        return "" if self.quick else text

    def rows(self):
        """(what, measured, the aim)."""
        yield from self.against_wc()
        yield from self.growth()
        yield from self.against_allpairs()
        yield from self.thresholds()
        yield from self.hostile()
        yield from self.memory()
        yield from self.few_large()

    def row(self, what, figure, aim):
        """figure() gives the text; a run over the time limit makes it impossible."""
        try:
            return what, figure(), aim
        except TooSlow:
            return what, f"over {self.limit:g} s", aim

    def against_wc(self):
        aims = {10_000: "at most 1.2", 100_000: "at most 1.5"}
        for size in self.sizes:
            def figure(data=self.made.windows(size)):
                dedup, words = self.dedup(data), self.known[data, "wc"]
                return f"{significant(dedup / words)} ({time_of(dedup)} : {time_of(words)})"
            yield self.row(f"words and dedup : `LC_ALL=C wc -w`, {size:,} chunks", figure,
                           aims.get(size, ""))

    def growth_row(self, what, few, many, aim):
        def figure():
            a, b = (self.dedup(data) / data.count for data in (few, many))
            return f"{significant(b / a)} ({time_of(a)} to {time_of(b)})"
        return self.row(what.format(few.count, many.count), figure, aim)

    def growth(self):
        if self.quick:
            return
        few, many = (self.made.windows(n) for n in self.sizes)
        yield self.growth_row("time a chunk, {:,} to {:,}", few, many, "")
        # The documentation is too small for so many windows 50 words apart.
        few, many = (self.made.windows(n, step=25) for n in (10_000, 200_000))
        yield self.growth_row("the same, {:,} to {:,}, windows 25 words apart", few, many, "")
        if self.huge:
            few, many = (self.made.made_windows(n) for n in (10_000, 1_000_000))
            yield self.growth_row("the same, {:,} to {:,}, made-up text", few, many,
                                  "at most 2.2")

    def against_allpairs(self):
        aims = {10_000: "at least 10", 100_000: "at least 100"}
        for size in self.sizes:
            progress(f"all pairs: {size:,}")
            data = self.made.windows(size)
            # Its slowness is the point, so it gets ten times the limit.
            command = Command([self.allpairs, "85", "100", data.texts])
            pairs = probe(command, 10 * self.limit)
            if not pairs.problem and pairs.seconds < 2:
                pairs.processor = processor_times([command], pairs.seconds)[0]

            def figure(data=data, pairs=pairs):
                dedup = self.dedup(data)
                over = "over " if pairs.problem else ""  # at least what it had when stopped
                return (f"{over}{significant(pairs.processor / dedup)} "
                        f"({over}{time_of(pairs.processor)} : {time_of(dedup)})")
            yield self.row(f"sorted-merge all-pairs : words and dedup, {size:,}", figure,
                           aims.get(size, ""))

    def thresholds(self):
        for size in self.sizes:
            data = self.made.windows(size)
            for threshold in THRESHOLDS if size == self.sizes[0] else THRESHOLDS[:1]:
                def figure(data=data, threshold=threshold):
                    low, usual = self.dedup_times(data, ("-d", threshold), ())
                    return significant(low / usual)
                yield self.row(f"T = {threshold} : T = 0.85, {size:,}", figure,
                               self.aim("at most 2.5"))

    def per_chunk(self, what, kind, aim):
        data = self.made.hostile(kind, self.hostile_size)
        return self.row(f"{what}, {data.count:,}: µs a chunk",
                        lambda: significant(self.dedup(data) / data.count * 1e6), self.aim(aim))

    def hostile(self):
        yield self.per_chunk("all identical", corpora.identical, "at most 4")
        for kind, what in HOSTILE.items():
            yield self.per_chunk(what, kind, "at most 40")

    def memory(self):
        data = self.made.windows(self.sizes[-1])
        with_dedup, without = (
            probe(self.edgefold(data, *options), self.limit) for options in ((), ("--no-dedup",)))
        problem = with_dedup.problem or without.problem
        extra, total = with_dedup.peak - without.peak, with_dedup.peak
        lines = data.chunks.stat().st_size
        yield (f"peak memory for dedup : the texts' bytes, {data.count:,}",
               problem or f"{significant(extra / data.bytes)} ({memory_of(extra)})", "")
        yield (f"peak memory beyond the lines : the texts' bytes, {data.count:,}",
               problem or f"{significant((total - lines) / data.bytes)} "
               f"({memory_of(total)} in all)", self.aim("at most 1.2"))

    def few_large(self):
        data = self.made.ranked(50, tokens=1000)
        yield self.row(f"50 chunks of {data.bytes / 50 / 1000:.1f} KB: ms that dedup adds",
                       lambda: significant(self.dedup(data) * 1e3), "at most 0.5")
