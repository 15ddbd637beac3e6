# SPDX-License-Identifier: Apache-2.0
"""/api/webhook/{id}: for whoever knows the id, which nobody can find out by trying."""

import pytest

from checks import assert_message

HOOK = "/api/webhook/"
MIB = 1024 * 1024


def same(response):
    assert response.status_code == 200 and response.content == b"", response.text
    assert "content-type" not in response.headers
    return response


@pytest.mark.contract("Beyond the specification: webhooks")
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT"])
@pytest.mark.parametrize("user", ["anonymous", "admin"])
def test_unknown_id_is_answered_like_any_other(hub, user, method):
    for name in ("unknown", "a" * 64, "%20", "caf%C3%A9"):
        same(getattr(hub, user).request(method, HOOK + name))


@pytest.mark.contract("Beyond the specification: webhooks")
@pytest.mark.parametrize("content", [b"not json", b"{", b"\xff\xfe", b"", b'{"a": 1}', b"\0" * 100])
def test_body_is_anything(hub, content):
    for method in ("POST", "PUT"):
        same(hub.anonymous.request(method, HOOK + "unknown", content=content, headers={"Content-Type": "x/y"}))


@pytest.mark.contract("Beyond the specification: webhooks")
def test_knows_no_other_method_and_needs_an_id(hub):
    for method in ("DELETE", "PATCH"):
        response = hub.anonymous.request(method, HOOK + "x")
        assert_message(response, 405)
        assert {"GET", "POST", "PUT"} <= set(response.headers["allow"].split(", "))
    assert_message(hub.anonymous.post("/api/webhook"), 404)
    assert_message(hub.anonymous.post("/api/webhook/a/b"), 404)


@pytest.mark.contract("Beyond the specification: webhooks", "Weight, and strangers: open bodies")
def test_body_has_a_limit_of_its_own(hub, hub_factory):
    same(hub.anonymous.post(HOOK + "x", content=b"x" * MIB))
    assert_message(hub.anonymous.post(HOOK + "x", content=b"x" * (MIB + 1)), 413)
    assert_message(hub.anonymous.post("/auth/revoke", content=b"x" * (64 * 1024 + 1)), 413)
    small = hub_factory(http={"limits": {"webhook_body_size": "2KiB"}})
    same(small.anonymous.put(HOOK + "x", content=b"x" * 2048))
    assert_message(small.anonymous.put(HOOK + "x", content=b"x" * 2049), 413)


@pytest.mark.contract("Beyond the specification: webhooks", "Weight, and strangers: Origin")
def test_foreign_page_may_not_post(hub):
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    for method in ("POST", "PUT"):
        assert_message(hub.anonymous.request(method, HOOK + "x", headers=foreign), 403)
    same(hub.anonymous.post(HOOK + "x", headers={"Origin": hub.url}))


@pytest.mark.contract("Beyond the specification: webhooks")
def test_strangers_reach_nobody(hub, name):
    """Not even an event: only an id that somebody has registered causes one."""
    with hub.stream() as stream:
        for number in range(50):
            same(hub.anonymous.post(f"{HOOK}guess{number}", json={"type": "fire_event"}))
        assert hub.admin.post(f"/api/events/{name}").status_code == 200
        types = [event.type for event in stream.until_type(name)]
    assert "webhook_received" not in types
