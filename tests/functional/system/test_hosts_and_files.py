# SPDX-License-Identifier: Apache-2.0
"""file, ping and wake_on_lan: the last line of a file, hosts that answer and that are woken, as the document says."""

import os
import socket

import pytest

from checks import assert_message, call, state_of
from hub_process import add_user, command, create_token, wait_until
from websocket_client import WebSocketClient
from written_home import WrittenHome, example_of

PACKET = b"\xff" * 6 + bytes.fromhex("001122334455") * 16


@pytest.fixture
def home(hub_factory):
    return WrittenHome(hub_factory)


@pytest.fixture
def machine():
    """Hears packets; its port is told by getsockname."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
        heard.bind(("127.0.0.1", 0))
        heard.settimeout(20)
        yield heard


def test_the_files_example_of_the_document_works(home):
    (home.folder / "measured.log").write_text('{"temperature": 3}\n{"temperature": 4.5}\n\n')
    hub = home.write(example_of("file")).start()
    home.becomes("sensor.outside", "4.5")
    assert state_of(hub, "sensor.outside")["attributes"]["unit_of_measurement"] == "°C"


def test_what_is_no_file_harms_nobody(home):
    os.mkfifo(home.folder / "pipe")
    (home.folder / "huge").touch()
    os.truncate(home.folder / "huge", 1 << 30)
    with open(home.folder / "long", "w", encoding="utf-8") as file:
        file.write("7\n" + "\n" * 1000)
    paths = ("pipe", "huge", "long", ".", "/dev/zero", "/dev/tty", "/proc/self/mem", "none")
    hub = home.write("sensor:\n" + "".join(f"  - platform: file\n    name: f{number}\n    file_path: {path}\n" for number, path in enumerate(paths))).start()
    home.becomes("sensor.f2", "7")
    for number in (0, 1, 3, 4, 5, 7):
        home.becomes(f"sensor.f{number}", "unavailable")
    home.becomes("sensor.f6", "unknown")
    assert hub.logged("it is no regular file")
    assert hub.logged("its last line is longer than 64 KiB")
    assert hub.logged("it is a folder")
    os.remove(home.folder / "pipe")
    (home.folder / "pipe").write_text("8")
    call(hub, "homeassistant.update_entity", {"entity_id": "sensor.f0"})
    home.becomes("sensor.f0", "8")


def test_the_pings_example_of_the_document_works(home):
    hub = home.write(example_of("ping")).start()
    home.becomes("binary_sensor.router", "on")
    assert state_of(hub, "binary_sensor.router")["attributes"]["round_trip_time_avg"] >= 0


def test_a_name_that_nobody_knows_is_unavailable(home):
    hub = home.write("binary_sensor:\n  - {platform: ping, host: nobody.invalid, name: nobody}\n").start()
    assert hub.logged("the address of nobody.invalid cannot be found", timeout=40)
    home.becomes("binary_sensor.nobody", "unavailable")
    hub.stop()


def test_the_waking_example_of_the_document_works(home, machine):
    text = example_of("wake_on_lan").replace("127.255.255.255", f"127.0.0.1\n    broadcast_port: {machine.getsockname()[1]}", 1)
    text = text.replace("127.255.255.255", f"127.0.0.1\n          broadcast_port: {machine.getsockname()[1]}").replace("host: 127.0.0.1", "host: 127.0.0.1\n    port: 9")
    hub = home.write("wake_on_lan:\n" + text).start()
    home.becomes("switch.computer", "on")
    call(hub, "switch.turn_on", {"entity_id": "switch.computer"})
    assert machine.recv(1500) == PACKET
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="asked_to_sleep")
        subscription = client.last_id
        client.result("call_service", domain="switch", service="turn_off", target={"entity_id": "switch.computer"})
        assert client.event(subscription)["event_type"] == "asked_to_sleep"
    call(hub, "script.wake")
    assert machine.recv(1500) == PACKET


def test_only_whose_policy_names_it_sends_packets(home, machine):
    hub = home.start()
    data = {"mac": "00-11-22-33-44-55", "broadcast_address": "127.0.0.1", "broadcast_port": machine.getsockname()[1]}
    call(hub, "wake_on_lan.send_magic_packet", data, user="ann")
    assert machine.recv(1500) == PACKET
    assert_message(hub.display.post("/api/services/wake_on_lan/send_magic_packet", json=data), 403)
    add_user(home.folder, "guest")
    (home.folder / "rights.yaml").write_text("read: {domains: [light]}\ncontrol: {domains: [light]}\n")
    assert hub.command("user", "rights", "guest", "--file", str(home.folder / "rights.yaml")).returncode == 0
    hub.tokens["guest"] = create_token(home.folder, "guest", "phone")
    with hub.client("guest") as client:
        wait_until(lambda: client.get("/api/states").status_code == 200)
        assert_message(client.post("/api/services/wake_on_lan/send_magic_packet", json=data), 404)
    for wrong, said in (({"mac": "x"}, "mac: expected a MAC address"), ({**data, "broadcast_address": "example.com"}, "expected an IPv4 address")):
        assert said in call(hub, "wake_on_lan.send_magic_packet", wrong, status=400)


def test_check_names_what_is_wrong(home):
    home.write("sensor:\n  - platform: file\n  - platform: ping\n    host: x\nswitch:\n  - platform: wake_on_lan\n    mac: 1\n"
               "binary_sensor:\n  - platform: ping\n    count: 21\n")
    checked = command(home.folder, "check")
    assert checked.returncode == 1
    for said in ("file_path is missing", "ping is a platform of binary_sensor, not of sensor", "mac: expected a MAC address", "host is missing", "count: "):
        assert said in checked.stderr, checked.stderr
