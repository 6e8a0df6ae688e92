#!/usr/bin/env python3
"""run.py PROGRAM LIBRARY FOLDER: edgefold with one call failing, at each place it is made.

Each command line of CASES is run once as it is.  Then each fault of FAULTS is tried
with N from 1 on, with LIBRARY (fail.c) preloaded, until there is no N-th call.  What
comes of it must be what came without, or a failure that is told: status 4, one message,
nothing on standard output but whole lines from its start, every file as it was or as it
was to be (with --each for the groups so far), and no other file.

A line and a command to repeat it are printed for each finding; the files for that stay
in FOLDER.  Closes with "N runs, N findings".
"""

import contextlib
import errno
import fcntl
import json
import os
import pty
import re
import resource
import shlex
import shutil
import stat
import struct
import subprocess
import sys
import termios
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True  # before our own module, to leave the tree clean
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import small_vocab  # noqa: E402

SYSTEM_FAILED = 4

# What is done: everything that may be seen as a failure.
FAULTS = """
    malloc:N:ENOMEM  calloc:N:ENOMEM  realloc:N:ENOMEM
    open:N:EMFILE    read:N:EIO       pread:N:EIO      dup:N:EMFILE   close_written:N:EIO
    write:N:ENOSPC   writev:N:ENOSPC  fcntl:N:EBADF    ioctl:N:ENOTTY
    stat:N:EIO       fstat:N:EIO      readlink:N:EIO   realpath:N:EIO
    mkstemp:N:ENOSPC rename:N:EIO     fchmod:N:EPERM   mmap:N:ENOMEM
    """.split()
# What nobody may notice.
UNSEEN = """
    read:N:EINTR     write:N:EINTR    writev:N:EINTR
    read:N:EAGAIN    write:N:EAGAIN   writev:N:EAGAIN
    read:N:short     write:N:short    writev:N:short
    read:1+:short    write:1+:short   writev:1+:short
    close:N:EIO      fchown:N:EPERM   munmap:N:EINVAL
    mkstemp:N:EACCES rename:N:EXDEV   realpath:N:EACCES sigaction:N:EINVAL
    """.split() + ["read:1:EAGAIN poll:N:EINTR", "write:1:EAGAIN poll:N:EINTR",
                   "writev:1:EAGAIN poll:N:EINTR", "rename:1:EXDEV read:N:EINTR",
                   "rename:1:EXDEV read:N:short"]
# Two at once, after which files are in no state that could be promised.
RUINOUS = ["rename:1:EIO unlink:N:EIO", "fchmod:1:EIO unlink:N:EIO", "mkstemp:1:EACCES open:N:EIO",
           "mkstemp:1:EACCES write:N:ENOSPC", "mkstemp:1:EACCES close_written:N:EIO",
           "rename:1:EXDEV open:N:EIO", "rename:1:EXDEV read:N:EIO",
           "rename:1:EXDEV write:N:ENOSPC", "rename:1:EXDEV close_written:N:EIO"]

# Of the functions that the program takes from libraries, those that are not made to fail:
# with what they are given they cannot, or their failure is an answer (access, getenv, isatty and
# mallopt, and for what is listed opendir and readdir).
# jansson and utf8proc fail with what they call.
CANNOT_FAIL = set("""__ctype_b_loc __errno_location __libc_start_main __memcpy_chk __memmove_chk
    __memset_chk __snprintf_chk __stack_chk_fail __vsnprintf_chk _exit access bcmp clock_gettime
    closedir exit free getenv getopt_long isatty mallopt memchr memcmp memcpy memmove memset
    opendir optarg opterr optind optopt qsort raise readdir sigaddset sigemptyset sigprocmask
    snprintf strcasecmp strchr strcmp strcspn strerror strlen strncmp strpbrk strrchr strspn
    strstr strtod umask vsnprintf""".split())
LIBRARIES = ("jansson_", "json_", "utf8proc_")

