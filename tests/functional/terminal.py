# SPDX-License-Identifier: Apache-2.0
"""A terminal controlled by the test, and a command started from it."""

import os
import pty
import select
import subprocess
import termios
import time


class Terminal:
    def __init__(self, *command, **options):
        self.person, side = pty.openpty()
        # setsid makes it the controlling terminal, and becomes the command.
        self.process = subprocess.Popen(["setsid", "--ctty", *map(str, command)], stdin=side, stdout=side, stderr=side, **options)
        os.close(side)
        self.screen = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.close()

    def close(self):
        """As if the window were closed."""
        if self.person is not None:
            os.close(self.person)
            self.person = None

    def _read_some(self, seconds):
        """True if the command can still write; waits that long for output."""
        if select.select([self.person], [], [], seconds)[0]:
            try:
                self.screen += os.read(self.person, 4096).decode()
            except OSError:  # Linux's error if nobody has the other side open
                return False
        return True

    def read(self, until):
        end = time.monotonic() + 20
        while until not in self.screen:
            assert self._read_some(0.1) and time.monotonic() < end, self.screen

    def type(self, text):
        os.write(self.person, text.encode())

    def echoes(self):
        return bool(termios.tcgetattr(self.person)[3] & termios.ECHO)

    def interrupt(self):
        """Ctrl-C until the command ends, as people do: one just before the command reads is lost. Returns the exit code."""
        end = time.monotonic() + 20
        while self.process.poll() is None:
            assert time.monotonic() < end, self.screen
            self.type("\x03")
            try:
                self.process.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
        return self.process.returncode

    def finish(self):
        """The exit code, or minus the signal."""
        end = time.monotonic() + 20
        while self._read_some(0.1):
            assert time.monotonic() < end, self.screen
        return self.process.wait(20)
