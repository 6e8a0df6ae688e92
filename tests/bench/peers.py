"""The other programs: how each is installed and run."""

import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from measure import progress

SCRIPTS = Path(__file__).resolve().parent / "scripts"


@dataclass
class Peer:
    name: str
    shown: str  # the command, for the reader
    argv: list = field(default_factory=list)  # the file of chunks comes last
    env: dict = field(default_factory=dict)
    problem: str = ""


def quiet(argv):
    """Whether the command worked; its output matters to nobody."""
    return subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def first_line_of(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return (done.stdout.strip().splitlines() or ["?"])[0]


class Installer:
    """Puts PyPI and npm packages into the cache, each PyPI set in a venv of its own,
    so that one's requirements cannot hold back another's version."""

    def __init__(self, cache):
        self.cache = Path(cache).resolve()
        self.cache.mkdir(parents=True, exist_ok=True)

    def python(self, *packages):
        """The interpreter that has these packages, or None."""
        venv = self.cache / ("venv-" + packages[0].lower())
        interpreter = venv / "bin" / "python"
        mark = venv / "complete"
        if not mark.exists():
            progress(f"installing {', '.join(packages)} from PyPI")
            if not (quiet([sys.executable, "-m", "venv", venv])
                    and quiet([interpreter, "-m", "pip", "install", "-q", *packages])):
                return None
            mark.touch()
        return interpreter

    def node(self, package):
        """The program that the npm package installs, or None."""
        folder = self.cache / "npm"
        program = folder / "node_modules" / ".bin" / package
        if not program.exists():
            progress(f"installing {package} from npm")
            folder.mkdir(exist_ok=True)
            if not shutil.which("npm") or not quiet(
                    ["npm", "install", "--silent", "--prefix", folder, package]):
                return None
        return program


def from_debian(name, shown, *argv, env=None):
    problem = "" if shutil.which(argv[0]) else f"not installed: {argv[0]} from Debian"
    return Peer(name, shown, list(argv), env or {}, problem)


def script_of(name, script, interpreter=sys.executable, version=""):
    # SCRIPTS holds no packages of ours worth keeping compiled.
    peer = Peer(name, f"`scripts/{script}`{version}", [interpreter, SCRIPTS / script],
                {"PYTHONDONTWRITEBYTECODE": "1"})
    if interpreter is None:
        peer.problem = "not installed: pip failed"
    return peer


def from_pypi(installer, name, script, package, *packages):
    """`package` is the one whose version is told; more go into the same venv."""
    interpreter = installer.python(*(packages or [package]))
    version = ""
    if interpreter is not None:
        found = first_line_of(interpreter, "-c", "import importlib.metadata as m, sys;"
                              "print(m.version(sys.argv[1]))", package)
        version = f", {package} {found}"
    return script_of(name, script, interpreter, version)


def from_npm(installer, name, package, *options):
    program = installer.node(package)
    if program is None:
        return Peer(name, package, problem="not installed: npm failed")
    version = first_line_of(program, "--version").split()[-1]
    return Peer(name, f"`{package} {' '.join(options)}`, {version}",
                [program, *options, "--input"])


def all_peers(program, cache):
    """In the order of the table; edgefold is one of them."""
    installer = Installer(cache)
    dedup = ("datasketch", "SetSimilaritySearch")
    reorder = ("rag-chunk-reorder", "--jsonl", "--strategy", "scoreSpread")
    jq = first_line_of("jq", "--version") if shutil.which("jq") else "jq"
    python = "Python " + sys.version.split()[0]
    return [
        from_debian("cat (floor)", "`cat`", "cat"),
        from_debian("wc -w (floor)", "`LC_ALL=C wc -w`", "wc", "-w", env={"LC_ALL": "C"}),
        Peer("**edgefold**", "`edgefold`", [program]),
        Peer("**edgefold**, no dedup", "`edgefold --no-dedup`", [program, "--no-dedup"]),
        from_debian("jq, sort and fold", f"`jq -cs -f scripts/fold.jq`, {jq}",
                    "jq", "-cs", "-f", SCRIPTS / "fold.jq"),
        from_debian("jq, with a naive dedup", "`jq -cs -f scripts/fold_dedup.jq`",
                    "jq", "-cs", "-f", SCRIPTS / "fold_dedup.jq"),
        script_of(f"{python}, sort and fold", "with_python.py"),
        script_of(f"{python}, with sets", "with_sets.py"),
        from_npm(installer, "rag-chunk-reorder", *reorder),
        from_npm(installer, "rag-chunk-reorder, its dedup", *reorder,
                 "--deduplicate", "--deduplicateThreshold", "0.85"),
        from_pypi(installer, "LangChain, no dedup", "with_langchain.py", "langchain-community"),
        from_pypi(installer, "LlamaIndex, no dedup", "with_llamaindex.py", "llama-index-core"),
        from_pypi(installer, "Haystack, no dedup", "with_haystack.py", "haystack-ai"),
        from_pypi(installer, "MinHashLSH, dedup alone", "with_minhash.py", "datasketch", *dedup),
        from_pypi(installer, "SetSimilaritySearch, dedup alone", "with_setsimilaritysearch.py",
                  "SetSimilaritySearch", *dedup),
    ]
