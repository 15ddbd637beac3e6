# SPDX-License-Identifier: Apache-2.0
"""POST /api/template: what templates see of the home, and how they fail. tests/templates compares the language with Jinja2."""

import json

import pytest

from checks import assert_json, assert_message
from websocket_client import WebSocketClient

def render(hub, template, **variables):
    return hub.admin.post("/api/template", json={"template": template, "variables": variables})


def text(hub, template, **variables):
    response = render(hub, template, **variables)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/plain")
    return response.text


def failure(hub, template, **variables):
    response = render(hub, template, **variables)
    error = assert_json(response, 400)
    assert set(error) == {"message", "kind", "line"}
    assert error["message"].startswith("Error rendering template: ")
    return error["kind"], error["line"]


@pytest.fixture(autouse=True)
def sensors(hub):
    for entity, state, attributes in [("sensor.tpl_a", "21.5", {"unit_of_measurement": "°C", "friendly_name": "A"}),
                                      ("sensor.tpl_b", "unknown", {}), ("group.tpl", "on", {"entity_id": ["sensor.tpl_b", "sensor.tpl_a"]})]:
        hub.admin.post(f"/api/states/{entity}", json={"state": state, "attributes": attributes})


@pytest.mark.contract("Beyond the specification: template")
@pytest.mark.parametrize("template, expected", [
    ("{{ states('sensor.tpl_a') }}", "21.5"),
    ("{{ states('sensor.tpl_none') }}", "unknown"),
    ("{{ states('SENSOR.tpl_a') | float(0) + 1 }}", "22.5"),
    ("{{ states('sensor.tpl_a', with_unit=True) }}", "21.5 °C"),
    ("{{ states.sensor.tpl_a.state }} {{ states.sensor.tpl_a.attributes.unit_of_measurement }}", "21.5 °C"),
    ("{{ states.sensor.tpl_a.name }}, {{ states.sensor.tpl_b.name }}", "A, tpl b"),
    ("{{ states['sensor.tpl_a'].entity_id }}", "sensor.tpl_a"),
    ("{{ states.sensor.tpl_none }}", "None"),
    ("{{ is_state('sensor.tpl_a', '21.5') }}, {{ is_state('sensor.tpl_b', ['off', 'unknown']) }}", "True, True"),
    ("{{ 'sensor.tpl_a' is is_state('21.5') }}", "True"),
    ("{{ state_attr('sensor.tpl_a', 'friendly_name') }}, {{ state_attr('sensor.tpl_a', 'x') }}", "A, None"),
    ("{{ is_state_attr('sensor.tpl_a', 'friendly_name', 'A') }}", "True"),
    ("{{ has_value('sensor.tpl_a') }}, {{ has_value('sensor.tpl_b') }}, {{ has_value('x.y') }}", "True, False, False"),
    ("{{ expand('group.tpl') | map(attribute='entity_id') | list }}", "['sensor.tpl_a', 'sensor.tpl_b']"),
    ("{{ states.sensor | selectattr('entity_id', 'search', 'tpl') | map(attribute='entity_id') | join(',') }}",
     "sensor.tpl_a,sensor.tpl_b"),
    ("{{ states | map(attribute='entity_id') | list | sort == states | map(attribute='entity_id') | list }}", "True"),
    ("{{ area_name('light.kitchen') }}, {{ area_id('Kitchen') }}", "Kitchen, kitchen"),
    ("{{ 'light.kitchen' in area_entities('kitchen') }}, {{ 'kitchen' in areas() }}", "True, True"),
    ("{{ device_attr(device_id('light.kitchen'), 'name') == device_name('light.kitchen') }}", "True"),
    ("{{ 'light.kitchen' in integration_entities('demo') }}", "True"),
    ("{{ floor_name('kitchen') == floor_name(floor_id('kitchen')) }}", "True"),
    ("{{ states.sensor.tpl_a.last_changed <= now() }}", "True"),
    ("{{ (now() - utcnow()).total_seconds() }}", "0.0"),
    ("{{ value_json.a[1] }}{{ value }}", "2x"),
    ("{{ version('2026.9.10') > '2026.9.9' }}, {{ '1.2b1' < version('1.2') }}, {{ version('v1.0') == '1.0' }}", "True, True, True"),
    ("{{ (version('1.2.3') - '1.2.4').patch }}, {{ (version('1.2.3') - '1.2.4').minor }}, {{ version('1.2.3rc1').modifier }}", "True, False, rc1"),
    ("  {{ 1 }}\n", "1"),
])
def test_what_templates_see(hub, template, expected):
    assert text(hub, template, value_json={"a": [1, 2]}, value="x") == expected


