// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/trigger_cause.h"

namespace hearth::automation {
namespace {

struct Platform {
  std::string_view operator()(const StateTrigger&) const { return "state"; }
  std::string_view operator()(const PurposeTrigger&) const { return "state"; }
  std::string_view operator()(const NumericTrigger&) const { return "numeric_state"; }
  std::string_view operator()(const TemplateTrigger&) const { return "template"; }
  std::string_view operator()(const EventTrigger&) const { return "event"; }
  std::string_view operator()(const TimeTrigger&) const { return "time"; }
  std::string_view operator()(const PatternTrigger&) const { return "time_pattern"; }
  std::string_view operator()(const HubTrigger&) const { return "homeassistant"; }
  std::string_view operator()(const SunTrigger&) const { return "sun"; }
  std::string_view operator()(const MqttTrigger&) const { return "mqtt"; }
  std::string_view operator()(const WebhookTrigger&) const { return "webhook"; }
  std::string_view operator()(const ZoneTrigger&) const { return "zone"; }
  std::string_view operator()(const NotificationTrigger&) const { return "persistent_notification"; }
  std::string_view operator()(const CalendarTrigger&) const { return "calendar"; }
  std::string_view operator()(const ConversationTrigger&) const { return "conversation"; }
  std::string_view operator()(const DelegatedTrigger&) const { return "device"; }
  std::string_view operator()(const DeviceTrigger& device) const { return std::visit(*this, device.of_entity->kind); }
};

}  // namespace

core::TriggerCause trigger_cause(const Trigger& trigger, const Firing& firing) {
  core::TriggerCause cause{.source = firing.source, .platform = std::string(std::visit(Platform(), trigger.kind))};
  const templates::Value entity_id = templates::attribute_of(firing.trigger, "entity_id");
  if (entity_id.is_text()) cause.entity_id = entity_id.text();
  return cause;
}

}  // namespace hearth::automation
