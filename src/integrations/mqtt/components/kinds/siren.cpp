// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace siren {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "command_off_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "state_value_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "state_on", .type = field::Payload{}, .same_as = "payload_on"},
    {.name = "state_off", .type = field::Payload{}, .same_as = "payload_off"},
    {.name = "available_tones", .type = field::TextSet{}},
    {.name = "support_duration", .type = field::Boolean{}, .number = 1},
    {.name = "support_volume_set", .type = field::Boolean{}, .number = 1},
};
constexpr Word kWords[] = {{"on", "state_on"}, {"off", "state_off"}};
constexpr std::string_view kParameters[] = {"tone", "duration", "volume_level"};

// A word, or {"state": "ON", "tone": "bell", "duration": 10, "volume_level": 0.5}.
void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const auto parsed = text.starts_with('{') ? base::parse_json(text) : base::Result<json::value>(json::value());
  const json::object* const object = parsed ? parsed->if_object() : nullptr;
  if (!object) return entity.receive(reading, std::move(text));
  json::object beside = entity.thing().extra_attributes();
  for (const std::string_view name : kParameters) {
    if (const json::value* const value = object->if_contains(name)) beside[name] = *value;
  }
  entity.show_beside(std::move(beside));
  if (const json::value* const state = object->if_contains("state"))
    entity.receive(reading, printed(*state));
  else
    entity.thing().refresh();
}

void send(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const Settings& settings = entity.settings();
  const std::string payload(settings.text(sending.payload));
  std::string_view command_template = "command_template";
  if (sending.service == "turn_off" && settings.has("command_off_template")) command_template = "command_off_template";
  if (!settings.has(command_template)) {
    json::object message{{"state", payload}};
    for (const auto& [name, value] : data) message[name] = value;
    return entity.send(sending.topic, base::to_json(message));
  }
  templates::Variables variables{{"state", payload}};
  for (const auto& [name, value] : data) variables.emplace_back(name, template_value(value));
  entity.send(sending.topic, command_template, payload, std::move(variables));
}

void describe(const Settings& settings, domains::Abilities& can) {
  const domains::Kind& kind = domains::kSiren;
  can.feature_bits |= kind.features_of("turn_on turn_off");
  if (settings.has("available_tones")) can.feature_bits |= kind.features_of("tones");
  if (settings.boolean("support_duration")) can.feature_bits |= kind.features_of("duration");
  if (settings.boolean("support_volume_set")) can.feature_bits |= kind.features_of("volume_set");
}

constexpr Reading kReadings[] = {{.topic = "state_topic",
                                  .value_template = "state_value_template",
                                  .as = Reading::As::words,
                                  .words = kWords,
                                  .receive = receive}};
constexpr Sending kSendings[] = {
    {.service = "turn_on", .topic = "command_topic", .command_template = {}, .payload = "payload_on", .send = send},
    {.service = "turn_off", .topic = "command_topic", .command_template = {}, .payload = "payload_off", .send = send},
};
constexpr Fixed kFixed[] = {{"available_tones", "available_tones"}};

}  // namespace siren

const Component kSiren{.name = "siren",
                       .kind = &domains::kSiren,
                       .keys = siren::kKeys,
                       .readings = siren::kReadings,
                       .sendings = siren::kSendings,
                       .fixed = siren::kFixed,
                       .default_name = "MQTT Siren",
                       .describe = siren::describe};

}  // namespace hearth::integrations::mqtt
