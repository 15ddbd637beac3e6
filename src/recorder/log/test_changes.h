// SPDX-License-Identifier: Apache-2.0
// For tests: changes to pack and to count.
#pragma once

#include "recorder/log/change.h"

namespace hearth::recorder {

inline constexpr base::Timestamp kStart{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
inline constexpr std::string_view kMeasured = R"({"unit_of_measurement":"°C","state_class":"measurement"})";
inline constexpr std::string_view kMeter = R"({"unit_of_measurement":"kWh","state_class":"total_increasing"})";

inline Change change(base::Timestamp updated, std::string_view value, std::string_view attributes = "{}") {
  Change made;
  made.updated = made.changed = updated;
  made.value = value;
  made.attributes = attributes;
  return made;
}

}  // namespace hearth::recorder
