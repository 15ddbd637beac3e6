# SPDX-License-Identifier: Apache-2.0
"""GET /api/stream"""

import json
import re
import socket
import struct
import threading

import pytest

from checks import TIMESTAMP, assert_message, call, set_state, state_of
from hub_process import wait_until
from raw_http import request_text


def fire(hub, event_type, **data):
    assert hub.admin.post(f"/api/events/{event_type}", json={"event_data": data}).status_code == 200


@pytest.mark.contract("Stream: open")
def test_opens_with_its_headers_and_a_ping_at_once(hub):
    with hub.stream() as stream:
        headers = stream.response.headers
        assert stream.response.status == 200
        assert re.fullmatch(r"text/event-stream(; ?charset=utf-8)?", headers["content-type"], re.IGNORECASE)
        assert headers["cache-control"] == "no-cache"
        assert headers["x-accel-buffering"] == "no"
        assert "content-length" not in headers
        assert stream.next_frame(1).text == "event: message\ndata: ping"


@pytest.mark.contract("Stream: open")
def test_no_event_falls_between_headers_and_listening(hub, name):
    for number in range(20):
        with hub.stream(f"?restrict={name}") as stream:
            fire(hub, name, number=number)
            assert stream.next_event(2).event["data"] == {"number": number}


@pytest.mark.contract("Stream: open")
@pytest.mark.parametrize("accept", ["Accept: */*", "Accept: application/json"])
def test_opens_for_any_accept_header(hub, accept):
    with hub.connect() as connection:
        connection.send(request_text("GET", "/api/stream", hub.bearer(), accept))
        head = connection.read_head()
        assert (head.status, head.headers["content-type"].split(";")[0]) == (200, "text/event-stream")


@pytest.mark.contract("Stream: frames", "Every endpoint: timestamps")
def test_frame_is_one_message_with_one_line_of_json(hub, name):
    with hub.stream(f"?restrict={name}") as stream:
        fire(hub, name, text="line one\nline two\r\n☀", number=1.0)
        frame = stream.next_event()
    assert "\r" not in frame.text
    lines = [line for line in frame.lines if not line.startswith("id: ")]
    assert lines[0] == "event: message" and lines[1].startswith("data: {") and len(lines) == 2
    assert len(frame.lines) == 3
    assert frame.data.startswith('{"event_type":"%s","data":{"text":"line one\\nline two\\r\\n☀","number":1.0}' % name)
    assert list(frame.event) == ["event_type", "data", "origin", "time_fired", "context"]
    assert TIMESTAMP.fullmatch(frame.event["time_fired"])


@pytest.mark.contract("Stream: restrict")
@pytest.mark.parametrize("query",
                         ["?restrict={0}_a,{0}_b", "?restrict=%20{0}_a%20,%20{0}_b%20", "?restrict={0}_a,,{0}_b,",
                          "?restrict={0}_a&restrict={0}_b", "?restrict={0}_a&other=1&restrict={0}_b,{0}_a",
                          "?restrict=+{0}_a,+{0}_b"])
def test_restrict_delivers_only_the_named_types(hub, name, query):
    with hub.stream(query.format(name)) as stream:
        assert stream.next_frame(1).is_ping
        counts = hub.listener_counts()
        assert counts[f"{name}_a"] == counts[f"{name}_b"] == 1
        fire(hub, f"{name}_c")
        fire(hub, f"{name}_a")
        set_state(hub, f"test.{name}", "on")
        fire(hub, f"{name}_b")
        assert [frame.type for frame in stream.events(2)] == [f"{name}_a", f"{name}_b"]
    wait_until(lambda: f"{name}_a" not in hub.listener_counts(), 2)


@pytest.mark.contract("Stream: restrict")
@pytest.mark.parametrize("query", ["", "?restrict=", "?restrict", "?restrict=%20,%20", "?other=1"])
def test_unrestricted_stream_delivers_all_and_counts_as_listener_of_all(hub, name, query):
    before = hub.listener_counts().get("*", 0)
    with hub.stream(query) as stream:
        assert hub.listener_counts()["*"] == before + 1
        fire(hub, name)
        set_state(hub, f"test.{name}", "on")
        types = [frame.type for frame in stream.until(lambda event: event["data"].get("entity_id") == f"test.{name}")]
        assert name in types and types[-1] == "state_changed"
    wait_until(lambda: hub.listener_counts().get("*", 0) == before, 2)


