// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/json/json.h"
#include "base/text/number.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace vacuum {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "supported_features", .type = field::TextSet{}},
    {.name = "payload_start", .type = field::Payload{}, .fallback = "start"},
    {.name = "payload_pause", .type = field::Payload{}, .fallback = "pause"},
    {.name = "payload_stop", .type = field::Payload{}, .fallback = "stop"},
    {.name = "payload_return_to_base", .type = field::Payload{}, .fallback = "return_to_base"},
    {.name = "payload_clean_spot", .type = field::Payload{}, .fallback = "clean_spot"},
    {.name = "payload_locate", .type = field::Payload{}, .fallback = "locate"},
    {.name = "set_fan_speed_topic", .type = field::Topic{}},
    {.name = "fan_speed_list", .type = field::TextSet{}},
    {.name = "send_command_topic", .type = field::Topic{}},
};
constexpr core::Words kStates{"cleaning docked idle paused returning error"};
constexpr core::Words kFeatures{"start stop pause return_home fan_speed battery status send_command locate clean_spot"};

// {"state": "docked", "fan_speed": "medium", "battery_level": 80}
void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const auto parsed = base::parse_json(text);
  const json::object* const object = parsed ? parsed->if_object() : nullptr;
  if (!object) return entity.complain_text(reading.topic, "a JSON object", text);
  domains::Report report;
  if (const json::value* const state = object->if_contains("state")) {
    if (state->is_null())
      report.value = nullptr;
    else if (state->is_string() && kStates.contains(state->get_string()))
      report.value = *state;
    else
      entity.complain_text("state", "one of cleaning, docked, idle, paused, returning, error", printed(*state));
  }
  if (const json::value* const level = object->if_contains("battery_level")) {
    if (const auto number = base::parse_number(printed(*level)))
      report.attributes["battery_level"] = std::lround(*number);
  }
  const json::value* const speed = object->if_contains("fan_speed");
  if (speed && (speed->is_string() || speed->is_number())) report.attributes["fan_speed"] = printed(*speed);
  json::object beside = *object;
  for (const std::string_view known : {"state", "battery_level", "fan_speed"}) beside.erase(known);
  if (beside != entity.thing().extra_attributes()) {
    entity.show_beside(std::move(beside));
    if (!report.value && report.attributes.empty()) return entity.thing().refresh();
  }
  entity.report(std::move(report));
}

void send_command(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const json::value* const params = data.if_contains("params");
  if (!params || !params->is_object() || params->get_object().empty())
    return entity.send(sending.topic, printed(data.at("command")));
  json::object message{{"command", data.at("command")}};
  for (const auto& [name, value] : params->get_object()) message[name] = value;
  entity.send(sending.topic, base::to_json(message));
}

void describe(const Settings& settings, domains::Abilities& can) {
  const domains::Kind& kind = domains::kVacuum;
  if (!settings.has("supported_features")) {
    can.feature_bits |= kind.features_of("start stop return_home status battery clean_spot");
    return;
  }
  for (const std::string_view feature : kFeatures) {
    if (!settings.lists("supported_features", feature)) continue;
    if (const domains::Feature* const known = kind.find_feature(feature)) can.feature_bits |= known->bit;
  }
}

constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template", .receive = receive}};
constexpr Sending kSendings[] = {
    {.service = "start", .topic = "command_topic", .command_template = {}, .payload = "payload_start"},
    {.service = "pause", .topic = "command_topic", .command_template = {}, .payload = "payload_pause"},
    {.service = "stop", .topic = "command_topic", .command_template = {}, .payload = "payload_stop"},
    {.service = "return_to_base",
     .topic = "command_topic",
     .command_template = {},
     .payload = "payload_return_to_base"},
    {.service = "clean_spot", .topic = "command_topic", .command_template = {}, .payload = "payload_clean_spot"},
    {.service = "locate", .topic = "command_topic", .command_template = {}, .payload = "payload_locate"},
    {.service = "set_fan_speed", .topic = "set_fan_speed_topic", .command_template = {}, .field = "fan_speed"},
    {.service = "send_command", .topic = "send_command_topic", .command_template = {}, .send = send_command},
};
constexpr Fixed kFixed[] = {{"fan_speed_list", "fan_speed_list"}};

}  // namespace vacuum

const Component kVacuum{.name = "vacuum",
                        .kind = &domains::kVacuum,
                        .keys = vacuum::kKeys,
                        .readings = vacuum::kReadings,
                        .sendings = vacuum::kSendings,
                        .fixed = vacuum::kFixed,
                        .default_name = "MQTT Vacuum",
                        .describe = vacuum::describe};

}  // namespace hearth::integrations::mqtt
