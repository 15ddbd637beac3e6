// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text/utf8.h"
#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/components/pattern.h"

namespace hearth::integrations::mqtt {
namespace text_entity {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "min", .type = field::Number{0, 255}},
    {.name = "max", .type = field::Number{0, 255}, .number = 255},
    {.name = "mode", .type = field::Option{"text password"}, .fallback = "text"},
    {.name = "pattern", .type = field::Text{}},
};

void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  // A template shows null so; without one it is a text as any other.
  if (text == "None" && settings.has("value_template")) return entity.report("state", json::value());
  const auto length = static_cast<double>(base::utf8_length(text).value_or(0));
  const double min = settings.number("min"), max = settings.number("max");
  if (length < min || length > max)
    return entity.complain_text(reading.topic, fmt::format("{} to {} characters", min, max), text);
  if (settings.has("pattern") && !matches(settings.text("pattern"), text))
    return entity.complain_text(reading.topic, "a text of its pattern", text);
  entity.report("state", std::move(text));
}

base::Result<void> allow(const ThingEntity& entity, const domains::Action&, const json::object& data) {
  const Settings& settings = entity.settings();
  const json::value* const value = data.if_contains("value");
  if (!value || !settings.has("pattern") || matches(settings.text("pattern"), value->get_string())) return {};
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("value: {} takes texts that match {}", entity.entity_id(), settings.text("pattern")));
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  if (settings.number("min") > settings.number("max"))
    return base::fail(base::ErrorCode::invalid, "max: expected at least min");
  if (settings.has("pattern") && !is_pattern(settings.text("pattern")))
    settings.drop("pattern", "expected a regular expression", dropped);
  return {};
}

constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template", .receive = receive}};
constexpr Sending kSendings[] = {
    {.service = "set_value", .topic = "command_topic", .command_template = "command_template", .field = "value"}};
constexpr Fixed kFixed[] = {{"mode", "mode"}, {"min", "min"}, {"max", "max"}, {"pattern", "pattern"}};

}  // namespace text_entity

const Component kText{.name = "text",
                      .kind = &domains::kText,
                      .keys = text_entity::kKeys,
                      .readings = text_entity::kReadings,
                      .sendings = text_entity::kSendings,
                      .fixed = text_entity::kFixed,
                      .default_name = "MQTT Text",
                      .check = text_entity::check,
                      .allow = text_entity::allow};

}  // namespace hearth::integrations::mqtt