# Command lines, and what is special about how they are run:
#   < NAME      standard input
#   > NAME      standard output, a file in the folder that the run is in
#   NAME=TEXT   a file there with that content beforehand
#   NAME=@INPUT a copy of an input there
#   NAME->NAME  a link there
#   terminal    standard error is a terminal
#   only CALL   other calls are not tried
CASES = """
    --help
    --version
    --completion=zsh
    --completion=words -- --l
    --nonsense
    ../in/none
    < ../in/chunks
    --no-dedup -l rank ../in/many                                     | only writev
    -n 5 -l edges:2 --annotate -v --stats ../in/chunks
    -v --no-progress ../in/few                                        | terminal
    --skip-invalid -v ../in/broken
    --report=r ../in/broken                                           | r=old
    -d 0.5 --shingle=2 --similarity=containment --keep-numbers --dedup-field=m.k ../in/chunks
    --require=c1 --require-edge=c5 --require=none --min-chunks=90 ../in/chunks
    -b 60 --tokens=n --reserve=5 --margin=3 --fit=skip --stats ../in/chunks
    -q why? -b 120 --count=words ../in/chunks
    -q why? -f numbered --cite --refusal -b 90 --count=chars/4 --fit=skip ../in/chunks
    -q why? -f markdown --header=K=m.k,T=title --preamble=title -b 200 --fit=truncate ../in/chunks
    -f pipe --no-instructions -b 99 --count=bytes/3 < ../in/chunks
    --question-file=- -f plain --bookend --instructions=@../in/said ../in/few < ../in/question
    --question-file=../in/question --tag-suffix --escape=all ../in/few
    -q why? --template=../in/template --chunk-template=../in/chunk-template ../in/few
    --sweep=f2 -q why? ../in/few
    -f anthropic -q why? --cite -b 90 ../in/few
    -f cohere -q why? --if-empty=none --min-score=99 ../in/few
    -f messages -q why? --context=plain ../in/few
    --items=. --skip-invalid -v ../in/array
    --each=n -n 2 --report=r --dropped=d ../in/few                    | r=old
    --each=n -q why? --stats < ../in/few
    --stitch=9 --group=n --order=n --pin-first=f2 -q why? -b 200 ../in/few
    --fuse=rrf --weights=2,1 --annotate -l rank ../in/chunks ../in/few
    --rescore=../in/answer --report=r ../in/few
    --rescore=- --rescore-rest=keep --dropped=d -n 2 ../in/few < ../in/answer | d=old
    --report=r --dropped=d -n 2 ../in/few                             | r=old
    --no-dedup --annotate -n 1 --report=r --dropped=d ../in/long      | r=old
    --no-dedup --each=n -n 1 --report=r --dropped=d ../in/long        | d=old
    --report=/dev/stdout -q why? ../in/few
    --report=/dev/fd/2 --dropped=/dev/stdout -n 1 ../in/few
    --report=l ../in/few                                              | l->r r=old
    --report=l ../in/few                                              | l->r
    -v -d 0.6 -b 20 --count=words --why=b --why=zz ../in/few
    --compare=r ../in/few                                             | r={"options":{"top":3},"chunks":[{"id":"a","file":"x","line":1,"fate":"kept","position":1,"why":"kept"}]}
    --report=r.html --stitch=9 -q why? -d 0.6 -b 200 ../in/few
    --report=r.htm ../in/broken
    --report=r ../in/few > r
    --report=l i                                     | i={"text":"a","score":1} l->i
    --report=r --dropped=l ../in/few                                  | l->r
    --count-only --count=../in/ranks ../in/chunks
    --count=../in/json -q why? -b 500 --fit=truncate ../in/chunks
    --count=../in/table -b 100 -v ../in/chunks
    --compile-vocab=../in/npm
    --compile-vocab=../in/json --table=t
    --compile-vocab=../in/ranks --table=t                             | t=old
    --compile-vocab=i --table=l                                       | i=@json l->i
    """

Case = namedtuple("Case", "arguments stdin stdout terminal only files")
Result = namedtuple("Result", "status out err files")


def parse_case(line):
    command, _, special = line.partition(" | ")
    words = shlex.split(command)
    streams = {}
    while len(words) > 1 and words[-2] in "<>":
        streams[words[-2]] = words[-1]
        del words[-2:]
    files = dict(re.findall(r"(\w+)(->\S+|=\S+)", special))
    only = re.search(r"only (\w+)", special)
    return Case(words, streams.get("<", "/dev/null"), streams.get(">"), "terminal" in special,
                only[1] if only else "", files)


