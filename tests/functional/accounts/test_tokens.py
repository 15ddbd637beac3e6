# SPDX-License-Identifier: Apache-2.0
"""Tokens and rights, as clients see them."""

import hashlib
import re
import sqlite3
import time
from datetime import datetime, timedelta, timezone

import pytest

from checks import assert_json, assert_message
from hub_process import create_token, wait_until


@pytest.fixture(scope="module")
def own(module_hubs):
    """A hub whose tokens and users these tests may change, except those of the fixtures."""
    return module_hubs()


def get(hub, token, path="/api/states", scheme="Bearer"):
    return hub.anonymous.get(path, headers={"Authorization": f"{scheme} {token}"})


def become(hub, status, token, path="/api/states", timeout=1.5):
    """The token is answered with the status within about a second of the change."""
    wait_until(lambda: get(hub, token, path).status_code == status, timeout)
    return get(hub, token, path)


def expire(hub, token):
    """Moves the token's expiry to the past: no command creates an expired token."""
    digest = hashlib.sha256(token.encode())
    for path in hub.folder.rglob("*"):
        if not path.is_file() or path.read_bytes()[:15] != b"SQLite format 3":
            continue
        with sqlite3.connect(path, timeout=5) as database:
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                expiry = [column for column in columns if "expire" in column or "expiry" in column]
                hashes = [column for column in columns if "hash" in column or "sha256" in column or "digest" in column]
                if not expiry or not hashes:
                    continue
                done = database.execute(
                    f"UPDATE {table} SET {expiry[0]} = CASE typeof({expiry[0]}) WHEN 'text' THEN "
                    f"'2001-01-01T00:00:00.000000+00:00' ELSE 1 END WHERE {hashes[0]} IN (?, ?)",
                    (digest.digest(), digest.hexdigest()),
                )
                if done.rowcount == 1:
                    return
    pytest.fail("no table of tokens with an expiry and this token's SHA-256 in the folder")


@pytest.mark.contract("Tokens and rights: no valid token")
@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic {0}", "Token {0}", "{0}", "Bearer {0}x", "Bearer x{0}",
     "Bearer {0} {0}", "Bearer {0},", "Bearer,{0}", "Bearer" + "{0}", "Bearer " + "x" * 5000],
)
def test_no_valid_token_is_401(own, authorization):
    headers = [] if authorization is None else ["Authorization: " + authorization.format(own.tokens["ann"])]
    with own.connect() as connection:
        assert_message(connection.request("GET", "/api/states", *headers), 401)


@pytest.mark.contract("Tokens and rights: no valid token")
def test_two_authorization_headers_are_refused(own):
    with own.connect() as connection:
        response = connection.request("GET", "/api/states", own.bearer("ann"), "Authorization: Bearer wrong")
        assert response.status in (400, 401)


@pytest.mark.contract("Tokens and rights: no valid token")
@pytest.mark.parametrize("path, method",
                         [("/api/config", "GET"), ("/api/states", "GET"), ("/api/states/light.kitchen", "GET"),
                          ("/api/states/light.kitchen", "POST"), ("/api/states/light.kitchen", "DELETE"),
                          ("/api/events", "GET"), ("/api/events/x", "POST"), ("/api/services", "GET"),
                          ("/api/services/light/turn_on", "POST"), ("/api/stream", "GET"),
                          ("/api/components", "GET"), ("/api/core/state", "GET")])
def test_every_endpoint_except_the_open_ones_needs_a_token(own, method, path):
    assert_message(own.anonymous.request(method, path), 401)
    assert_message(own.anonymous.request(method, path, headers={"Authorization": "Bearer wrong"}), 401)


@pytest.mark.contract("Tokens and rights: scheme")
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_scheme_is_case_insensitive(own, scheme):
    assert get(own, own.tokens["ann"], scheme=scheme).status_code == 200


