# SPDX-License-Identifier: Apache-2.0
"""sql: rows of the hub's own history, as the document says, and as files from elsewhere ask for them."""

import pytest

from checks import attributes, call, value
from hub_process import command, wait_until
from written_home import WrittenHome, example_of

# As files for Home Assistant have it, older and newer.
FOREIGN = """
sensor:
  - platform: sql
    db_url: sqlite:////config/home-assistant_v2.db
    scan_interval: 1
    queries:
      - name: Last state
        query: "SELECT * FROM states WHERE entity_id = 'light.hall' ORDER BY state_id DESC LIMIT 1;"
        column: 'state'
      - name: Lamps that were on
        query: >-
          SELECT COUNT(DISTINCT states_meta.entity_id) AS lamps FROM states
          INNER JOIN states_meta ON states.metadata_id = states_meta.metadata_id
          WHERE states_meta.entity_id LIKE 'light.%' AND states.state = 'on'
        column: lamps
        unit_of_measurement: lamps
"""
OTHERS = """
sql:
  - name: Secrets
    query: SELECT * FROM users
    column: user_id
  - name: Endless
    query: WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c LIMIT 100000000
    column: x
  - name: Good
    query: SELECT 6 * 7 AS answer
    column: answer
"""


@pytest.fixture
def home(hub_factory):
    return WrittenHome(hub_factory, demo=None)


def switch(hub, *states):
    for state in states:
        assert hub.admin.post("/api/states/light.hall", json={"state": state, "attributes": {"brightness": 7}}).status_code in (200, 201)


def test_the_example_of_the_document_works(home):
    hub = home.write(example_of("sql")).start()
    wait_until(lambda: value(hub, "sensor.size_of_the_history") not in ("unknown", "unavailable"), 30)
    assert float(value(hub, "sensor.size_of_the_history")) >= 0
    home.becomes("sensor.hall_light_was_switched_on", "0")
    switch(hub, "on", "off", "on")

    def counted():
        call(hub, "homeassistant.update_entity", {"entity_id": "sensor.hall_light_was_switched_on"})
        return value(hub, "sensor.hall_light_was_switched_on") == "2"
    wait_until(counted, 30)


def test_files_from_elsewhere_load_and_follow_the_states(home):
    hub = home.write(FOREIGN).start()
    assert command(home.folder, "check").returncode == 0
    home.becomes("sensor.last_state", "unknown")
    switch(hub, "on")
    home.becomes("sensor.last_state", "on")
    home.becomes("sensor.lamps_that_were_on", "1")
    shown = attributes(hub, "sensor.last_state")
    assert shown["attributes"] == '{"brightness":7}' and shown["domain"] == "light" and "entity_id" not in shown
    switch(hub, "off")
    home.becomes("sensor.last_state", "off")
    hub.stop()
    home.start()
    home.becomes("sensor.last_state", "off")


def test_what_may_not_be_asked_is_unavailable_and_holds_nobody_up(home):
    hub = home.write(OTHERS).start()
    home.becomes("sensor.good", "42")
    home.becomes("sensor.secrets", "unavailable")
    home.becomes("sensor.endless", "unavailable")
    hub.logged("may not read users: history has the tables states, ")
    hub.logged("gives more than 10000 rows; LIMIT 1 gives one")


def test_sections_are_read_again(home):
    hub = home.write(OTHERS).start()
    home.becomes("sensor.good", "42")
    home.write(OTHERS.replace("6 * 7", "6 * 8"))
    call(hub, "sql.reload", {})
    home.becomes("sensor.good", "48")
    home.write(OTHERS.replace("SELECT 6 * 7 AS", "UPDATE a SET b ="))
    call(hub, "sql.reload", {})
    home.becomes("sensor.good", "48")  # the last good one works
    hub.logged("query: expected one SELECT")
    home.write("")
    call(hub, "homeassistant.reload_all", {})
    wait_until(lambda: hub.admin.get("/api/states/sensor.good").status_code == 404, 30)
    call(hub, "sql.reload", {}, user="ann", status=403)
