// SPDX-License-Identifier: Apache-2.0
// Durations as automations write them: seconds, HH:MM, HH:MM:SS(.f), or an object of days, hours, minutes, seconds and
// milliseconds; each may be a template. Immutable; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "automation/values/data.h"
#include "base/config/duration.h"

namespace hearth::automation {

class DurationData {
 public:
  enum class Sign { positive, any };
  static constexpr base::Duration kLongest = base::kLongestDuration;

  // Fails with invalid.
  static base::Result<DurationData> parse(const base::ConfigNode& node, Sign sign = Sign::positive);
  // Fails with invalid; the message names the key.
  base::Result<base::Duration> evaluate(const Renderer& renderer, const templates::VariablesView& variables) const;

 private:
  Data data_;
  std::optional<base::Duration> constant_;
  Sign sign_ = Sign::positive;
  std::string key_;
};

using base::parse_duration;
// Null if it is none. Any sign.
std::optional<base::Duration> duration_of(const templates::Value& value);
// Microseconds since midnight of 07:30 or 07:30:15; null if it is none.
std::optional<base::Duration> parse_time_of_day(std::string_view text);

}  // namespace hearth::automation
