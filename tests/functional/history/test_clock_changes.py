# SPDX-License-Identifier: Apache-2.0
"""A fixed time comes once a day in each zone, also where clocks are set forward, back, by half an hour, at midnight, or
by a whole day. Simulated; what is expected is worked out from Python's own rules of the zones."""

import json
import subprocess
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from hub_process import BINARY

TIMES = ["00:00:00", "00:30:00", "01:30:00", "02:00:00", "02:15:00", "02:30:00", "03:00:00", "12:00:00", "23:45:00"]
# Of each zone two years, and some days around its changes.
SPANS = {
    "Europe/Berlin": [("2025-12-31", "2027-12-31"), ("2026-03-26", "2026-03-31"), ("2026-10-22", "2026-10-27")],
    "America/New_York": [("2025-12-31", "2027-12-31"), ("2026-03-05", "2026-03-10"), ("2026-10-29", "2026-11-03")],
    "Australia/Lord_Howe": [("2025-12-31", "2027-12-31"), ("2026-04-02", "2026-04-07"), ("2026-10-01", "2026-10-06")],
    "America/Sao_Paulo": [("2015-12-31", "2017-12-31"), ("2016-02-18", "2016-02-23"), ("2016-10-13", "2016-10-18")],
    "Pacific/Apia": [("2010-12-31", "2012-12-31"), ("2011-12-27", "2012-01-02"), ("2012-03-29", "2012-04-03")],
}
SPANS_AND_MARKS = [pytest.param(zone, *span, marks=pytest.mark.unsanitized if number == 0 else (), id=f"{zone}-{span[0]}")
                   for zone, spans in SPANS.items() for number, span in enumerate(spans)]


def instant_of(local, zone):
    """The first instant at which the clocks show that time, or, if they skip it, the first after the gap."""
    first, second = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first.astimezone(zone).replace(tzinfo=None) == local:
        return first
    # Skipped: fold 1 takes the offset after the gap, so it lies before the gap, and fold 0 after it.
    low, high = min(first, second), max(first, second)
    offset = low.astimezone(zone).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        low, high = (middle, high) if middle.astimezone(zone).utcoffset() == offset else (low, middle)
    return high.replace(microsecond=0)


def rung(folder, zone, begin, end):
    """The instants at which each of the times has rung, and the pattern at 2:10, by name."""
    automations = [{"alias": f"At {time}", "triggers": [{"trigger": "time", "at": time}],
                    "actions": [{"event": "rang", "event_data": {"time": f"t{time}"}}]} for time in TIMES]
    automations.append({"alias": "Pattern", "triggers": [{"trigger": "time_pattern", "hours": 2, "minutes": 10}],
                        "actions": [{"event": "rang", "event_data": {"time": "pattern"}}]})
    scenario = {"time": f"{begin} 23:59:59", "until": f"{end} 23:59:59", "time_zone": zone, "automations": automations}
    (folder / "configuration.yaml").write_text("demo:\n", encoding="utf-8")
    (folder / "years.yaml").write_text(json.dumps(scenario), encoding="utf-8")
    done = subprocess.run([str(BINARY), "automation", "test", "years.yaml", "--json", "--config", str(folder)], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    found = {}
    for each in json.loads(done.stdout)["timeline"]:
        if each.get("event_type") == "rang":
            found.setdefault(each["data"]["time"], []).append(datetime.fromisoformat(each["at"]))
    return found


@pytest.mark.contract("Automations: scenarios")
@pytest.mark.parametrize(("name", "begin", "end"), SPANS_AND_MARKS)
def test_each_fixed_time_comes_once_a_day(tmp_path, name, begin, end):
    zone = ZoneInfo(name)
    found = rung(tmp_path, name, begin, end)
    first, last = date.fromisoformat(begin) + timedelta(days=1), date.fromisoformat(end)
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    # The calendar of a zone may lack a day.
    days = [day for day in days if instant_of(datetime.fromisoformat(f"{day} 12:00"), zone).astimezone(zone).date() == day]
    for time in TIMES:
        wanted = [instant_of(datetime.fromisoformat(f"{day} {time}"), zone) for day in days]
        assert [at.astimezone(UTC) for at in found[f"t{time}"]] == wanted, time
    assert [at.astimezone(zone).date() for at in found["pattern"]] == days
