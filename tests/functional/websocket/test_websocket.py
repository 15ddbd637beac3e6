# SPDX-License-Identifier: Apache-2.0
"""The session of the WebSocket API: authentication, ids, frames, the end."""

import json
import signal
import time

import httpx
import pytest
import websocket

from checks import assert_message
from hub_process import PASSWORD, add_user, create_token, wait_until
from websocket_client import WebSocketClient


@pytest.fixture
def client(hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as connected:
        yield connected


@pytest.mark.contract("WebSocket: open")
def test_hub_sends_the_first_message(hub):
    with WebSocketClient(hub) as client:
        version = hub.admin.get("/api/config").json()["version"]
        assert client.receive() == {"type": "auth_required", "ha_version": version}


@pytest.mark.contract("WebSocket: open")
def test_request_that_is_no_upgrade_is_refused(hub):
    assert_message(hub.anonymous.get("/api/websocket"), 400)
    answer = hub.anonymous.get(
        "/api/websocket",
        headers={"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "12",
                 "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="},
    )
    assert_message(answer, 426)


@pytest.mark.contract("WebSocket: authentication")
def test_authentication_may_come_first_and_commands_after_it(hub):
    with WebSocketClient(hub) as client:
        client.send({"type": "auth", "access_token": hub.tokens["ann"]})
        client.send({"id": 1, "type": "ping"})
        assert [client.receive()["type"] for _ in range(3)] == ["auth_required", "auth_ok", "pong"]


@pytest.mark.contract("WebSocket: authentication")
@pytest.mark.parametrize("message", [
    "nonsense", "[]", "1", "{}", '{"type":"ping","id":1}', '{"type":"auth"}', '{"type":"auth","access_token":1}',
])
def test_malformed_authentication_is_refused_and_the_connection_closed(hub, message):
    with WebSocketClient(hub) as client:
        client.receive()
        client.send(message)
        answer = client.receive()
        assert answer["type"] == "auth_invalid"
        assert answer["message"].startswith("Auth message incorrectly formatted")
        assert client.close_code() == 1000


@pytest.mark.contract("WebSocket: authentication")
def test_wrong_token_is_refused_and_the_connection_closed(hub):
    with WebSocketClient(hub) as client:
        client.receive()
        client.send({"type": "auth", "access_token": "x" * 43})
        assert client.receive() == {"type": "auth_invalid", "message": "Invalid access token or password"}
        assert client.close_code() == 1000


@pytest.mark.slow
@pytest.mark.contract("WebSocket: authentication")
def test_client_that_does_not_authenticate_in_ten_seconds_is_cut(hub):
    with WebSocketClient(hub, timeout=15) as client:
        client.receive()
        begin = time.monotonic()
        with pytest.raises((websocket.WebSocketConnectionClosedException, ConnectionError)):
            client.receive()
        assert time.monotonic() - begin > 8


@pytest.mark.contract("WebSocket: ids")
def test_ids_must_increase(client):
    client.send({"id": 5, "type": "ping"})
    client.send({"id": 5, "type": "ping"})
    client.send({"id": 4, "type": "ping"})
    client.send({"id": 90, "type": "ping"})
    assert client.receive() == {"id": 5, "type": "pong"}
    for number in (5, 4):
        assert client.receive() == {
            "id": number, "type": "result", "success": False,
            "error": {"code": "id_reuse", "message": "Identifier values have to increase."},
        }
    assert client.receive() == {"id": 90, "type": "pong"}


@pytest.mark.contract("WebSocket: wrong messages")
@pytest.mark.parametrize("message", [
    {"type": "ping"}, {"id": 1}, {"id": "1", "type": "ping"}, {"id": 0, "type": "ping"}, {"id": -1, "type": "ping"},
    {"id": 1.5, "type": "ping"}, {"id": 1, "type": 7}, "text", 3, None, [3],
])
def test_message_without_an_id_or_type_is_refused(client, message):
    client.send(json.dumps(message))
    answer = client.receive()
    assert answer["error"] == {"code": "invalid_format", "message": "Message incorrectly formatted."}
    assert client.command("ping")["type"] == "pong"


@pytest.mark.contract("WebSocket: wrong messages")
def test_unknown_command_is_refused(client):
    assert client.error("make_coffee") == ("unknown_command", "Unknown command.")


@pytest.mark.contract("WebSocket: wrong messages")
def test_unknown_key_is_named(client):
    assert client.error("get_states", entity="x") == ("invalid_format", "entity: there is no such key in this command.")


@pytest.mark.contract("WebSocket: wrong messages")
def test_invalid_json_ends_the_connection(client):
    client.send("{")
    assert client.close_code() == 1007


@pytest.mark.contract("WebSocket: wrong messages")
def test_binary_message_ends_the_connection(client):
    client.socket.send_binary(b"\x01abc")
    assert client.close_code() == 1003


@pytest.mark.contract("WebSocket: wrong messages")
def test_message_over_four_mebibytes_ends_the_connection(hub, client):
    client.send('{"id": 1, "type": "ping"}'.ljust(4 * 1024 * 1024))
    assert client.receive() == {"id": 1, "type": "pong"}
    # No more than the announced length: the hub refuses before the rest arrives, which it would not read.
    client.socket.sock.sendall(b"\x81\xff" + (4 * 1024 * 1024 + 1).to_bytes(8, "big") + bytes(4))
    assert client.close_code() == 1009
    assert hub.admin.get("/api/states").status_code == 200


@pytest.mark.contract("WebSocket: frames")
def test_commands_may_come_as_an_array(client):
    client.send([{"id": 1, "type": "ping"}, {"id": 2, "type": "frontend/get_user_data", "key": "none"}])
    assert client.receive() == {"id": 1, "type": "pong"}
    assert client.receive() == {"id": 2, "type": "result", "success": True, "result": {"value": None}}


@pytest.mark.contract("WebSocket: frames")
def test_messages_that_wait_together_are_coalesced_on_demand(client):
    assert client.result("supported_features", features={"coalesce_messages": 1}) is None
    client.send([{"id": 10, "type": "ping"}, {"id": 11, "type": "ping"}])
    assert client.receive() == [{"id": 10, "type": "pong"}, {"id": 11, "type": "pong"}]


@pytest.mark.contract("Tokens and rights: revoking and expiry")
def test_revoked_token_closes_its_sockets_and_no_others(hub_factory):
    hub = hub_factory.start()
    add_user(hub.folder, "bo", "--admin")
    token = create_token(hub.folder, "bo", "panel")
    wait_until(lambda: hub.anonymous.get("/api/states", headers={"Authorization": "Bearer " + token}).status_code == 200)
    with WebSocketClient(hub, token) as revoked, WebSocketClient(hub, hub.tokens["admin"]) as other:
        assert hub.command("token", "revoke", "--user", "bo", "--name", "panel").returncode == 0
        assert revoked.close_code() == 1008
        assert other.command("ping")["type"] == "pong"
    with WebSocketClient(hub) as again:
        again.receive()
        again.send({"type": "auth", "access_token": token})
        assert again.receive()["type"] == "auth_invalid"


@pytest.mark.contract("Tokens and rights: revoking and expiry")
def test_deactivated_user_loses_the_socket(hub_factory):
    hub = hub_factory.start()
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        assert hub.command("user", "deactivate", "ann").returncode == 0
        assert client.close_code() == 1008


@pytest.mark.contract("Tokens and rights: failed logins")
def test_wrong_tokens_over_the_socket_are_counted(hub_factory):
    hub = hub_factory.start(http={"trusted_proxies": ["127.0.0.1"]})
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    header = [f"{name}: {value}" for name, value in forwarded.items()]
    for _ in range(60):
        try:
            with WebSocketClient(hub, header=header) as client:
                client.receive()
                client.send({"type": "auth", "access_token": "y" * 43})
                assert client.receive()["type"] == "auth_invalid"
        except websocket.WebSocketBadStatusException as refused:
            assert refused.status_code == 429
            break
    else:
        raise AssertionError("never refused")
    assert httpx.get(hub.url + "/api/states", headers=forwarded).status_code == 429
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        assert client.command("ping")["type"] == "pong"


@pytest.mark.contract("Stream: shutdown")
def test_sockets_end_with_1001_when_the_hub_stops(hub_factory):
    hub = hub_factory.start()
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        hub.send_signal(signal.SIGTERM)
        assert client.close_code() == 1001
    hub.stop()


def test_password_is_no_token(hub):
    with WebSocketClient(hub) as client:
        client.receive()
        client.send({"type": "auth", "access_token": PASSWORD})
        assert client.receive()["type"] == "auth_invalid"
