// SPDX-License-Identifier: Apache-2.0
// Events as other programs keep them: writes iCalendar (RFC 5545). Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::domains::ics {

// A calendar of one event. `fields`: as calendar_series.h has them; `now`: its DTSTAMP.
std::string write_event(std::string_view uid, const json::object& fields, base::Timestamp now);

// The text with this event as it is now. `before`: its fields, as they were read from the text. Whatever did not change
// stays as it stands there, also what is not read here: alarms, guests, colours, time zones. Fails with invalid if the
// text has no such event.
base::Result<std::string> rewrite_event(std::string_view text, std::string_view uid, const json::object& before,
                                        const json::object& after, base::Timestamp now);

// A VTIMEZONE with the clocks of the zone from the year before that of the time on the wall (2036-01-07T16:00:00) on.
// Lines end with CR LF. Empty if the machine does not know the zone.
std::string time_zone_component(const std::string& zone, std::string_view wall);

}  // namespace hearth::domains::ics
