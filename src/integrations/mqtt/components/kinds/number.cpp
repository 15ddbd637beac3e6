// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace number_entity {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "min", .type = field::Number{}, .number = 1},
    {.name = "max", .type = field::Number{}, .number = 100},
    {.name = "step", .type = field::Number{.min = 1e-9}, .number = 1},
    {.name = "mode", .type = field::Option{"auto box slider"}, .fallback = "auto"},
    {.name = "payload_reset", .type = field::Payload{}, .fallback = "None"},
    {.name = "unit_of_measurement", .type = field::Text{}},
};

void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  if (text == settings.text("payload_reset")) return entity.report("state", json::value());
  const field::Type type = field::Number{settings.number("min"), settings.number("max")};
  const auto value = field::convert(type, json::value(text), field::Writer::device);
  if (!value) return entity.complain_text(reading.topic, field::expected(type), text);
  entity.report("state", number_text(value->get_double()));
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>&) {
  if (settings.number("max") > settings.number("min")) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("max: expected more than min, {}, got {}",
                                                          settings.number("min"), settings.number("max")));
}

constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template", .receive = receive}};
constexpr Sending kSendings[] = {
    {.service = "set_value", .topic = "command_topic", .command_template = "command_template", .field = "value"}};
constexpr Fixed kFixed[] = {
    {"min", "min"}, {"max", "max"}, {"step", "step"}, {"mode", "mode"}, {"unit_of_measurement", "unit_of_measurement"}};

}  // namespace number_entity

const Component kNumber{.name = "number",
                        .kind = &domains::kNumber,
                        .keys = number_entity::kKeys,
                        .readings = number_entity::kReadings,
                        .sendings = number_entity::kSendings,
                        .fixed = number_entity::kFixed,
                        .device_classes = kSensorClasses,
                        .default_name = "MQTT Number",
                        .check = number_entity::check};

}  // namespace hearth::integrations::mqtt
