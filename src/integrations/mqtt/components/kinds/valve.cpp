// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"
#include "base/text/number.h"
#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/components/scale.h"

namespace hearth::integrations::mqtt {
namespace valve {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "reports_position", .type = field::Boolean{}},
    {.name = "payload_open", .type = field::Payload{}, .fallback = "OPEN"},
    {.name = "payload_close", .type = field::Payload{}, .fallback = "CLOSE"},
    {.name = "payload_stop", .type = field::Payload{}},
    {.name = "state_open", .type = field::Payload{}, .fallback = "open"},
    {.name = "state_opening", .type = field::Payload{}, .fallback = "opening"},
    {.name = "state_closed", .type = field::Payload{}, .fallback = "closed"},
    {.name = "state_closing", .type = field::Payload{}, .fallback = "closing"},
    {.name = "position_open", .type = field::Number{}, .number = 100},
    {.name = "position_closed", .type = field::Number{}, .number = 0},
};
constexpr Word kWords[] = {
    {"open", "state_open"}, {"opening", "state_opening"}, {"closed", "state_closed"}, {"closing", "state_closing"}};
constexpr std::string_view kPosition = "current_position";

Scale scale(const Settings& settings) {
  return {settings.number("position_closed"), settings.number("position_open")};
}

void receive_position(ThingEntity& entity, double number, std::string_view moving) {
  const std::int64_t position = scale(entity.settings()).percent(number);
  const std::string_view at_end = position == 0 ? "closed" : "open";
  entity.report({.value = moving.empty() ? at_end : moving, .attributes = {{kPosition, position}}});
}

// The value that the word means; empty if it means none.
std::string_view meaning(const Settings& settings, std::string_view text) {
  for (const Word& word : kWords) {
    if (text == settings.text(word.key)) return word.value;
  }
  return {};
}

// A number, a word, or {"state": "opening", "position": 30}.
void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  if (!settings.boolean("reports_position")) return entity.receive(reading, std::move(text));
  if (const auto number = base::parse_number(text)) return receive_position(entity, *number, {});
  const auto parsed = base::parse_json(text);
  const json::object* const both = parsed ? parsed->if_object() : nullptr;
  const json::value* const position = both ? both->if_contains("position") : nullptr;
  const json::value* const state = both ? both->if_contains("state") : nullptr;
  const auto number = position ? base::parse_number(printed(*position)) : std::nullopt;
  const std::string_view word = meaning(settings, state ? printed(*state) : text);
  const std::string_view moving = word == "opening" || word == "closing" ? word : std::string_view();
  if (number) return receive_position(entity, *number, moving);
  if (word.empty()) return entity.complain_text(reading.topic, "a position", text);
  entity.report("state", word);
}

void send_position(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const Settings& settings = entity.settings();
  const json::value* const wanted = data.if_contains("position");
  const double percent = wanted ? wanted->to_number<double>() : sending.service == "open_valve" ? 100 : 0;
  templates::Variables variables{{"position", static_cast<std::int64_t>(percent)}};
  if (settings.boolean("reports_position"))
    entity.send(sending.topic, sending.command_template, scale(settings).number(percent), std::move(variables));
  else
    entity.send(sending.topic, sending.command_template, std::string(settings.text(sending.payload)),
                std::move(variables));
}

void describe(const Settings& settings, domains::Abilities& can) {
  const domains::Kind& kind = domains::kValve;
  if (!settings.has("command_topic")) return;
  const bool positions = settings.boolean("reports_position");
  if (positions || !settings.denied("payload_open")) can.feature_bits |= kind.features_of("open");
  if (positions || !settings.denied("payload_close")) can.feature_bits |= kind.features_of("close");
  if (positions) can.feature_bits |= kind.features_of("set_position");
  if (settings.has("payload_stop")) can.feature_bits |= kind.features_of("stop");
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>&) {
  if (settings.number("position_open") != settings.number("position_closed")) return {};
  return base::fail(base::ErrorCode::invalid, "position_open: expected another number than position_closed");
}

constexpr Reading kReadings[] = {{.topic = "state_topic",
                                  .value_template = "value_template",
                                  .as = Reading::As::words,
                                  .words = kWords,
                                  .receive = receive}};
constexpr Sending kSendings[] = {
    {.service = "open_valve",
     .topic = "command_topic",
     .command_template = "command_template",
     .payload = "payload_open",
     .send = send_position},
    {.service = "close_valve",
     .topic = "command_topic",
     .command_template = "command_template",
     .payload = "payload_close",
     .send = send_position},
    {.service = "set_valve_position",
     .topic = "command_topic",
     .command_template = "command_template",
     .send = send_position},
    {.service = "stop_valve",
     .topic = "command_topic",
     .command_template = "command_template",
     .payload = "payload_stop"},
};

}  // namespace valve

const Component kValve{.name = "valve",
                       .kind = &domains::kValve,
                       .keys = valve::kKeys,
                       .readings = valve::kReadings,
                       .sendings = valve::kSendings,
                       .device_classes = "gas water",
                       .default_name = "MQTT Valve",
                       .check = valve::check,
                       .describe = valve::describe};

}  // namespace hearth::integrations::mqtt
