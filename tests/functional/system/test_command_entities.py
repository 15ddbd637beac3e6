# SPDX-License-Identifier: Apache-2.0
"""command_line: entities of commands, with what the document says of them."""

import pytest

from checks import assert_message, call, state_of, value
from hub_process import command, wait_until
from written_home import WrittenHome, example_of


@pytest.fixture
def home(hub_factory):
    return WrittenHome(hub_factory)


def test_the_example_of_the_document_works(home):
    hub = home.write(example_of("command_line")).start()
    wait_until(lambda: value(hub, "sensor.free_memory").isdigit(), timeout=30)
    assert state_of(hub, "sensor.free_memory")["attributes"]["unit_of_measurement"] == "MiB"
    home.becomes("binary_sensor.backup_disk", "off")
    (home.folder / "backups").mkdir(exist_ok=True)
    call(hub, "homeassistant.update_entity", {"entity_id": "binary_sensor.backup_disk"})
    home.becomes("binary_sensor.backup_disk", "on")
    home.becomes("switch.night_mode", "off")
    call(hub, "switch.turn_on", {"entity_id": "switch.night_mode"})
    home.becomes("switch.night_mode", "on")
    assert (home.folder / "night").exists()
    assert state_of(hub, "switch.night_mode")["attributes"]["icon"] == "mdi:weather-night"
    home.becomes("cover.awning", "closed")
    call(hub, "cover.open_cover", {"entity_id": "cover.awning"})
    home.becomes("cover.awning", "open")
    assert state_of(hub, "cover.awning")["attributes"]["current_position"] == 100
    call(hub, "cover.stop_cover", {"entity_id": "cover.awning"})
    wait_until(lambda: state_of(hub, "cover.awning")["attributes"]["current_position"] == 50)


def test_hostile_commands_end_alone(home):
    home.write("""command_line:
  - sensor: {name: prints, command: "yes"}
  - sensor: {name: hangs, command: sleep 1000, command_timeout: 1}
  - sensor: {name: reads, command: cat; echo 7}
  - sensor: {name: forks, command: "for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; echo $!"}
  - sensor: {name: secrets, command: env | grep -c HEARTH}
  - sensor: {name: missing, command: no_such_program}
  - sensor: {name: octets, command: "printf 'a\\\\377b'"}
  - sensor: {name: long, command: "head -c 300 /dev/zero | tr '\\\\0' x"}
  - switch: {name: broken, command_on: exit 4, command_state: echo 1; exit 1, value_template: "{{ value }}"}
""")
    hub = home.start()
    for name in ("prints", "hangs", "missing", "secrets"):
        home.becomes(f"sensor.{name}", "unavailable")
    home.becomes("sensor.reads", "7")
    home.becomes("sensor.octets", "a\ufffdb")
    home.becomes("sensor.long", "unknown")
    wait_until(lambda: value(hub, "sensor.forks").isdigit(), timeout=30)
    wait_until(lambda: is_gone(value(hub, "sensor.forks")))
    home.becomes("switch.broken", "unavailable")
    assert hub.logged("printed more than 16 MiB")
    assert hub.logged("did not end within 1 s and was killed")
    assert hub.logged("ended with code 127")


def is_gone(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return ") Z " in file.read()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_failure_is_logged_once_and_its_end_too(home):
    (home.folder / "value").write_text("1")
    hub = home.write("command_line:\n  sensor: {name: one, command: cat value, scan_interval: 1}\n").start()
    home.becomes("sensor.one", "1")
    (home.folder / "value").unlink()
    home.becomes("sensor.one", "unavailable")
    (home.folder / "value").write_text("2")
    home.becomes("sensor.one", "2")
    assert len(hub.logged("the command ended with code 1")) == 1
    assert len(hub.logged("works again")) == 1


def test_states_survive_a_restart(home):
    (home.folder / "value").write_text("21.5")
    home.write("command_line:\n  sensor: {name: one, command: \"while test -e wait; do sleep 0.1; done; cat value\", unit_of_measurement: °C, "
               "device_class: temperature, command_timeout: 60}\n").start()
    home.becomes("sensor.one", "21.5")
    home.hub.stop()
    (home.folder / "wait").touch()
    home.start()
    assert value(home.hub, "sensor.one") == "21.5"
    (home.folder / "value").write_text("22")
    (home.folder / "wait").unlink()
    home.becomes("sensor.one", "22")


def test_reload_takes_what_is_right(home):
    hub = home.write("command_line:\n  - sensor: {name: a, command: echo 1}\n  - sensor: {name: b, command: echo 1}\n").start()
    home.becomes("sensor.b", "1")
    home.write("command_line:\n  - sensor: {name: a}\n  - sensor: {name: c, command: echo 3}\n  - sensr: {}\n")
    checked = command(home.folder, "check")
    assert checked.returncode == 1
    assert "command is missing" in checked.stderr
    assert "command_line[2].sensr: expected sensor, binary_sensor, switch, cover or notify" in checked.stderr
    assert_message(hub.ann.post("/api/services/command_line/reload", json={}), 403)
    call(hub, "command_line.reload")
    home.becomes("sensor.c", "3")
    assert value(hub, "sensor.a") == "1", "the last good one is in force"
    assert hub.admin.get("/api/states/sensor.b").status_code == 404
    home.write("command_line:\n  - sensor: {name: a, command: echo 5}\n")
    call(hub, "homeassistant.reload_all")
    home.becomes("sensor.a", "5")
    assert hub.admin.get("/api/states/sensor.c").status_code == 404
    assert command(home.folder, "check").returncode == 0


def test_the_hub_stops_though_a_command_runs(home):
    home.write("command_line:\n  - sensor: {name: a, command: echo $$ > id; exec sleep 1000, command_timeout: 300}\n").start()
    wait_until(lambda: (home.folder / "id").exists() and (home.folder / "id").read_text().strip())
    home.hub.stop()
    wait_until(lambda: is_gone((home.folder / "id").read_text().strip()))