@pytest.mark.contract("Tokens and rights: token in the query")
@pytest.mark.parametrize("query",
                         ["access_token={0}", "token={0}", "api_password={0}", "authorization=Bearer%20{0}",
                          "auth={0}"])
def test_token_in_the_query_is_not_accepted(own, query):
    assert_message(own.anonymous.get("/api/states?" + query.format(own.tokens["ann"])), 401)


@pytest.mark.contract("Tokens and rights: token in the query")
def test_token_in_other_headers_is_not_accepted(own):
    headers = {"X-HA-Access": own.tokens["ann"], "Cookie": f"token={own.tokens['ann']}"}
    assert_message(own.anonymous.get("/api/states", headers=headers), 401)
    assert own.ann.get("/api/states", headers={"X-HA-Access": "wrong"}).status_code == 200


@pytest.mark.contract("Tokens and rights: long-lived tokens")
def test_token_is_long_url_safe_and_unique(own):
    tokens = [create_token(own.folder, "ann", f"unique {number}") for number in range(3)]
    assert len(set(tokens)) == 3
    for token in tokens:
        assert re.fullmatch(r"[A-Za-z0-9_.\-]{43,128}", token)


@pytest.mark.contract("Tokens and rights: long-lived tokens")
def test_token_is_stored_only_as_its_hash(own):
    token = create_token(own.folder, "ann", "stored")
    become(own, 200, token)
    files = [path.read_bytes() for path in own.folder.rglob("*") if path.is_file()]
    digest = hashlib.sha256(token.encode())
    assert not any(token.encode() in content for content in files)
    assert any(digest.digest() in content or digest.hexdigest().encode() in content for content in files)
    assert not any(token in line for line in own.log)
    assert token not in own.command("token", "list", "--user", "ann").stdout


@pytest.mark.contract("Tokens and rights: long-lived tokens")
def test_name_is_unique_per_user(own):
    create_token(own.folder, "ann", "twice")
    again = own.command("token", "create", "--user", "ann", "--name", "twice")
    assert again.returncode != 0 and again.stdout == ""
    create_token(own.folder, "admin", "twice")


@pytest.mark.contract("Tokens and rights: long-lived tokens")
@pytest.mark.parametrize("flags, days", [([], 3650), (["--days", "30"], 30), (["--never"], None)])
def test_life_is_3650_days_or_as_chosen(own, flags, days):
    name = "life" + "".join(flags)
    create_token(own.folder, "ann", name, *flags)
    line = next(line for line in own.command("token", "list", "--user", "ann").stdout.splitlines() if name in line)
    if days is None:
        assert "never" in line
    else:
        expiry = datetime.now(timezone.utc) + timedelta(days=days)
        assert any(str((expiry + timedelta(minutes=by)).date()) in line for by in (-5, 0))


@pytest.mark.contract("Tokens and rights: long-lived tokens")
def test_last_use_and_address_are_recorded(own):
    token = create_token(own.folder, "ann", "last used")

    def line():
        lines = own.command("token", "list", "--user", "ann").stdout.splitlines()
        return next(line for line in lines if "last used" in line)

    assert "127.0.0.1" not in line()
    become(own, 200, token)
    wait_until(lambda: "127.0.0.1" in line(), 10)
    assert str(datetime.now(timezone.utc).year) in line()


@pytest.mark.contract("Tokens and rights: revoking and expiry")
def test_revoked_token_is_refused_and_its_stream_closed(own):
    token = create_token(own.folder, "admin", "revoked")
    become(own, 200, token)
    with own.stream("?restrict=nothing", token=token) as stream, own.stream("?restrict=nothing") as other:
        assert stream.next_frame(1).is_ping
        assert other.next_frame(1).is_ping
        assert own.command("token", "revoke", "--user", "admin", "--name", "revoked").returncode == 0
        assert stream.rest(2) == []
        assert_message(get(own, token), 401)
        own.admin.post("/api/events/nothing")
        assert other.next_event(1).type == "nothing"


