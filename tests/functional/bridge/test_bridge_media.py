# SPDX-License-Identifier: Apache-2.0
"""Pictures, streams, videos, commands and the past of entities of another hub, and who may have them."""

import json
import threading
import time

import pytest

from checks import assert_message, state_of
from hub_process import wait_until
from made_hub import NOTHING, MadeHub, Refused
from test_rights import add_with_rights
from websocket_client import WebSocketClient

SECRET = "token-of-there"
PNG = b"\x89PNG picture"
CAMERA, RADIO, LIST = "camera.drive", "media_player.radio", "todo.chores"


def picture_of(entity_id, more=""):
    return f"/api/{entity_id.partition('.')[0]}_proxy/{entity_id}?token={SECRET}{more}"


@pytest.fixture(scope="module")
def there():
    hub = MadeHub()
    hub.add(CAMERA, "idle", {"friendly_name": "Drive", "access_token": SECRET, "entity_picture": picture_of(CAMERA)}, unique_id="1")
    hub.add("camera.garage", "idle", {"access_token": SECRET, "entity_picture": picture_of("camera.garage")}, unique_id="2")
    hub.add(RADIO, "playing", {"entity_picture": picture_of(RADIO, "&cache=5f")}, unique_id="3")
    hub.add("sensor.elsewhere", "1", {"entity_picture": "https://elsewhere.example/a.png"}, unique_id="4")
    hub.add("sensor.drawn", "1", {"entity_picture": "/local/drawn.png"}, unique_id="5")
    hub.add(LIST, "1", {}, unique_id="6")
    hub.add("calendar.waste", "off", {}, unique_id="7")
    hub.start()
    yield hub
    hub.stop()


@pytest.fixture(scope="module")
def home(module_hubs, there):
    hub = module_hubs(home_assistant=there.section(prefix="cabin_", history="remote"))
    wait_until(lambda: state_of_or_none(hub, here(LIST)) == "1", 20)
    add_with_rights(hub, "guest", f"read: {{entities: [{here(CAMERA)}, {here(LIST)}]}}\n")
    return hub


@pytest.fixture(autouse=True)
def nothing_is_left(there):
    yield
    there.pictures.clear()
    there.overrides.clear()


def here(entity_id):
    domain, _, name = entity_id.partition(".")
    return f"{domain}.cabin_{name}"


def state_of_or_none(hub, entity_id):
    response = hub.admin.get(f"/api/states/{entity_id}")
    return response.json()["state"] if response.status_code == 200 else None


def asked(there, path):
    return [headers for _, at, _, headers in list(there.requests) if at == path]


@pytest.mark.contract("Bridge: pictures")
def test_a_picture_is_asked_for_with_the_token_and_no_token_of_there_is_told(home, there):
    there.pictures[f"/api/camera_proxy/{CAMERA}"] = ("image/png", PNG)
    shown = state_of(home, here(CAMERA))["attributes"]
    assert shown["entity_picture"] == f"/api/camera_proxy/{here(CAMERA)}?token={shown['access_token']}"
    for client, path in ((home.ann, f"/api/camera_proxy/{here(CAMERA)}"), (home.anonymous, shown["entity_picture"])):
        response = client.get(path)
        assert response.status_code == 200 and response.content == PNG and response.headers["content-type"] == "image/png", path
    assert asked(there, f"/api/camera_proxy/{CAMERA}")[0]["authorization"] == f"Bearer {there.token}"
    everything = home.admin.get("/api/states").text
    assert SECRET not in everything and there.token not in everything


@pytest.mark.contract("Bridge: pictures")
def test_pictures_of_other_domains_have_a_path_here(home, there):
    there.pictures[f"/api/media_player_proxy/{RADIO}"] = ("image/jpeg", PNG)
    there.pictures["/local/drawn.png"] = ("image/svg+xml", b"<svg/>")
    radio, drawn = (state_of(home, here(entity))["attributes"]["entity_picture"] for entity in (RADIO, "sensor.drawn"))
    assert radio.startswith(f"/api/media_player_proxy/{here(RADIO)}?token=") and radio.endswith("&cache=5f")
    assert drawn.startswith(f"/api/image_proxy/{here('sensor.drawn')}?token=")
    assert home.anonymous.get(radio).content == PNG
    response = home.anonymous.get(drawn)
    assert response.text == "<svg/>" and "sandbox" in response.headers["content-security-policy"]