@pytest.mark.contract("Beyond the specification: template")
@pytest.mark.parametrize("template, expected", [
    ("{{ is_state('sensor.tpl_a', 21.5) }}, {{ is_state('sensor.tpl_a', ('21.5', 'x')) }}, {{ is_state('sensor.tpl_a', ['21.5', 5]) }}", "False, False, True"),
    ("{{ is_state_attr('sensor.tpl_a', 'x', none) }}, {{ is_state_attr('sensor.none', 'x', none) }}", "False, False"),
    ("{{ expand('zone.tpl') | map(attribute='entity_id') | join(',') }}", "person.tpl"),
    ("{{ expand('group.tpl_outer') | map(attribute='entity_id') | join(',') }}", "person.tpl,sensor.tpl_a,sensor.tpl_b"),
    ("{{ expand('scene.tpl') | map(attribute='entity_id') | join(',') }}", "scene.tpl"),
    ("{{ closest('zone.tpl', ['person.tpl', 'zone.tpl_far']).entity_id }}", "person.tpl"),
    ("{{ (['person.tpl', 'zone.tpl_far'] | closest('zone.tpl')).entity_id }}", "person.tpl"),
    ("{{ distance('zone.tpl', 'zone.tpl_far') | round(1) }}", "111.3"),
    ("{{ entity_name('sensor.tpl_a') }}, {{ 'sensor.none' | entity_name }}", "A, None"),
    ("{{ config_entry_attr('0BW6TE7HY9K7VAKDFGYNT2KVSZ', 'state') }}, {{ config_entry_attr('0BW6TE7HY9K7VAKDFGYNT2KVSZ', 'domain') }}, {{ config_entry_attr('none', 'state') }}", "loaded, demo, None"),
    ("{{ issues() is mapping }}, {{ issue('hearth', 'none') }}", "True, None"),
    ("{{ state_attr_translated('sensor.tpl_a', 'friendly_name') }}", "A"),
])
def test_what_functions_of_the_home_give(hub, template, expected):
    for entity, attributes in [("person.tpl", {"latitude": 0.0, "longitude": 0.0}), ("zone.tpl", {"latitude": 0.0, "longitude": 0.0, "persons": ["person.tpl"]}),
                               ("zone.tpl_far", {"latitude": 0.0, "longitude": 1.0, "persons": []}), ("scene.tpl", {"entity_id": ["sensor.tpl_a"]}),
                               ("group.tpl_outer", {"entity_id": ["group.tpl", "zone.tpl", "group.tpl_outer", "none.none"]})]:
        hub.admin.post(f"/api/states/{entity}", json={"state": "0", "attributes": attributes})
    assert text(hub, template) == expected


