# SPDX-License-Identifier: Apache-2.0
"""The pictures of cameras and images: who gets them, by which token, and what a browser may do with them."""

import pytest

from checks import assert_message, call, state_of
from test_rights import add_with_rights

CAMERA = "camera.driveway"
PROXY = f"/api/camera_proxy/{CAMERA}"


@pytest.fixture(scope="module")
def home(module_hubs):
    hub = module_hubs()
    add_with_rights(hub, "guest", "read: {areas: [kitchen]}\n")
    add_with_rights(hub, "driver", "read: {areas: [garage]}\n")
    return hub


def attributes(home):
    return state_of(home, CAMERA)["attributes"]


@pytest.mark.contract("Beyond the specification: pictures")
def test_a_token_or_the_pictures_own_opens_it(home):
    shown = attributes(home)
    assert shown["entity_picture"] == f"{PROXY}?token={shown['access_token']}"
    for client, path in ((home.display, PROXY), (home.anonymous, shown["entity_picture"]), (home.ann, "/api/camera_proxy/Camera.Driveway")):
        response = client.get(path)
        assert response.status_code == 200 and response.headers["content-type"] == "image/svg+xml", path
        assert response.text.startswith("<svg ") and "Driveway camera" in response.text
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in response.headers["content-security-policy"]
    assert home.anonymous.head(shown["entity_picture"]).status_code == 200


@pytest.mark.contract("Beyond the specification: pictures")
def test_others_do_not_get_it(home):
    token = attributes(home)["access_token"]
    for path in (PROXY, PROXY + "?token=", PROXY + "?token=" + "0" * 32, f"{PROXY}?token={token[:-1]}",
                 f"/api/camera_proxy/camera.nobody?token={token}", f"/api/image_proxy/{CAMERA}?token={token}",
                 f"/api/camera_proxy/light.kitchen?token={token}"):
        assert_message(home.anonymous.get(path), 401)
    assert home.anonymous.get(PROXY, headers={"Authorization": f"Bearer {token}"}).status_code == 401
    with home.client("guest") as guest, home.client("driver") as driver:
        assert_message(guest.get(PROXY), 404)
        assert driver.get(PROXY).status_code == 200
        assert guest.get(PROXY + "?token=" + token).status_code == 200  # who has the address has the picture


@pytest.mark.contract("Beyond the specification: pictures")
def test_what_has_no_picture_is_not_found(home):
    for path in ("/api/camera_proxy/camera.nobody", "/api/camera_proxy/light.kitchen", "/api/image_proxy/" + CAMERA,
                 "/api/image_proxy/image.doorbell_picture"):  # nobody has rung
        assert_message(home.ann.get(path), 404)
    assert_message(home.ann.post(PROXY, json={}), 405)


def test_a_camera_is_told_to_look_for_motion(home):
    for service, looks in (("disable", False), ("enable", True)):
        [state] = call(home, f"camera.{service}_motion_detection", {"entity_id": CAMERA})
        assert state["attributes"]["motion_detection"] is looks
