// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/text/number.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace fan {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "state_value_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "percentage_command_topic", .type = field::Topic{}},
    {.name = "percentage_command_template", .type = field::Template{}},
    {.name = "percentage_state_topic", .type = field::TopicFilter{}},
    {.name = "percentage_value_template", .type = field::Template{}},
    {.name = "speed_range_min", .type = field::Number{1, 1e6}, .number = 1},
    {.name = "speed_range_max", .type = field::Number{1, 1e6}, .number = 100},
    {.name = "preset_modes", .type = field::TextSet{}},
    {.name = "preset_mode_command_topic", .type = field::Topic{}},
    {.name = "preset_mode_command_template", .type = field::Template{}},
    {.name = "preset_mode_state_topic", .type = field::TopicFilter{}},
    {.name = "preset_mode_value_template", .type = field::Template{}},
    {.name = "oscillation_command_topic", .type = field::Topic{}},
    {.name = "oscillation_command_template", .type = field::Template{}},
    {.name = "oscillation_state_topic", .type = field::TopicFilter{}},
    {.name = "oscillation_value_template", .type = field::Template{}},
    {.name = "payload_oscillation_on", .type = field::Payload{}, .fallback = "oscillate_on"},
    {.name = "payload_oscillation_off", .type = field::Payload{}, .fallback = "oscillate_off"},
    {.name = "direction_command_topic", .type = field::Topic{}},
    {.name = "direction_command_template", .type = field::Template{}},
    {.name = "direction_state_topic", .type = field::TopicFilter{}},
    {.name = "direction_value_template", .type = field::Template{}},
    {.name = "payload_direction_forward", .type = field::Payload{}, .fallback = "forward"},
    {.name = "payload_direction_reverse", .type = field::Payload{}, .fallback = "reverse"},
    {.name = "payload_reset_percentage", .type = field::Payload{}, .fallback = "None"},
    {.name = "payload_reset_preset_mode", .type = field::Payload{}, .fallback = "None"},
};
constexpr Word kWords[] = {{"on", "payload_on"}, {"off", "payload_off"}};
constexpr Word kOscillation[] = {{"on", "payload_oscillation_on"}, {"off", "payload_oscillation_off"}};
constexpr Word kDirection[] = {{"forward", "payload_direction_forward"}, {"reverse", "payload_direction_reverse"}};

double speeds(const Settings& settings) {
  return settings.number("speed_range_max") - settings.number("speed_range_min") + 1;
}

void receive_percentage(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  if (text == settings.text("payload_reset_percentage")) return entity.report("percentage", json::value());
  const auto speed = base::parse_number(text);
  const double offset = settings.number("speed_range_min") - 1;
  const double percent = speed ? std::floor((*speed - offset) * 100 / speeds(settings)) : -1;
  if (speed && *speed == 0) return entity.report("percentage", 0);
  if (percent < 0 || percent > 100) return entity.complain_text(reading.topic, "a speed within the fan's range", text);
  entity.report("percentage", static_cast<std::int64_t>(percent));
}

void send_percentage(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const json::value* const percent = data.if_contains("percentage");
  if (!percent) return;
  const Settings& settings = entity.settings();
  const double offset = settings.number("speed_range_min") - 1;
  const double speed = std::ceil(percent->to_number<double>() * speeds(settings) / 100 + offset);
  entity.send(sending.topic, sending.command_template, speed, {{"percentage", percent->to_number<std::int64_t>()}});
}

template <const Word (&kTable)[2]>
void send_word(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const json::value& given = data.at(sending.field);
  const std::string_view value =
      given.is_bool() ? given.get_bool() ? "on" : "off" : std::string_view(given.get_string());
  for (const Word& word : kTable) {
    if (word.value == value)
      entity.send(sending.topic, sending.command_template, std::string(entity.settings().text(word.key)));
  }
}

