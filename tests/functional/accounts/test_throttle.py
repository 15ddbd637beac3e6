# SPDX-License-Identifier: Apache-2.0
"""Guessing passwords is slow, and then banned."""

import time

import pytest

from checks import assert_json, assert_message
from hub_process import PASSWORD
from login_client import Browser, Page, begin_flow, try_password
from test_tokens import get, through_proxy


@pytest.fixture(scope="module")
def proxied(module_hubs):
    """A hub that trusts the proxy on 127.0.0.1."""
    return module_hubs(http={"trusted_proxies": ["127.0.0.1"]})


def forwarded(address):
    return {"X-Forwarded-For": address}


def guess(hub, address, user="nobody", password="wrong"):
    return try_password(hub, user, password, forwarded(address))


def assert_wrong(response):
    assert assert_json(response)["errors"] == {"base": "invalid_auth"}


@pytest.mark.contract("Tokens and rights: failed logins")
def test_ten_wrong_passwords_are_slowed_and_ban_the_address(proxied):
    started = time.monotonic()
    for number in range(10):
        assert_wrong(guess(proxied, "203.0.120.1", f"nobody{number}"))
    assert time.monotonic() - started > 4  # 0, 0, 0, 0.125, 0.25, 0.5, then a second each
    banned = guess(proxied, "203.0.120.1", "ann", PASSWORD)
    assert_message(banned, 429)
    assert 290 < int(banned.headers["retry-after"]) <= 300
    assert_message(through_proxy(proxied, "203.0.120.1", proxied.tokens["ann"]), 429)
    assert assert_json(guess(proxied, "203.0.120.2", "ann", PASSWORD))["type"] == "create_entry"


@pytest.mark.contract("Tokens and rights: failed logins", "Beyond the specification: login")
def test_page_shows_how_long_a_ban_lasts(proxied):
    for _ in range(10):
        through_proxy(proxied, "203.0.121.1")
    with Browser(proxied) as browser:
        browser.client.headers.update(forwarded("203.0.121.1"))
        response = browser.open()
        assert response.status_code == 429 and int(response.headers["retry-after"]) > 0
        assert f"{response.headers['retry-after']} seconds" in Page(response).text


@pytest.mark.contract("Tokens and rights: failed logins")
def test_good_login_resets_the_count(proxied):
    for _ in range(2):
        for number in range(9):
            assert_message(through_proxy(proxied, "203.0.122.1"), 401)
        assert assert_json(guess(proxied, "203.0.122.1", "ann", PASSWORD))["type"] == "create_entry"


@pytest.mark.contract("Tokens and rights: failed logins")
def test_account_is_closed_except_from_addresses_of_its_owner(proxied):
    """Twenty wrong passwords from as many addresses."""
    assert assert_json(guess(proxied, "198.51.100.1", "display", PASSWORD))["type"] == "create_entry"
    flows = [assert_json(begin_flow(proxied))["flow_id"] for _ in range(20)]
    for number, flow_id in enumerate(flows):
        assert_wrong(try_password(proxied, "display", "wrong", forwarded(f"203.0.123.{number}"), flow_id))
    stranger = guess(proxied, "203.0.124.1", "display", PASSWORD)
    assert_message(stranger, 429)
    assert int(stranger.headers["retry-after"]) > 0
    assert assert_json(guess(proxied, "203.0.124.1", "ann", PASSWORD))["type"] == "create_entry"
    assert assert_json(guess(proxied, "198.51.100.1", "display", PASSWORD))["type"] == "create_entry"
    assert assert_json(guess(proxied, "127.0.0.1", "display", PASSWORD))["type"] == "create_entry"
    with Browser(proxied) as browser:
        browser.client.headers.update(forwarded("203.0.124.2"))
        response = browser.submit(Page(browser.open()), username="display", password=PASSWORD)
        assert response.status_code == 429 and int(response.headers["retry-after"]) > 0
        assert f"{response.headers['retry-after']} seconds" in Page(response).text


@pytest.mark.contract("Tokens and rights: failed logins")
def test_passwords_being_checked_delay_nobody(proxied):
    """While several are hashed, and their answers delayed, others are answered at once."""
    flows = [assert_json(begin_flow(proxied))["flow_id"] for _ in range(8)]
    connections = [proxied.connect(20) for _ in flows]
    body = '{"client_id":"http://panel.example:8080/","username":"nobody","password":"wrong"}'
    for flow_id, connection in zip(flows, connections):
        connection.send(f"POST /auth/login_flow/{flow_id} HTTP/1.1\r\nHost: hub\r\nX-Forwarded-For: 203.0.125.1\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n{body}")
    started = time.monotonic()
    for _ in range(20):
        assert get(proxied, proxied.tokens["ann"]).status_code == 200
    assert time.monotonic() - started < 2
    for connection in connections:
        assert connection.read_response().status == 200
        connection.close()


@pytest.mark.contract("Tokens and rights: failed logins")
def test_loopback_is_slowed_but_never_refused(proxied):
    for _ in range(12):
        assert_wrong(try_password(proxied, "admin", "wrong"))
    assert assert_json(try_password(proxied, "admin", PASSWORD))["type"] == "create_entry"