@pytest.mark.contract("Tokens and rights: revoking and expiry", "Tokens and rights: no valid token")
def test_expired_token_is_refused_and_its_stream_closed(own):
    token = create_token(own.folder, "admin", "expired", "--days", "1")
    become(own, 200, token)
    with own.stream("?restrict=nothing", token=token) as stream:
        assert stream.next_frame(1).is_ping
        expire(own, token)
        assert stream.rest(2) == []
    assert_message(become(own, 401, token), 401)


@pytest.mark.contract("Tokens and rights: revoking and expiry", "Tokens and rights: no valid token")
def test_deactivated_user_is_refused_until_activated(hub_factory):
    hub = hub_factory()
    with hub.stream("?restrict=nothing") as stream:
        assert stream.next_frame(1).is_ping
        assert hub.command("user", "deactivate", "admin").returncode == 0
        assert stream.rest(2) == []
    assert_message(get(hub, hub.tokens["admin"]), 401)
    assert get(hub, hub.tokens["ann"]).status_code == 200
    assert hub.command("user", "activate", "admin").returncode == 0
    assert become(hub, 200, hub.tokens["admin"])


@pytest.mark.contract("Tokens and rights: revoking and expiry", "Tokens and rights: right missing")
def test_demoted_user_loses_the_right_and_the_stream(hub_factory):
    hub = hub_factory()
    with hub.stream("?restrict=nothing") as stream:
        assert stream.next_frame(1).is_ping
        assert hub.command("user", "role", "admin", "user").returncode == 0
        assert stream.rest(2) == []
    assert_message(get(hub, hub.tokens["admin"], "/api/config"), 403)
    assert get(hub, hub.tokens["admin"]).status_code == 200
    assert hub.command("user", "role", "ann", "administrator").returncode == 0
    assert become(hub, 200, hub.tokens["ann"], "/api/config")
    assert hub.command("user", "role", "ann", "reader").returncode == 0
    become(hub, 403, hub.tokens["ann"], "/api/config")
    assert_message(hub.ann.post("/api/states/test.x", json={"state": "on"}), 403)


@pytest.mark.contract("Tokens and rights: right missing")
def test_missing_right_is_403(own):
    for user in ("ann", "display"):
        for path in ("/api/config", "/api/stream"):
            assert_message(getattr(own, user).get(path), 403)


@pytest.fixture(scope="module")
def proxied(module_hubs):
    """A hub that trusts the proxy on 127.0.0.1."""
    return module_hubs(http={"trusted_proxies": ["127.0.0.1"]})


def through_proxy(hub, forwarded, token="wrong", path="/api/states"):
    return hub.anonymous.get(path, headers={"X-Forwarded-For": forwarded, "Authorization": f"Bearer {token}"})


@pytest.mark.contract("Tokens and rights: failed logins", "Every endpoint: X-Forwarded",
                      "Every endpoint: order of checks")
def test_ten_failures_ban_the_address_behind_the_proxy(proxied):
    for _ in range(10):
        assert_message(through_proxy(proxied, "203.0.113.5"), 401)
    banned = through_proxy(proxied, "203.0.113.5")
    assert_message(banned, 429)
    assert int(banned.headers["retry-after"]) > 0
    assert_message(through_proxy(proxied, "203.0.113.5", proxied.tokens["ann"]), 429)
    assert_message(through_proxy(proxied, "203.0.113.5", path="/api/nowhere"), 429)
    assert through_proxy(proxied, "198.51.100.9", proxied.tokens["ann"]).status_code == 200
    assert get(proxied, proxied.tokens["ann"]).status_code == 200


@pytest.mark.contract("Tokens and rights: failed logins", "Every endpoint: X-Forwarded")
def test_only_the_address_that_the_proxy_saw_counts(proxied):
    """Earlier addresses came from the client, which may write anything."""
    for number in range(10):
        assert_message(through_proxy(proxied, f"192.0.2.{number}, 203.0.114.7"), 401)
    assert_message(through_proxy(proxied, "192.0.2.99, 203.0.114.7"), 429)
    assert through_proxy(proxied, "192.0.2.1", proxied.tokens["ann"]).status_code == 200


