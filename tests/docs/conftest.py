# SPDX-License-Identifier: Apache-2.0
"""A newcomer's hub: a new home folder, the default configuration, one user created as README.md says."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from hub_process import BINARY, PASSWORD, Hub
from terminal import Terminal

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ["Password for me: ", "Once more: "]


class Newcomer:
    """Runs the lines of a document in a shell, in a home folder of its own."""

    def __init__(self, home, hub):
        self.home = home
        self.hub = hub
        self.environment = os.environ | {"HOME": str(home), "HUB": hub.url}
        self.environment.pop("HEARTH_CONFIG", None)

    def run(self, line):
        return subprocess.run(["bash", "-c", line], env=self.environment, cwd=self.home, capture_output=True, text=True, timeout=30)

    def make_user(self, line):
        """Runs `line`, which asks for a password on the terminal."""
        with Terminal("bash", "-c", line, env=self.environment, cwd=self.home) as terminal:
            for prompt in PROMPTS:
                terminal.read(until=prompt)
                terminal.type(PASSWORD + "\n")
            assert terminal.finish() == 0, terminal.screen

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
