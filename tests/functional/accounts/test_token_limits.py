# SPDX-License-Identifier: Apache-2.0
"""What one token, and one user, may use at a time: beyond it is 429 or too_many_requests, and others are served."""

import time
from contextlib import ExitStack

import pytest

from checks import assert_message
from hub_process import create_token, wait_until
from websocket_client import WebSocketClient

SLOW = "{% for i in range(99999) %}{% for j in range(99) %}{% endfor %}{% endfor %}"


@pytest.fixture(scope="module")
def hub(module_hubs):
    """Each test has tokens of its own."""
    return module_hubs(http={"limits": {"requests_per_second": 2, "token_sockets": 2, "token_streams": 2,
                                        "token_subscriptions": 5, "template_time": "50ms"}})


@pytest.fixture
def tokens(hub, request):
    """Three of one administrator's, and one of another's, whom nobody else uses."""
    made = {}
    for user in ("one", "two"):
        name = f"{request.node.name[5:30]}-{user}".replace("_", "-").replace("[", "-").strip("-")
        done = hub.command("user", "add", name, "--admin", "--password-stdin", text="small lamps\n")
        assert done.returncode == 0, done.stderr
        for client in ("a", "b", "c", "d", "e"):
            made[user + client] = create_token(hub.folder, name, client)
    wait_until(lambda: ask(hub, made["twoe"]).status_code == 200)
    return made


def ask(hub, token, method="GET", path="/api/core/state", **fields):
    return hub.anonymous.request(method, path, headers={"Authorization": f"Bearer {token}"}, **fields)


def use_up(hub, token, *asked, **fields):
    """Until the first refusal, and so many answers before. A slow machine gets more of them: the limit is by time."""
    for count in range(1_000):
        answer = ask(hub, token, *asked, **fields)
        if answer.status_code == 429 or not asked and answer.status_code != 200:
            return count, answer
    raise AssertionError("a thousand requests were served")


def render_until_refused(hub, token):
    """Slow templates until there is no time left for one: a few on a slow machine, some dozens on a fast one."""
    answers = []
    while not answers or answers[-1].status_code != 429:
        assert len(answers) < 500
        answers.append(ask(hub, token, "POST", "/api/template", json={"template": SLOW}))
    return answers


