# SPDX-License-Identifier: Apache-2.0
"""GET /api/openapi.json: valid, complete, and consistent with the answers."""

import fcntl
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from checks import assert_json, assert_message

VALIDATOR = Path(__file__).resolve().parents[2] / "openapi"
ENDPOINTS = {
    ("get", "/api/"), ("get", "/api/config"), ("get", "/api/states"), ("get", "/api/states/{entity_id}"),
    ("post", "/api/states/{entity_id}"), ("get", "/api/events"), ("post", "/api/events/{event_type}"),
    ("get", "/api/services"), ("post", "/api/services/{domain}/{service}"), ("get", "/api/stream"),
    ("delete", "/api/states/{entity_id}"), ("get", "/api/components"), ("get", "/api/core/state"),
    ("get", "/api/openapi.json"), ("get", "/api/history/period"), ("get", "/api/history/period/{start}"),
    ("get", "/api/logbook"), ("get", "/api/logbook/{start}"),
}
LOGIN = {
    ("get", "/api/onboarding"), ("post", "/api/onboarding/users"), ("get", "/auth/providers"),
    ("post", "/auth/invitation"), ("post", "/auth/invitation/accept"),
    ("post", "/auth/login_flow"), ("post", "/auth/login_flow/{flow_id}"), ("delete", "/auth/login_flow/{flow_id}"),
    ("post", "/api/onboarding/backup"), ("post", "/api/onboarding/restore"),
    ("post", "/api/onboarding/import"), ("post", "/api/onboarding/import/look"), ("post", "/api/onboarding/import/start"),
    ("post", "/api/onboarding/import/state"), ("post", "/api/onboarding/import/cancel"),
    ("get", "/auth/authorize"), ("post", "/auth/authorize"), ("post", "/auth/token"), ("post", "/auth/revoke"),
}
ENDPOINTS |= LOGIN
OPEN = {("get", "/api/"), ("get", "/api/kinds"), ("get", "/api/openapi.json"), ("get", "/api/websocket")} | LOGIN
OPEN |= {(method, "/api/webhook/{webhook_id}") for method in ("get", "post", "put")}
OPEN |= {("get", "/local/{path}"), ("get", "/api/hls/{path}"), ("get", "/api/health"), ("get", "/api/ready")}
WITHOUT_BODY = {"/api/config/core/check_config", "/api/config/config_entries/entry/{entry_id}/reload",
                "/api/home_assistant/test/{instance}"}
ADMINISTRATOR = {("get", "/api/config"), ("get", "/api/stream")}


@pytest.fixture(scope="module")
def document(hub):
    return assert_json(hub.anonymous.get("/api/openapi.json"))


@pytest.fixture(scope="module")
def operations(document):
    methods = {"get", "post", "put", "delete", "patch", "head", "options"}
    return {(method, path): operation for path, item in document["paths"].items() for method, operation in item.items()
            if method in methods}