@pytest.mark.contract("Stream: order")
def test_all_listeners_see_the_same_order(hub, name):
    writers, writes = 4, 50

    def write(number):
        with hub.client("admin") as client:
            for step in range(writes):
                if step % 2:
                    client.post(f"/api/events/{name}", json={"event_data": {"writer": number, "step": step}})
                else:
                    client.post(f"/api/states/test.{name}_{number % 2}", json={"state": f"{number} {step}"})

    end = lambda event: event["event_type"] == name + "_end"
    with hub.stream() as first, hub.stream() as second, hub.stream(f"?restrict={name},{name}_end") as some:
        threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        fire(hub, name + "_end")
        seen = [stream.until(end, 20) for stream in (first, second, some)]
    mine = lambda event: event["event_type"].startswith(name) or f"test.{name}" in event["data"].get("entity_id", "")
    whole = [frame for frame in seen[0] if mine(frame.event)]
    assert [frame.text for frame in seen[0]] == [frame.text for frame in seen[1]]
    assert len(whole) == writers * writes + 1
    assert [frame.text for frame in whole if frame.type.startswith(name)] == [frame.text for frame in seen[2]]
    times = [frame.event["time_fired"] for frame in seen[0]]
    assert times == sorted(times)
    assert len({frame.id for frame in seen[0]}) == len(seen[0])
    for number in range(writers):
        steps = [frame.event["data"]["step"] for frame in seen[2][:-1] if frame.event["data"]["writer"] == number]
        assert steps == sorted(steps)


@pytest.mark.contract("Stream: order")
def test_what_a_listener_saw_is_in_the_next_snapshot(hub, name):
    def write():
        with hub.client("admin") as client:
            for step in range(100):
                client.post(f"/api/states/test.{name}", json={"state": str(step)})

    writer = threading.Thread(target=write)
    with hub.stream("?restrict=state_changed") as stream:
        writer.start()
        step = -1
        while step < 99:
            data = stream.next_event().event["data"]
            if data["entity_id"] == f"test.{name}":
                step = int(data["new_state"]["state"])
                assert int(state_of(hub, f"test.{name}")["state"]) >= step
    writer.join()


@pytest.mark.contract("Stream: slow reader")
def test_slow_reader_is_cut_and_nobody_waits(hub_factory):
    hub = hub_factory(http={"stream_max_frames": 64})
    with hub.stream("?restrict=flood") as quick, hub.stream("?restrict=flood", receive_buffer=4096) as slow:
        assert hub.listener_counts()["flood"] == 2
        text = "x" * 16_384
        for number in range(2_000):
            fire(hub, "flood", number=number, text=text)
            assert quick.next_event(2).event["data"]["number"] == number
            if number % 20 == 0 and hub.listener_counts()["flood"] == 1:
                break
        else:
            pytest.fail("the slow reader was never cut")
        received = [frame.event["data"]["number"] for frame in slow.rest(10) if not frame.is_ping]
        assert slow.ended
        assert received == list(range(len(received)))
        fire(hub, "flood", number=-1)
        assert quick.next_event(2).event["data"]["number"] == -1


@pytest.mark.contract("Stream: slow reader")
def test_slow_reader_is_cut_by_bytes(hub_factory):
    hub = hub_factory(http={"stream_max_bytes": 262_144})
    with hub.stream("?restrict=flood", receive_buffer=4096):
        for _ in range(400):
            fire(hub, "flood", text="x" * 65_536)
            if "flood" not in hub.listener_counts():
                return
    pytest.fail("the slow reader was never cut")


@pytest.mark.contract("Stream: resume")
def test_resume_replays_what_was_missed(hub, name):
    with hub.stream(f"?restrict={name}") as stream:
        for number in range(3):
            fire(hub, name, number=number)
        frames = stream.events(3)
    assert all(frame.id for frame in frames)
    fire(hub, name + "_other")
    for number in range(3, 6):
        fire(hub, name, number=number)
    with hub.stream(f"?restrict={name}", headers=[f"Last-Event-ID: {frames[1].id}"]) as stream:
        fire(hub, name, number=6)
        replayed = stream.events(5)
    assert [frame.event["data"]["number"] for frame in replayed] == [2, 3, 4, 5, 6]
    assert replayed[0].text == frames[2].text


@pytest.mark.contract("Stream: resume")
def test_resume_from_the_newest_replays_nothing(hub, name):
    with hub.stream(f"?restrict={name}") as stream:
        fire(hub, name, number=0)
        newest = stream.next_event().id
    with hub.stream(f"?restrict={name}", headers=[f"Last-Event-ID: {newest}"]) as stream:
        fire(hub, name, number=1)
        assert stream.next_event().event["data"] == {"number": 1}


@pytest.mark.contract("Stream: resume")
def test_resume_amid_events_loses_and_repeats_nothing(hub, name):
    count = 300

    def write():
        with hub.client("admin") as client:
            for number in range(count):
                client.post(f"/api/events/{name}", json={"event_data": {"number": number}})

    writer = threading.Thread(target=write)
    numbers = []
    with hub.stream(f"?restrict={name}") as stream:
        writer.start()
        frames = stream.events(5)
    while True:
        numbers += [frame.event["data"]["number"] for frame in frames]
        if len(numbers) >= count:
            break
        with hub.stream(f"?restrict={name}", headers=[f"Last-Event-ID: {frames[-1].id}"]) as stream:
            frames = stream.events(min(40, count - len(numbers)))
    writer.join()
    assert numbers == list(range(count))


