# SPDX-License-Identifier: Apache-2.0
"""A newcomer's hub: a new home folder, the default configuration, one user created as README.md says."""

import os
import pty
import re
import select
import subprocess
from pathlib import Path

import pytest

from hub_process import BINARY, PASSWORD, Hub

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ["Password for me: ", "Once more: "]


class Newcomer:
    """Runs the lines of a document in a shell whose home is a folder of its own."""

    def __init__(self, home, hub):
        self.hub = hub
        self.environment = os.environ | {"HOME": str(home), "HUB": hub.url}
        self.environment.pop("HEARTH_CONFIG", None)

    def run(self, line):
        return subprocess.run(["bash", "-c", line], env=self.environment, capture_output=True, text=True, timeout=30)

    def make_user(self, line):
        """Runs `line`, which asks for a password on the terminal."""
        process, terminal = pty.fork()
        if process == 0:
            os.execvpe("bash", ["bash", "-c", line], self.environment)
        screen = ""
        for prompt in PROMPTS:
            while prompt not in screen:
                ready, _, _ = select.select([terminal], [], [], 20)
                assert ready, screen
                screen += os.read(terminal, 4096).decode()
            os.write(terminal, PASSWORD.encode() + b"\n")
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, screen
        os.close(terminal)

    def curl(self, line, seconds=10):
        """The body and the status of a line with curl; reads a stream for `seconds`."""
        function = f"curl() {{ command curl -sS --max-time {seconds} -w '\\n%{{http_code}}' \"$@\"; }}; "
        address = line.replace("http://localhost:8123", self.hub.url)
        done = self.run(function + address)
        body, _, status = done.stdout.rpartition("\n")
        assert re.fullmatch(r"\d+", status), done.stderr
        return body, int(status)


@pytest.fixture(scope="session")
def newcomer(tmp_path_factory):
    assert BINARY.is_file(), f"{BINARY} is missing: build it, or name one in HEARTH_BINARY"
    home = tmp_path_factory.mktemp("newcomer")
    folder = home / ".config/hearth"
    hub = Hub(folder).wait_ready()
    yield Newcomer(home, hub)
    hub.stop()
