// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/components/kinds/climate_entity.h"

namespace hearth::integrations::mqtt {
namespace climate {

constexpr std::string_view kAny = "value_template";
constexpr Key kKeys[] = {
    {.name = kAny, .type = field::Template{}},
    {.name = "mode_command_topic", .type = field::Topic{}},
    {.name = "mode_command_template", .type = field::Template{}},
    {.name = "mode_state_topic", .type = field::TopicFilter{}},
    {.name = "mode_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "modes", .type = field::TextSet{}},
    {.name = "power_command_topic", .type = field::Topic{}},
    {.name = "power_command_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "action_topic", .type = field::TopicFilter{}},
    {.name = "action_template", .type = field::Template{}, .same_as = kAny},
    {.name = "current_temperature_topic", .type = field::TopicFilter{}},
    {.name = "current_temperature_template", .type = field::Template{}, .same_as = kAny},
    {.name = "current_humidity_topic", .type = field::TopicFilter{}},
    {.name = "current_humidity_template", .type = field::Template{}, .same_as = kAny},
    {.name = "temperature_command_topic", .type = field::Topic{}},
    {.name = "temperature_command_template", .type = field::Template{}},
    {.name = "temperature_state_topic", .type = field::TopicFilter{}},
    {.name = "temperature_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "temperature_low_command_topic", .type = field::Topic{}},
    {.name = "temperature_low_command_template", .type = field::Template{}},
    {.name = "temperature_low_state_topic", .type = field::TopicFilter{}},
    {.name = "temperature_low_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "temperature_high_command_topic", .type = field::Topic{}},
    {.name = "temperature_high_command_template", .type = field::Template{}},
    {.name = "temperature_high_state_topic", .type = field::TopicFilter{}},
    {.name = "temperature_high_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "target_humidity_command_topic", .type = field::Topic{}},
    {.name = "target_humidity_command_template", .type = field::Template{}},
    {.name = "target_humidity_state_topic", .type = field::TopicFilter{}},
    {.name = "target_humidity_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "min_humidity", .type = field::Number{0, 100}, .number = 30},
    {.name = "max_humidity", .type = field::Number{0, 100}, .number = 99},
    {.name = "preset_modes", .type = field::TextSet{}},
    {.name = "preset_mode_command_topic", .type = field::Topic{}},
    {.name = "preset_mode_command_template", .type = field::Template{}},
    {.name = "preset_mode_state_topic", .type = field::TopicFilter{}},
    {.name = "preset_mode_value_template", .type = field::Template{}, .same_as = kAny},
    {.name = "fan_modes", .type = field::TextSet{}},
    {.name = "fan_mode_command_topic", .type = field::Topic{}},
    {.name = "fan_mode_command_template", .type = field::Template{}},
    {.name = "fan_mode_state_topic", .type = field::TopicFilter{}},
    {.name = "fan_mode_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "swing_modes", .type = field::TextSet{}},
    {.name = "swing_mode_command_topic", .type = field::Topic{}},
    {.name = "swing_mode_command_template", .type = field::Template{}},
    {.name = "swing_mode_state_topic", .type = field::TopicFilter{}},
    {.name = "swing_mode_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "swing_horizontal_modes", .type = field::TextSet{}},
    {.name = "swing_horizontal_mode_command_topic", .type = field::Topic{}},
    {.name = "swing_horizontal_mode_command_template", .type = field::Template{}},
    {.name = "swing_horizontal_mode_state_topic", .type = field::TopicFilter{}},
    {.name = "swing_horizontal_mode_state_template", .type = field::Template{}, .same_as = kAny},
    {.name = "min_temp", .type = field::Number{}, .number = 7},
    {.name = "max_temp", .type = field::Number{}, .number = 35},
    {.name = "temp_step", .type = field::Number{0.01, 100}, .number = 1},
    {.name = "precision", .type = field::Number{0.01, 10}, .number = 0.1},
    {.name = "temperature_unit", .type = field::Option{"C F"}, .fallback = "C"},
    {.name = "initial", .type = field::Number{}, .number = 21},
};

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  if (settings.number("min_temp") > settings.number("max_temp")) {
    return base::fail(base::ErrorCode::invalid, fmt::format("max_temp: expected at least min_temp, {}, got {}",
                                                            settings.number("min_temp"), settings.number("max_temp")));
  }
  if (settings.number("min_humidity") >= settings.number("max_humidity"))
    return base::fail(base::ErrorCode::invalid, "max_humidity: expected more than min_humidity");
  if (settings.has("preset_mode_command_topic") == settings.has("preset_modes")) return {};
  const bool topic_alone = settings.has("preset_mode_command_topic");
  settings.drop(topic_alone ? "preset_mode_command_topic" : "preset_modes",
                topic_alone ? "expected only beside preset_modes" : "expected only beside preset_mode_command_topic",
                dropped);
  return {};
}

}  // namespace climate

const Component kClimate{.name = "climate",
                         .kind = &domains::kClimate,
                         .keys = climate::kKeys,
                         .default_name = "MQTT HVAC",
                         .check = climate::check,
                         .create = make_climate};

}  // namespace hearth::integrations::mqtt
