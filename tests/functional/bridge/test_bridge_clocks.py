# SPDX-License-Identifier: Apache-2.0
"""A hub there whose clock is an hour ahead or behind."""

from datetime import datetime, timedelta, timezone

import pytest

from hub_process import wait_until

HOUR = 3_600
ENTITY = "sensor.outside"


def state_of(hub, entity_id=ENTITY):
    answer = hub.admin.get(f"/api/states/{entity_id}")
    return answer.json() if answer.status_code == 200 else None


def becomes(hub, value, timeout=20):
    return wait_until(lambda: (state := state_of(hub)) and state["state"] == value and state, timeout)


def moment(text):
    return datetime.fromisoformat(text)


@pytest.mark.parametrize("offset", [0, HOUR, -HOUR])
def test_nothing_is_lost_of_a_hub_whose_clock_is_off(made_hubs, bridged, offset):
    began = datetime.now(timezone.utc)
    made = made_hubs()
    made.clock_offset = offset
    made.add(ENTITY, "0", {"friendly_name": "Outside", "unit_of_measurement": "°C"}, unique_id="1", platform="weatherly")
    home = bridged(made)
    values = [str(number) for number in range(8)]
    for value in values:
        made.set(ENTITY, value)
        state = becomes(home.hub, value)
        now = datetime.now(timezone.utc)
        for key in ("last_changed", "last_updated"):
            # Never in the future here; as there told if that is in the past.
            assert moment(state[key]) <= now + timedelta(seconds=2), state
            if offset < 0:
                assert moment(state[key]).timestamp() == pytest.approx(made.states[ENTITY].changed, abs=0.001)
            else:
                assert moment(state[key]) >= began - timedelta(seconds=2), state
    assert home.becomes("connected")["losses"] == 0

    def recorded():
        answer = home.hub.admin.get(f"/api/history/period/{(began - timedelta(hours=2)).isoformat().replace('+00:00', 'Z')}",
                                    params={"filter_entity_id": ENTITY, "end_time": (began + timedelta(hours=3)).isoformat().replace("+00:00", "Z")})
        assert answer.status_code == 200, answer.text
        return [state["state"] for state in answer.json()[0]] if answer.json() else []

    wait_until(lambda: recorded() and recorded()[-1] == values[-1], 20)
    assert [value for value in recorded() if value in values] == values
    # A call, a loss and a return: equal again, with sane times.
    made.add("light.far", "off", {"friendly_name": "Far"}, unique_id="2", platform="hue")
    wait_until(lambda: state_of(home.hub, "light.far"), 20)
    assert home.hub.admin.post("/api/services/light/turn_on", json={"entity_id": "light.far"}).status_code == 200
    wait_until(lambda: state_of(home.hub, "light.far")["state"] == "on", 20)
    for value in (values[-1], "99"):  # as it was, and another
        made.stop()
        made.set(ENTITY, value)
        home.reload()
        becomes(home.hub, "unavailable")
        made.start()
        home.connect()
        state = becomes(home.hub, value)
        assert moment(state["last_changed"]) <= moment(state["last_updated"]) <= datetime.now(timezone.utc) + timedelta(seconds=2)
        try:
            wait_until(lambda value=value: recorded()[-2:] == ["unavailable", value], 20)
        except AssertionError as error:
            raise AssertionError(f"{error}: {recorded()}, not {value}") from None
