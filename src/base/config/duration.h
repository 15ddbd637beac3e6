// SPDX-License-Identifier: Apache-2.0
// Durations as people write them: seconds, HH:MM, HH:MM:SS(.f), or an object of days, hours, minutes, seconds and
// milliseconds. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"

namespace hearth::base {

constexpr Duration kLongestDuration = std::chrono::days(3'650);
constexpr std::string_view kDurationForm =
    "a duration: seconds, HH:MM, HH:MM:SS or an object of days, hours, minutes, seconds, milliseconds";

// Each is null if it is none, or longer than kLongestDuration. Any sign.
std::optional<Duration> parse_duration(std::string_view text);
std::optional<Duration> duration_of(const json::value& value);
std::optional<Duration> duration_of_seconds(double seconds);

// 0:05:00, 26:00:00: whole seconds, rounded up. REQUIRES: not negative.
std::string clock_text(Duration duration);

}  // namespace hearth::base
