# SPDX-License-Identifier: Apache-2.0
"""The functions of templates that Jinja2 has not: each with what it gives, and what it says of wrong arguments."""

import hashlib

import pytest

MOMENT = "{% set t = as_datetime('2026-03-01T12:00:00+00:00') %}"
GIVEN = [
    # sets and lists
    ("{{ union([1, 2], [2, 3]) | sort }}", "[1, 2, 3]"), ("{{ [1, 2] | union([2, 3]) | sort }}", "[1, 2, 3]"),
    ("{{ intersect([1, 2], [2, 3]) }}", "[2]"), ("{{ [1, 2, 3] | difference([2]) | sort }}", "[1, 3]"),
    ("{{ symmetric_difference([1, 2], [2, 3]) | sort }}", "[1, 3]"), ("{{ union([], []) }}", "[]"),
    ("{{ flatten([1, [2, [3, [4]]]]) }}", "[1, 2, 3, 4]"), ("{{ [1, [2, [3]]] | flatten(levels=1) }}", "[1, 2, [3]]"),
    ("{{ average([1, 2, 3]) }}", "2.0"), ("{{ average(1, 2, 6) }}", "3.0"), ("{{ [1, 2] | average }}", "1.5"),
    ("{{ average([], 7) }}", "7"), ("{{ median([3, 1, 2]) }}", "2"), ("{{ median(1, 2, 3, 4) }}", "2.5"), ("{{ median([], 'x') }}", "x"),
    ("{{ statistical_mode([1, 2, 2, 3]) }}", "2"), ("{{ ['a', 'b', 'a'] | statistical_mode }}", "a"),
    ("{{ zip([1, 2], ['a', 'b']) | list }}", "[(1, 'a'), (2, 'b')]"), ("{{ zip([1, 2, 3], 'ab') | list | length }}", "2"),
    ("{{ iif(true, 'y', 'n') }}{{ iif(false, 'y', 'n') }}{{ iif(none, 'y', 'n', '-') }}", "yn-"), ("{{ 1 | iif('y') }}", "y"),
    ("{{ iif(0) }}", "False"), ("{{ [1, 2] | apply(iif, 'y') }}", "y"),
    ("{{ combine({'a': 1}, {'b': 2}) }}", "{'a': 1, 'b': 2}"), ("{{ {'a': {'x': 1}} | combine({'a': {'y': 2}}, recursive=True) }}",
                                                             "{'a': {'x': 1, 'y': 2}}"),
    ("{{ typeof(1) }} {{ typeof('a') }} {{ typeof([]) }} {{ {} | typeof }} {{ typeof(none) }} {{ typeof(1.5) }} {{ typeof(true) }}",
     "int str list dict NoneType float bool"),
    ("{{ shuffle([1, 2, 3]) | sort }}", "[1, 2, 3]"), ("{{ shuffle(range(99), 5) == shuffle(range(99), seed=5) }} {{ shuffle(range(99), 5) == shuffle(range(99), 6) }}", "True False"),
    ("{% macro twice(x, returns) %}{% do returns(x * 2) %}{% endmacro %}{% set f = twice | as_function %}{{ f(21) }}", "42"),
    ("{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}", "aba"),
    ("{% set j = joiner('-') %}{% for x in [1, 2] %}{{ j() }}{{ x }}{% endfor %}", "1-2"),
    ("{{ merge_response({'a.b': {'items': [{'x': 1}]}, 'a.c': {'items': []}}) }}", "[{'x': 1, 'entity_id': 'a.b', 'value_key': 'items'}]"),
    # codes
    ("{{ 'Grüße' | base64_encode }}", "R3LDvMOfZQ=="), ("{{ 'R3LDvMOfZQ==' | base64_decode }}", "Grüße"),
    ("{{ base64_decode('AQI=', none) }}", r"b'\x01\x02'"), ("{{ 'a' | md5 }}", hashlib.md5(b"a").hexdigest()),
    ("{{ 'a' | sha1 }}", hashlib.sha1(b"a").hexdigest()), ("{{ sha256('a') }}", hashlib.sha256(b"a").hexdigest()),
    ("{{ 'a' | sha512 }}", hashlib.sha512(b"a").hexdigest()), ("{{ 'A' | ord }}", "65"), ("{{ '0f10' | from_hex }}", r"b'\x0f\x10'"),
    ("{{ '{\"a\": [1, null]}' | from_json }}", "{'a': [1, None]}"), ("{{ {'b': 1, 'a': 'ü'} | to_json }}", '{"b":1,"a":"ü"}'),
    ("{{ {'b': 1, 'a': 2} | to_json(sort_keys=True) }}", '{"a":2,"b":1}'), ("{{ {'a': 'ü'} | to_json(ensure_ascii=True) }}", '{"a": "\\u00fc"}'),
    ("{{ {'a': 1} | to_json(pretty_print=True) }}", '{\n  "a": 1\n}'), ("{{ 'x' | from_json('none') }}", "none"),
    ("{{ 258 | pack('>H') }}", r"b'\x01\x02'"), ("{{ 258 | pack('>H') | unpack('>H') }}", "258"), ("{{ unpack('0102' | from_hex, '<H') }}", "513"),
    ("{{ unpack('ff' | from_hex, 'b') }}", "-1"), ("{{ pack(1.5, '>f') | unpack('>f') }}", "1.5"), ("{{ '00ff' | from_hex | unpack('>B', offset=1) }}", "255"),
    # moments
    ("{{ as_timestamp('2026-03-01T12:00:00+00:00') }}", "1772366400.0"), ("{{ as_timestamp('x', 7) }}", "7"), ("{{ 1772366400 | as_datetime }}",
                                                                                                             "2026-03-01 12:00:00+00:00"),
    ("{{ as_datetime('x', 'none') }}", "none"), ("{{ as_timedelta('1 day 02:03:04') }}", "1 day, 2:03:04"), ("{{ '00:10' | as_timedelta }}", "0:00:10"),
    ("{{ timedelta(days=1, minutes=-5) }}", "23:55:00"), ("{{ timedelta(hours=1).total_seconds() }}", "3600.0"),
    ("{{ strptime('01.03.2026 14:05', '%d.%m.%Y %H:%M') }}", "2026-03-01 14:05:00"), ("{{ strptime('x', '%Y', 5) }}", "5"),
    ("{{ 1772366400 | timestamp_custom('%Y/%m/%d %H', false) }}", "2026/03/01 12"), ("{{ 'x' | timestamp_custom('%Y', true, '-') }}", "-"),
    ("{{ 1772366400 | timestamp_utc }}", "2026-03-01T12:00:00+00:00"), ("{{ 'x' | timestamp_local('-') }}", "-"),
    ("{{ as_local(as_datetime('2026-03-01T12:00:00+00:00')).timestamp() }}", "1772366400.0"), (MOMENT + "{{ (t + timedelta(hours=1)).hour }}", "13"),
    ("{{ today_at('10:30').strftime('%H:%M') }}", "10:30"), ("{{ (now() - timedelta(hours=2, minutes=3)) | relative_time }}", "2 hours"),
    ("{{ time_since(now() - timedelta(hours=2, minutes=3), 2) }}", "2 hours 3 minutes"), ("{{ time_since(now() - timedelta(days=400)) }}", "1 year"),
    ("{{ time_until(now() + timedelta(days=3, seconds=30)) }}", "3 days"), ("{{ (now() + timedelta(days=1)) | relative_time is string }}", "False"),
    ("{{ relative_time('soon') }}", "soon"), ("{{ utcnow().tzinfo is not none }}", "True"),
]
WRONG = ["{{ union(1, [2]) }}", "{{ flatten(5) }}", "{{ average([]) }}", "{{ median(['a']) }}", "{{ average(['x']) }}",
         "{{ statistical_mode([]) }}", "{{ combine({'a': 1}, 5) }}", "{{ 'x' | from_json }}", "{{ 'xyz' | from_hex }}", "{{ as_timestamp('x') }}",
         "{{ strptime('x', '%Y') }}", "{{ today_at('25:00') }}", "{{ 'ab' | ord }}", "{{ 'x' | timestamp_custom }}", "{{ timedelta(lightyears=1) }}",
         "{{ merge_response(5) }}", "{{ 'R3L' | base64_decode }}", "{{ zip(5) | list }}", "{{ cycler().next() }}"]


def render(hub, template):
    return hub.admin.post("/api/template", json={"template": template})


@pytest.mark.contract("Beyond the specification: template")
@pytest.mark.parametrize("template, expected", GIVEN)
def test_what_it_gives(hub, template, expected):
    answer = render(hub, template)
    assert (answer.status_code, answer.text) == (200, expected)


@pytest.mark.contract("Beyond the specification: template")
@pytest.mark.parametrize("template", WRONG)
def test_wrong_arguments_are_named(hub, template):
    answer = render(hub, template)
    assert answer.status_code == 400 and answer.json()["kind"] and answer.json()["message"].startswith("Error rendering template")