def test_labels_are_found_by_id_and_name(hub, socket):
    socket.result("config/label_registry/create", name="Of a Template", description="For a test")
    socket.result("config/entity_registry/update", entity_id="light.kitchen", labels=["of_a_template"], aliases=["Cook's light"], name="My light")
    try:
        for label in ("of_a_template", "Of a Template"):
            assert text(hub, f"{{{{ label_entities('{label}') }}}}") == "['light.kitchen']"
        assert text(hub, "{{ label_id('Of a Template') }}, {{ label_name('of_a_template') }}, {{ label_description('of_a_template') }}") == \
            "of_a_template, Of a Template, For a test"
        assert text(hub, "{{ label_id('none') }}, {{ label_name('none') }}, {{ label_entities('none') }}") == "None, None, []"
        assert text(hub, "{{ labels('light.kitchen') }}, {{ 'of_a_template' in labels() }}, {{ labels('none') }}") == "['of_a_template'], True, []"
        assert text(hub, "{{ aliases('light.kitchen') }}, {{ entity_name('light.kitchen') }}") == '["Cook\'s light"], My light'
    finally:
        socket.result("config/entity_registry/update", entity_id="light.kitchen", labels=[], aliases=[], name=None)
        socket.result("config/label_registry/delete", label_id="of_a_template")


@pytest.mark.contract("Beyond the specification: template")
@pytest.mark.parametrize("template, kind, line", [
    ("{{ 1 + }}", "syntax", 1),
    ("\n\n{% if %}", "syntax", 3),
    ("{{ 1 | nothing }}", "name", 1),
    ("{{ 1 is nothing }}", "name", 1),
    ("\n{{ missing.x }}", "undefined", 2),
    ("{{ 1 + 'a' }}", "type", 1),
    ("{{ 'a' | int }}", "value", 1),
    ("{{ 1 / 0 }}", "zero_division", 1),
    ("{{ [].append(1) }}", "security", 1),
    ("{{ ''.__class__.x }}", "security", 1),
    ("{{ 10 ** 30000 }}", "limit", 1),
    ("{{ 'x' * 10000000 }}", "limit", 1),
])
def test_failures_name_their_kind_and_line(hub, template, kind, line):
    assert failure(hub, template) == (kind, line)


