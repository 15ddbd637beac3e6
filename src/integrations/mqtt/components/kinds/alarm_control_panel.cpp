// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace alarm_control_panel {

constexpr Key kKeys[] = {
    {.name = "state_topic", .type = field::TopicFilter{}, .required = true},
    {.name = "value_template", .type = field::Template{}},
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "payload_arm_home", .type = field::Payload{}, .fallback = "ARM_HOME"},
    {.name = "payload_arm_away", .type = field::Payload{}, .fallback = "ARM_AWAY"},
    {.name = "payload_arm_night", .type = field::Payload{}, .fallback = "ARM_NIGHT"},
    {.name = "payload_arm_vacation", .type = field::Payload{}, .fallback = "ARM_VACATION"},
    {.name = "payload_arm_custom_bypass", .type = field::Payload{}, .fallback = "ARM_CUSTOM_BYPASS"},
    {.name = "payload_disarm", .type = field::Payload{}, .fallback = "DISARM"},
    {.name = "payload_trigger", .type = field::Payload{}, .fallback = "TRIGGER"},
    {.name = "code", .type = field::Text{}},
    {.name = "code_arm_required", .type = field::Boolean{}, .number = 1},
    {.name = "code_disarm_required", .type = field::Boolean{}, .number = 1},
    {.name = "code_trigger_required", .type = field::Boolean{}, .number = 1},
    {.name = "supported_features", .type = field::TextSet{}},
};
constexpr std::string_view kRemoteNumber = "REMOTE_CODE", kRemoteText = "REMOTE_CODE_TEXT";

void send(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const std::string action(entity.settings().text(sending.payload));
  const json::value* const code = data.if_contains("code");
  templates::Value given;
  if (code) given = std::string(code->get_string());
  entity.send(sending.topic, sending.command_template, action, {{"action", action}, {"code", std::move(given)}});
}

bool needs_code(const Settings& settings, std::string_view service) {
  if (service == "alarm_disarm") return settings.boolean("code_disarm_required");
  if (service == "alarm_trigger") return settings.boolean("code_trigger_required");
  return settings.boolean("code_arm_required");
}

// A code that the hub knows is checked here; others by the panel.
base::Result<void> allow(const ThingEntity& entity, const domains::Action& action, const json::object& data) {
  const Settings& settings = entity.settings();
  const std::string_view code = settings.text("code");
  if (code.empty() || code == kRemoteNumber || code == kRemoteText || !needs_code(settings, action.service)) return {};
  const json::value* const given = data.if_contains("code");
  if (given && std::string_view(given->get_string()) == code) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("code: {} needs its code", entity.entity_id()));
}

void describe(const Settings& settings, domains::Abilities& can) {
  const domains::Kind& kind = domains::kAlarmControlPanel;
  for (const domains::Feature& feature : kind.features) {
    if (!settings.has("supported_features") || settings.lists("supported_features", feature.name))
      can.feature_bits |= feature.bit;
  }
  const std::string_view code = settings.text("code");
  if (!code.empty()) {
    const bool digits = code == kRemoteNumber || std::ranges::all_of(code, [](char c) { return c >= '0' && c <= '9'; });
    can.attributes["code_format"] = digits ? "number" : "text";
  }
  can.attributes["code_arm_required"] = settings.boolean("code_arm_required");
}

constexpr std::string_view kTopic = "command_topic", kTemplate = "command_template";
constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template"}};
constexpr Sending kSendings[] = {
    {.service = "alarm_disarm",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_disarm",
     .send = send},
    {.service = "alarm_arm_home",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_arm_home",
     .send = send},
    {.service = "alarm_arm_away",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_arm_away",
     .send = send},
    {.service = "alarm_arm_night",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_arm_night",
     .send = send},
    {.service = "alarm_arm_vacation",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_arm_vacation",
     .send = send},
    {.service = "alarm_arm_custom_bypass",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_arm_custom_bypass",
     .send = send},
    {.service = "alarm_trigger",
     .topic = kTopic,
     .command_template = kTemplate,
     .payload = "payload_trigger",
     .send = send},
};

}  // namespace alarm_control_panel

const Component kAlarmControlPanel{.name = "alarm_control_panel",
                                   .kind = &domains::kAlarmControlPanel,
                                   .keys = alarm_control_panel::kKeys,
                                   .readings = alarm_control_panel::kReadings,
                                   .sendings = alarm_control_panel::kSendings,
                                   .default_name = "MQTT Alarm",
                                   .describe = alarm_control_panel::describe,
                                   .allow = alarm_control_panel::allow};

}  // namespace hearth::integrations::mqtt