@pytest.mark.contract("Bridge: pictures")
def test_a_picture_elsewhere_is_not_fetched(home, there):
    entity = here("sensor.elsewhere")
    assert state_of(home, entity)["attributes"]["entity_picture"] == "https://elsewhere.example/a.png"
    assert_message(home.ann.get(f"/api/image_proxy/{entity}"), 404)


def half(stream):
    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1000\r\n\r\nhalf")


def too_large(stream):
    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 170000000\r\n\r\n")


@pytest.mark.contract("Bridge: pictures")
@pytest.mark.parametrize("answer", [lambda query: half, lambda query: too_large, ("text/html", b"<p>Log in"), lambda query: None,
                                    lambda query: (302, "image/png", b""), lambda query: (500, "image/png", PNG)])
def test_what_is_no_picture_is_not_passed_on(home, there, answer):
    path, ours = "/api/camera_proxy/camera.garage", f"/api/camera_proxy/{here('camera.garage')}"
    there.pictures[path] = answer
    wait_until(lambda: home.ann.get(ours).status_code == 502)  # one of before may be kept for a second
    there.pictures[path] = ("image/png", PNG)
    assert home.ann.get(ours).content == PNG


@pytest.mark.contract("Bridge: pictures")
def test_eight_pictures_are_asked_for_at_a_time(home, there):
    go, lock, open_now, most = threading.Event(), threading.Lock(), [0], [0]

    def slow(query):
        with lock:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
        go.wait(20)
        with lock:
            open_now[0] -= 1
        return 200, "image/png", PNG

    for number in range(20):
        there.pictures[f"/api/media_player_proxy/{RADIO}/browse_media/album/{number}"] = slow
    statuses = []

    def ask(number):
        with home.client("ann") as client:
            statuses.append(client.get(f"/api/media_player_proxy/{here(RADIO)}/browse_media/album/{number}").status_code)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    wait_until(lambda: open_now[0] == 8)
    go.set()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 20 and most[0] == 8


@pytest.mark.contract("Bridge: pictures")
def test_a_stream_comes_in_parts_and_ends_with_its_client(home, there):
    gone = threading.Event()

    def stream_to(stream):
        try:
            stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=x\r\n\r\n")
            while True:
                stream.sendall(b"--x\r\nContent-Type: image/png\r\n\r\n" + PNG + b"\r\n")
                time.sleep(0.01)  # as a camera
        except OSError:
            gone.set()

    there.pictures[f"/api/camera_proxy_stream/{CAMERA}"] = lambda query: stream_to
    with home.client("ann") as client, client.stream("GET", f"/api/camera_proxy_stream/{here(CAMERA)}") as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "multipart/x-mixed-replace; boundary=x"
        heard = b""
        for piece in response.iter_bytes():
            heard += piece
            if heard.count(PNG) > 20:
                break
    assert gone.wait(20)
    assert asked(there, f"/api/camera_proxy_stream/{CAMERA}")[0]["authorization"] == f"Bearer {there.token}"
    there.pictures[f"/api/camera_proxy_stream/{CAMERA}"] = ("image/png", PNG)
    assert_message(home.ann.get(f"/api/camera_proxy_stream/{here(CAMERA)}"), 502)


@pytest.mark.contract("Bridge: rights")
def test_a_guest_sees_the_pictures_of_one_room(home, there):
    there.pictures[f"/api/camera_proxy/{CAMERA}"] = ("image/png", PNG)
    there.pictures["/api/camera_proxy/camera.garage"] = ("image/png", PNG)
    with home.client("guest") as guest:
        assert guest.get(f"/api/camera_proxy/{here(CAMERA)}").status_code == 200
        for path in (f"camera_proxy/{here('camera.garage')}", f"camera_proxy_stream/{here('camera.garage')}",
                     f"media_player_proxy/{here(RADIO)}", f"image_proxy/{here('sensor.drawn')}"):
            assert_message(guest.get(f"/api/{path}"), 404)
    for path in (f"camera_proxy/{here(CAMERA)}", f"camera_proxy/{here(CAMERA)}?token=" + "0" * 32,
                 f"camera_proxy/{here(CAMERA)}?token={SECRET}", f"camera_proxy_stream/{here(CAMERA)}?token=x"):
        assert_message(home.anonymous.get(f"/api/{path}"), 401)