@pytest.mark.contract("What a change may cost: an operation of a template")
@pytest.mark.parametrize("template", [
    "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "{% for i in range(99999) %}{{ 'x' * 100 }}{% endfor %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{{ " + "(" * 400 + "1" + ")" * 400 + " }}",
    "{% set ns = namespace(x='x' * 1000) %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "{% set ns = namespace(x=[1]) %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
    "{% set ns = namespace(x=[]) %}{% for i in range(300) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
    "{{ ('a' * 30 ~ '!') | regex_match('(a+)+$') }}",
    "{% for i in range(9999) %}{{ ('a' * 30 ~ '!') | regex_search('(a+)+$', i) }}{% endfor %}",
    "{{ 'x'.ljust(1000000000) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ range(100000) | list | batch(1) | list | batch(1) | list | string | length }}",
])
def test_no_template_takes_more_than_its_limits(hub, template):
    assert failure(hub, template)[0] == "limit"
    assert text(hub, "{{ 1 }}") == "1"


# A search whose work grows with the product of both lengths takes minutes here, and whoever asks stops waiting.
LONG, REST, WRONG = "('a' * 1000000)", "('a' * 500000 ~ 'b')", "('b' ~ 'a' * 500000)"


@pytest.mark.parametrize("expression, expected", [
    (f"{LONG}.find({REST})", "-1"),
    (f"{LONG}.rfind({WRONG})", "-1"),
    (f"{LONG}.count({REST})", "0"),
    (f"{LONG}.split({REST}) | length", "1"),
    (f"{LONG}.rsplit({WRONG}) | length", "1"),
    (f"{LONG}.partition({REST})[1]", ""),
    (f"{LONG}.rpartition({WRONG})[1]", ""),
    (f"{LONG}.replace({REST}, '') | length", "1000000"),
    (f"{LONG} | replace({REST}, '') | length", "1000000"),
    (f"{LONG}.strip({REST}) | length", "0"),
    ("('a' * 500000).strip('x' * 500000) | length", "500000"),
    (f"{LONG}.startswith(({REST}, {WRONG}, 'aa'))", "True"),
    (f"{REST} in {LONG}", "False"),
    (f"{LONG} is contains({REST})", "False"),
    (f"[{REST}] | select('in', {LONG}) | list", "[]"),
    ("('<!--' * 200000 ~ '>') | striptags | length", "0"),
    ("('&lt;' * 200000) | striptags | length", "200000"),
    ("('x' * 30000) | wordwrap(1) | length", "59999"),
    ("('a,' * 20000).replace(',', ';') | length", "40000"),
    ("range(5000) | join(',') | length", "23889"),
    ("('ab' * 50000) | regex_findall('b') | length", "50000"),
    ("('ab' * 50000) | regex_replace('a.', '') | length", "0"),
    ("('x' * 100000)[50000:] | length", "50000"),
    ("'{}, '.format('y') * 3", "y, y, y, "),
])
def test_long_texts_are_searched_once(hub, expression, expected):
    assert text(hub, f"{{{{ {expression} }}}}") == expected.strip()


@pytest.mark.parametrize("template", [
    "{% set t = 'a' * 500000 %}" + each for each in [
        "{{ t | regex_search('(?=a*c)') }}",
        "{{ t | regex_search('(?=(?=a*)a*c)') }}",
        "{{ t | regex_search('(?>a*)c|a*+(?<=b)d') }}",
        "{{ t | regex_match('((?=a*)a)+c') }}",
        "{{ t | regex_match('(?:(?=a*))*' * 100 ~ 'c') }}{{ t | regex_match('(?=a*)' * 600 ~ 'c') }}" * 40,
        "{{ t | regex_findall('(?i)(?=A*c)') }}",
        "{{ t | regex_replace('(?=a*c)', '') }}",
        "{{ ([t] * 9999) | select('search', '(?=a*c)') | list }}",
        "{% for i in range(99999) %}{% set x = t.isalpha() %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = t is lower %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = t[-1] %}{% endfor %}",
        "{{ ([t] * 99999) | map('float', 0) | list }}",
        "{{ ([t] * 99999) | to_json }}",
        "{{ t ~ 'b' in [t ~ 'a'] * 99999 }}",
    ]
])
def test_each_step_of_a_long_operation_counts(hub, template):
    assert failure(hub, template)[0] == "limit"


@pytest.mark.parametrize("template", [
    "{% set ns = namespace(x=[]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor %}done",
    "{% set ns = namespace(x={}) %}{% for i in range(50000) %}{% set ns.x = {'a': ns.x} %}{% endfor %}done",
    "{% set ns = namespace(x=none) %}{% for i in range(50000) %}{% set ns.x = namespace(x=ns.x) %}{% endfor %}done",
    "{% set ns = namespace(x=none) %}{% for i in range(50000) %}{% set ns.x = cycler(ns.x) %}{% endfor %}done",
    "{% set ns = namespace() %}{% set ns.a = ns %}{% set ns.b = {'c': ns} %}done",
    "{% set ns = namespace() %}{% for i in [1, 2] %}{% set ns.f = loop.changed %}{% endfor %}{% do ns.f(ns.f) %}done",
    "{% for i in [1, 2] %}{% do loop.changed(loop.changed) %}{% endfor %}done",
    "{% set ns = namespace() %}{% for i in [1] %}{% set ns.f = cycler(1, 2).next %}{% endfor %}{% do ns.f() %}done",
])
def test_values_within_themselves_and_deep_ones_do_no_harm(hub, template):
    response = render(hub, template)
    assert response.text == "done" or response.json()["kind"] == "limit"
    assert text(hub, "{{ 1 }}") == "1"


def test_refuses_what_is_no_template(hub):
    for body in ({}, {"template": 1}, {"template": None}, {"template": "x", "variables": []}):
        assert_message(hub.admin.post("/api/template", json=body), 400)
    assert_message(hub.admin.post("/api/template", content=b"{"), 400)


@pytest.mark.contract("Beyond the specification: template")
def test_is_for_administrators(hub):
    body = json.dumps({"template": "{{ 1 }}"})
    assert_message(hub.anonymous.post("/api/template", content=body), 401)
    for client in (hub.ann, hub.display):
        assert_message(client.post("/api/template", content=body), 403)


def test_custom_templates_are_imported_and_read_again(hub_factory):
    folder = hub_factory.folder()
    (folder / "custom_templates" / "of").mkdir(parents=True)
    tools = folder / "custom_templates" / "of" / "tools.jinja"
    tools.write_text("{% macro twice(x) %}{{ x * 2 }}{% endmacro %}{% set unit = '°C' %}")
    hub = hub_factory.start(folder)
    template = "{% from 'of/tools.jinja' import twice, unit %}{{ twice(4) }} {{ unit }}"
    assert text(hub, template) == "8 °C"
    assert text(hub, "{% import 'of/tools.jinja' as t %}{{ t.twice(1) }}") == "2"
    tools.write_text("{% macro twice(x) %}{{ x + x }}{% endmacro %}{% set unit = 'K' %}")
    assert text(hub, template) == "8 °C"
    for domain in ("homeassistant", "platform"):
        assert_json(hub.admin.post(f"/api/services/{domain}/reload_custom_templates", json={}))
    assert text(hub, template) == "8 K"
    assert hub.ann.post("/api/services/homeassistant/reload_custom_templates", json={}).status_code == 403
    tools.write_text("\n{% macro twice( %}")
    answer = assert_message(hub.admin.post("/api/services/homeassistant/reload_custom_templates", json={}), 400)
    assert "custom_templates/of/tools.jinja, line 2" in answer
    error = assert_json(render(hub, "\n\n" + template), 400)
    assert error["line"] == 3 and "custom_templates/of/tools.jinja, line 2" in error["message"]
    assert failure(hub, "{% import 'none.jinja' as t %}") == ("name", 1)
    assert failure(hub, "{% import '../configuration.yaml' as t %}") == ("name", 1)


@pytest.fixture
def socket(hub):
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        yield client


def listeners(entities=(), domains=(), all=False, time=False):
    return {"all": all, "domains": list(domains), "entities": list(entities), "time": time}


def write(hub, entity, state, **attributes):
    hub.admin.post(f"/api/states/{entity}", json={"state": state, "attributes": attributes})


def test_is_rendered_again_when_what_it_saw_changes(hub, socket, name):
    entity, other = f"sensor.{name}", f"sensor.{name}_other"
    write(hub, entity, "1")
    assert socket.result("render_template", template=f"{{{{ states('{entity}') | float + 1 }}}}") is None
    assert socket.event(1) == {"result": 2.0, "listeners": listeners([entity])}
    write(hub, other, "5")
    write(hub, entity, "1", note="no other result")
    write(hub, entity, "2")
    assert socket.event(1) == {"result": 3.0, "listeners": listeners([entity])}
    assert socket.result("unsubscribe_events", subscription=1) is None
    write(hub, entity, "3")
    assert socket.command("ping")["type"] == "pong" and not socket.waiting


def test_a_branch_that_is_taken_later_is_listened_to(hub, socket, name):
    first, second = f"sensor.{name}_a", f"sensor.{name}_b"
    write(hub, first, "off")
    write(hub, second, "1")
    socket.result("render_template", template=f"{{% if is_state('{first}', 'on') %}}{{{{ states('{second}') }}}}{{% endif %}}")
    assert socket.event(1) == {"result": "", "listeners": listeners([first])}
    write(hub, first, "on")
    assert socket.event(1) == {"result": "1", "listeners": listeners([first, second])}
    write(hub, second, "2")
    assert socket.event(1)["result"] == "2"


def test_domains_and_all_states_and_the_time_are_listened_to(hub, socket, name):
    socket.result("render_template", template=f"{{{{ states.{name} | map(attribute='state') | list }}}}")
    assert socket.event(1) == {"result": [], "listeners": listeners(domains=[name])}
    write(hub, f"{name}.a", "on")
    assert socket.event(1)["result"] == ["on"]  # a second later, at most
    socket.result("render_template", template="{{ states | list | count > 0 }}")
    assert socket.event(2) == {"result": True, "listeners": listeners(all=True)}
    socket.result("render_template", template="{{ now().year > 2000 }}")
    assert socket.event(3) == {"result": True, "listeners": listeners(time=True)}


def test_areas_are_listened_to(hub, socket):
    with WebSocketClient(hub, hub.tokens["admin"]) as admin:
        area = admin.result("config/area_registry/create", name="Of a template")["area_id"]
        socket.result("render_template", template=f"{{{{ area_name('{area}') }}}}")
        assert socket.event(1)["result"] == "Of a template"
        admin.result("config/area_registry/update", area_id=area, name="Renamed")
        assert socket.event(1)["result"] == "Renamed"
        admin.result("config/area_registry/delete", area_id=area)
        assert socket.event(1)["result"] is None


def test_errors_that_come_later_are_reported_if_wanted(hub, socket, name):
    entity = f"sensor.{name}"
    write(hub, entity, "1")
    template = f"\n{{{{ states('{entity}') | float }}}}"
    socket.result("render_template", template=template, report_errors=True)
    socket.result("render_template", template=template)
    assert [socket.event(1)["result"], socket.event(2)["result"]] == ["1.0", "1.0"]
    write(hub, entity, "none")
    error = socket.event(1)
    assert error["level"] == "ERROR" and error["kind"] == "value" and error["line"] == 2 and "none" in error["error"]
    write(hub, entity, "2")
    assert [socket.event(1)["result"], socket.event(2)["result"]] == ["2.0", "2.0"]


@pytest.mark.parametrize("fields, code", [
    ({"template": "{{ 1 + }}"}, "template_error"),
    ({"template": "{{ 1 | nothing }}"}, "template_error"),
    ({"template": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"}, "template_error"),
    ({"template": "{% for i in range(99999) %}{{ 'x' * 100 }}{% endfor %}", "timeout": 0.001}, "template_error"),
    ({"template": "x" * 70_000}, "invalid_format"),
    ({"template": 7}, "invalid_format"),
    ({}, "invalid_format"),
    ({"template": "x", "timeout": 0}, "invalid_format"),
    ({"template": "x", "timeout": "long"}, "invalid_format"),
    ({"template": "x", "variables": []}, "invalid_format"),
    ({"template": "x", "more": 1}, "invalid_format"),
])
def test_render_template_refuses(socket, fields, code):
    assert socket.command("render_template", **fields)["error"]["code"] == code


def test_strict_templates_print_nothing_undefined(socket):
    socket.result("render_template", template="{{ nope }}", strict=True, report_errors=True)
    assert socket.event(1)["kind"] == "undefined"
    socket.result("render_template", template="{{ nope }}|{{ x.a }}", variables={"x": {"a": [1]}})
    assert socket.event(2)["result"] == "|[1]"


@pytest.mark.contract("What a change may cost: an operation of a template")
@pytest.mark.parametrize("steps, number", [(2_000, 40), (15_000, 20)], ids=["quick ones", "slow ones"])
def test_many_heavy_templates_leave_time_for_others(hub, socket, name, steps, number):
    write(hub, f"sensor.{name}", "0")
    heavy = f"{{% for i in range({steps}) %}}{{% endfor %}}{{{{ states('sensor.{name}') }}}}"
    for _ in range(number):
        socket.result("render_template", template=heavy)
    write(hub, f"sensor.{name}", "1")
    seen = set()
    while len(seen) < number:  # each gets there
        message = socket.receive()
        if message["event"]["result"] == "1":
            seen.add(message["id"])
