// SPDX-License-Identifier: Apache-2.0
// Times as people write them, by the clocks of the home; in UTC if the machine does not know its zone. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::domains {

// The moment of an ISO 8601 date and time; without an offset it is in the zone, as in Europe/Berlin. A local time that
// a clock change skips or repeats becomes the earlier one. Fails with invalid.
base::Result<base::Timestamp> parse_local_time(std::string_view text, const std::string& zone);
// The first moment of the day 2026-04-20 in the zone. REQUIRES: it is a day.
base::Timestamp start_of_day(std::string_view day, const std::string& zone);
// 2026-04-20T05:04:20+02:00; with a fraction only if it has one.
std::string local_time_text(base::Timestamp time, const std::string& zone);
// The day after 2026-04-20. REQUIRES: it is a day.
std::string next_day(std::string_view day, int days = 1);

}  // namespace hearth::domains