@pytest.fixture
def connect(home):
    clients = []

    def connect(user="admin"):
        clients.append(WebSocketClient(home, home.tokens[user]))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()


@pytest.mark.contract("Bridge: commands")
def test_commands_about_an_entity_are_asked_there(connect, there):
    heard = []

    def list_items(connection, message):
        heard.append({key: value for key, value in message.items() if key != "id"})
        return {"items": [{"uid": "1", "summary": LIST}]}

    there.overrides["todo/item/list"] = list_items
    assert connect("guest").result("todo/item/list", entity_id=here(LIST)) == {"items": [{"uid": "1", "summary": LIST}]}
    assert heard == [{"type": "todo/item/list", "entity_id": LIST}]


@pytest.mark.contract("Bridge: commands")
def test_a_refusal_is_in_the_words_of_there(connect, there):
    def refuse(connection, message):
        raise Refused("start_stream_failed", "No stream for you")

    there.overrides["camera/stream"] = refuse
    answer = connect("ann").command("camera/stream", entity_id=here(CAMERA))
    assert answer["error"]["code"] == "start_stream_failed"
    assert answer["error"]["message"] == "home (Home Assistant) says: No stream for you"


@pytest.mark.contract("Bridge: commands")
def test_a_video_is_at_this_hub_for_who_has_got_its_path(home, connect, there):
    there.overrides["camera/stream"] = lambda connection, message: {"url": f"/api/hls/{SECRET}/master_playlist.m3u8"}
    there.pictures[f"/api/hls/{SECRET}/master_playlist.m3u8"] = ("application/vnd.apple.mpegurl", b"#EXTM3U\nplaylist.m3u8\n")
    there.pictures[f"/api/hls/{SECRET}/segment/1.m4s"] = ("video/mp4", b"video")
    there.pictures[f"/api/hls/{SECRET}/page.html"] = ("text/html", b"<p>")
    url = connect("ann").result("camera/stream", entity_id=here(CAMERA), format="hls")["url"]
    assert SECRET not in url and url.endswith("/master_playlist.m3u8")
    assert home.anonymous.get(url).text == "#EXTM3U\nplaylist.m3u8\n"
    folder = url.rpartition("/")[0]
    assert home.anonymous.get(f"{folder}/segment/1.m4s").content == b"video"
    assert_message(home.anonymous.get(f"{folder}/page.html"), 502)
    assert_message(home.anonymous.get(f"/api/hls/{SECRET}/segment/1.m4s"), 404)


@pytest.mark.contract("Bridge: commands")
def test_paths_in_what_can_be_played_lead_here(home, connect, there):
    cover = f"/api/media_player_proxy/{RADIO}/browse_media/album/7"
    there.overrides["media_player/browse_media"] = lambda connection, message: {"title": "Songs", "thumbnail": f"{cover}?token={SECRET}"}
    there.pictures[cover] = ("image/png", PNG)
    found = connect("ann").result("media_player/browse_media", entity_id=here(RADIO))
    assert SECRET not in json.dumps(found)
    assert home.anonymous.get(found["thumbnail"]).content == PNG


@pytest.mark.contract("Bridge: commands")
def test_a_subscription_ends_with_its_socket(connect, there):
    numbers = []

    def subscribe(connection, message):
        numbers.append((connection, message["id"]))
        connection.result(message["id"], None)
        connection.event(message["id"], {"type": "daily", "forecast": None})
        return NOTHING

    there.overrides["todo/item/subscribe"] = subscribe
    client = connect("guest")
    client.result("todo/item/subscribe", entity_id=here(LIST))
    assert client.event(client.last_id)["type"] == "daily"
    connection, number = numbers[0]
    connection.event(number, {"type": "hourly"})
    assert client.event(client.last_id)["type"] == "hourly"
    client.close()
    wait_until(lambda: any(message.get("subscription") == number for message in there.commands_of("unsubscribe_events")))


