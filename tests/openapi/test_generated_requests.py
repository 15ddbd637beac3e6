# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis generates from the OpenAPI document, each judged by all of its checks.

What the document allows is accepted, what it forbids is refused, and every answer is one that it describes.
"""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hub_process import REPOSITORY

FOLDER = Path(__file__).resolve().parent
REQUIREMENTS = FOLDER / "requirements.txt"
VENV = REPOSITORY / "build/openapi-venv"
EXAMPLES = int(os.environ.get("HEARTH_EXAMPLES", 60))  # for each operation
SEED = os.environ.get("HEARTH_SEED")  # of other requests than usual
LEFT_OUT = ["/api/stream", "/api/websocket"]  # an answer without an end, and one that is no HTTP any more
# JSON Schema cannot say that redirect_uri has the origin of client_id, that code_challenge comes with its method, or
# that an end comes after its start; nor that a file is a backup, or an object an automation.
REFUSED = {"POST /auth/login_flow", "GET /auth/authorize", "GET /api/calendars/{entity_id}",
           "POST /api/backups", *(f"POST /api/config/{kind}/config/{{id}}" for kind in ("automation", "script", "scene"))}
ACCEPTANCE = "RejectedPositiveData"  # the type of failure


def run(*command, **options):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)


@pytest.fixture(scope="module")
def schemathesis():
    """The program, installed if it is missing or of another version than the requirements say."""
    stamp, digest = VENV / ".installed", hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != digest:
        shutil.rmtree(VENV, ignore_errors=True)
        for command in (["/usr/bin/python3", "-m", "venv", VENV],
                        [VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                         "--require-hashes", "--only-binary", ":all:", "--requirement", REQUIREMENTS]):
            done = run(*command, timeout=300)
            assert done.returncode == 0, done.stdout
        stamp.write_text(digest)
    return VENV / "bin/st"


@pytest.fixture(scope="module")
def report(schemathesis, module_hubs, tmp_path_factory):
    """The verdict of a run, and what it printed."""
    hub = module_hubs()
    folder = tmp_path_factory.mktemp("schemathesis")
    done = run(schemathesis, "--config-file", FOLDER / "schemathesis.toml", "run", hub.url + "/api/openapi.json",
               "--header", f"Authorization: Bearer {hub.tokens['admin']}", "--checks", "all", "--mode", "all",
               "--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES,
               *(["--seed", SEED] if SEED else ["--generation-deterministic"]), "--continue-on-failure", "--no-shrink",
               *(part for path in LEFT_OUT for part in ("--exclude-path", path)),
               "--suppress-health-check", "filter_too_much,too_slow", "--request-timeout", 60, "--no-color", "--report", "json",
               "--report-json-path", "report.json",
               cwd=folder, timeout=20 * EXAMPLES)
    assert done.returncode in (0, 1), done.stdout
    print(done.stdout)
    return json.loads((folder / "report.json").read_text())


def test_every_operation_was_tried(report):
    assert report["complete"] and not report["errors"]
    operations = report["operations"]
    assert operations["tested"] == operations["selected"] == operations["total"] - len(LEFT_OUT)
    assert report["test_cases"]["generated"] > 20 * operations["tested"]


def test_answers_are_as_the_document_says_and_nothing_forbidden_is_accepted(report):
    wrong = {failure["title"]: failure["operations"] for failure in report["failures"]
             if failure["type"] != ACCEPTANCE}
    assert not wrong


def test_what_the_document_allows_is_accepted(report):
    refused = {operation for failure in report["failures"] if failure["type"] == ACCEPTANCE
               for operation in failure["operations"]}
    assert refused <= REFUSED
