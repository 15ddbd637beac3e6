// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace humidifier {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "state_value_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "target_humidity_command_topic", .type = field::Topic{}, .required = true},
    {.name = "target_humidity_command_template", .type = field::Template{}},
    {.name = "target_humidity_state_topic", .type = field::TopicFilter{}},
    {.name = "target_humidity_state_template", .type = field::Template{}},
    {.name = "current_humidity_topic", .type = field::TopicFilter{}},
    {.name = "current_humidity_template", .type = field::Template{}},
    {.name = "action_topic", .type = field::TopicFilter{}},
    {.name = "action_template", .type = field::Template{}},
    {.name = "modes", .type = field::TextSet{}},
    {.name = "mode_command_topic", .type = field::Topic{}},
    {.name = "mode_command_template", .type = field::Template{}},
    {.name = "mode_state_topic", .type = field::TopicFilter{}},
    {.name = "mode_state_template", .type = field::Template{}},
    {.name = "min_humidity", .type = field::Number{0, 100}, .number = 0},
    {.name = "max_humidity", .type = field::Number{0, 100}, .number = 100},
    {.name = "payload_reset_humidity", .type = field::Payload{}, .fallback = "None"},
    {.name = "payload_reset_mode", .type = field::Payload{}, .fallback = "None"},
};
constexpr Word kWords[] = {{"on", "payload_on"}, {"off", "payload_off"}};

void report_humidity(ThingEntity& entity, const Reading& reading, std::string_view name, const field::Type& type,
                     const std::string& text) {
  const auto humidity = field::convert(type, json::value(text), field::Writer::device);
  if (!humidity) return entity.complain_text(reading.topic, field::expected(type), text);
  entity.report(name, *humidity);
}

void receive_target(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  if (text == settings.text("payload_reset_humidity")) return entity.report("humidity", json::value());
  report_humidity(entity, reading, "humidity",
                  field::Number{settings.number("min_humidity"), settings.number("max_humidity")}, text);
}

void receive_current(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  if (text == entity.settings().text("payload_reset_humidity")) return entity.report("current_humidity", json::value());
  report_humidity(entity, reading, "current_humidity", field::Number{0, 100}, text);
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  if (settings.number("min_humidity") >= settings.number("max_humidity"))
    return base::fail(base::ErrorCode::invalid, "max_humidity: expected more than min_humidity");
  if (settings.has("mode_command_topic") == settings.has("modes")) return {};
  const bool topic_alone = settings.has("mode_command_topic");
  settings.drop(topic_alone ? "mode_command_topic" : "modes",
                topic_alone ? "expected only beside modes" : "expected only beside mode_command_topic", dropped);
  return {};
}

constexpr Reading kReadings[] = {
    {.topic = "state_topic", .value_template = "state_value_template", .as = Reading::As::words, .words = kWords},
    {.topic = "target_humidity_state_topic",
     .value_template = "target_humidity_state_template",
     .sets = "humidity",
     .receive = receive_target},
    {.topic = "current_humidity_topic",
     .value_template = "current_humidity_template",
     .sets = "current_humidity",
     .receive = receive_current},
    {.topic = "action_topic", .value_template = "action_template", .sets = "action"},
    {.topic = "mode_state_topic",
     .value_template = "mode_state_template",
     .sets = "mode",
     .reset = "payload_reset_mode",
     .listed = "modes"},
};
constexpr Sending kSendings[] = {
    {.service = "turn_on", .topic = "command_topic", .command_template = "command_template", .payload = "payload_on"},
    {.service = "turn_off", .topic = "command_topic", .command_template = "command_template", .payload = "payload_off"},
    {.service = "set_humidity",
     .topic = "target_humidity_command_topic",
     .command_template = "target_humidity_command_template",
     .field = "humidity"},
    {.service = "set_mode",
     .topic = "mode_command_topic",
     .command_template = "mode_command_template",
     .field = "mode"},
};
constexpr Ability kAbilities[] = {{"modes", "mode_command_topic"}};
constexpr Fixed kFixed[] = {
    {"min_humidity", "min_humidity"}, {"max_humidity", "max_humidity"}, {"available_modes", "modes"}};

}  // namespace humidifier

const Component kHumidifier{.name = "humidifier",
                            .kind = &domains::kHumidifier,
                            .keys = humidifier::kKeys,
                            .readings = humidifier::kReadings,
                            .sendings = humidifier::kSendings,
                            .abilities = humidifier::kAbilities,
                            .fixed = humidifier::kFixed,
                            .device_classes = "dehumidifier humidifier",
                            .default_name = "MQTT Humidifier",
                            .check = humidifier::check};

}  // namespace hearth::integrations::mqtt
