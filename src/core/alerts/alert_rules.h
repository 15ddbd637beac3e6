// SPDX-License-Identifier: Apache-2.0
// The table of states that need somebody's attention: docs/overview.md has it in words. Immutable; any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/clock.h"
#include "core/states/state.h"

namespace hearth::core {

struct AlertRule {
  enum class Grade { danger, warning };
  // The value is the given one; it is a percentage of at most kLowBattery; an update waits, and nobody installs it.
  enum class Test { is, is_low, waits };

  std::string_view kind;  // alerts of one kind are told together
  Grade grade;
  std::string_view domain;        // empty: a device that does not answer
  std::string_view device_class;  // empty: any
  std::string_view value;
  Test test = Test::is;
  base::Duration patience = {};  // a state that lasts for less needs nobody
  bool primary_only = false;     // not of entities that only configure or diagnose a device
};

std::string_view to_string(AlertRule::Grade grade);

constexpr double kLowBattery = 15;  // per cent
// From then on a device that does not answer is no alert but an issue of core::Repairs.
constexpr base::Duration kLongSilence = std::chrono::days(7);

// In the order of alerts: the gravest first, those of one kind together.
std::span<const AlertRule> alert_rules();
// Null if the state needs nobody. Hidden and disabled entities, and categories, are for the caller.
const AlertRule* alert_rule_of(const State& state);
// Of a device of which nothing is available.
extern const AlertRule& kSilentDeviceRule;

}  // namespace hearth::core
