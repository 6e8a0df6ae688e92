"""terminal.py [-i KEYS | -e COLUMNS] COMMAND...: runs the command on a terminal of 90 columns.

Prints what the terminal was sent, CR LF as LF, and ends with the command's status.
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
    run = subprocess.Popen(arguments, stdin=slave if keys is not None else subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL if only_errors else slave, stderr=slave)
    os.close(slave)
    if keys:
        os.write(master, keys)
    while True:
        try:
            block = os.read(master, 65536)
        except OSError:
            break
        if not block:
            break
        sys.stdout.buffer.write(block.replace(b"\r\n", b"\n"))
        sys.stdout.buffer.flush()
    sys.exit(run.wait())


if __name__ == "__main__":
    main()
