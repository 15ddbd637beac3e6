// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace water_heater {

constexpr Key kKeys[] = {
    {.name = "mode_command_topic", .type = field::Topic{}},
    {.name = "mode_command_template", .type = field::Template{}},
    {.name = "mode_state_topic", .type = field::TopicFilter{}},
    {.name = "mode_state_template", .type = field::Template{}, .same_as = "value_template"},
    {.name = "modes", .type = field::TextSet{}},
    {.name = "power_command_topic", .type = field::Topic{}},
    {.name = "power_command_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "temperature_command_topic", .type = field::Topic{}},
    {.name = "temperature_command_template", .type = field::Template{}},
    {.name = "temperature_state_topic", .type = field::TopicFilter{}},
    {.name = "temperature_state_template", .type = field::Template{}, .same_as = "value_template"},
    {.name = "current_temperature_topic", .type = field::TopicFilter{}},
    {.name = "current_temperature_template", .type = field::Template{}, .same_as = "value_template"},
    {.name = "value_template", .type = field::Template{}},
    {.name = "min_temp", .type = field::Number{}, .number = 43},
    {.name = "max_temp", .type = field::Number{}, .number = 60},
    {.name = "precision", .type = field::Number{0.01, 10}, .number = 0.1},
    {.name = "temperature_unit", .type = field::Option{"C F"}, .fallback = "C"},
    {.name = "initial", .type = field::Number{}},
};
constexpr std::string_view kDefaultModes[] = {"off",       "eco",         "electric",   "gas",
                                              "heat_pump", "high_demand", "performance"};

void receive_mode(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  if (text == "None") return entity.report("state", json::value());
  if (!domains::value_text(domains::kWaterHeater, json::value(text)))
    return entity.complain_text(reading.topic, core::field::expected(domains::kWaterHeater.value), text);
  domains::Report report{.value = text};
  if (!entity.thing().lacks("operation_mode")) report.attributes["operation_mode"] = text;
  entity.report(std::move(report));
}

void describe(const Settings& settings, domains::Abilities& can) {
  const domains::Kind& kind = domains::kWaterHeater;
  json::array modes = settings.texts("modes");
  if (modes.empty()) modes = json::array(std::begin(kDefaultModes), std::end(kDefaultModes));
  can.attributes["operation_list"] = std::move(modes);
  can.attributes["min_temp"] = settings.number("min_temp");
  can.attributes["max_temp"] = settings.number("max_temp");
  if (settings.has_any("mode_command_topic mode_state_topic")) can.feature_bits |= kind.features_of("operation_mode");
  if (settings.has_any("temperature_command_topic temperature_state_topic"))
    can.feature_bits |= kind.features_of("target_temperature");
  if (settings.has("power_command_topic")) can.feature_bits |= kind.features_of("on_off");
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>&) {
  if (settings.number("min_temp") < settings.number("max_temp")) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("max_temp: expected more than min_temp, {}, got {}",
                                                          settings.number("min_temp"), settings.number("max_temp")));
}

constexpr Reading kReadings[] = {
    {.topic = "mode_state_topic", .value_template = "mode_state_template", .receive = receive_mode},
    {.topic = "temperature_state_topic",
     .value_template = "temperature_state_template",
     .sets = "temperature",
     .as = Reading::As::number},
    {.topic = "current_temperature_topic",
     .value_template = "current_temperature_template",
     .sets = "current_temperature",
     .as = Reading::As::number},
};
constexpr Sending kSendings[] = {
    {.service = "turn_on",
     .topic = "power_command_topic",
     .command_template = "power_command_template",
     .payload = "payload_on"},
    {.service = "turn_off",
     .topic = "power_command_topic",
     .command_template = "power_command_template",
     .payload = "payload_off"},
    {.service = "set_temperature",
     .topic = "mode_command_topic",
     .command_template = "mode_command_template",
     .field = "operation_mode"},
    {.service = "set_temperature",
     .topic = "temperature_command_topic",
     .command_template = "temperature_command_template",
     .field = "temperature"},
    {.service = "set_operation_mode",
     .topic = "mode_command_topic",
     .command_template = "mode_command_template",
     .field = "operation_mode"},
};

}  // namespace water_heater

const Component kWaterHeater{.name = "water_heater",
                             .kind = &domains::kWaterHeater,
                             .keys = water_heater::kKeys,
                             .readings = water_heater::kReadings,
                             .sendings = water_heater::kSendings,
                             .default_name = "MQTT Water Heater",
                             .check = water_heater::check,
                             .describe = water_heater::describe};

}  // namespace hearth::integrations::mqtt
