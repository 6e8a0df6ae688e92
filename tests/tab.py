"""tab.py SHELL SHARE WHAT: presses the tab key in a shell on a pseudo-terminal.

SHELL is bash, zsh or fish, and finds its completions below SHARE (the share/ of an
installation).  Types each line of standard input and the key, and prints, by WHAT,

  line     what the command line is then
  shows:TEXT  whether the text, each space of it one or more, comes to the screen when
           the key is pressed twice; else what did come, and status 1
  all      what there is to choose from, one word a line, and an empty line
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

PATIENCE = float(os.environ.get("TAB_PATIENCE", "60"))

BASH = r"""
HISTFILE= PS1='ready> '
. "$BASH_COMPLETION_FILE"
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
bind 'set completion-query-items 0'
bind 'set page-completions off'
bind '"\C-x*": insert-completions'
dump() { printf '%s' "$READLINE_LINE" >"$DUMP.new"; mv "$DUMP.new" "$DUMP"; }
bind -x '"\C-xd": dump'
"""

ZSH = r"""
PS1='ready> '
unsetopt beep promptcr promptsp
fpath=("$SHARE/zsh/site-functions" $fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' list-prompt ''
zstyle ':completion:*' select-prompt ''
LISTMAX=100000
zle -C every complete-word _generic
zstyle ':completion:every:*' completer _all_matches _complete
zstyle ':completion:every:*' insert yes
bindkey '^X*' every
bindkey '^I' complete-word # by itself it is expand-or-complete, which runs $(...)
dump() { print -rn -- "$BUFFER" >"$DUMP.new"; mv "$DUMP.new" "$DUMP"; }
zle -N dump
bindkey '^Xd' dump
"""

FISH = r"""
function fish_prompt; printf 'ready> '; end
function fish_greeting; end
set -g fish_autosuggestion_enabled 0
function dump; printf '%s' (commandline | string collect) >$DUMP.new; mv $DUMP.new $DUMP; end
bind \cxd dump
"""


class Shell:
    """A shell on a terminal of its own, ready to be typed to."""

    def __init__(self, name, share, home):
        self.dump = Path(home) / "dump"
        env = dict(os.environ, TERM="xterm", HOME=str(home), SHARE=share, DUMP=str(self.dump),
                   XDG_DATA_DIRS=f"{share}:/usr/share", XDG_CONFIG_HOME=f"{home}/config",
                   XDG_DATA_HOME=f"{home}/data", LC_ALL="C.UTF-8", ZDOTDIR=str(home),
                   BASH_COMPLETION_FILE="/usr/share/bash-completion/bash_completion")
        files = {"bash": ("bashrc", BASH), "zsh": (".zshrc", ZSH), "fish": ("config/fish/config.fish", FISH)}
        path = Path(home) / files[name][0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name][1], encoding="utf-8")
        command = {"bash": ["bash", "--noprofile", "--rcfile", str(path), "-i"],
                   "zsh": ["zsh", "-d", "-i"], "fish": ["fish", "-i"]}[name]
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 160, 0, 0))
        self.child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env,
                                      start_new_session=True,
                                      preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.screen = b""
        self.wait(lambda: b"ready> " in self.screen)

    def read(self, seconds):
        """Takes what the terminal is sent within the time; whether there was any."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            block = os.read(self.master, 65536)
        except OSError:
            block = b""
        if not block:
            sys.exit(f"tab.py: the shell has ended; it said {self.screen!r}")
        if b"\x1b[6n" in block:  # where is the cursor?
            os.write(self.master, b"\x1b[1;1R")
        if b"\x1b[c" in block or b"\x1b[0c" in block:  # what terminal is this?
            os.write(self.master, b"\x1b[?1;2c")
        self.screen += block
        return True

    def wait(self, ready):
        end = time.monotonic() + PATIENCE
        while not ready():
            if time.monotonic() > end:
                sys.exit(f"tab.py: the shell does not answer; it said {self.screen!r}")
            self.read(0.005)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def line(self):
        """The command line as it is now: the shell itself writes it to a file."""
        self.dump.unlink(missing_ok=True)
        self.type("\x18d")
        self.wait(self.dump.exists)
        return self.dump.read_text(encoding="utf-8")

    def end(self):
        os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


def plain(screen):
    """What was sent without what moves the cursor and colours."""
    text = re.sub(rb"\x1b(\[[0-9;?<>=]*[a-zA-Z]|[()][A-Z0-9]|\][^\x07\x1b]*(\x07|\x1b\\)|[=>a-zA-Z])", b"", screen)
    return text.replace(b"\r", b"").decode("utf-8", "replace")


def every_word(shell, name, line):
    if name == "fish":  # which has no key that puts all in
        found = Path(f"{shell.dump}.all")
        found.unlink(missing_ok=True)
        shell.type(f"complete -C {quote(line)} | string replace -r '\\t.*' '' >$DUMP.new; mv $DUMP.new $DUMP.all\r")
        shell.wait(found.exists)
        return found.read_text(encoding="utf-8").splitlines()
    shell.type(line)
    shell.line()
    shell.type("\x18*")
    return shell.line()[len(line) - len(line.rsplit(" ", 1)[-1]):].split()


def quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def press(shell, name, line, what):
    if what == "all":
        print("\n".join([*every_word(shell, name, line), ""]))
        return
    shell.type(line)
    shell.line()
    shell.screen = b""
    shell.type("\t" if what == "line" else "\t\t")
    if what == "line":
        print(shell.line())
        return
    # What is drawn is drawn when the shell gets to it.
    end = time.monotonic() + PATIENCE
    while what.removeprefix("shows:") not in (shown := " ".join(plain(shell.screen).split())):
        if time.monotonic() > end:
            sys.exit(f"tab.py: what came is {shown!r}")
        shell.read(0.1)


def main():
    name, share, what = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as home:
        shell = Shell(name, share, home)
        try:
            for line in sys.stdin.read().splitlines():
                press(shell, name, line, what)
                shell.type("\x15")  # takes the line away
                if shell.line() != "":
                    sys.exit("tab.py: the line cannot be taken away")
        finally:
            shell.end()


if __name__ == "__main__":
    main()
