// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/safety.h"

#include <fmt/format.h>

#include <cmath>

#include "integrations/demo/drawing.h"

namespace hearth::integrations::demo {

AlarmPanel::AlarmPanel(World& world, const domains::EntityInfo& info, std::string code)
    : world_(world),
      code_(std::move(code)),
      panel_(world.add(domains::kAlarmControlPanel,
                       world.remembered(domains::kAlarmControlPanel, info, {.value = "disarmed"}), info,
                       {.features = "arm_home arm_away arm_night arm_vacation trigger",
                        .attributes = {{"code_format", "number"}, {"code_arm_required", false}}},
                       this)) {}

base::Result<void> AlarmPanel::check(const domains::Action& action, const json::object& data) const {
  const json::value* const code = data.if_contains("code");
  const bool right = code ? code->get_string() == code_ : action.value != "disarmed";
  if (right) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("code: {} refuses it", panel_.entity_id()));
}

void AlarmPanel::act(const domains::Action& action, const json::object&) {
  delay_ = core::Timer();
  const bool leaves = action.value.starts_with("armed_") && action.value != "armed_home";
  if (!leaves || world_.still()) return panel_.report({.value = action.value});
  panel_.report({.value = "arming"});
  delay_ = world_.after(std::chrono::seconds(30),
                        [this, then = std::string(action.value)] { panel_.report({.value = then}); });
}

Siren::Siren(World& world, const domains::EntityInfo& info)
    : world_(world),
      siren_(world.add(domains::kSiren, {.value = false}, info,
                       {.features = "turn_on turn_off tones duration volume_set",
                        .attributes = {{"available_tones", {"fire", "intruder", "chime"}}}},
                       this)) {}

void Siren::act(const domains::Action& action, const json::object& data) {
  siren_.report({.value = action.value});
  end_ = core::Timer();
  if (action.value == "off" || world_.still()) return;
  const json::value* const given = data.if_contains("duration");
  const double seconds = given ? given->to_number<double>() : 60;
  end_ = world_.after(base::Duration(std::llround(seconds * 1e6)), [this] { siren_.report({.value = false}); });
}

Happening::Happening(World& world, const domains::Kind& kind, const domains::EntityInfo& info, domains::Abilities can,
                     const Habit& habit, json::object attributes)
    : world_(world),
      habit_(habit),
      attributes_(std::move(attributes)),
      thing_(world.add(kind, world.remembered(kind, info, {.value = nullptr}), info, std::move(can))),
      pulse_(world, std::chrono::seconds(10), [this] {
        const bool on = happens(habit_, world_.time(), world_.noise());
        if (std::exchange(on_, on) == on || !on) return;
        if (thing_.kind().pictures)
          thing_.show(draw_house(world_.time(), world_.weather(), "", true));
        else
          thing_.report({.attributes = attributes_});
      }) {}

}  // namespace hearth::integrations::demo
