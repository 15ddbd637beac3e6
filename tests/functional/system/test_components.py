# SPDX-License-Identifier: Apache-2.0
"""GET /api/components and GET /api/core/state"""

import pytest

from checks import assert_json, assert_message


@pytest.mark.contract("Beyond the specification: components")
def test_components_are_names(hub):
    names = assert_json(hub.ann.get("/api/components"))
    assert all(isinstance(name, str) and name for name in names)
    assert {"demo", "light", "switch", "cover", "climate", "fan", "lock", "sensor", "binary_sensor"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.contract("Beyond the specification: components")
def test_components_are_those_of_the_configuration(hub):
    assert sorted(hub.ann.get("/api/components").json()) == sorted(hub.admin.get("/api/config").json()["components"])


@pytest.mark.contract("Beyond the specification: core state")
def test_core_state_is_running(hub):
    state = assert_json(hub.ann.get("/api/core/state"))
    assert state["state"] == "RUNNING"
    assert isinstance(state["recorder_state"], dict)


@pytest.mark.contract("Beyond the specification: components", "Beyond the specification: core state")
@pytest.mark.parametrize("path", ["/api/components", "/api/core/state"])
def test_need_a_token_and_get(hub, path):
    assert_message(hub.anonymous.get(path), 401)
    assert hub.display.get(path).status_code == 200
    response = hub.admin.delete(path)
    assert_message(response, 405)
    assert "GET" in response.headers["allow"]