@pytest.mark.contract("Stream: resume")
@pytest.mark.parametrize("last", ["nonsense", "99999999999", "-1", "18446744073709551616", "1 2", "%00"])
def test_unknown_id_is_reported_as_a_gap(hub, name, last):
    with hub.stream(f"?restrict={name}", headers=[f"Last-Event-ID: {last}"]) as stream:
        fire(hub, name)
        assert [frame.type for frame in stream.events(2)] == ["stream_gap", name]


@pytest.mark.contract("Stream: resume")
def test_id_older_than_the_ring_is_reported_as_a_gap(hub_factory):
    hub = hub_factory()
    with hub.stream("?restrict=ring") as stream:
        fire(hub, "ring", number=-1)
        oldest = stream.next_event().id
    with hub.connect() as connection:
        for batch in range(250):
            body = json.dumps({"batch": batch, "text": "x" * 64})
            connection.send(20 * request_text("POST", "/api/events/ring", hub.bearer(), body=body))
            for _ in range(20):
                assert connection.read_response().status == 200
    with hub.stream("?restrict=ring", headers=[f"Last-Event-ID: {oldest}"]) as stream:
        fire(hub, "ring", number=-2)
        gap, event = stream.events(2)
    assert gap.type == "stream_gap"
    assert event.event["data"] == {"number": -2}


@pytest.mark.contract("Stream: resume", "States: after a restart")
def test_id_of_an_earlier_run_is_reported_as_a_gap(hub_factory):
    folder = hub_factory.folder()
    hub = hub_factory(folder)
    with hub.stream("?restrict=before") as stream:
        fire(hub, "before", number=0)
        earlier = stream.next_event().id
    hub.stop()
    hub = hub_factory(folder)
    for number in range(5):
        fire(hub, "before", number=number)
    with hub.stream("?restrict=before", headers=[f"Last-Event-ID: {earlier}"]) as stream:
        fire(hub, "before", number=5)
        assert [frame.type for frame in stream.events(2)] == ["stream_gap", "before"]


@pytest.mark.contract("Stream: client gone")
@pytest.mark.parametrize("reset", [False, True])
def test_listener_ends_with_its_client(hub, name, reset):
    stream = hub.stream(f"?restrict={name}")
    assert hub.listener_counts()[name] == 1
    if reset:
        stream.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()
    wait_until(lambda: name not in hub.listener_counts(), 1)


@pytest.mark.contract("Tokens and rights: no valid token", "Tokens and rights: right missing")
def test_is_for_administrators(hub):
    for user, status in (("ann", 403), ("display", 403)):
        with hub.stream(user=user) as stream:
            assert_message(stream.response, status)
    with hub.stream(token="wrong") as stream:
        assert_message(stream.response, 401)
    assert_message(hub.anonymous.get("/api/stream"), 401)


@pytest.mark.contract("Every endpoint: other method")
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_knows_no_other_method(hub, method):
    response = hub.admin.request(method, "/api/stream")
    assert_message(response, 405)
    assert "GET" in response.headers["allow"]


@pytest.mark.contract("Every endpoint: HEAD")
def test_has_no_head(hub):
    response = hub.admin.head("/api/stream")
    assert response.status_code == 405
    assert response.content == b""
    assert "HEAD" not in response.headers["allow"]


@pytest.mark.contract("Every endpoint: compression")
def test_is_never_compressed(hub, name):
    with hub.stream(f"?restrict={name}", headers=["Accept-Encoding: gzip, zstd"]) as stream:
        assert "content-encoding" not in stream.response.headers
        fire(hub, name, text="x" * 10_000)
        assert stream.next_event().event["data"] == {"text": "x" * 10_000}


@pytest.mark.contract("Stream: order", "Services: events")
def test_stream_carries_what_services_do(hub):
    with hub.stream("?restrict=state_changed") as stream:
        changed = call(hub, "light.toggle", {"entity_id": "light.kitchen"})
        event = stream.until(lambda event: event["data"]["entity_id"] == "light.kitchen")[-1].event
    assert event["data"]["new_state"] == changed[0]


@pytest.mark.contract("Stream: order")
def test_many_streams_at_once(hub, name):
    streams = [hub.stream(f"?restrict={name}") for _ in range(50)]
    try:
        assert hub.listener_counts()[name] == 50
        for number in range(20):
            fire(hub, name, number=number)
        for stream in streams:
            assert [frame.event["data"]["number"] for frame in stream.events(20)] == list(range(20))
    finally:
        for stream in streams:
            stream.close()
    wait_until(lambda: name not in hub.listener_counts(), 2)
