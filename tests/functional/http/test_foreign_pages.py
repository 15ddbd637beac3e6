# SPDX-License-Identifier: Apache-2.0
"""What a page of another site can do through the browser of somebody at home: nothing."""

import json

import pytest
import websocket

from checks import assert_json, assert_message
from hub_process import PASSWORD, command
from login_client import Browser, Page, begin_flow, log_in, redirect_parameters
from raw_http import request_text
from test_onboarding import FIRST, make_new_folder, new_home, steps  # noqa: F401
from websocket_client import WebSocketClient

PANEL = "https://panel.example"
EVIL = "https://evil.example"
FOREIGN = [
    {"Origin": EVIL}, {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "cross-site"},
    {"Origin": "null"}, {"Origin": EVIL, "Sec-Fetch-Site": "same-origin"}, {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:1"}, {"Origin": "http://127.0.0.1.evil.example:8123"}, {"Origin": ""},
]
OPEN = ["/api/webhook/x", "/api/onboarding/users", "/auth/login_flow", "/auth/login_flow/none", "/auth/authorize", "/auth/token", "/auth/invitation",
        "/auth/invitation/accept",
        "/auth/revoke", "/api/onboarding/backup", "/api/onboarding/restore", "/api/onboarding/import", "/api/onboarding/import/look",
        "/api/onboarding/import/start", "/api/onboarding/import/state", "/api/onboarding/import/cancel"]


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub with further addresses, and another origin allowed for its pages."""
    return module_hubs(http={"cors_allowed_origins": [PANEL], "trusted_proxies": ["127.0.0.1"]},
                       home={"name": "Test home", "internal_url": "http://192.168.1.5:8123",
                             "external_url": "https://home.example.org"})


def own_pages(hub):
    return [{"Origin": hub.url, "Sec-Fetch-Site": "same-origin"}, {"Origin": hub.url}, {"Sec-Fetch-Site": "none"}, {},
            {"Origin": f"https://127.0.0.1:{hub.port}"}, {"Origin": "http://192.168.1.5:8123"},
            {"Origin": "https://home.example.org", "Sec-Fetch-Site": "same-site"},
            {"Origin": PANEL, "Sec-Fetch-Site": "cross-site"}]


def open_socket(hub, headers, address=None):
    """The status of an upgrade that is refused; 101 otherwise."""
    header = [f"{name}: {value}" for name, value in headers.items()]
    if address:
        header.append(f"X-Forwarded-For: {address}")
    try:
        with WebSocketClient(hub, header=header) as client:
            assert client.receive()["type"] == "auth_required"
            client.send({"type": "auth", "access_token": "x" * 43})
            assert client.receive()["type"] == "auth_invalid"
            return 101
    except websocket.WebSocketBadStatusException as refused:
        return refused.status_code


@pytest.mark.contract("Weight, and strangers: Origin")
@pytest.mark.parametrize("path", OPEN)
@pytest.mark.parametrize("headers", FOREIGN)
def test_foreign_page_may_post_nowhere(own, headers, path):
    message = assert_message(own.anonymous.post(path, json={}, headers=headers), 403)
    assert "cors_allowed_origins" in message and "external_url" in message


@pytest.mark.contract("Weight, and strangers: Origin")
@pytest.mark.parametrize("headers", FOREIGN)
def test_foreign_page_opens_no_socket_and_bans_nobody(own, headers):
    for _ in range(15):
        assert open_socket(own, headers, "203.0.113.77") == 403
    listed = own.anonymous.get("/api/", headers={"X-Forwarded-For": "203.0.113.77"})
    assert listed.status_code == 200


@pytest.mark.contract("Weight, and strangers: Origin")
def test_own_pages_and_allowed_ones_may(own):
    for headers in own_pages(own):
        assert_message(own.anonymous.post("/api/onboarding/users", json={}, headers=headers), 403,
                       "This home has its first user already.")
        assert assert_json(own.anonymous.post("/auth/revoke", json={}, headers=headers)) == {}
        assert open_socket(own, headers) == 101, headers


@pytest.mark.contract("Weight, and strangers: Origin")
def test_reading_and_tokens_need_no_page(own):
    """A page of another site cannot send a token; it may send requests that only read, but not see the answers."""
    for headers in FOREIGN:
        assert own.anonymous.get("/auth/providers", headers=headers).status_code == 200
        assert own.ann.get("/api/states", headers=headers).status_code == 200
        assert own.ann.post("/api/states/test.page", json={"state": "on"}, headers=headers).status_code in (200, 201)


@pytest.mark.contract("Weight, and strangers: Origin")
def test_refusals_are_no_failed_logins(own):
    flow_id = assert_json(begin_flow(own))["flow_id"]
    body = {"client_id": "http://panel.example:8080/", "username": "ann", "password": "wrong"}
    for _ in range(30):
        headers = {"X-Forwarded-For": "203.0.113.78", "Origin": EVIL}
        assert_message(own.anonymous.post(f"/auth/login_flow/{flow_id}", json=body, headers=headers), 403)
    with WebSocketClient(own, own.tokens["admin"]) as client:
        assert "203.0.113.78" not in json.dumps(client.result("auth/login_attempts/list"))


@pytest.mark.contract("Weight, and strangers: Origin", "Beyond the specification: login")
def test_form_of_the_login_page_makes_the_browser_send_its_origin(own):
    """With the referrer policy of all other answers, browsers would send such a form with `Origin: null`."""
    with Browser(own) as browser:
        response = browser.open()
        assert '<meta name="referrer" content="same-origin">' in response.text
        page = Page(response)
        assert browser.submit(page, username="ann", password=PASSWORD, headers={"Origin": "null"}).status_code == 403
        redirect_parameters(browser.submit(page, username="ann", password=PASSWORD, headers={"Origin": own.url}))


def code_of_log(hub):
    [line] = hub.logged("there is no user yet")
    return line.split("ask for the code ")[1].split(")")[0]


def make_first(hub, headers=None, target="/api/onboarding/users", host=None, **changes):
    """The answer to an attempt to create the first user; Host follows from the page's name."""
    body = json.dumps({key: value for key, value in (FIRST | changes).items() if value is not ...})
    headers = {"Host": host or f"127.0.0.1:{hub.port}", "Content-Type": "application/json"} | (headers or {})
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    with hub.connect() as connection:
        return connection.request("POST", target, *lines, body=body, host=False)


@pytest.mark.contract("Weight, and strangers: first user", "Weight, and strangers: Origin")
@pytest.mark.parametrize("headers", [
    *[headers | {"Content-Type": "text/plain"} for headers in FOREIGN], {"Content-Type": "text/plain;charset=UTF-8"},
    {"Content-Type": "application/x-www-form-urlencoded"}, {"Content-Type": "multipart/form-data; boundary=x"},
    {"Content-Type": None}, {"Content-Type": "text/plain; x=application/json"}, {"Origin": EVIL}])
def test_foreign_page_creates_no_first_user(new_home, headers):  # noqa: F811
    """What a page can send without a preflight: a form, or text."""
    answer = make_first(new_home, headers)
    assert_message(answer, 403 if {"Origin", "Sec-Fetch-Site"} & set(headers) else 400)
    assert steps(new_home) == [{"step": "user", "done": False}]


@pytest.mark.contract("Weight, and strangers: first user")
def test_own_page_creates_the_first_user_without_a_code(new_home):  # noqa: F811
    answer = make_first(new_home, {"Origin": new_home.url, "Sec-Fetch-Site": "same-origin",
                                   "Content-Type": "Application/JSON; charset=utf-8"})
    assert assert_json(answer)["auth_code"]


@pytest.fixture
def proxied_home(hub_factory):
    """A new home behind a proxy."""
    folder = hub_factory.folder(http={"trusted_proxies": ["127.0.0.1"]}, home={"external_url": "https://my.example.org"})
    for database in folder.glob("home.db*"):
        database.unlink()
    return hub_factory(folder)


@pytest.mark.contract("Weight, and strangers: first user")
@pytest.mark.parametrize("address", ["203.0.113.9", "2001:db8::9", "100.64.0.1"])
def test_first_user_from_elsewhere_needs_the_code_of_the_log(proxied_home, address):
    headers = {"X-Forwarded-For": address}
    assert proxied_home.anonymous.get("/api/onboarding", headers=headers).json() == [
        {"step": "user", "done": False, "needs_code": True}]
    code = code_of_log(proxied_home)
    for wrong in (..., None, "", "0000-0000", code + "0", code[1:]):
        message = assert_message(make_first(proxied_home, headers, code=wrong), 403)
        assert "log" in message
    assert_message(make_first(proxied_home, headers, code=5), 400)
    assert_json(make_first(proxied_home, headers, code=code.lower().replace("-", "")))
    assert log_in(proxied_home, "ann")["access_token"]


@pytest.mark.contract("Weight, and strangers: first user")
@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.77", "10.0.0.9", "172.20.0.1", "fd00::7", "fe80::7"])
def test_first_user_at_home_needs_no_code(proxied_home, address):
    headers = {"X-Forwarded-For": address}
    assert proxied_home.anonymous.get("/api/onboarding", headers=headers).json() == [{"step": "user", "done": False}]
    assert_json(make_first(proxied_home, headers))


@pytest.mark.contract("Weight, and strangers: first user")
@pytest.mark.parametrize("chosen", ["--code-for-all", "HEARTH_CODE_FOR_ALL"])
def test_first_user_of_a_hub_that_asks_all_needs_the_code_at_home_too(tmp_path, hub_factory, monkeypatch, chosen):
    """As in a container: there every client may have an address of the home."""
    if chosen == "HEARTH_CODE_FOR_ALL":
        monkeypatch.setenv(chosen, "true")
    hub = hub_factory(make_new_folder(tmp_path), arguments=[chosen] if chosen.startswith("--") else [])
    assert hub.anonymous.get("/api/onboarding").json() == [{"step": "user", "done": False, "needs_code": True}]
    assert "none is needed" not in assert_message(make_first(hub), 403)
    with hub.client() as client:
        backup = client.post("/api/onboarding/backup", content=b"x", headers={"Content-Type": "application/octet-stream"})
        assert_message(backup, 403)
    assert_json(make_first(hub, code=code_of_log(hub)))


@pytest.mark.contract("Weight, and strangers: first user")
def test_wish_to_ask_all_that_cannot_be_read_is_refused(tmp_path, hub_factory, monkeypatch):
    monkeypatch.setenv("HEARTH_CODE_FOR_ALL", "perhaps")
    folder = make_new_folder(tmp_path)
    done = command(folder, "serve")
    assert done.returncode == 1 and "HEARTH_CODE_FOR_ALL" in done.stderr and "true or false" in done.stderr, done.stderr
    monkeypatch.setenv("HEARTH_CODE_FOR_ALL", "false")
    assert_json(make_first(hub_factory(folder)))


@pytest.mark.contract("Weight, and strangers: first user")
def test_guesses_at_the_code_are_failed_logins(proxied_home):
    headers = {"X-Forwarded-For": "203.0.113.9"}
    for _ in range(20):
        assert_message(make_first(proxied_home, headers), 403)  # not a guess
    for number in range(10):
        assert_message(make_first(proxied_home, headers, code=f"000{number}-0000"), 403)
    assert_message(make_first(proxied_home, headers, code=code_of_log(proxied_home)), 429)
    assert_message(make_first(proxied_home, {"X-Forwarded-For": "203.0.113.10"}), 403)


@pytest.mark.contract("Weight, and strangers: Host")
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8123", "127.0.0.1.evil.example", "local.example", "x:y"])
def test_first_user_by_a_name_that_may_be_rebound_needs_the_code(proxied_home, host):
    """A page of such a name has the hub's origin for the browser, once its owner points the name at the hub."""
    page = {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"} if host != "x:y" else {}
    assert_message(make_first(proxied_home, page, host=host), 403)
    target = f"http://{host}/api/onboarding/users"
    assert_message(make_first(proxied_home, page, target=target), 403)  # it overrides Host
    with proxied_home.connect() as connection:
        answer = connection.request("GET", "/api/onboarding", f"Host: {host}", host=False)
        assert answer.json() == [{"step": "user", "done": False, "needs_code": True}]
        for path in ("/api/", "/welcome", "/auth/providers"):
            connection.send(request_text("GET", path, f"Host: {host}", host=False))
            assert connection.read_response().status in (200, 404)  # 404: built without pages
    assert_json(make_first(proxied_home, page, host=host, code=code_of_log(proxied_home)))


@pytest.mark.contract("Weight, and strangers: Host")
@pytest.mark.parametrize("host", ["localhost:8123", "hub", "hub.local:8123", "hub.home.arpa", "hub.lan", "hub.internal",
                                  "[fd00::5]:8123", "192.168.1.5", "my.example.org"])
def test_first_user_by_a_name_of_the_home_needs_no_code(proxied_home, host):
    assert_json(make_first(proxied_home, {"Origin": f"http://{host}"}, host=host))


@pytest.mark.contract("Weight, and strangers: Host")
def test_first_user_by_the_absolute_form_of_a_name_of_the_home(proxied_home):
    assert_json(make_first(proxied_home, target="http://hub.local/api/onboarding/users", host="evil.example"))


@pytest.mark.contract("Weight, and strangers: first user")
def test_code_is_new_at_each_start_and_gone_with_the_first_user(proxied_home, hub_factory):
    first = code_of_log(proxied_home)
    proxied_home.stop()
    again = hub_factory(proxied_home.folder)
    assert code_of_log(again) != first
    assert_json(make_first(again))
    again.stop()
    assert not [line for line in hub_factory(again.folder).log if "the code" in line]
