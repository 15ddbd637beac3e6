# SPDX-License-Identifier: Apache-2.0
"""sun.sun: the sun at the home."""

from datetime import datetime, timedelta, timezone

import pytest


@pytest.mark.contract("Automations: sun.sun")
def test_sun_is_there_by_the_place_of_the_home(hub):
    sun = hub.admin.get("/api/states/sun.sun").json()
    attributes = sun["attributes"]
    assert sun["state"] in ("above_horizon", "below_horizon") and attributes["friendly_name"] == "Sun"
    assert set(attributes) >= {"elevation", "azimuth", "rising"}
    now = datetime.now(timezone.utc)
    times = {key: datetime.fromisoformat(value) for key, value in attributes.items() if key.startswith("next_")}
    assert {"next_noon", "next_midnight", "next_rising", "next_setting", "next_dawn", "next_dusk"} == set(times)
    assert all(now - timedelta(minutes=1) < time < now + timedelta(hours=25) for time in times.values()), times
    assert (sun["state"] == "above_horizon") == (times["next_setting"] < times["next_rising"])
    assert attributes["rising"] == (times["next_noon"] < times["next_midnight"])
    answer = hub.admin.post("/api/template", json={"template": "{{ (state_attr('sun.sun', 'next_rising') | as_datetime).tzinfo }}"})
    assert answer.text == "UTC"
