# SPDX-License-Identifier: Apache-2.0
"""What is seen: devices by device_tracker.see, and what cameras show, kept as files by camera.snapshot."""

from checks import call, state_of
from test_durability import kill
from test_rights import add_with_rights

CAMERA, LOCKED_UP = "camera.driveway", "/etc/passwd"


def test_a_device_that_is_seen_is_kept_over_a_kill(hub_factory):
    hub = hub_factory(folder := hub_factory.folder(recorder={"commit_interval": "0s"}))
    seen = call(hub, "device_tracker.see", {"mac": "5c:e9:1e:8a:00:42", "host_name": "Ann's phone", "battery": 80})
    assert [state["entity_id"] for state in seen] == ["device_tracker.ann_s_phone"]
    before = state_of(hub, "device_tracker.ann_s_phone")
    assert before["state"] == "home" and before["attributes"]["battery_level"] == 80
    call(hub, "device_tracker.see", {"dev_id": "bike", "gps": [10.5, 20], "gps_accuracy": 10})
    assert state_of(hub, "device_tracker.bike")["state"] == "not_home"
    kill(hub)
    hub_factory.hubs.remove(hub)
    hub = hub_factory(folder)
    after = state_of(hub, "device_tracker.ann_s_phone")
    assert after["state"] == "home" and after["attributes"] == before["attributes"]
    assert state_of(hub, "device_tracker.bike")["attributes"]["latitude"] == 10.5
    assert "expected a latitude" in call(hub, "device_tracker.see", {"dev_id": "bike", "gps": [100, 0]}, status=400)


def test_a_picture_becomes_a_file(hub_factory):
    hub = hub_factory(folder := hub_factory.folder())
    assert call(hub, "camera.snapshot", {"entity_id": CAMERA, "filename": "door/today.svg"}) == []
    shown = hub.admin.get(f"/api/camera_proxy/{CAMERA}")
    file = folder / "snapshots" / "door" / "today.svg"
    assert file.read_bytes()[:4] == shown.content[:4] == b"<svg"
    assert file.stat().st_mode & 0o777 == 0o600 and [each.name for each in file.parent.iterdir()] == ["today.svg"]
    for wrong in (LOCKED_UP, "../configuration.yaml", ".hidden", ""):
        refused = call(hub, "camera.snapshot", {"entity_id": CAMERA, "filename": wrong}, status=400)
        assert refused.startswith("filename: expected a file within the folder snapshots")


def test_the_folder_of_pictures_has_a_bound(hub_factory):
    hub = hub_factory(folder := hub_factory.folder())
    (folder / "snapshots").mkdir()
    with (folder / "snapshots" / "large.svg").open("wb") as large:
        large.truncate(256 << 20)
    take = {"entity_id": CAMERA, "filename": "one.svg"}
    assert "is full: 1000 files or 256 MiB" in call(hub, "camera.snapshot", take, status=500)
    assert call(hub, "camera.snapshot", take | {"filename": "large.svg"}) == []
    for number in range(999):
        (folder / "snapshots" / f"{number}.svg").touch()
    assert "is full" in call(hub, "camera.snapshot", take, status=500)
    (folder / "snapshots" / "0.svg").unlink()
    assert call(hub, "camera.snapshot", take) == []


def test_pictures_and_devices_need_rights(hub_factory):
    hub = hub_factory(folder := hub_factory.folder())
    add_with_rights(hub, "guest", "read: {areas: [kitchen]}\ncontrol: {areas: [kitchen]}\n")
    with hub.client("guest") as guest:
        assert guest.post("/api/services/device_tracker/see", json={"dev_id": "x"}).status_code == 403
        data = {"entity_id": CAMERA, "filename": "x.svg"}
        assert guest.post("/api/services/camera/snapshot", json=data).json() == []
        assert not (folder / "snapshots").exists()
    call(hub, "device_tracker.see", {"dev_id": "x"}, user="display", status=403)
