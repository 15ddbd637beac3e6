# SPDX-License-Identifier: Apache-2.0
"""Sensors made of others that look back or say yes or no: history_stats, tod, trend, bayesian."""

import signal
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from checks import attributes, becomes, call, set_state, state_of, value
from hub_process import command, wait_until
from sunlight import sunrise_and_sunset

HOME = ZoneInfo("Europe/Berlin")

CONFIGURATION = """\
sensor:
  - platform: history_stats
    name: Starts
    unique_id: starts
    entity_id: switch.pump
    state: "on"
    type: count
    start: "{{ now() - timedelta(hours=1) }}"
    end: "{{ now() }}"
  - platform: history_stats
    name: Share
    entity_id: switch.pump
    state: ["off", "on"]
    type: ratio
    end: "{{ now() }}"
    duration: {hours: 1}
binary_sensor:
  - {platform: tod, name: All day, unique_id: day, after: "00:00", before: "23:59:59.999"}
  - {platform: tod, name: Never, after: "12:00", before: "12:00"}
  - {platform: tod, name: Morning, after: "00:00", before: "12:00"}
  - {platform: tod, name: Afternoon, after: "12:00", before: "00:00"}
  - {platform: tod, name: Dark, after: sunset, before: sunrise, after_offset: "00:20"}
  - platform: trend
    sensors:
      warming: {entity_id: sensor.room, friendly_name: It warms, device_class: heat, max_samples: 4, min_samples: 3}
  - platform: bayesian
    name: Asleep
    prior: 0.25
    probability_threshold: 0.7
    observations:
      - {platform: state, entity_id: light.bed, to_state: "off", prob_given_true: 0.9, prob_given_false: 0.2}
      - {platform: numeric_state, entity_id: sensor.noise, below: 30, prob_given_true: 0.8, prob_given_false: 0.4}
      - {platform: template, value_template: "{{ is_state('sensor.phone', 'charging') }}", prob_given_true: 0.5, prob_given_false: 0.5}
"""


@pytest.mark.contract("Automations: history_stats")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_history_stats_counts_what_history_has_over_the_end_of_the_hub(hub_factory, folder, how):
    hub = hub_factory.start_to_kill(folder)
    for state in ("on", "off", "on", "off"):
        set_state(hub, "switch.pump", state)
    becomes(hub, "sensor.starts", "2")
    shown = attributes(hub, "sensor.starts")
    assert shown["state_class"] == "measurement" and "unit_of_measurement" not in shown
    assert attributes(hub, "sensor.share")["unit_of_measurement"] == "%"
    call(hub, "homeassistant.save_persistent_states")
    hub.send_signal(how)
    hub.wait_ended()
    hub.close_clients()
    again = hub_factory(folder)
    becomes(again, "sensor.starts", "2")
    set_state(again, "switch.pump", "on")
    becomes(again, "sensor.starts", "3")


def midnight():
    return datetime.now(HOME).replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.mark.contract("Automations: tod")
def test_tod_says_whether_it_is_that_time(hub_factory, folder):
    hub = hub_factory(folder)
    assert value(hub, "binary_sensor.never") == "off"

    def as_the_clock_says():  # waits, because noon or midnight may be right now
        morning = datetime.now(HOME).hour < 12
        return [value(hub, f"binary_sensor.{name}") == "on" for name in ("morning", "afternoon")] == [morning, not morning]

    wait_until(as_the_clock_says)
    midnights = [midnight()]
    begin = datetime.fromisoformat(attributes(hub, "binary_sensor.all_day")["after"])
    assert begin in midnights + [midnight()]


@pytest.mark.contract("Automations: tod")
def test_tod_knows_when_the_sun_rises_and_sets(hub_factory, folder):
    hub = hub_factory(folder)

    def span():
        """From when to when it is dark, as the sensor says; its state must be that of the test's clock."""
        dark = state_of(hub, "binary_sensor.dark")
        begin, end, following = (datetime.fromisoformat(dark["attributes"][key]) for key in ("after", "before", "next_update"))
        now = datetime.now(timezone.utc)
        is_dark = begin <= now < end
        right = now < end and dark["state"] == ("on" if is_dark else "off") and following == (end if is_dark else begin)
        return right and (begin, end)

    begin, end = wait_until(span)  # waits, because it may get dark or light right now
    hour = timedelta(hours=1)
    sunset = begin - timedelta(minutes=20)
    day = sunset.astimezone(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    assert abs(sunset - day - sunrise_and_sunset(day)[1] * hour) < hour / 6
    day += timedelta(days=1)
    assert abs(end - day - sunrise_and_sunset(day)[0] * hour) < hour / 6
    assert datetime.now(timezone.utc) > begin - timedelta(days=1)


@pytest.mark.contract("Automations: trend")
def test_trend_is_the_slope(hub_factory, folder):
    hub = hub_factory(folder)
    for number in (20, 21, 22):
        assert value(hub, "binary_sensor.warming") == "unknown"
        set_state(hub, "sensor.room", str(number))
    becomes(hub, "binary_sensor.warming", "on")
    shown = attributes(hub, "binary_sensor.warming")
    assert shown["gradient"] > 0 and (shown["friendly_name"], shown["device_class"], shown["sample_count"]) == ("It warms", "heat", 3)
    for number in (15, 10, 5):
        set_state(hub, "sensor.room", str(number))
    becomes(hub, "binary_sensor.warming", "off")
    assert attributes(hub, "binary_sensor.warming")["gradient"] < 0


@pytest.mark.contract("Automations: bayesian")
def test_bayesian_multiplies_what_is_known(hub_factory, folder):
    hub = hub_factory(folder)
    assert attributes(hub, "binary_sensor.asleep")["probability"] == 0.25
    set_state(hub, "light.bed", "off")
    set_state(hub, "sensor.noise", "20")
    becomes(hub, "binary_sensor.asleep", "on")
    shown = attributes(hub, "binary_sensor.asleep")
    assert (shown["probability"], shown["probability_threshold"]) == (0.75, 0.7)
    assert shown["occurred_observation_entities"] == ["light.bed", "sensor.noise"]
    assert [each.get("observed") for each in shown["observations"]] == [True, True, False]
    set_state(hub, "sensor.noise", "unavailable")
    becomes(hub, "binary_sensor.asleep", "off")
    set_state(hub, "sensor.phone", "charging")
    wait_until(lambda: attributes(hub, "binary_sensor.asleep")["observations"][2]["observed"])


@pytest.mark.contract("Automations: history_stats")
def test_what_is_wrong_is_named_with_its_line(folder):
    settings = folder / "configuration.yaml"
    text = settings.read_text()
    line = len(text[:text.index("duration: {hours: 1}")].splitlines())
    settings.write_text(text.replace("    duration: {hours: 1}\n", "    durration: {hours: 1}\n"))
    checked = command(folder, "check")
    assert checked.returncode == 1
    assert f"configuration.yaml:{line}: durration: unknown key, did you mean duration?" in checked.stderr
    assert "expected two of start, end and duration" in checked.stderr
