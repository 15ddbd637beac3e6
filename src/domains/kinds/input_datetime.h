// SPDX-License-Identifier: Apache-2.0
// Dates and times of input_datetime, by the home's clocks. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::domains::input_datetime {

// The parts of a date and time that a helper has: "2026-04-20 05:04:20", "2026-04-20" or "05:04:20".
std::string text_of(std::string_view datetime, bool has_date, bool has_time);
// The whole date and time from the text of a helper with these parts, or from a whole one; empty if it is neither.
// A part that it lacks is from `otherwise`, a whole one.
std::string whole_of(std::string_view text, bool has_date, bool has_time, std::string_view otherwise);
// year, month, day, hour, minute, second and timestamp of a whole date and time, as far as the helper has them.
json::object parts_of(std::string_view datetime, bool has_date, bool has_time, const std::string& zone);

}  // namespace hearth::domains::input_datetime
