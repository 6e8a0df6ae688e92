"""Another commit of this repository, built beside, to measure against."""

import os
import subprocess
import sys
from pathlib import Path

from measure import progress

# What a make that called us hands down is meant for the commit that is checked out.
FROM_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL")


def stop(message):
    sys.exit(f"run: --baseline: {message}")


def git(project, *arguments):
    try:
        done = subprocess.run(["git", "-C", project, *arguments], capture_output=True,
                              text=True, check=False)
    except OSError as error:
        stop(error)
    if done.returncode != 0:
        stop(done.stderr.strip())
    return done.stdout.strip()


def unpack(project, commit, folder):
    folder.mkdir(parents=True)
    archive = subprocess.Popen(["git", "-C", project, "archive", commit], stdout=subprocess.PIPE)
    taken = subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=False)
    archive.stdout.close()
    if archive.wait() != 0 or taken.returncode != 0:
        stop(f"{commit} could not be unpacked to {folder}")


class Baseline:
    """The program of that commit, by the build that the commit has, in a folder of its own
    in the cache; built once."""

    def __init__(self, project, cache, commit):
        self.commit = git(project, "rev-parse", "--verify", f"{commit}^{{commit}}")
        self.short = git(project, "rev-parse", "--short", self.commit)
        self.folder = Path(cache).resolve() / f"commit-{self.commit[:12]}"
        self.program = self.folder / "build" / "edgefold"
        if not (self.folder / "complete").exists():
            self._build(project)

    def _build(self, project):
        progress(f"building {self.short} in {self.folder}")
        if not self.folder.exists():
            unpack(project, self.commit, self.folder)
        log = self.folder / "make.log"
        environment = {name: value for name, value in os.environ.items()
                       if name not in FROM_MAKE}
        with open(log, "wb") as file:
            done = subprocess.run(["make", "-C", self.folder], env=environment, check=False,
                                  stdout=file, stderr=subprocess.STDOUT)
        if done.returncode != 0 or not os.access(self.program, os.X_OK):
            stop(f"{self.short} does not build; see {log}")
        (self.folder / "complete").touch()