@pytest.fixture(scope="module")
def validate():
    """Runs the validator on files; installs its packages if they are missing."""
    with open(VALIDATOR / "package-lock.json") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # ./test runs these tests for two binaries at once
        if not (VALIDATOR / "node_modules").is_dir():
            install = [shutil.which("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run(install, cwd=VALIDATOR, check=True, capture_output=True, timeout=120)

    def run(*files):
        check = [shutil.which("node"), "validate.js", *map(str, files)]
        return subprocess.run(check, cwd=VALIDATOR, capture_output=True, text=True, timeout=60)

    return run


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_document_is_valid(document, validate, tmp_path):
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    done = validate(tmp_path / "openapi.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert document["openapi"].startswith("3.1.")


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_validator_refuses_a_broken_document(document, validate, tmp_path):
    (tmp_path / "broken.json").write_text(json.dumps({**document, "paths": {"/api/": {"get": {"responses": []}}}}))
    assert validate(tmp_path / "broken.json").returncode == 1


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_every_endpoint_is_there(operations):
    assert ENDPOINTS <= set(operations)


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_every_operation_is_described(operations):
    names = [operation["operationId"] for operation in operations.values()]
    assert len(names) == len(set(names))
    for (method, path), operation in operations.items():
        assert operation["summary"] or operation["description"]
        parameters = {p["name"] for p in operation.get("parameters", []) if p.get("in") == "path"}
        assert parameters == set(re.findall(r"\{(\w+)\}", path)) or "parameters" not in operation
        assert ("requestBody" in operation) == (method in ("post", "put") and path not in WITHOUT_BODY)


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_errors_and_rights_are_documented(document, operations):
    for key, operation in operations.items():
        answers = set(operation["responses"])
        assert {"431", "500", "503"} <= answers, key
        assert "400" in answers or key[0] != "post", key
        security = operation.get("security", document.get("security"))
        if key in OPEN:
            assert not security and "401" not in answers
        elif key in ENDPOINTS:
            assert security and "401" in answers
        if key in ADMINISTRATOR or (key[0] in ("post", "delete") and key not in OPEN):
            assert "403" in answers
        if key[1] == "/api/states/{entity_id}" and key[0] in ("get", "delete") or "{service}" in key[1]:
            assert "404" in answers
    assert {"200", "201"} <= set(operations["post", "/api/states/{entity_id}"]["responses"])
    stream = operations["get", "/api/stream"]
    assert "text/event-stream" in stream["responses"]["200"]["content"]
    assert "restrict" in json.dumps(stream["parameters"])
    assert "wait" in json.dumps(operations["post", "/api/services/{domain}/{service}"]["parameters"])


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_answers_are_as_the_document_says(hub, document, validate, tmp_path, name):
    answers = []

    def ask(method, path, template, user="admin", **options):
        response = getattr(hub, user).request(method, path, **options)
        answers.append({"method": method.lower(), "path": template, "status": str(response.status_code),
                        "body": response.json()})
        return response.status_code

    state, entity = "/api/states/{entity_id}", f"/api/states/test.{name}"
    call = "/api/services/{domain}/{service}"
    for path in ("/api/", "/api/config", "/api/states", "/api/events", "/api/services", "/api/components",
                 "/api/core/state"):
        assert ask("GET", path, path) == 200
    assert ask("POST", entity, state, json={"state": "on", "attributes": {"a": 1}}) == 201
    assert ask("POST", entity, state, json={"state": "off"}) == 200
    assert ask("POST", entity, state, json={}) == 400
    assert ask("POST", entity, state, user="anonymous", json={}) == 401
    assert ask("POST", entity, state, user="display", json={}) == 403
    assert ask("GET", entity, state) == 200
    assert ask("DELETE", entity, state) == 200
    assert ask("DELETE", entity, state) == 404
    assert ask("GET", entity, state) == 404
    assert ask("GET", "/api/config", "/api/config", user="ann") == 403
    assert ask("POST", f"/api/events/{name}", "/api/events/{event_type}", json={"a": 1}) == 200
    assert ask("POST", f"/api/events/{name}", "/api/events/{event_type}", content="[]") == 400
    assert ask("POST", "/api/services/light/toggle", call, json={"entity_id": "light.kitchen"}) == 200
    assert ask("POST", "/api/services/light/explode", call, json={}) == 404
    assert ask("POST", "/api/services/light/toggle", call, json={}) == 400
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    done = validate(tmp_path / "openapi.json", tmp_path / "answers.json")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_schemas_are_strict_enough_to_fail(document, validate, tmp_path):
    """An answer of another form must not pass."""
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    for path, body in (("/api/", {"messages": "x"}), ("/api/states", [{"entity_id": 5}]), ("/api/events", {}),
                       ("/api/config", {"version": 1})):
        answer = {"method": "get", "path": path, "status": "200", "body": body}
        (tmp_path / "answers.json").write_text(json.dumps([answer]))
        assert validate(tmp_path / "openapi.json", tmp_path / "answers.json").returncode == 1


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_needs_no_token_but_get(hub):
    assert hub.anonymous.get("/api/openapi.json").status_code == 200
    response = hub.anonymous.post("/api/openapi.json")
    assert_message(response, 405)
    assert "GET" in response.headers["allow"]


@pytest.mark.contract("Beyond the specification: openapi.json")
def test_every_documented_path_is_routed(hub, operations):
    """Without a token each is 401 or open, never unknown."""
    for method, path in operations:
        if (method, path) in OPEN:
            continue
        response = hub.anonymous.request(method.upper(), re.sub(r"\{\w+\}", "light.x", path))
        assert response.status_code == 401, (method, path)
