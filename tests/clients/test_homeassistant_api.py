# SPDX-License-Identifier: Apache-2.0
"""HomeAssistant-API, the Python client: its programs are in python_client.py."""

import json
import subprocess

import pytest

from packages import FOLDER


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose devices these tests switch."""
    return module_hubs()


@pytest.fixture
def run(libraries, own, name):
    """Runs one program to its end."""

    def begin(program, user="admin"):
        given = {"url": own.url, "token": own.tokens[user], "name": name, "entity_id": f"test.{name}"}
        done = subprocess.run([libraries / "python", "-B", FOLDER / "python_client.py", program], input=json.dumps(given),
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return given

    return begin


@pytest.mark.parametrize("program", ["reads", "calls", "async_reads", "websocket", "websocket_registry",
                                     "async_websocket", "wrong_token"])
def test_program(run, program):
    run(program)


@pytest.mark.parametrize("program, state", [("writes", "13"), ("async_writes", "on")])
def test_what_it_writes_is_there(run, own, program, state):
    entity_id = run(program)["entity_id"]
    assert own.ann.get(f"/api/states/{entity_id}").json()["state"] == state


@pytest.mark.parametrize("program, data", [("fires", {"by": "sync"}), ("async_writes", {"by": "async"})])
def test_what_it_fires_is_heard(run, own, name, program, data):
    with own.stream(f"?restrict={name}") as stream:
        run(program)
        assert stream.next_event(5).event["data"] == data
