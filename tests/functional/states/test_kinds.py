# SPDX-License-Identifier: Apache-2.0
"""GET /api/kinds"""

import pytest

from checks import assert_json, assert_message
from websocket_client import WebSocketClient


@pytest.mark.contract("Beyond the specification: kinds")
def test_kinds_are_those_of_the_command(hub):
    kinds = assert_json(hub.anonymous.get("/api/kinds"))
    assert {"light", "climate", "sensor"} <= {kind["domain"] for kind in kinds}
    assert [kind["domain"] for kind in kinds] == sorted(kind["domain"] for kind in kinds)
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        assert kinds == client.result("hearth/kinds")


@pytest.mark.contract("Beyond the specification: kinds")
@pytest.mark.parametrize("encoding", ["gzip", "zstd", "identity"])
def test_kinds_are_compressed_and_come_once(hub, encoding):
    first = hub.anonymous.get("/api/kinds", headers={"Accept-Encoding": encoding})
    assert first.headers.get("content-encoding", "identity") == encoding
    assert first.headers["cache-control"] == "no-cache"
    if encoding != "identity":
        assert int(first.headers["content-length"]) < 20_000
    tag = first.headers["etag"]
    again = hub.anonymous.get("/api/kinds", headers={"Accept-Encoding": encoding, "If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = hub.anonymous.get("/api/kinds", headers={"Accept-Encoding": encoding, "If-None-Match": '"other"'})
    assert other.status_code == 200


@pytest.mark.contract("Beyond the specification: kinds")
def test_kinds_know_get_alone(hub):
    assert_message(hub.admin.delete("/api/kinds"), 405)
