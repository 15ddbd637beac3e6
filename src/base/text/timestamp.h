// SPDX-License-Identifier: Apache-2.0
// Timestamps as text: UTC, always six digits and offset, `2026-11-21T08:00:00.000000+00:00` (contract, Every endpoint).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::base {

constexpr std::size_t kTimestampLength = 32;

// Years 0 to 9999.
std::array<char, kTimestampLength> format_timestamp(Timestamp time);
inline std::string to_string(Timestamp time) {
  const auto text = format_timestamp(time);
  return {text.data(), text.size()};
}

// ISO 8601 dates and times: `T` or a space between them, 0 to 9 digits of fraction (cut to six), then `Z`, `±hh:mm`,
// `±hhmm` or nothing (UTC). A space before the offset is a decoded `+`. Seconds, or the whole time, may be missing.
// Fails with invalid.
Result<Timestamp> parse_timestamp(std::string_view text);

}  // namespace hearth::base
