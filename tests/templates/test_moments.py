# SPDX-License-Identifier: Apache-2.0
"""Dates and times beside Python's own: each public name of its classes is there with its value, or named in docs/templates.md as absent."""

import datetime
import itertools
import zoneinfo
from pathlib import Path

import pytest
from reference import Reference
from test_language import Renderer

DOCUMENT = (Path(__file__).parents[2] / "docs" / "templates.md").read_text(encoding="utf-8")
UTC_FORMAT = "%Y-%m-%dT%H:%M:%S.%f%z"


def at(text):
    """The time of the home's clocks, which are those of Berlin."""
    return f"as_local(strptime('{text}+0000', '{UTC_FORMAT}'))"


# Around both changes of the clock, within the hour that comes twice, within that which does not exist, and others.
TIMES = [at("2026-03-29T00:59:59.5"), at("2026-03-29T01:00:00.0"), at("2026-10-25T00:30:00.0"), at("2026-10-25T01:30:00.0"),
         at("2026-10-25T01:59:59.999999"), at("2026-07-01T12:00:00.000123"), at("2024-02-29T23:00:00.0"),
         "as_local(strptime('2026-03-29 02:30', '%Y-%m-%d %H:%M'))", "as_local(strptime('2026-03-29 02:30', '%Y-%m-%d %H:%M')).replace(fold=1)",
         "strptime('2026-10-25 02:30', '%Y-%m-%d %H:%M')", "strptime('2026-10-25 02:30 -0530', '%Y-%m-%d %H:%M %z')",
         "strptime('2026-10-25 00:30 +0000', '%Y-%m-%d %H:%M %z')", "strptime('0001-01-01', '%Y-%m-%d')"]
SPANS = [f"timedelta({given})" for given in ("0", "1", "hours=1", "days=-1, seconds=5", "microseconds=-1", "days=1.5", "hours=25.123456",
                                             "weeks=3, milliseconds=7", "minutes=-90", "days=100000")]
CALLS = {
    datetime.datetime: {
        "astimezone": ["T.tzinfo"], "combine": ["T.date(), T.time()", "T.date(), T.timetz()", "T, T.time(), T.tzinfo", "1, 2"], "ctime": [""], "date": [""],
        "dst": [""], "fromisocalendar": ["2026, 53, 7", "2025, 53, 7"], "fromordinal": ["738000", "0"],
        "fromisoformat": ["'2026-01-01T00:00:00+01:00'", "'20260101T0102Z'", "'2026-W13-6'", "'2026-01-01x03'", "'nope'", "5"],
        "fromtimestamp": ["1e9, T.tzinfo", "'x'"], "isocalendar": ["", ")[1:] + (1,"], "isoformat": ["", "' '", "' ', 'minutes'", "timespec='milliseconds'", "'T', 'x'"],
        "isoweekday": [""], "now": None, "replace": ["hour=3", "fold=1", "fold=2", "tzinfo=none", "day=31, month=2", "2025, 1, 2, 3, 4, 5, 6", "tzinfo='x'"],
        "strftime": ["'%d.%m.%Y %H:%M:%S.%f'", "5"], "strptime": ["'2026', '%Y'", "'x', '%Y'"], "time": [""], "timestamp": None, "timetuple": ["", ").tm_yday + (1", ")[3] + (0"],
        "timetz": [""], "today": None, "toordinal": [""], "tzname": [""], "utcfromtimestamp": ["1e9"], "utcnow": None, "utcoffset": [""],
        "utctimetuple": [""], "weekday": [""]},
    datetime.date: {
        "ctime": [""], "fromisocalendar": ["2026, 1, 1"], "fromisoformat": ["'2026-05-06'", "'20260506'", "'2026-05-06T00'"], "fromordinal": ["738000"],
        "fromtimestamp": None, "isocalendar": [""], "isoformat": [""], "isoweekday": [""], "replace": ["day=1", "1, 2, 3", "hour=1"], "strftime": ["'%A %d.%m.%Y'"],
        "timetuple": [""], "today": None, "toordinal": [""], "weekday": [""]},
    datetime.time: {
        "dst": [""], "fromisoformat": ["'04:05'", "'T040506.789+02:00'", "'x'"], "isoformat": ["", "'seconds'", "'hours'", "'x'"],
        "replace": ["minute=5", "fold=1", "hour=24"], "strftime": ["'%H:%M %Y %j'"], "tzname": [""], "utcoffset": [""]},
    datetime.timedelta: {"total_seconds": [""]},
    datetime.timezone: {"dst": ["T", "none"], "fromutc": None, "tzname": ["T", "none", "1"], "utcoffset": ["T", "none"]},
    zoneinfo.ZoneInfo: {"dst": ["T", "none"], "fromutc": ["T"], "tzname": ["T", "none"], "utcoffset": ["T", "none", "1"]},
}
OF_THE_MACHINE = ("astimezone", "fromtimestamp")  # without a zone they ask for that of Python's machine
VALUES = {datetime.datetime: TIMES, datetime.date: [f"{time}.date()" for time in TIMES], datetime.time: [f"{time}.time{tz}()" for time in TIMES for tz in ("", "tz")],
          datetime.timedelta: SPANS, datetime.timezone: [f"{time}.tzinfo" for time in TIMES[-3:-1]], zoneinfo.ZoneInfo: [f"{time}.tzinfo" for time in TIMES[:9]]}
