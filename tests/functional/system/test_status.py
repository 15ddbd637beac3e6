# SPDX-License-Identifier: Apache-2.0
"""GET /api/"""

import pytest

from checks import assert_json, assert_message

RUNNING = {"message": "API running."}


@pytest.mark.contract("Tokens and rights: status")
@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Basic YTpi", "Bearer", "", "nonsense \t x"])
def test_answers_whatever_the_authorization_header_says(hub, authorization):
    headers = {} if authorization is None else {"Authorization": authorization}
    assert assert_json(hub.anonymous.get("/api/", headers=headers)) == RUNNING


@pytest.mark.contract("Tokens and rights: status")
@pytest.mark.parametrize("user", ["admin", "ann", "display"])
def test_answers_every_user(hub, user):
    assert assert_json(getattr(hub, user).get("/api/")) == RUNNING


@pytest.mark.contract("Every endpoint: success body")
def test_body_is_compact(hub):
    assert hub.anonymous.get("/api/").content == b'{"message":"API running."}'


@pytest.mark.contract("Every endpoint: other method")
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_knows_no_other_method(hub, method):
    response = hub.anonymous.request(method, "/api/")
    assert_message(response, 405)
    assert "GET" in response.headers["allow"]
