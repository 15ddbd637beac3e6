# SPDX-License-Identifier: Apache-2.0
"""Smart meters: telegrams of several standards over TCP, and from a serial device, which a pair of pseudo-terminals is."""

import os

import pytest

from checks import attribute, value
from dsmr_meter import SERIAL, Port, dsmr5, telegram
from hub_process import command, wait_until

FLOW = "/api/config/config_entries/flow"
ENTRY = "/api/config/config_entries/entry"
POWER = "sensor.electricity_meter_power_consumption"
GAS = "sensor.gas_meter_gas_consumption"
DSMR2 = ("/ISk5\\2MT382-1000\r\n\r\n0-0:96.1.1(00000000000000)\r\n1-0:1.8.1(00001.001*kWh)\r\n0-0:96.14.0(0001)\r\n"
         "1-0:1.7.0(0001.01*kW)\r\n0-1:24.1.0(3)\r\n0-1:96.1.0(000000000000)\r\n"
         "0-1:24.3.0(161107190000)(00)(60)(1)(0-1:24.2.1)(m3)\r\n(00001.456)\r\n!\r\n").encode()


@pytest.fixture
def port():
    """Makes servers, which end with the test."""
    made = []

    def make(*arguments, **options):
        made.append(Port(*arguments, **options))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def becomes(hub, entity_id, wanted):
    """Waits until the entity is there with that state."""
    def state():
        answer = hub.admin.get(f"/api/states/{entity_id}")
        return answer.json()["state"] if answer.status_code == 200 else None
    wait_until(lambda: state() == wanted, 20)


def section(*ports):
    return [{"host": "127.0.0.1", "port": one.port} for one in ports]


def entries(hub):
    return [entry for entry in hub.admin.get(ENTRY).json() if entry["domain"] == "dsmr"]


def has_reason(hub, part, state="setup_retry"):
    def told():
        [entry] = entries(hub)
        return entry["state"] == state and part in (entry["reason"] or "")
    wait_until(told, 20)


def test_telegrams_become_sensors(hub_factory, port):
    meter = port(dsmr5())
    hub = hub_factory(dsmr=section(meter)[0])
    becomes(hub, POWER, "2.027")
    becomes(hub, GAS, "473.789")
    assert value(hub, "sensor.electricity_meter_energy_consumption_tariff_1") == "1581.123"
    assert attribute(hub, "sensor.electricity_meter_energy_consumption_tariff_1", "state_class") == "total_increasing"
    assert attribute(hub, GAS, "unit_of_measurement") == "m³" and attribute(hub, GAS, "device_class") == "gas"
    [entry] = entries(hub)
    assert (entry["state"], entry["source"]) == ("loaded", "yaml")
    meter.send(dsmr5("00.500"))
    becomes(hub, POWER, "0.5")
    diagnosis = hub.admin.get(f"/api/diagnostics/config_entry/{entry['entry_id']}").json()
    assert SERIAL in str(diagnosis) and "00.500" in str(diagnosis)


def test_the_platform_of_older_files_is_the_same(hub_factory, port):
    meter = port(dsmr5())
    hub = hub_factory(sensor=[{"platform": "dsmr", "host": "127.0.0.1", "port": meter.port, "dsmr_version": "5",
                               "precision": 3, "reconnect_interval": 30}])
    becomes(hub, POWER, "2.027")
    [entry] = entries(hub)
    assert (entry["state"], entry["source"]) == ("loaded", "yaml")
    assert not [line for line in hub.log if "warning config" in line]


def test_meters_of_other_standards_and_each_by_itself(hub_factory, port):
    old = port(DSMR2)
    four = port(telegram("1-0:1.7.0(01.193*kW)", "0-1:24.1.0(003)", "0-1:96.1.0(3031)",
                         "0-1:24.2.1(101209112500W)(12785.123*m3)", version="1-3:0.2.8(40)", serial="0004"))
    silent = port()
    hub = hub_factory(dsmr=section(old, silent, four))
    wait_until(lambda: [entry["state"] for entry in entries(hub)].count("loaded") == 2, 20)
    states = {state["state"] for state in hub.admin.get("/api/states").json()}
    assert {"1.456", "1.01", "1.193", "12785.123"} <= states
    assert sorted(entry["state"] for entry in entries(hub)) == ["loaded", "loaded", "setup_retry"]


def test_wrong_telegrams_are_left_out_and_said(hub_factory, port):
    good = dsmr5()
    meter = port(good.replace(b"02.027", b"99.999"))
    hub = hub_factory(dsmr=section(meter))
    has_reason(hub, "checksum")
    meter.send(b"noise\r\n" + good[:300] + dsmr5("01.111"))  # without its end, and then a right one
    becomes(hub, POWER, "1.111")
    meter.send(b"/" + b"1-0:1.8.1(1)\r\n" * 10_000 + dsmr5("01.222"))  # too long
    becomes(hub, POWER, "1.222")
    assert entries(hub)[0]["state"] == "loaded"