def assert_refused(answer, key):
    assert key in assert_message(answer, 429)
    assert 1 <= int(answer.headers["retry-after"]) <= 60


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_a_token_at_its_limit_is_refused_while_another_is_served(hub, tokens):
    served, refused = use_up(hub, tokens["onea"])
    assert served >= 20  # ten seconds' worth at once
    assert_refused(refused, "requests_per_second")
    assert ask(hub, tokens["oneb"]).status_code == 200
    # Whatever is asked, before anything else is looked at.
    for method, path, body in (("POST", "/api/states/light.x", "{"), ("GET", "/api/states/light.nowhere", ""), ("GET", "/api/stream", "")):
        assert_refused(use_up(hub, tokens["onea"], method, path, content=body)[1], "requests_per_second")
    assert hub.anonymous.get("/api/").status_code == 200
    waited = time.monotonic()
    wait_until(lambda: ask(hub, tokens["onea"]).status_code == 200, timeout=15, interval=0.3)
    assert time.monotonic() - waited < 15


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_all_tokens_of_a_user_have_four_times_as_much(hub, tokens):
    began = time.monotonic()
    counts = [use_up(hub, tokens[f"one{name}"])[0] for name in "abcde"]
    assert min(counts[:3]) >= 20
    # Four bursts of 20, and what the time since then adds. Five tokens alone had a hundred and more.
    assert sum(counts) <= 80 + 8 * (time.monotonic() - began) + 1
    assert ask(hub, tokens["twoa"]).status_code == 200


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_commands_count_as_requests(hub, tokens):
    with WebSocketClient(hub, tokens["onea"]) as client, WebSocketClient(hub, tokens["oneb"]) as other:
        answers = [client.command("ping") for _ in range(60)]
        assert answers[0]["type"] == "pong"
        error = next(answer["error"] for answer in answers if answer["type"] == "result")
        assert error["code"] == "too_many_requests" and "requests_per_second" in error["message"]
        assert other.command("ping")["type"] == "pong"
        assert_refused(use_up(hub, tokens["onea"])[1], "requests_per_second")
        # The connection is there still.
        wait_until(lambda: client.command("get_config").get("success") is False, interval=0)


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_websockets(hub, tokens, monkeypatch):
    monkeypatch.setattr("websocket._abnf.VALID_CLOSE_STATUS", (1013,))  # which this client does not know
    with WebSocketClient(hub, tokens["onea"]), ExitStack() as stack:
        second = stack.enter_context(WebSocketClient(hub, tokens["onea"]))
        third = stack.enter_context(WebSocketClient(hub))
        assert third.receive()["type"] == "auth_required"
        third.send({"type": "auth", "access_token": tokens["onea"]})
        error = third.receive()["error"]
        assert error["code"] == "too_many_requests" and "token_sockets" in error["message"]
        assert third.close_code() == 1013
        with WebSocketClient(hub, tokens["oneb"]) as other:
            assert other.command("ping")["type"] == "pong"
        second.close()

        def free():
            try:
                WebSocketClient(hub, tokens["onea"]).close()
                return True
            except AssertionError:
                return False

        wait_until(free)


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_streams(hub, tokens):
    with hub.stream(token=tokens["onea"]), ExitStack() as stack:
        second = hub.stream(token=tokens["onea"])
        stack.enter_context(second)
        assert_refused(ask(hub, tokens["onea"], path="/api/stream"), "token_streams")
        with hub.stream(token=tokens["oneb"]):
            pass
        second.close()

        def free():
            with hub.anonymous.stream("GET", "/api/stream", headers={"Authorization": f"Bearer {tokens['onea']}"}) as answer:
                return answer.status_code == 200

        wait_until(free, interval=0.2)


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_subscriptions_of_all_sockets_of_a_token(hub, tokens):
    with WebSocketClient(hub, tokens["onea"]) as one, WebSocketClient(hub, tokens["onea"]) as two, \
            WebSocketClient(hub, tokens["oneb"]) as other:
        for client in (one, one, one, two, two):
            client.result("subscribe_events", event_type="party")
        for kind, fields in (("subscribe_events", {}), ("subscribe_entities", {}), ("render_template", {"template": "x"})):
            code, message = two.error(kind, **fields)
            assert code == "too_many_requests" and "token_subscriptions" in message
        other.result("subscribe_events", event_type="party")
        one.result("unsubscribe_events", subscription=1)
        two.result("subscribe_events", event_type="party")
        one.close()
        wait_until(lambda: two.command("subscribe_events", event_type="party")["success"], interval=0.6)


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_templates(hub, tokens):
    # Ten seconds' worth are a second of a processor, in pieces that are allowed each.
    answers = render_until_refused(hub, tokens["onea"])
    assert_refused(answers[-1], "template_time")
    assert answers[0].status_code in (200, 400)
    with WebSocketClient(hub, tokens["onea"]) as client:
        code, message = client.error("render_template", template="{{ 1 }}")
        assert code == "too_many_requests" and "template_time" in message
    assert ask(hub, tokens["oneb"], "POST", "/api/template", json={"template": "{{ 1 + 1 }}"}).text == "2"


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_a_live_template_waits_until_its_token_has_time_again(hub, tokens):
    hub.admin.post("/api/states/sensor.waits", json={"state": "first"})
    with WebSocketClient(hub, tokens["onea"], timeout=40) as client:
        client.result("render_template", template="{{ states('sensor.waits') }}")
        assert client.event(1)["result"] == "first"
        render_until_refused(hub, tokens["onea"])
        hub.admin.post("/api/states/sensor.waits", json={"state": "second"})
        hub.admin.post("/api/states/sensor.waits", json={"state": "third"})
        assert client.event(1)["result"] == "third"  # of what came meanwhile only the last


@pytest.mark.contract("Weight, and strangers: tokens and users")
def test_a_new_session_or_name_gives_no_new_requests(hub, tokens):
    """A change of the accounts makes the table of tokens anew."""
    use_up(hub, tokens["onea"])
    create_token(hub.folder, "ann", f"after {time.time_ns()}")
    assert hub.command("user", "role", "display", "user").returncode == 0
    wait_until(lambda: hub.display.post("/api/events/x", json={}).status_code == 200)
    refused = [ask(hub, tokens["onea"]).status_code for _ in range(10)]
    assert 429 in refused[-1:], refused
    assert hub.command("user", "role", "display", "reader").returncode == 0


@pytest.mark.contract("Weight, and strangers: tokens and users")
@pytest.mark.parametrize(("key", "wrong"), [("requests_per_second", 0), ("token_sockets", -1), ("token_streams", "many"),
                                            ("token_subscriptions", 0), ("template_time", "0s")])
def test_wrong_limits_are_named(hub_factory, key, wrong):
    folder = hub_factory.folder(http={"limits": {key: wrong}})
    from hub_process import command
    done = command(folder, "check")
    assert done.returncode == 1 and f"http.limits.{key}" in done.stderr + done.stdout
