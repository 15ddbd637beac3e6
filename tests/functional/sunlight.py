# SPDX-License-Identifier: Apache-2.0
"""The sun at the home of the tests, 52.5° north and 13.4° east, by a formula that is not the hub's."""

import math


def sunrise_and_sunset(date):
    """The hours of that day in UTC, within some minutes."""
    angle = 2 * math.pi * (date.timetuple().tm_yday - 1) / 365.25
    declination = 0.006918 - 0.399912 * math.cos(angle) + 0.070257 * math.sin(angle) - 0.006758 * math.cos(2 * angle)
    late = 229.18 * (0.000075 + 0.001868 * math.cos(angle) - 0.032077 * math.sin(angle)
                     - 0.014615 * math.cos(2 * angle) - 0.040849 * math.sin(2 * angle))
    latitude = math.radians(52.5)
    half = math.acos(math.cos(math.radians(90.833)) / (math.cos(latitude) * math.cos(declination)) -
                     math.tan(latitude) * math.tan(declination))
    noon = 12 - 13.4 / 15 - late / 60
    return noon - math.degrees(half) / 15, noon + math.degrees(half) / 15