@pytest.mark.contract("Bridge: rights")
def test_a_guest_reads_items_and_controls_none(connect, there):
    there.overrides["todo/item/move"] = lambda connection, message: None
    guest = connect("guest")
    assert guest.error("todo/item/move", entity_id=here(LIST), uid="1")[0] == "unauthorized"
    assert guest.error("camera/stream", entity_id=here("camera.garage"))[0] == "not_found"
    assert guest.error("calendar/event/create", entity_id=here("calendar.waste"), event={})[0] in ("unauthorized", "not_found")
    assert not there.commands_of("todo/item/move") and not there.commands_of("calendar/event/create")
    assert connect("ann").result("todo/item/move", entity_id=here(LIST), uid="1") is None
    assert connect("display").error("todo/item/move", entity_id=here(LIST), uid="1")[0] == "unauthorized"


@pytest.mark.contract("Bridge: commands")
def test_a_calendar_is_asked_there(home, there):
    events = [{"summary": "Bins", "start": {"date": "2026-01-01"}, "end": {"date": "2026-01-02"}, "uid": "1"}]
    there.pictures["/api/calendars/calendar.waste"] = ("application/json", json.dumps(events).encode())
    assert home.ann.get(f"/api/calendars/{here('calendar.waste')}?start=2026-01-01T00:00:00&end=2026-01-03").json() == events


@pytest.mark.contract("Bridge: history")
def test_the_time_before_the_first_record_is_asked_there(home, connect, there):
    entity, now = here("sensor.drawn"), time.time()
    heard = []

    def tell(connection, message):
        heard.append(message)
        return {"sensor.drawn": [{"s": "0.5", "a": {"x": 1}, "lu": now - 7_200}, {"s": "0.7", "a": {}, "lu": now - 3_600},
                                 {"s": "9", "a": {}, "lu": now + 60}, {"no": "change"}]}

    there.overrides["history/history_during_period"] = tell
    start = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(now - 10_000))
    found = connect("ann").result("history/history_during_period", start_time=start, entity_ids=[entity], minimal_response=False)
    assert [row["s"] for row in found[entity]] == ["0.5", "0.7", "1"]
    assert heard[0]["entity_ids"] == ["sensor.drawn"]
    rest = home.ann.get(f"/api/history/period/{start.replace('+', '%2B')}?filter_entity_id={entity}").json()
    assert [row["state"] for row in rest[0]] == ["0.5", "0.7", "1"]
    client = connect("ann")
    client.result("history/stream", start_time=start, entity_ids=[entity])
    assert [row["s"] for row in client.event(client.last_id)["states"][entity]] == ["0.5", "0.7", "1"]

    def refuse(connection, message):
        raise Refused("unknown_command", "Unknown command.")

    there.overrides["history/history_during_period"] = refuse
    found = connect("ann").result("history/history_during_period", start_time=start, entity_ids=[entity])
    assert [row["s"] for row in found[entity]] == ["1"]


@pytest.mark.contract("Bridge: history")
def test_statistics_of_before_are_asked_there(connect, there):
    entity, hour = here("sensor.drawn"), 3_600_000
    start = int(time.time() // 3600 - 5) * hour
    there.overrides["recorder/statistics_during_period"] = lambda connection, message: {
        "sensor.drawn": [{"start": start + number * hour, "end": start + (number + 1) * hour, "mean": number, "min": 0, "max": 9}
                         for number in range(3)]}
    text = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(start / 1000))
    found = connect("ann").result("recorder/statistics_during_period", start_time=text, statistic_ids=[entity], period="hour",
                                  types=["mean"])
    assert [row["mean"] for row in found[entity]] == [0, 1, 2]
    assert set(found[entity][0]) == {"start", "end", "mean"}


@pytest.mark.contract("Bridge: pictures")
def test_without_a_connection_the_answer_is_at_once(module_hubs):
    there = MadeHub()
    there.add(CAMERA, "idle", {"access_token": SECRET, "entity_picture": picture_of(CAMERA)}, unique_id="1")
    there.start()
    hub = module_hubs(home_assistant=there.section())
    wait_until(lambda: state_of_or_none(hub, CAMERA) == "idle")
    there.stop()
    wait_until(lambda: hub.ann.get(f"/api/camera_proxy/{CAMERA}").status_code == 503)
    with WebSocketClient(hub, hub.tokens["ann"]) as client:
        code, message = client.error("camera/stream", entity_id=CAMERA)
        assert (code, message) == ("home_assistant_error", "home (Home Assistant) cannot be reached.")