def test_at_most_one_report_a_second_and_the_newest(hub_factory, port):
    meter = port(dsmr5())
    hub = hub_factory(dsmr=section(meter))
    becomes(hub, POWER, "2.027")
    with hub.stream("?restrict=state_changed") as stream:
        meter.send(b"".join(dsmr5(f"{number / 1000:06.3f}") for number in range(1, 101)))
        seen = stream.until(lambda event: event["data"]["entity_id"] == POWER
                            and event["data"]["new_state"]["state"] == "0.1", timeout=20)
    values = [frame.event["data"]["new_state"]["state"] for frame in seen
              if frame.event["data"]["entity_id"] == POWER]
    assert values[-1] == "0.1" and len(values) <= 3


def test_a_flood_is_cut_off_and_the_hub_goes_on(hub_factory, port):
    meter = port(dsmr5())
    hub = hub_factory(dsmr=section(meter))
    becomes(hub, POWER, "2.027")
    meter.greeting = b""
    meter.send(b"/" + b"x" * 4_000_000)
    has_reason(hub, "KiB within a second")
    wait_until(lambda: meter.connections == 2, 20)
    meter.send(dsmr5("03.000"))
    wait_until(lambda: entries(hub)[0]["state"] == "loaded", 20)


def test_a_lost_meter_becomes_unavailable_and_comes_back(hub_factory, port):
    meter = port(dsmr5())
    hub = hub_factory(dsmr=section(meter))
    becomes(hub, POWER, "2.027")
    meter.stop()
    wait_until(lambda: value(hub, POWER) == "unavailable", 20)
    assert entries(hub)[0]["state"] == "setup_retry" and "127.0.0.1" in entries(hub)[0]["reason"]


def test_a_server_that_closes_at_once_shows_nothing(hub_factory, port):
    meter = port(close=True)
    hub = hub_factory(dsmr=section(meter))
    wait_until(lambda: meter.connections >= 2, 20)
    assert entries(hub)[0]["state"] == "setup_retry"
    meter.greeting = dsmr5()
    becomes(hub, POWER, "2.027")


def test_a_page_adds_a_meter(hub_factory, port):
    meter, quiet = port(dsmr5()), port()
    hub = hub_factory()
    step = hub.admin.post(FLOW, json={"handler": "dsmr"}).json()
    assert [field["name"] for field in step["data_schema"]] == ["host", "port"]

    def submit(**data):
        return hub.admin.post(f"{FLOW}/{step['flow_id']}", json=data, timeout=40).json()

    assert submit(host="a b", port=1)["errors"] == {"host": "invalid_host"}
    assert submit(host="127.0.0.1", port=1)["errors"] == {"base": "cannot_connect"}
    made = submit(host="127.0.0.1", port=meter.port)
    assert (made["type"], made["title"]) == ("create_entry", "Electricity meter E0044007")
    becomes(hub, POWER, "2.027")
    step = hub.admin.post(FLOW, json={"handler": "dsmr"}).json()
    again = submit(host="127.0.0.1", port=meter.port)
    assert (again["type"], again["reason"]) == ("abort", "already_configured")
    meter.send(telegram("1-0:1.7.0(09.000*kW)", serial="4530303434303038"))
    has_reason(hub, "another meter: E0044008", state="setup_error")
    becomes(hub, POWER, "unavailable")
    assert quiet.connections == 0


def test_a_serial_device(hub_factory):
    main, other = os.openpty()
    try:
        hub = hub_factory(dsmr={"device": os.ttyname(other)})
        has_reason(hub, "Waiting for a telegram")
        os.write(main, dsmr5())
        becomes(hub, POWER, "2.027")
        os.close(main)
        main = None
        wait_until(lambda: value(hub, POWER) == "unavailable", 20)
        assert entries(hub)[0]["state"] == "setup_retry"
    finally:
        for end in (main, other):
            if end is not None:
                os.close(end)


@pytest.mark.parametrize("wrong, message", [
    ({}, "expected host and port, or device"),
    ({"host": "meter.local"}, "port: missing"),
    ({"port": 23}, "expected host and port, or device"),
    ({"host": "a", "port": 23, "device": "/dev/a"}, "either host and port, or device"),
    ({"device": "ttyUSB0"}, "expected a path"),
    ({"host": "a", "port": 0}, "1 to 65535"),
    ({"host": "a", "port": 1, "hosts": 1}, "unknown key"),
    ({"port": "/dev/ttyUSB0", "dsmr_version": "2.2"}, None),
    ({"device": "/dev/ttyUSB0", "dsmr_version": "9"}, "dsmr_version"),
])
def test_wrong_configurations_are_named(hub_factory, wrong, message):
    folder = hub_factory.folder(dsmr=[wrong] if wrong else wrong)
    checked = command(folder, "check")
    if message is None:
        assert checked.returncode == 0, checked.stdout
    else:
        assert message in checked.stdout + checked.stderr