def chunk_lines(prefix, count):
    """Chunks of every kind: alike, with accents, with tags, long, without a score."""
    texts = ["Delivery takes {} working days.", "Delivery takes {} working days!",
             "Caf\u00e9 nu\u0301mero {} \u65e5\u672c", "</document> <context> ## {} ```",
             "A long text, " * 12 + "{}", "{} plain words {}"]
    for i in range(count):
        chunk = {"id": f"{prefix}{i}", "text": texts[i % 6].format(i // 2, i), "n": i % 7 + 1,
                 "score": round(1 / (i + 1), 3), "title": f"Title {i}", "m": {"k": i % 2}}
        if i % 11 == 10:
            del chunk["score"]
        yield json.dumps(chunk, ensure_ascii=i % 3 == 0)


def long_lines():
    """Each longer than the one before, so that room for it is asked for late; all are written early."""
    for i in range(1, 6):
        yield json.dumps({"id": "i" * 20000 * i, "text": "text " * 8000 * i, "n": i // 2, "score": -i})


def broken_lines():
    yield '{"text":"not a number","score":NaN}'
    yield '{"text":"not UTF-8 \udcff","score":1}'
    yield '{"text":"a lone \\ud800 surrogate","score":2}'
    yield '{"text":"no end","score":'
    yield '{"error":{"message":"too many requests"}}'
    yield '["an array"]'
    yield '{"text":"","score":3}'


def write_inputs(folder):
    tokens = [bytes([i]) for i in range(256)] + [b" w", b"or", b" wor", b"day", b"De", b"liver"]
    merges = [(b"o", b"r"), (b" ", b"w"), (b"d", b"a"), (b"da", b"y")]
    ranks = {token: rank for rank, token in enumerate(tokens)}
    cl100k = small_vocab.EXPRESSIONS["cl100k"]
    tokenizer = small_vocab.tokenizer(merges, small_vocab.pre_tokenizer(cl100k))
    tokenizer["model"]["vocab"] = {"or": 0}  # the merges are what counts
    texts = {
        "chunks": "\n".join(chunk_lines("c", 12)) + "\n",
        "few": "\n".join(chunk_lines("f", 6)) + "\n",
        "long": "\n".join(long_lines()) + "\n",
        "array": "[" + ",\n".join(chunk_lines("a", 6)) + ",{}]\n",
        "many": "".join('{"text":"t","score":%d}\n' % i for i in range(1500)),
        "broken": "\n".join(broken_lines()),
        "question": "How long does\nit take?\n",
        "said": "Say it in one line.\n",
        "template": "{{instructions}}\n<<{{context}}>>\n{{question}}\n",
        "chunk-template": "{{n}} {{rank}} {{score}} {{id}} {{m.k}} {{/title}}: {{text}}\n",
        "answer": json.dumps({"results": [{"index": 2, "relevance_score": 0.9},
                                          {"index": 0, "relevance_score": 0.5},
                                          {"index": 5, "relevance_score": 0.1}]}),
        "json": json.dumps(tokenizer),
        "npm": json.dumps(small_vocab.encoder(tokens, cl100k[0], range(len(tokens)))),
        "ranks": small_vocab.tiktoken(
            small_vocab.with_key(ranks, small_vocab.SUMS["cl100k_base"])),
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))


def fill(folder, files):
    """Makes what is in the folder what it is to be before a run."""
    for name in os.listdir(folder):
        os.unlink(folder / name)
    for name, content in files.items():
        if content.startswith("->"):
            os.symlink(content[2:], folder / name)
        elif content.startswith("=@"):
            shutil.copyfile(folder / "../in" / content[2:], folder / name)
        else:
            (folder / name).write_text(content[1:], "utf-8")


def look(folder):
    """All files: links as they are, others with their permissions and contents."""
    found = {}
    for name in os.listdir(folder):
        path = folder / name
        mode = os.lstat(path).st_mode
        is_link = stat.S_ISLNK(mode)
        found[name] = os.readlink(path) if is_link else (oct(mode), path.read_bytes())
    return found


def read_terminal(master):
    """What was written to a terminal, until nobody has it open."""
    blocks = []
    with contextlib.suppress(OSError):  # which is how it ends on Linux
        while block := os.read(master, 65536):
            blocks.append(block)
    os.close(master)
    return b"".join(blocks)


class Runner:
    """Runs one case again and again, in a folder that is put right in between."""

    def __init__(self, program, library, folder, case):
        self.case, self.folder = case, folder
        self.program, self.library = program, library
        folder.mkdir()
        os.chdir(folder)
        fill(folder, case.files)
        self.before = look(folder)
        self.out, self.err = folder / (case.stdout or "../out"), folder / "../err"
        self.told, self.teller = os.pipe()
        os.set_blocking(self.told, False)
        os.set_inheritable(self.teller, True)

    def environment(self, fault):
        return {"LC_ALL": "C", "TERM": "xterm", "HOME": "/nonexistent", "FAIL": fault,
                "FAIL_FD": str(self.teller), "LD_PRELOAD": str(self.library)}

    def start(self, fault, slave):
        create = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        err = ((os.POSIX_SPAWN_DUP2, slave, 2) if self.case.terminal
               else (os.POSIX_SPAWN_OPEN, 2, self.err, create, 0o644))
        actions = [(os.POSIX_SPAWN_OPEN, 0, self.case.stdin, os.O_RDONLY, 0),
                   (os.POSIX_SPAWN_OPEN, 1, self.out, create, 0o644), err]
        return os.posix_spawn(self.program, ["edgefold", *self.case.arguments],
                              self.environment(fault), file_actions=actions)

    def run(self, fault=""):
        """What came of it, and the calls that were to fail and were made."""
        master = slave = None
        if self.case.terminal:
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        child = self.start(fault, slave)
        if self.case.terminal:
            os.close(slave)
            err = read_terminal(master).replace(b"\r\n", b"\n")
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        result = Result(status, self.out.read_bytes(),
                        err if self.case.terminal else self.err.read_bytes(), look(self.folder))
        if result.files != self.before:
            fill(self.folder, self.case.files)
        try:
            return result, os.read(self.told, 4096).decode().splitlines()
        except BlockingIOError:
            return result, []

    def command(self, fault):
        """What the user types to see the same."""
        case = self.case
        words = ["FAIL=" + fault, "LD_PRELOAD=" + str(self.library), str(self.program)]
        line = f"cd {shlex.quote(str(self.folder))} && env " + shlex.join(words + case.arguments)
        line += f" <{case.stdin}" + (f" >{case.stdout}" if case.stdout else "")
        return line + (" (on a terminal)" if case.terminal else "")

    def close(self):
        os.close(self.told)
        os.close(self.teller)


def reason_for(fault):
    """What a message is to say of a fault; nothing certain of two at once."""
    call, _, how = fault.split(":", 2)
    if " " in fault or call == "fcntl":
        return b""  # asks only whether standard output is there
    return (b"out of memory" if call.endswith("alloc")
            else os.strerror(getattr(errno, how)).encode())


def message_faults(normal, got, reason):
    """After what was said anyway, or a part of it, there is one message and no more."""
    expected, lines = (re.sub(rb"\x1b\[[0-9;]*m", b"", run.err).splitlines(True) for run in (normal, got))
    while expected and lines and expected[0] == lines[0]:
        del expected[0], lines[0]
    shown = b"".join(lines).decode("utf-8", "replace")
    if len(lines) != 1 or not lines[0].endswith(b"\n"):
        yield f"{len(lines)} lines of messages instead of one: {shown!r}"
    elif not lines[0].startswith(b"edgefold: ") or lines[0].startswith(b"edgefold: warning"):
        yield f"this is no message: {shown!r}"
    elif reason not in lines[0]:
        yield f"the message does not say {reason.decode()!r}: {shown!r}"


def output_faults(normal, got, may_be_cut):
    if not normal.out.startswith(got.out):
        yield "standard output is not the start of what it was to be"
    elif got.out not in (b"", normal.out) and not got.out.endswith(b"\n") and not may_be_cut:
        yield "standard output ends in half a line"


def ends_early(got, normal):
    """Whether a file tells of the first groups as it was to, and then at most of an error."""
    if not normal or not got or got[0] != normal[0]:
        return False
    lines, meant = got[1].splitlines(True), normal[1].splitlines(True)
    if lines and lines[-1].startswith(b"{") and b'"error":' in lines[-1]:
        del lines[-1]
    return lines == meant[:len(lines)]


def file_faults(before, normal, got, in_groups):
    """Of failing, on the files: each is as it was or as it was to be, of groups maybe of some."""
    for name in sorted({*before, *normal, *got}):
        if name not in before and name not in normal:
            yield f"the file {name} is left behind"
        elif in_groups and ends_early(got.get(name), normal.get(name)):
            continue
        elif got.get(name) not in (before.get(name), normal.get(name)):
            yield f"the file {name} is neither as it was nor as it was to be"


def loses_messages_only(normal, got):
    """What cannot be written is dropped: a warning, what is said of a line that is passed
    over, and an error, which the status tells, too."""
    expected, lines = normal.err.splitlines(), got.err.splitlines()
    lost = [line for line in expected if line not in lines]
    kept = [line for line in expected if line in lines]
    same_rest = got._replace(err=b"") == normal._replace(err=b"")
    return same_rest and kept == lines and (normal.status != 0 or all(
        re.match(rb"edgefold: (warning|\S+:\d+(:\d+)?): ", line) for line in lost))


def last_line(result):
    return (result.err.decode("utf-8", "replace").splitlines() or [""])[-1]


def faults_of(runner, normal, got, fault):
    """What is wrong with what a run came to; normal is what the same command came to."""
    call = fault.split()[-1].split(":")[0]
    if got == normal or (call == "write" and loses_messages_only(normal, got)):
        return
    if got.status < 0:
        yield f"killed by signal {-got.status}"
    elif got.status == normal.status and got.status != SYSTEM_FAILED:
        changed = [name for name in Result._fields if getattr(got, name) != getattr(normal, name)]
        yield f"status {got.status}, but another {' and '.join(changed)}; said {last_line(got)!r}"
    elif got.status != SYSTEM_FAILED:
        yield f"status {got.status} instead of {normal.status}; said {last_line(got)!r}"
    else:
        yield from message_faults(normal, got, reason_for(fault))
    if got.status == SYSTEM_FAILED:
        yield from output_faults(normal, got, call in ("write", "writev"))
        in_groups = any(word.startswith("--each=") for word in runner.case.arguments)
        yield from file_faults(runner.before, normal.files, got.files, in_groups)


def try_fault(runner, normal, fault):
    """Runs a fault with every N; yields for each run its fault and what is wrong."""
    others, call = fault.split()[:-1], fault.split()[-1].split(":")[0]
    if others and not runner.run(" ".join(others))[1]:
        return
    for n in range(1, sys.maxsize):
        numbered = fault.replace(":N:", f":{n}:")
        got, told = runner.run(numbered)
        reached = any(line.split()[0] == call for line in told)
        wrong = list(faults_of(runner, normal, got, numbered))
        if fault in UNSEEN and got != normal and not wrong:
            wrong = [f"it is noticed: status {got.status}; said {last_line(got)!r}"]
        elif call == "close_written" and reached and got.status != SYSTEM_FAILED:
            wrong = ["what was written may be lost, and it is not told"]
        elif fault in RUINOUS:
            wrong = [what for what in wrong if not what.startswith("the file ")]
        yield numbered, reached, wrong
        if not reached or numbered == fault:
            return


def functions_of(program):
    """What the program takes from libraries, weak names aside, by names without 64."""
    listed = subprocess.run(["nm", "-D", "--undefined-only", program], capture_output=True,
                            text=True, check=True).stdout
    return set(re.findall(r"^ +U (\w+?)(?:64)?(?:@|$)", listed, re.MULTILINE))


class Tally:
    """Counts, and prints what is found."""

    def __init__(self):
        self.runs = self.findings = 0
        self.reached = set()

    def find(self, what, command=""):
        self.findings += 1
        print(what + ("\n    " + command if command else ""), flush=True)

    def note(self, runner, fault, numbered, reached, wrong):
        self.runs += 1
        if reached:
            self.reached.add(fault)
        if wrong:
            self.find(f"{numbered}: " + "; ".join(wrong), runner.command(numbered))


def check_case(tally, runner):
    normal, _ = runner.run()
    again, _ = runner.run()
    tally.runs += 2
    if normal != again or normal.status < 0:
        tally.find("without a fault it is not the same twice", runner.command(""))
        return
    for fault in FAULTS + UNSEEN + RUINOUS:
        if runner.case.only not in fault:
            continue
        for numbered, reached, wrong in try_fault(runner, normal, fault):
            tally.note(runner, fault, numbered, reached, wrong)


def check_list(tally, program):
    """Every function that can fail is made to, and every fault was there."""
    made = {plan.split(":")[0] for fault in FAULTS + UNSEEN + RUINOUS for plan in fault.split()}
    for name in sorted(functions_of(program) - made - CANNOT_FAIL):
        if not name.startswith(LIBRARIES):
            tally.find(f"{name} is neither made to fail nor listed as one that cannot")
    for fault in FAULTS + UNSEEN + RUINOUS:
        if fault not in tally.reached:
            tally.find(f"{fault}: no command makes this call")


def main():
    program, library, folder = (Path(name).absolute() for name in sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "in").mkdir(parents=True)
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    write_inputs(folder / "in")
    with open(folder / "in" / "table", "wb") as table:
        subprocess.run([program, f"--compile-vocab={folder}/in/json"], stdout=table, check=True)
    tally = Tally()
    lines = [line for line in CASES.splitlines() if line.strip()]
    for number, line in enumerate(lines, 1):
        runner = Runner(program, library, folder / str(number), parse_case(line.strip()))
        check_case(tally, runner)
        runner.close()
    check_list(tally, program)
    print(f"{tally.runs} runs, {tally.findings} findings")
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