void describe(const Settings& settings, domains::Abilities& can) {
  if (settings.has("percentage_command_topic")) can.attributes["percentage_step"] = 100 / speeds(settings);
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  if (settings.number("speed_range_min") >= settings.number("speed_range_max"))
    return base::fail(base::ErrorCode::invalid, "speed_range_max: expected more than speed_range_min");
  if (settings.has("preset_mode_command_topic") == settings.has("preset_modes")) return {};
  const bool topic_alone = settings.has("preset_mode_command_topic");
  settings.drop(topic_alone ? "preset_mode_command_topic" : "preset_modes",
                topic_alone ? "expected only beside preset_modes" : "expected only beside preset_mode_command_topic",
                dropped);
  return {};
}

constexpr Reading kReadings[] = {
    {.topic = "state_topic", .value_template = "state_value_template", .as = Reading::As::words, .words = kWords},
    {.topic = "percentage_state_topic",
     .value_template = "percentage_value_template",
     .sets = "percentage",
     .receive = receive_percentage},
    {.topic = "preset_mode_state_topic",
     .value_template = "preset_mode_value_template",
     .sets = "preset_mode",
     .reset = "payload_reset_preset_mode",
     .listed = "preset_modes"},
    {.topic = "oscillation_state_topic",
     .value_template = "oscillation_value_template",
     .sets = "oscillating",
     .as = Reading::As::words,
     .words = kOscillation},
    {.topic = "direction_state_topic",
     .value_template = "direction_value_template",
     .sets = "direction",
     .as = Reading::As::words,
     .words = kDirection},
};
constexpr std::string_view kSpeedTopic = "percentage_command_topic", kSpeedTemplate = "percentage_command_template";
constexpr std::string_view kPresetTopic = "preset_mode_command_topic", kPresetTemplate = "preset_mode_command_template";
constexpr Sending kSendings[] = {
    {.service = "turn_on", .topic = "command_topic", .command_template = "command_template", .payload = "payload_on"},
    {.service = "turn_on", .topic = kSpeedTopic, .command_template = kSpeedTemplate, .send = send_percentage},
    {.service = "turn_on", .topic = kPresetTopic, .command_template = kPresetTemplate, .field = "preset_mode"},
    {.service = "turn_off", .topic = "command_topic", .command_template = "command_template", .payload = "payload_off"},
    {.service = "set_percentage", .topic = kSpeedTopic, .command_template = kSpeedTemplate, .send = send_percentage},
    {.service = "increase_speed", .topic = kSpeedTopic, .command_template = kSpeedTemplate, .send = send_percentage},
    {.service = "decrease_speed", .topic = kSpeedTopic, .command_template = kSpeedTemplate, .send = send_percentage},
    {.service = "set_preset_mode", .topic = kPresetTopic, .command_template = kPresetTemplate, .field = "preset_mode"},
    {.service = "oscillate",
     .topic = "oscillation_command_topic",
     .command_template = "oscillation_command_template",
     .field = "oscillating",
     .send = send_word<kOscillation>},
    {.service = "set_direction",
     .topic = "direction_command_topic",
     .command_template = "direction_command_template",
     .field = "direction",
     .send = send_word<kDirection>},
};
constexpr Ability kAbilities[] = {{"set_speed", "percentage_command_topic"},
                                  {"oscillate", "oscillation_command_topic"},
                                  {"direction", "direction_command_topic"},
                                  {"preset_mode", "preset_mode_command_topic"}};
constexpr Fixed kFixed[] = {{"preset_modes", "preset_modes"}};

}  // namespace fan

const Component kFan{.name = "fan",
                     .kind = &domains::kFan,
                     .keys = fan::kKeys,
                     .readings = fan::kReadings,
                     .sendings = fan::kSendings,
                     .abilities = fan::kAbilities,
                     .fixed = fan::kFixed,
                     .default_name = "MQTT Fan",
                     .as_asked = "set_percentage increase_speed decrease_speed set_preset_mode",
                     .check = fan::check,
                     .describe = fan::describe};

}  // namespace hearth::integrations::mqtt
