// SPDX-License-Identifier: Apache-2.0
#include "core/alerts/alert_rules.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hearth::core {
namespace {

using Grade = AlertRule::Grade;
using Test = AlertRule::Test;
using std::chrono::hours;

constexpr std::string_view kBinary = "binary_sensor", kOn = "on", kOpen = "open";
constexpr base::Duration kDoor = hours(1), kWindow = hours(4), kSilence = hours(1);

constexpr AlertRule kRules[] = {
    {"smoke", Grade::danger, kBinary, "smoke", kOn},
    {"carbon_monoxide", Grade::danger, kBinary, "carbon_monoxide", kOn},
    {"gas", Grade::danger, kBinary, "gas", kOn},
    {"moisture", Grade::danger, kBinary, "moisture", kOn},
    {"alarm", Grade::danger, "alarm_control_panel", "", "triggered"},
    {"safety", Grade::danger, kBinary, "safety", kOn},
    {"tamper", Grade::danger, kBinary, "tamper", kOn},
    {"jammed", Grade::danger, "lock", "", "jammed"},
    {"vacuum_error", Grade::danger, "vacuum", "", "error"},
    {"mower_error", Grade::warning, "lawn_mower", "", "error"},
    {"problem", Grade::warning, kBinary, "problem", kOn},
    {"heat", Grade::warning, kBinary, "heat", kOn},
    {"cold", Grade::warning, kBinary, "cold", kOn},
    {"open", Grade::warning, kBinary, "door", kOn, Test::is, kDoor, true},
    {"open", Grade::warning, kBinary, "garage_door", kOn, Test::is, kDoor, true},
    {"open", Grade::warning, "cover", "door", kOpen, Test::is, kDoor, true},
    {"open", Grade::warning, "cover", "garage", kOpen, Test::is, kDoor, true},
    {"open", Grade::warning, "cover", "gate", kOpen, Test::is, kDoor, true},
    {"open", Grade::warning, kBinary, "opening", kOn, Test::is, kWindow, true},
    {"open", Grade::warning, kBinary, "window", kOn, Test::is, kWindow, true},
    {"open", Grade::warning, "cover", "window", kOpen, Test::is, kWindow, true},
    {"battery", Grade::warning, "sensor", "battery", "", Test::is_low},
    {"battery", Grade::warning, kBinary, "battery", kOn},
    {"unavailable", Grade::warning, "", "", kUnavailable, Test::is, kSilence, true},
    {"update", Grade::warning, "update", "", kOn, Test::waits},
};

bool is_low(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  // A sensor that knows nothing says -1, or nan.
  return error == std::errc() && end == value.data() + value.size() && number >= 0 && number <= kLowBattery;
}

bool holds(const AlertRule& rule, std::string_view value) {
  return rule.test == Test::is_low ? is_low(value) : value == rule.value;
}

// The class, if the text of the attributes is enough to tell.
std::optional<std::string_view> class_in(std::string_view attributes_json) {
  constexpr std::string_view kKey = R"("device_class":")";
  const std::size_t found = attributes_json.find(kKey);
  if (found == std::string_view::npos) return "";
  const std::size_t start = found + kKey.size();
  // Another one may be within an attribute.
  if (attributes_json.find(kKey, start) != std::string_view::npos) return std::nullopt;
  return attributes_json.substr(start, attributes_json.find('"', start) - start);
}

bool has_class_rule(std::string_view domain, std::string_view device_class) {
  for (const AlertRule& rule : kRules)
    if (rule.domain == domain && (rule.device_class.empty() || rule.device_class == device_class)) return true;
  return false;
}

std::string_view text_of(const json::object& attributes, std::string_view key) {
  const json::value* const value = attributes.if_contains(key);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

bool is_true(const json::object& attributes, std::string_view key) {
  const json::value* const value = attributes.if_contains(key);
  if (!value) return false;
  return value->is_bool() ? value->get_bool() : value->is_number();  // a number is how far it is
}

// All that the table's columns do not say.
bool is_meant(const AlertRule& rule, const json::object& attributes) {
  if (rule.test == Test::is_low) {
    const std::string_view unit = text_of(attributes, "unit_of_measurement");
    return unit.empty() || unit == "%";
  }
  if (rule.test == Test::waits) return !is_true(attributes, "in_progress") && !is_true(attributes, "auto_update");
  return true;
}

}  // namespace

std::string_view to_string(AlertRule::Grade grade) {
  return grade == AlertRule::Grade::danger ? "danger" : "warning";
}

std::span<const AlertRule> alert_rules() {
  return kRules;
}

constexpr const AlertRule& kSilentDeviceRule = *std::ranges::find(kRules, "", &AlertRule::domain);

const AlertRule* alert_rule_of(const State& state) {
  const std::string_view domain = state.domain(), value = state.value();
  if (value == kUnavailable || value == kUnknown) return nullptr;
  const AlertRule* candidate = nullptr;
  for (const AlertRule& rule : kRules) {
    if (rule.domain != domain || !holds(rule, value)) continue;
    candidate = &rule;
    break;
  }
  if (!candidate) return nullptr;
  // Parsing costs more than all else, and nearly no change is one that alerts.
  const auto device_class = class_in(state.attributes_json());
  if (device_class && !has_class_rule(domain, *device_class)) return nullptr;
  const json::object attributes = state.attributes();
  const std::string_view is_class = text_of(attributes, "device_class");
  for (const AlertRule& rule : kRules) {
    if (rule.domain != domain || !holds(rule, value)) continue;
    if (!rule.device_class.empty() && rule.device_class != is_class) continue;
    return is_meant(rule, attributes) ? &rule : nullptr;
  }
  return nullptr;
}

}  // namespace hearth::core
