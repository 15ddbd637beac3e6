# SPDX-License-Identifier: Apache-2.0
"""The commands that ask for a password: on the terminal, without showing it, and leaving the terminal as it was."""

import os
import pty
import select
import signal
import subprocess
import termios
import time

import pytest

from hub_process import BINARY, PASSWORD


class Terminal:
    """A terminal with nobody but the test on the other side, and a command that was started from it."""

    def __init__(self, folder, *arguments):
        self.process, self.person = pty.fork()
        if self.process == 0:
            os.execv(BINARY, [str(BINARY), *arguments, "--config", str(folder)])
        self.screen = ""
        self.code = None

    def read(self, until):
        end = time.monotonic() + 20
        while until not in self.screen:
            assert time.monotonic() < end, self.screen
            if select.select([self.person], [], [], 0.1)[0]:
                self.screen += os.read(self.person, 4096).decode()

    def type(self, text):
        os.write(self.person, text.encode())

    def echoes(self):
        return bool(termios.tcgetattr(self.person)[3] & termios.ECHO)

    def finish(self):
        """The exit code, or minus the signal."""
        try:
            while part := os.read(self.person, 4096):
                self.screen += part.decode()
        except OSError:
            pass  # how Linux says that nobody has the other side open
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return self.code


@pytest.fixture
def add_ann(tmp_path):
    terminal = Terminal(tmp_path, "user", "add", "ann")
    yield terminal
    if terminal.code is None:
        os.kill(terminal.process, signal.SIGKILL)
        os.waitpid(terminal.process, 0)
    os.close(terminal.person)


def test_a_password_is_asked_for_twice_and_not_shown(add_ann, tmp_path):
    add_ann.read("Password for ann: ")
    assert not add_ann.echoes()
    add_ann.type(PASSWORD + "\n")
    add_ann.read("Once more: ")
    add_ann.type(PASSWORD + "\n")
    assert add_ann.finish() == 0, add_ann.screen
    assert add_ann.screen == "Password for ann: \r\nOnce more: \r\nAdded ann (user).\r\n"
    listed = subprocess.run([BINARY, "user", "list", "--config", tmp_path], capture_output=True, text=True, check=True)
    assert "ann" in listed.stdout


@pytest.mark.parametrize(("typed", "said"), [
    ("\n", "No password was given."),
    ("\x04", "No password was given."),
    ("a" * 1025 + "\n", "The password is too long."),
], ids=["an empty line", "the end of input", "too long a line"])
def test_what_is_no_password_is_refused(add_ann, typed, said):
    add_ann.read("Password for ann: ")
    add_ann.type(typed)
    assert add_ann.finish() == 1
    assert add_ann.screen.endswith(f"{said}\r\n")
    assert "aaa" not in add_ann.screen


def test_an_interrupt_puts_the_terminal_right(add_ann):
    add_ann.read("Password for ann: ")
    assert not add_ann.echoes()
    add_ann.type("half\x03")
    status = os.waitpid(add_ann.process, 0)[1]
    add_ann.code = os.waitstatus_to_exitcode(status)
    assert add_ann.code == -signal.SIGINT
    assert add_ann.echoes()


def test_without_a_terminal_the_other_way_is_named(tmp_path):
    done = subprocess.run([BINARY, "user", "add", "ann", "--config", tmp_path], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=20, start_new_session=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == ("hearth: There is no terminal to ask on. Pass it on standard input, with --password-stdin or "
                           "--passphrase-stdin.\n")
