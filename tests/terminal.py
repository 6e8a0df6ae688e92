"""terminal.py [-i KEYS | -e COLUMNS] COMMAND...: runs the command on a terminal of 90 columns.

Prints what the terminal was sent, and ends with the command's status.
With -i the terminal is its standard input too, and KEYS (\\n, \\x04 and the like are
taken) are typed there; else standard input is empty.  With -e it has so many columns, and
standard error alone is there.
"""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading

END = b"\0"


def main():
    arguments = sys.argv[1:]
    keys = None
    columns = 90
    only_errors = arguments[0] == "-e"
    if only_errors:
        columns = int(arguments[1])
        arguments = arguments[2:]
    if arguments[0] == "-i":
        keys = arguments[1].encode().decode("unicode_escape").encode()
        arguments = arguments[2:]
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    modes = termios.tcgetattr(slave)
    modes[1] &= ~termios.OPOST  # LF is LF
    termios.tcsetattr(slave, termios.TCSANOW, modes)
    run = subprocess.Popen(arguments, stdin=slave if keys is not None else subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL if only_errors else slave, stderr=slave)
    if keys:
        os.write(master, keys)
    threading.Thread(target=end, args=(run, slave)).start()
    show(master)
    sys.exit(run.wait())


def end(run, slave):
    """The last thing written is ours.  Were the program's the last that is open, what it
    writes before it ends could be lost: the kernel says that the other side is closed to
    whoever looks for bytes just before they come."""
    run.wait()
    os.write(slave, END)


def show(master):
    ended = b""
    while not ended:
        shown, ended, _ = os.read(master, 65536).partition(END)
        sys.stdout.buffer.write(shown)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
