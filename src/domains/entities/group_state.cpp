// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/group_state.h"

#include <algorithm>
#include <optional>

#include "core/values/words.h"

namespace hearth::domains {
namespace {

// How the entities of some domains say that they are on.
struct Wording {
  std::string_view on, off;  // of a group
  core::Words domains;
  core::Words counting;  // the states that count as on
};

constexpr Wording kWordings[] = {
    {"home", "not_home", "device_tracker person", "home"},
    {"open", "closed", "cover valve", "open opening closing"},
    {"unlocked", "locked", "lock", "unlocked unlocking locking open opening jammed"},
    {"problem", "ok", "plant", "problem"},
    {"above_horizon", "below_horizon", "sun", "above_horizon"},
    {"on", "off", "climate water_heater",
     "on heat cool heat_cool auto dry fan_only eco electric performance high_demand heat_pump gas"},
    {"on", "off", "media_player", "on idle playing paused buffering"},
    {"on", "off", "vacuum lawn_mower", "on cleaning returning mowing error"},
    {"on", "off", "alarm_control_panel",
     "armed_home armed_away armed_night armed_vacation armed_custom_bypass arming pending triggered"},
    {"on", "off", "timer", "active"},
    {"on", "off",
     "automation binary_sensor calendar camera fan humidifier input_boolean light remote schedule script siren switch "
     "update",
     "on"},
};

// Neither on nor off: they count for nothing.
constexpr core::Words kWithoutOn =
    "button counter date datetime event image input_button input_datetime input_number input_select input_text number "
    "scene select sensor stt tag text time todo tts weather zone";

// Null if its domain has none. A group, or what a client has written, is known by its state.
const Wording* wording_of(const core::State& state) {
  const auto by_domain =
      std::ranges::find_if(kWordings, [&](const Wording& each) { return each.domains.contains(state.domain()); });
  if (by_domain != std::end(kWordings)) return by_domain;
  const auto by_state = std::ranges::find_if(
      kWordings, [&](const Wording& each) { return state.value() == each.on || state.value() == each.off; });
  return by_state == std::end(kWordings) ? nullptr : by_state;
}

bool is_on(const core::State& state, const Wording& wording) {
  return wording.domains.contains(state.domain()) ? wording.counting.contains(state.value())
                                                  : state.value() == wording.on;
}

}  // namespace

std::string group_state(const std::vector<core::StatePtr>& members, bool all) {
  const Wording* common = nullptr;
  bool mixed = false, any_on = false, all_on = true;
  for (const core::StatePtr& member : members) {
    if (!member || kWithoutOn.contains(member->domain())) continue;
    const Wording* const wording = wording_of(*member);
    const bool on = wording && is_on(*member, *wording);
    any_on = any_on || on;
    all_on = all_on && on;
    if (!wording) continue;
    mixed = mixed || (common && common->on != wording->on);
    common = wording;
  }
  if (!common) return std::string(core::kUnknown);
  const bool on = all ? all_on : any_on;
  if (mixed) return on ? "on" : "off";
  return std::string(on ? common->on : common->off);
}

std::optional<bool> counts_as_on(const core::State& state) {
  const Wording* const wording = kWithoutOn.contains(state.domain()) ? nullptr : wording_of(state);
  return wording ? std::optional(is_on(state, *wording)) : std::nullopt;
}

}  // namespace hearth::domains
