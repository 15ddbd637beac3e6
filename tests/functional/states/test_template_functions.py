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
    # what is none of it, without a default
    ("{{ as_datetime('unknown') }}", "None"), ("{{ 'unavailable' | as_datetime is none }}", "True"), ("{{ '00:00' | as_datetime is none }}", "True"),
    ("{{ 'nan' | as_datetime }}", "None"), ("{{ '1e30' | as_datetime }}", "None"), ("{{ '2026-02-30' | as_datetime }}", "None"), ("{{ as_datetime(none, 'd') }}", "d"),
    ("{{ as_datetime('2026-03') }}", "2026-03-01 00:00:00"), ("{{ as_datetime('2026-03-01T24:00') }}", "2026-03-02 00:00:00"),
    ("{{ as_timestamp('2026-03-01') == as_timestamp(strptime('2026-03-01', '%Y-%m-%d').date()) }}", "True"), ("{{ as_timestamp(5, 'd') }}", "d"),
    ("{{ 'x' | as_timedelta }}", "None"), ("{{ '' | as_timedelta }}", "None"), ("{{ 'P1W' | as_timedelta }}", "None"), ("{{ '1:2:3:4' | as_timedelta }}", "None"),
    ("{{ as_timedelta('PT10M') }}", "0:10:00"), ("{{ 'P1DT2H' | as_timedelta }}", "1 day, 2:00:00"), ("{{ '-P1DT2H3M4.5S' | as_timedelta }}", "-2 days, 21:56:55.500000"),
    ("{{ 'PT1,5H' | as_timedelta }}", "1:30:00"), ("{{ '1 day, 2:03:04' | as_timedelta }}", "1 day, 2:03:04"), ("{{ '-1 day, 23:00:00' | as_timedelta }}", "-1 day, 23:00:00"),
    ("{{ '5 days' | as_timedelta }}", "5 days, 0:00:00"), ("{{ '-02:30' | as_timedelta }}", "-1 day, 23:57:30"), ("{{ '90.5' | as_timedelta }}", "0:01:30.500000"),
    ("{{ '5' | timestamp_custom('%Y', true, 'd') }}", "d"), ("{{ 1e30 | timestamp_local('d') }}", "d"), ("{{ none | timestamp_utc('d') }}", "d"),
    ("{{ today_at('7:5').strftime('%H:%M:%S') }}", "07:05:00"), ("{{ today_at().strftime('%H:%M:%S') }}", "00:00:00"),
    ("{{ timedelta_string(timedelta(hours=2, minutes=5), 2) }}", "2 hours 5 minutes"), ("{{ timedelta(days=3) | timedelta_string }}", "3 days"),
    # the hour that comes twice
    ("{{ 1792888200 | timestamp_local }}, {{ 1792891800 | timestamp_local }}", "2026-10-25T02:30:00+02:00, 2026-10-25T02:30:00+01:00"),
    ("{{ 1792888200 | timestamp_custom('%H:%M %Z') }}, {{ 1792891800 | timestamp_custom('%H:%M %Z') }}", "02:30 CEST, 02:30 CET"),
    ("{{ 1792888200 | as_datetime | as_local }}, {{ (1792891800 | as_datetime | as_local).fold }}", "2026-10-25 02:30:00+02:00, 1"),
    ("{{ (1792891800 | as_datetime | as_local).timestamp() }}", "1792891800.0"),
    # places
    ("{{ distance(52.3731, 4.8922, 48.8566, 2.3522) | round(3) }}", "430.442"), ("{{ distance('52.3731', '4.8922', 48.8566, 2.3522) | round(3) }}", "430.442"),
    ("{{ distance(1, 2, 1, 2) }}", "0.0"), ("{{ distance('x', 1) }}", "None"), ("{{ expand(5, none, 'x.y') }}", "[]"),
]
WRONG = ["{{ union(1, [2]) }}", "{{ flatten(5) }}", "{{ average([]) }}", "{{ median(['a', 'b']) }}", "{{ average(['x']) }}",
         "{{ statistical_mode([]) }}", "{{ combine({'a': 1}, 5) }}", "{{ 'x' | from_json }}", "{{ 'xyz' | from_hex }}", "{{ as_timestamp('x') }}",
         "{{ strptime('x', '%Y') }}", "{{ today_at('25:00') }}", "{{ 'ab' | ord }}", "{{ 'x' | timestamp_custom }}", "{{ timedelta(lightyears=1) }}",
         "{{ as_datetime(none) }}", "{{ as_datetime(1e30) }}", "{{ as_datetime([]) }}", "{{ as_timedelta(5) }}", "{{ as_timedelta(none) }}", "{{ as_timestamp(5) }}",
         "{{ '5' | timestamp_custom }}", "{{ none | timestamp_local }}", "{{ 1e30 | timestamp_utc }}", "{{ today_at('7') }}", "{{ today_at('07:30:15.5') }}", "{{ today_at('x') }}",
         "{{ as_local('2026-01-01') }}", "{{ now(1) }}", "{{ utcnow(1) }}", "{{ areas(1) }}", "{{ floors(1) }}", "{{ issues(1) }}", "{{ timedelta_string(5) }}",
         "{{ timedelta(days=1e9) }}", "{{ states['Bad domain'] }}", "{{ states.Light }}", "{{ states.light['bad name'] }}", "{{ states('a', 1, 2, 3) }}",
         "{{ distance() }}", "{{ distance(a=1) }}", "{{ closest() }}", "{{ closest(1, 2, 3, 4) }}", "{{ config_entry_attr('demo', 'x') }}", "{{ area_id(5) }}",
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
