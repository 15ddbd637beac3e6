// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/components/kinds/climate_entity.h"

namespace hearth::integrations::mqtt {
namespace climate {

using enum KeyType;

constexpr std::string_view kAny = "value_template";
constexpr Key kKeys[] = {
    {.name = kAny, .type = template_text},
    {.name = "mode_command_topic", .type = command_topic},
    {.name = "mode_command_template", .type = template_text},
    {.name = "mode_state_topic", .type = topic},
    {.name = "mode_state_template", .type = template_text, .same_as = kAny},
    {.name = "modes", .type = texts},
    {.name = "power_command_topic", .type = command_topic},
    {.name = "power_command_template", .type = template_text},
    {.name = "payload_on", .type = payload, .fallback = "ON"},
    {.name = "payload_off", .type = payload, .fallback = "OFF"},
    {.name = "action_topic", .type = topic},
    {.name = "action_template", .type = template_text, .same_as = kAny},
    {.name = "current_temperature_topic", .type = topic},
    {.name = "current_temperature_template", .type = template_text, .same_as = kAny},
    {.name = "current_humidity_topic", .type = topic},
    {.name = "current_humidity_template", .type = template_text, .same_as = kAny},
    {.name = "temperature_command_topic", .type = command_topic},
    {.name = "temperature_command_template", .type = template_text},
    {.name = "temperature_state_topic", .type = topic},
    {.name = "temperature_state_template", .type = template_text, .same_as = kAny},
    {.name = "temperature_low_command_topic", .type = command_topic},
    {.name = "temperature_low_command_template", .type = template_text},
    {.name = "temperature_low_state_topic", .type = topic},
    {.name = "temperature_low_state_template", .type = template_text, .same_as = kAny},
    {.name = "temperature_high_command_topic", .type = command_topic},
    {.name = "temperature_high_command_template", .type = template_text},
    {.name = "temperature_high_state_topic", .type = topic},
    {.name = "temperature_high_state_template", .type = template_text, .same_as = kAny},
    {.name = "target_humidity_command_topic", .type = command_topic},
    {.name = "target_humidity_command_template", .type = template_text},
    {.name = "target_humidity_state_topic", .type = topic},
    {.name = "target_humidity_state_template", .type = template_text, .same_as = kAny},
    {.name = "min_humidity", .type = number, .number = 30, .min = 0, .max = 100},
    {.name = "max_humidity", .type = number, .number = 99, .min = 0, .max = 100},
    {.name = "preset_modes", .type = texts},
    {.name = "preset_mode_command_topic", .type = command_topic},
    {.name = "preset_mode_command_template", .type = template_text},
    {.name = "preset_mode_state_topic", .type = topic},
    {.name = "preset_mode_value_template", .type = template_text, .same_as = kAny},
    {.name = "fan_modes", .type = texts},
    {.name = "fan_mode_command_topic", .type = command_topic},
    {.name = "fan_mode_command_template", .type = template_text},
    {.name = "fan_mode_state_topic", .type = topic},
    {.name = "fan_mode_state_template", .type = template_text, .same_as = kAny},
    {.name = "swing_modes", .type = texts},
    {.name = "swing_mode_command_topic", .type = command_topic},
    {.name = "swing_mode_command_template", .type = template_text},
    {.name = "swing_mode_state_topic", .type = topic},
    {.name = "swing_mode_state_template", .type = template_text, .same_as = kAny},
    {.name = "swing_horizontal_modes", .type = texts},
    {.name = "swing_horizontal_mode_command_topic", .type = command_topic},
    {.name = "swing_horizontal_mode_command_template", .type = template_text},
    {.name = "swing_horizontal_mode_state_topic", .type = topic},
    {.name = "swing_horizontal_mode_state_template", .type = template_text, .same_as = kAny},
    {.name = "min_temp", .type = number, .number = 7},
    {.name = "max_temp", .type = number, .number = 35},
    {.name = "temp_step", .type = number, .number = 1, .min = 0.01, .max = 100},
    {.name = "precision", .type = number, .number = 0.1, .min = 0.01, .max = 10},
    {.name = "temperature_unit", .type = option, .fallback = "C", .options = "C F"},
    {.name = "initial", .type = number, .number = 21},
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