CODES = [f"%{code}" for code in "aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyYzZ%f"] + [f"%-{code}" for code in "dmHIMSjyeUWVu"] + [
    "%_d", "%^a", "%^b %B", "%#p", "%05d", "%10Y", "%Ey", "%Od", "%Q", "a%%d", "ä%Hé"]


@pytest.fixture(scope="module")
def renderer(module_hubs):
    return Renderer(module_hubs.start())


@pytest.fixture(scope="module")
def reference():
    return Reference()


def compare(renderer, reference, templates):
    different = []
    for template in dict.fromkeys(templates):
        ours, theirs = renderer.render(template), reference.render(template)
        # Of what fails only the kind counts, and Python is not sure about that of a date that is out of range.
        if ours != theirs and not (ours[1] == "limit" and theirs[1]):
            different.append(f"{template}\n  here {ours}, there {theirs}")
    assert not different, "\n".join(different[:20])


def public(kind):
    return [name for name in dir(kind) if not name.startswith("_")]


@pytest.mark.parametrize("kind", CALLS, ids=lambda kind: kind.__name__)
def test_each_public_name_is_there_or_named_as_absent(renderer, kind):
    absent = DOCUMENT.split("Absent are ")[1].split(".\n")[0]
    for name in public(kind):
        if f"`{kind.__name__}.{name}`" in absent:
            assert name not in CALLS[kind]
            continue
        assert name in CALLS[kind] or not callable(getattr(kind, name)), f"no test calls {kind.__name__}.{name}"
        value = VALUES[kind][0]
        assert renderer.render(f"{{{{ {value}.{name} is defined }}}}") == ("True", None), name


@pytest.mark.parametrize("kind", CALLS, ids=lambda kind: kind.__name__)
def test_names_give_the_values_of_python(renderer, reference, kind):
    absent = DOCUMENT.split("Absent are ")[1].split(".\n")[0]
    templates = []
    for value, time in zip(VALUES[kind], itertools.cycle(TIMES)):
        own = value if kind is datetime.datetime else value.removesuffix(".tzinfo") if value.endswith(".tzinfo") else time
        zoned = "as_local" in own or "%z" in own
        for name in public(kind):
            if f"`{kind.__name__}.{name}`" in absent:
                continue
            if name in OF_THE_MACHINE and not zoned:
                continue
            if name not in CALLS[kind]:
                templates.append(f"{{{{ {value}.{name} }}}}")
            for arguments in CALLS[kind].get(name) or ():
                templates.append("{% set T = " + own + " %}{{ " + f"({value}).{name}({arguments})" + " }}")
        templates += [f"{{{{ {value} }}}}", f"{{{{ [{value}] }}}}", f"{{{{ ({value}).nothing }}}}"]
    compare(renderer, reference, templates)


def test_times_are_compared_and_subtracted_as_in_python(renderer, reference):
    compare(renderer, reference, [f"{{{{ {a} {sign} {b} }}}}" for a, b in itertools.product(TIMES, TIMES) for sign in ("-", "==", "<", ">=")])
    compare(renderer, reference, [f"{{{{ {{{a}: 1}}[{b}] }}}}" for a, b in itertools.product(TIMES, TIMES)])


def test_spans_are_reckoned_with_as_in_python(renderer, reference):
    compare(renderer, reference, [f"{{{{ {time} {sign} {span} }}}}" for time, span in itertools.product(TIMES, SPANS[:-1]) for sign in "+-*"])
    compare(renderer, reference, [f"{{{{ {time}.date() + {span} }}}}{{{{ ({time} + {span}).fold }}}}{{{{ ({time} + {span}).utcoffset() }}}}"
                                  for time, span in itertools.product(TIMES, SPANS[:-1])])
    wholes = ["S * 2", "S * 1.5", "S * -0.1", "S / 3", "S / 0.7", "S / 1e-3", "S // 7", "S // 2.5", "S % timedelta(hours=7)", "S // timedelta(hours=7)",
              "S / timedelta(hours=7)", "S / 0", "S // 0", "S % 0", "-S", "+S", "S | abs", "S + S", "S - S * 3", "S * true", "S < timedelta(1)", "S * 1e30",
              "S % 7", "S * 'a'", "S + 1", "0.5 * S", "S * 0.3333333333", "S / 1.1", "S * 1e-9"]
    compare(renderer, reference, ["{% set S = " + span + " %}{{ " + whole + " }}" for span, whole in itertools.product(SPANS, wholes)])


def test_times_are_formatted_as_in_python(renderer, reference):
    compare(renderer, reference, [f"{{{{ {time}.strftime('{code}') }}}}" for time, code in itertools.product(TIMES, CODES)])
    compare(renderer, reference, [f"{{{{ '{{:%H:%M}}'.format({time}{part}) }}}}" for time in TIMES for part in ("", ".date()", ".time()")])
