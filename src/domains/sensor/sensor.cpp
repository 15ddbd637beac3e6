// SPDX-License-Identifier: Apache-2.0
#include "domains/sensor/sensor.h"

#include <fmt/format.h>

#include <cmath>

namespace hearth::domains {

void Sensor::report(double value) {
  if (!std::isfinite(value)) return report(std::string(core::kUnknown));
  std::string text = fmt::format("{:.{}f}", value, capabilities_.precision);
  // What rounds to zero has no sign.
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  report(std::move(text));
}

void Sensor::report(std::string value) {
  value_ = std::move(value);
  write();
}

void Sensor::add_capabilities(json::object& attributes) const {
  if (!capabilities_.state_class.empty()) attributes["state_class"] = capabilities_.state_class;
  if (!capabilities_.unit.empty()) attributes["unit_of_measurement"] = capabilities_.unit;
}

}  // namespace hearth::domains
