# SPDX-License-Identifier: Apache-2.0
"""Sensors that follow the clock, or history over a time: workday, season, random, time_date, average."""

import datetime
import re
import zoneinfo

import pytest

from checks import set_state, state_of, value
from hub_process import command, wait_until

CONFIGURATION = """\
sensor:
  - {platform: season, unique_id: season, type: meteorological}
  - {platform: random, name: Dice, minimum: 1, maximum: 6}
  - {platform: time_date, display_options: [time, date, date_time_iso, beat]}
  - {platform: average, name: Mean, entities: [sensor.a, sensor.b]}
  - {platform: average, name: Hour, entities: sensor.a, duration: {hours: 1}, process_undef_as: 0}
binary_sensor:
  - {platform: workday, workdays: [mon, tue, wed, thu, fri, sat, sun], excludes: [], name: Any day}
  - {platform: workday, workdays: [], name: No day}
  - {platform: random, name: Coin}
"""
WRONG = """  - {platform: workday, name: Holidays, country: DE}
"""


@pytest.mark.contract("Automations: workday, season, random, time_date")
def test_they_follow_the_clock(hub_factory, folder):
    hub = hub_factory(folder)
    zone = zoneinfo.ZoneInfo(hub.admin.get("/api/config").json()["time_zone"])

    def shows_now():
        minutes = [datetime.datetime.now(zone) - datetime.timedelta(seconds=back) for back in (0, 2)]
        return any(value(hub, "sensor.time") == f"{at:%H:%M}" and value(hub, "sensor.date") == f"{at:%Y-%m-%d}"
                   and value(hub, "sensor.date_time_iso") == f"{at:%Y-%m-%dT%H:%M}:00" for at in minutes)
    wait_until(shows_now)
    assert re.fullmatch(r"@\d{3}", value(hub, "sensor.internet_time"))
    assert 1 <= int(value(hub, "sensor.dice")) <= 6 and value(hub, "binary_sensor.coin") in ("on", "off")
    assert value(hub, "binary_sensor.any_day") == "on" and value(hub, "binary_sensor.no_day") == "off"
    month = datetime.datetime.now(zone).month
    names = ["winter", "spring", "summer", "autumn"]
    season = state_of(hub, "sensor.season")
    south = hub.admin.get("/api/config").json()["latitude"] < 0
    assert season["state"] == names[(month // 3 + (2 if south else 0)) % 4]
    assert season["attributes"]["device_class"] == "enum" and set(season["attributes"]["options"]) == set(names)


@pytest.mark.contract("Automations: workday, season, random, time_date")
def test_a_country_is_answered_with_what_to_write_instead(folder):
    settings = folder / "configuration.yaml"
    settings.write_text(settings.read_text() + WRONG)
    line = len(settings.read_text().splitlines())
    checked = command(folder, "check")
    assert checked.returncode == 1
    assert f"configuration.yaml:{line}: country: the holidays of countries are not known here; name them in add_holidays" in checked.stderr


@pytest.mark.contract("Automations: average")
def test_average_is_a_mean_of_now_or_over_time(hub_factory, folder):
    hub = hub_factory(folder)
    for number in ("10", "20"):
        set_state(hub, "sensor.a", number, {"unit_of_measurement": "W", "device_class": "power"})
    set_state(hub, "sensor.b", "40", {"unit_of_measurement": "W", "device_class": "power"})
    wait_until(lambda: value(hub, "sensor.mean") == "30.0")
    shown = state_of(hub, "sensor.mean")["attributes"]
    assert (shown["unit_of_measurement"], shown["device_class"], shown["available_sources"]) == ("W", "power", 2)
    wait_until(lambda: state_of(hub, "sensor.hour")["attributes"].get("max_value") == 20)
    assert 0 < float(value(hub, "sensor.hour")) < 20  # nothing counts as 0 before it was there
    set_state(hub, "sensor.a", "unavailable")
    wait_until(lambda: value(hub, "sensor.mean") == "40.0")
