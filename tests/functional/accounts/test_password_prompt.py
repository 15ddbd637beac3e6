# SPDX-License-Identifier: Apache-2.0
"""Commands that ask for a password: on the terminal, without echo, and restoring the terminal."""

import signal
import subprocess

import pytest

from hub_process import BINARY, PASSWORD
from terminal import Terminal


@pytest.fixture
def add_ann(tmp_path):
    with Terminal(BINARY, "user", "add", "ann", "--config", tmp_path) as terminal:
        yield terminal


def test_a_password_is_asked_for_twice_and_not_shown(add_ann, tmp_path):
    add_ann.read("Password for ann: ")
    assert not add_ann.echoes()
    add_ann.type(PASSWORD + "\n")
    add_ann.read("Once more: ")
    add_ann.type(PASSWORD + "\n")
    assert add_ann.finish() == 0, add_ann.screen
    assert add_ann.screen == "Password for ann: \r\nOnce more: \r\nAdded ann (user).\r\n"
    listed = subprocess.run([BINARY, "user", "list", "--config", tmp_path], capture_output=True, text=True, check=True,
                            timeout=20)
    assert "ann" in listed.stdout


@pytest.mark.parametrize(("typed", "said"), [
    ("\n", "No password was given."),
    ("\x04", "No password was given."),
    ("a" * 1025 + "\n", "The password is too long."),
], ids=["an empty line", "the end of input", "too long a line"])
def test_an_invalid_password_is_refused(add_ann, typed, said):
    add_ann.read("Password for ann: ")
    add_ann.type(typed)
    assert add_ann.finish() == 1
    assert add_ann.screen.endswith(f"{said}\r\n")
    assert "aaa" not in add_ann.screen


def test_an_interrupt_restores_the_terminal(add_ann):
    add_ann.read("Password for ann: ")
    assert not add_ann.echoes()
    add_ann.type("half")
    assert add_ann.interrupt() == -signal.SIGINT
    assert add_ann.echoes()


def test_without_a_terminal_the_option_is_named(tmp_path):
    done = subprocess.run([BINARY, "user", "add", "ann", "--config", tmp_path], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=20, start_new_session=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == ("hearth: There is no terminal to ask on. Pass it on standard input, with --password-stdin or "
                           "--passphrase-stdin.\n")