@pytest.mark.contract("Weight, and strangers: X-Forwarded-For", "Tokens and rights: failed logins")
def test_ports_that_a_proxy_names_are_ignored(proxied):
    for number in range(10):
        assert_message(through_proxy(proxied, f"203.0.118.3:{51_000 + number}"), 401)
        assert_message(through_proxy(proxied, f"[2001:db8:7:7::1]:{number}"), 401)
    for address in ("203.0.118.3", "203.0.118.3:443", "2001:db8:7:7::1", "[2001:db8:7:7::2]"):
        assert_message(through_proxy(proxied, address), 429)
    assert get(proxied, proxied.tokens["ann"]).status_code == 200


@pytest.mark.contract("Weight, and strangers: X-Forwarded-For", "Tokens and rights: failed logins")
def test_a_proxy_may_use_the_standard_field(proxied):
    headers = {"Forwarded": 'for="203.0.118.4:51234";proto=https', "Authorization": "Bearer wrong"}
    for _ in range(10):
        assert_message(proxied.anonymous.get("/api/states", headers=headers), 401)
    assert_message(proxied.anonymous.get("/api/states", headers=headers), 429)


@pytest.mark.contract("Weight, and strangers: X-Forwarded-For")
@pytest.mark.parametrize("forwarded", ["", "unknown", "203.0.118.5,", ",203.0.118.5", "203.0.118.5:", "203.0.118.5:x",
                                       "203.0.118.5:65536", "[2001:db8::1", "999.0.118.5", "203.0.118.5, _hidden"])
def test_an_unreadable_field_of_a_proxy_is_refused(proxied, forwarded):
    """If it counted as the proxy, such a client could guess for ever."""
    assert_message(through_proxy(proxied, forwarded, proxied.tokens["ann"]), 400)


@pytest.mark.contract("Tokens and rights: failed logins")
def test_addresses_of_one_prefix_count_together(proxied):
    for number in range(10):
        assert_message(through_proxy(proxied, f"2001:db8:1:2::{number}"), 401)
    assert_message(through_proxy(proxied, "2001:db8:1:2::ffff"), 429)
    assert_message(through_proxy(proxied, "2001:db8:1:3::1"), 401)


@pytest.mark.contract("Tokens and rights: failed logins", "Tokens and rights: right missing")
def test_missing_right_never_counts(proxied):
    for _ in range(15):
        assert_message(through_proxy(proxied, "203.0.115.8", proxied.tokens["ann"], "/api/config"), 403)
    assert through_proxy(proxied, "203.0.115.8", proxied.tokens["ann"]).status_code == 200


@pytest.mark.contract("Tokens and rights: failed logins")
def test_loopback_and_the_proxy_itself_are_never_banned(proxied):
    for _ in range(15):
        assert_message(get(proxied, "wrong"), 401)
        assert_message(through_proxy(proxied, "127.0.0.1"), 401)
    assert get(proxied, proxied.tokens["ann"]).status_code == 200


@pytest.mark.contract("Tokens and rights: status")
def test_status_counts_no_failures(proxied):
    for _ in range(15):
        assert_json(through_proxy(proxied, "203.0.116.4", path="/api/"))
    assert through_proxy(proxied, "203.0.116.4", proxied.tokens["ann"]).status_code == 200


@pytest.mark.contract("Tokens and rights: failed logins")
def test_failures_never_delay_others(proxied):
    """However slowly failures are answered."""
    with proxied.connect() as connection:
        connection.send("GET /api/states HTTP/1.1\r\nHost: hub\r\nX-Forwarded-For: 203.0.117.1\r\n"
                        "Authorization: Bearer wrong\r\n\r\n" * 9)
        started = time.monotonic()
        assert get(proxied, proxied.tokens["ann"]).status_code == 200
        assert time.monotonic() - started < 1
