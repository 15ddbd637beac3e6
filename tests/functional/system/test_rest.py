# SPDX-License-Identifier: Apache-2.0
"""rest and scrape: entities that other servers feed, with a real server, which also misbehaves."""

import pytest

from checks import call, state_of, value
from hub_process import command, wait_until
from value_server import ValueServer
from written_home import WrittenHome, example_of


@pytest.fixture
def server():
    made = ValueServer()
    yield made
    made.stop()


@pytest.fixture
def home(hub_factory, server):
    return WrittenHome(hub_factory, server.server_address[1])


def asked(server, path):
    return [each for each in server.asked if each[1].split("?")[0] == path]


def test_the_example_of_rest_works(home, server):
    hub = home.write(example_of("rest")).start()
    home.becomes("sensor.outside", "21.5")
    home.becomes("binary_sensor.storm", "on")
    attributes = state_of(hub, "sensor.outside")["attributes"]
    assert (attributes["unit_of_measurement"], attributes["wind"], attributes["rain"]) == ("°C", 30, 2)
    assert "sun" not in attributes
    [(method, path, headers, _)] = asked(server, "/weather.json")
    assert (method, path, headers["X-Key"]) == ("GET", "/weather.json?units=metric", "a b")
    home.becomes("sensor.headline", "First")
    home.becomes("switch.pump", "off")
    call(hub, "switch.turn_on", {"entity_id": "switch.pump"})
    home.becomes("switch.pump", "on")
    [(method, _, headers, body)] = [each for each in asked(server, "/pump") if each[0] != "GET"]
    assert (method, headers["Content-Type"], body) == ("POST", "application/json", '{"on": true}')


def test_the_example_of_scrape_works(home, server):
    hub = home.write(example_of("scrape")).start()
    home.becomes("sensor.water_level", "3.42")
    home.becomes("sensor.water_flow", "17")
    home.becomes("sensor.next_page", "/next?page=2")
    assert state_of(hub, "sensor.water_level")["attributes"]["unit_of_measurement"] == "m"
    assert len(asked(server, "/water.html")) == 1


