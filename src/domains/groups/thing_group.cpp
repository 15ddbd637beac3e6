// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/thing_group.h"

#include <algorithm>

#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

constexpr GroupForm kGroupForms[] = {
    {.kind = &kBinarySensor, .sum = sum_of_switches},
    {.kind = &kButton},
    {.kind = &kCover,
     .wanted = "current_position current_tilt_position supported_features",
     .features = "set_position stop open_tilt close_tilt stop_tilt set_tilt_position",
     .sum = sum_of_covers},
    {.kind = &kEvent, .wanted = "event_types event_type", .sum = sum_of_events},
    {.kind = &kFan,
     .wanted = "percentage percentage_step oscillating direction supported_features",
     .features = "set_speed oscillate direction",
     .sum = sum_of_fans},
    {.kind = &kLock, .wanted = "supported_features", .features = "open", .sum = sum_of_locks},
    {.kind = &kMediaPlayer,
     .wanted = "volume_level is_volume_muted supported_features",
     .features = "pause seek volume_set volume_mute previous_track next_track turn_on turn_off play_media volume_step "
                 "stop clear_playlist play shuffle_set repeat_set media_announce media_enqueue",
     .sum = sum_of_players},
    {.kind = &kNotify, .wanted = "supported_features", .features = "title"},
    {.kind = &kSensor, .wanted = "unit_of_measurement device_class state_class", .sum = sum_of_sensors, .drifts = true},
    {.kind = &kSwitch, .sum = sum_of_switches},
};

}  // namespace

const GroupForm* find_group_form(std::string_view domain) {
  const auto* const found =
      std::ranges::find_if(kGroupForms, [&](const GroupForm& form) { return form.kind->domain == domain; });
  return found == std::end(kGroupForms) ? nullptr : found;
}

std::unique_ptr<Entity> ThingGroup::make(EntityInfo info, const core::State* last) {
  const Kind& kind = *form_.kind;
  auto thing = std::make_unique<Thing>(kind, std::move(info), Abilities(), this);
  if (last && !form_.sum) thing->report(restored(kind, {}, *last));
  thing_ = thing.get();
  return thing;
}

void ThingGroup::show(const core::Context* cause) {
  const Kind& kind = *form_.kind;
  unsigned joined = 0;
  for (const GroupMember& member : seen()) joined |= member.features();
  unsigned features = joined & kind.features_of(form_.features);
  for (const Feature& each : kind.features)
    if (each.always) features |= each.bit;
  thing_->set_features(features);
  GroupSum sum = form_.sum ? form_.sum(seen(), item_.fields) : GroupSum();
  sum.extra["entity_id"] = entity_ids();
  thing_->set_extra_attributes(std::move(sum.extra));
  const bool available = is_available();
  if (!available) thing_->set_available(false, cause);
  thing_->report(std::move(sum.report), cause);
  if (available) thing_->set_available(true, cause);
}

bool ThingGroup::has_turned() const {
  if (!form_.sum || form_.drifts) return false;
  const GroupSum sum = form_.sum(seen(), item_.fields);
  return sum.report.value && value_text(*form_.kind, *sum.report.value) != thing_->reported();
}

// Fans know a speed of 0 as being turned off, which is not meant for those without speeds.
void ThingGroup::obey(const Order& order) {
  const std::string_view asked = order.asked ? order.asked->service : order.action->service;
  if (asked != "set_percentage" && asked != "increase_speed" && asked != "decrease_speed")
    return act(*order.action, order.data);
  const json::value* const speed = order.data.if_contains("percentage");
  forward("set_percentage", {{"percentage", speed ? *speed : json::value(0)}});
}

base::Result<void> ThingGroup::check(const Action& action, const json::object& data) const {
  return accepted(action.service, data);
}

}  // namespace hearth::domains
