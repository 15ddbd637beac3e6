# SPDX-License-Identifier: Apache-2.0
"""hassapi and hass-client, libraries for Python: their programs are in libraries_client.py."""

import json
import subprocess

import pytest

from login_client import CLIENT, code_of
from packages import FOLDER


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose devices these tests switch. hassapi wants each state's context."""
    return module_hubs(api={"state_list_context": True})


@pytest.fixture
def run(libraries, own, name):
    """Runs one program to its end."""

    def begin(program, **more):
        given = {"url": own.url, "token": own.tokens["admin"], "name": name, **more}
        done = subprocess.run([libraries / "python", "-B", FOLDER / "libraries_client.py", program],
                              input=json.dumps(given), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr

    return begin


@pytest.mark.parametrize("program", ["hassapi_reads", "hassapi_writes", "hassapi_calls", "hassapi_hears"])
def test_hassapi(run, program):
    run(program)


@pytest.mark.parametrize("program", ["hass_client_reads", "hass_client_hears", "hass_client_is_refused"])
def test_hass_client(run, program):
    run(program)


def test_hass_client_logs_in(run, own):
    run("hass_client_logs_in", code=code_of(own, "ann"), client_id=CLIENT)