def test_a_server_that_misbehaves_costs_its_own_entities_only(home, server):
    server.redirections["/around"] = "/around"
    server.pages["/latin"] = ("text/plain; charset=iso-8859-1", "grün".encode("iso-8859-1"))
    server.pages["/wrong"] = ("text/plain; charset=utf-8", "grün".encode("iso-8859-1"))
    server.pages["/unknown"] = ("text/plain; charset=klingon", b"plain")
    server.pages["/html"] = ("text/html", b"<h1>Log in</h1>")
    server.pages["/xml"] = ("text/xml", b"<a><b></a>")
    server.pages["/bomb"] = ("text/xml", b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>1&x;</a>")
    server.pages["/good"] = ("text/plain", b"0")
    entities = "".join(f"  - {{platform: rest, name: {name}, resource: 'http://127.0.0.1:8080/{name}', scan_interval: 3600}}\n"
                       for name in ("huge", "around", "latin", "wrong", "unknown", "xml", "missing"))
    home.write(f"""sensor:
{entities}  - {{platform: rest, name: hang, resource: 'http://127.0.0.1:8080/hang', scan_interval: 3600, timeout: 60}}
  - {{platform: rest, name: html, resource: 'http://127.0.0.1:8080/html', value_template: "{{{{ value_json.a }}}}"}}
  - {{platform: rest, name: bomb, resource: 'http://127.0.0.1:8080/bomb', value_template: "{{{{ value_json.a }}}}"}}
  - {{platform: rest, name: nobody, resource: 'http://127.0.0.1:1/'}}
  - {{platform: rest, name: good, resource: 'http://127.0.0.1:8080/good', scan_interval: 1}}
scrape:
  resource: http://127.0.0.1:8080/html
  sensor:
    - {{name: found, select: h1}}
    - {{name: lost, select: "h1 > p", index: 3}}
    - {{name: bare, select: h1, attribute: class}}
""")
    hub = home.start()
    for name in ("huge", "around", "xml", "missing", "nobody", "lost", "bare"):
        home.becomes(f"sensor.{name}", "unavailable")
    home.becomes("sensor.latin", "grün")
    home.becomes("sensor.wrong", "gr\ufffdn")
    home.becomes("sensor.unknown", "plain")
    home.becomes("sensor.html", "unknown")
    home.becomes("sensor.bomb", "1")
    home.becomes("sensor.found", "Log in")
    wait_until(lambda: asked(server, "/hang"))
    server.pages["/good"] = ("text/plain", b"1")
    home.becomes("sensor.good", "1")  # though another one hangs
    assert not server.released.is_set()
    assert server.streamed < 100, "a body of 1 GB is not read to its end"
    assert hub.logged("the page has no h1 > p, index 3")


def test_a_redirection_to_the_hub_brings_no_secret_along(home, server):
    hub = home.write("").start()
    server.redirections["/away"] = f"http://127.0.0.1:{hub.port}/api/states"
    home.write(f"""sensor:
  - platform: rest
    name: away
    resource: http://127.0.0.1:8080/away
    headers: {{Authorization: "Bearer {hub.tokens['admin']}"}}
""")
    call(hub, "rest.reload")
    wait_until(lambda: asked(server, "/away"))
    home.becomes("sensor.away", "unavailable")
    assert hub.logged("was answered 401")


def test_a_failure_is_logged_once_and_its_end_too(home, server):
    server.pages["/a"] = ("text/plain", b"1")
    hub = home.write("rest: {resource: 'http://127.0.0.1:8080/a', scan_interval: 1, sensor: {name: one}}\n").start()
    home.becomes("sensor.one", "1")
    del server.pages["/a"]
    home.becomes("sensor.one", "unavailable")
    before = len(asked(server, "/a"))
    wait_until(lambda: len(asked(server, "/a")) > before + 1)
    server.pages["/a"] = ("text/plain", b"2")
    home.becomes("sensor.one", "2")
    assert len(hub.logged("was answered 404")) == 1
    assert len(hub.logged("works again")) == 1


def test_a_switch_that_fails_stays_as_it_is(home, server):
    hub = home.write("switch: {platform: rest, name: s, resource: 'http://127.0.0.1:8080/none', method: put, "
                     "state_resource: 'http://127.0.0.1:8080/state'}\n")
    server.pages["/state"] = ("text/plain", b"OFF")
    hub = home.start()
    home.becomes("switch.s", "off")
    call(hub, "switch.turn_on", {"entity_id": "switch.s"})
    wait_until(lambda: asked(server, "/none"))
    wait_until(lambda: hub.logged("was answered 404"))
    assert value(hub, "switch.s") == "off"
    server.pages["/state"] = ("text/plain", b"something else")
    call(hub, "homeassistant.update_entity", {"entity_id": "switch.s"})
    home.becomes("switch.s", "unknown")


def test_reload_takes_what_is_right(home, server):
    server.pages["/a"] = ("text/plain", b"1")
    good = "rest:\n  - {resource: 'http://127.0.0.1:8080/a', sensor: {name: a}}\n"
    hub = home.write(good).start()
    home.becomes("sensor.a", "1")
    home.write(good.replace("8080/a'", "8080/a', metod: get") + "  - {resource: 'http://127.0.0.1:8080/a', sensor: {name: b}}\n"
               "  - {resource: 'ftp://x', sensor: {name: c}}\n"
               "scrape:\n  - {resource: 'http://127.0.0.1:8080/a', sensor: [{name: d, select: 'p:hover'}]}\n")
    checked = command(home.folder, "check")
    assert checked.returncode == 1
    assert "metod: unknown key, did you mean method?" in checked.stderr
    assert "resource: " in checked.stderr and "ftp" in checked.stderr
    assert "select: the selector cannot be read" in checked.stderr
    call(hub, "rest.reload")
    home.becomes("sensor.b", "1")
    assert value(hub, "sensor.a") == "1", "the last good one is in force"
    home.becomes("sensor.c", "unavailable")
