// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/json/json.h"
#include "base/text/number.h"
#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/components/scale.h"

namespace hearth::integrations::mqtt {
namespace cover {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "payload_open", .type = field::Payload{}, .fallback = "OPEN"},
    {.name = "payload_close", .type = field::Payload{}, .fallback = "CLOSE"},
    {.name = "payload_stop", .type = field::Payload{}, .fallback = "STOP"},
    {.name = "payload_stop_tilt", .type = field::Payload{}, .same_as = "payload_stop"},
    {.name = "state_open", .type = field::Payload{}, .fallback = "open"},
    {.name = "state_opening", .type = field::Payload{}, .fallback = "opening"},
    {.name = "state_closed", .type = field::Payload{}, .fallback = "closed"},
    {.name = "state_closing", .type = field::Payload{}, .fallback = "closing"},
    {.name = "state_stopped", .type = field::Payload{}, .fallback = "stopped"},
    {.name = "position_topic", .type = field::TopicFilter{}},
    {.name = "position_template", .type = field::Template{}},
    {.name = "set_position_topic", .type = field::Topic{}},
    {.name = "set_position_template", .type = field::Template{}},
    {.name = "position_open", .type = field::Number{}, .number = 100},
    {.name = "position_closed", .type = field::Number{}, .number = 0},
    {.name = "tilt_command_topic", .type = field::Topic{}},
    {.name = "tilt_command_template", .type = field::Template{}},
    {.name = "tilt_status_topic", .type = field::TopicFilter{}},
    {.name = "tilt_status_template", .type = field::Template{}},
    {.name = "tilt_min", .type = field::Number{}, .number = 0},
    {.name = "tilt_max", .type = field::Number{}, .number = 100},
    {.name = "tilt_opened_value", .type = field::Number{}, .number = 100},
    {.name = "tilt_closed_value", .type = field::Number{}, .number = 0},
    {.name = "tilt_optimistic", .type = field::Boolean{}},
};
constexpr Word kWords[] = {
    {"open", "state_open"}, {"opening", "state_opening"}, {"closed", "state_closed"}, {"closing", "state_closing"}};
constexpr std::string_view kPosition = "current_position", kTilt = "current_tilt_position";

Scale position_scale(const Settings& settings) {
  return {settings.number("position_closed"), settings.number("position_open")};
}
Scale tilt_scale(const Settings& settings) {
  return {settings.number("tilt_min"), settings.number("tilt_max")};
}

// A cover that has stopped is closed only at its end.
std::string_view stopped(const domains::Thing& thing) {
  if (const auto position = thing.number(kPosition)) return *position == 0 ? "closed" : "open";
  return thing.reported() == "closed" || thing.reported() == "closing" ? "closed" : "open";
}

void receive_state(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  if (text == entity.settings().text("state_stopped")) return entity.report("state", stopped(entity.thing()));
  entity.receive(reading, std::move(text));
}

void receive_tilt(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const auto tilt = base::parse_number(text);
  if (!tilt) return entity.complain_text(reading.topic, "a number", text);
  entity.report(kTilt, tilt_scale(entity.settings()).percent(*tilt));
}

void receive_position(ThingEntity& entity, const Reading& reading, const core::MqttMessage& message, std::string text) {
  // Some send both at once: {"position": 30, "tilt_position": 50}.
  if (text.starts_with('{')) {
    const auto parsed = base::parse_json(text);
    const json::object* const both = parsed ? parsed->if_object() : nullptr;
    const json::value* const position = both ? both->if_contains("position") : nullptr;
    if (!position) return entity.complain_text(reading.topic, "a number or an object with a position", text);
    if (const json::value* const tilt = both->if_contains("tilt_position"))
      receive_tilt(entity, reading, message, printed(*tilt));
    text = printed(*position);
  }
  if (text == "None") return;
  const auto number = base::parse_number(text);
  if (!number) return entity.complain_text(reading.topic, "a number", text);
  const std::int64_t position = position_scale(entity.settings()).percent(*number);
  domains::Report report{.value = {}, .attributes = {{kPosition, position}}};
  const std::string_view now = entity.thing().reported();
  const bool moves = entity.settings().has("state_topic") && (now == "opening" || now == "closing");
  if (!entity.settings().has("state_topic") || (now != "open" && now != "closed" && !moves))
    report.value = position == 0 ? "closed" : "open";
  entity.report(std::move(report));
}

// For the templates of commands: how far, and the ends of both ways.
templates::Variables way_variables(const Settings& settings, std::string_view name, std::int64_t percent) {
  templates::Variables variables{{std::string(name), percent}};
  for (const std::string_view end : {"position_open", "position_closed", "tilt_min", "tilt_max"})
    variables.emplace_back(end, template_value(settings.number(end)));
  return variables;
}

void send_position(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const Settings& settings = entity.settings();
  const auto percent = data.at("position").to_number<double>();
  entity.send(sending.topic, sending.command_template, position_scale(settings).number(percent),
              way_variables(settings, "position", static_cast<std::int64_t>(percent)));
}

void send_tilt(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const Settings& settings = entity.settings();
  const json::value* const wanted = data.if_contains("tilt_position");
  const bool opens = sending.service == "open_cover_tilt";
  const double number = wanted ? tilt_scale(settings).number(wanted->to_number<double>())
                               : settings.number(opens ? "tilt_opened_value" : "tilt_closed_value");
  const std::int64_t percent = tilt_scale(settings).percent(number);
  entity.send(sending.topic, sending.command_template, number, way_variables(settings, "tilt_position", percent));
  if (!settings.has("tilt_status_topic") || settings.boolean("tilt_optimistic")) entity.report(kTilt, percent);
}

// Opening and closing end at an end of the way, if nobody reports.
void send_end(ThingEntity& entity, const Sending& sending, const json::object&) {
  const Settings& settings = entity.settings();
  entity.send(sending.topic, std::string(settings.text(sending.payload)));
  const bool assumed = settings.boolean("optimistic") || !settings.has_any("state_topic position_topic");
  if (!assumed || sending.service == "stop_cover") return;
  const bool opens = sending.service == "open_cover";
  domains::Report report{.value = opens ? "open" : "closed"};
  if (settings.has("position_topic")) report.attributes[kPosition] = opens ? 100 : 0;
  entity.report(std::move(report));
}

void describe(const Settings& settings, domains::Abilities& can) {
  const domains::Kind& kind = domains::kCover;
  if (settings.has("command_topic") && !settings.denied("payload_stop")) can.feature_bits |= kind.features_of("stop");
  if (!settings.has("tilt_command_topic")) return;
  can.feature_bits |= kind.features_of("open_tilt close_tilt set_tilt_position");
  if (!settings.text("payload_stop_tilt").empty()) can.feature_bits |= kind.features_of("stop_tilt");
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  if (settings.number("position_open") == settings.number("position_closed"))
    return base::fail(base::ErrorCode::invalid, "position_open: expected another number than position_closed");
  if (settings.number("tilt_min") == settings.number("tilt_max"))
    return base::fail(base::ErrorCode::invalid, "tilt_max: expected another number than tilt_min");
  if (settings.has("set_position_topic") && !settings.has("position_topic"))
    settings.drop("set_position_topic", "expected only beside position_topic", dropped);
  return {};
}

base::Result<void> allow(const ThingEntity& entity, const domains::Action& action, const json::object&) {
  const Settings& settings = entity.settings();
  const bool opens = action.service == "open_cover";
  if (!opens && action.service != "close_cover") return {};
  if (settings.has("command_topic") && !settings.denied(opens ? "payload_open" : "payload_close")) return {};
  if (settings.has("set_position_topic")) return {};
  return domains::cannot(entity.entity_id(), opens ? "open" : "close");
}

// Without a command of its own for it, the position says it.
void send_end_or_position(ThingEntity& entity, const Sending& sending, const json::object& data) {
  const Settings& settings = entity.settings();
  if (settings.has("command_topic") && !settings.denied(sending.payload)) {
    Sending row = sending;
    row.topic = "command_topic";
    return send_end(entity, row, data);
  }
  if (!settings.has("set_position_topic")) return;
  Sending row = sending;
  row.topic = "set_position_topic";
  row.command_template = "set_position_template";
  send_position(entity, row, {{"position", sending.service == "open_cover" ? 100 : 0}});
}

constexpr Reading kReadings[] = {
    {.topic = "position_topic", .value_template = "position_template", .sets = kPosition, .receive = receive_position},
    {.topic = "state_topic",
     .value_template = "value_template",
     .as = Reading::As::words,
     .words = kWords,
     .receive = receive_state},
    {.topic = "tilt_status_topic", .value_template = "tilt_status_template", .sets = kTilt, .receive = receive_tilt},
};
constexpr Sending kSendings[] = {
    {.service = "open_cover",
     .topic = {},
     .command_template = {},
     .payload = "payload_open",
     .send = send_end_or_position},
    {.service = "close_cover",
     .topic = {},
     .command_template = {},
     .payload = "payload_close",
     .send = send_end_or_position},
    {.service = "stop_cover",
     .topic = "command_topic",
     .command_template = {},
     .payload = "payload_stop",
     .send = send_end},
    {.service = "set_cover_position",
     .topic = "set_position_topic",
     .command_template = "set_position_template",
     .send = send_position},
    {.service = "open_cover_tilt",
     .topic = "tilt_command_topic",
     .command_template = "tilt_command_template",
     .send = send_tilt},
    {.service = "close_cover_tilt",
     .topic = "tilt_command_topic",
     .command_template = "tilt_command_template",
     .send = send_tilt},
    {.service = "set_cover_tilt_position",
     .topic = "tilt_command_topic",
     .command_template = "tilt_command_template",
     .send = send_tilt},
    {.service = "stop_cover_tilt",
     .topic = "tilt_command_topic",
     .command_template = {},
     .payload = "payload_stop_tilt"},
};
constexpr Ability kAbilities[] = {{"set_position", "set_position_topic"}};

}  // namespace cover

const Component kCover{.name = "cover",
                       .kind = &domains::kCover,
                       .keys = cover::kKeys,
                       .readings = cover::kReadings,
                       .sendings = cover::kSendings,
                       .abilities = cover::kAbilities,
                       .device_classes = "awning blind curtain damper door garage gate shade shutter window",
                       .default_name = "MQTT Cover",
                       .check = cover::check,
                       .describe = cover::describe,
                       .allow = cover::allow};

}  // namespace hearth::integrations::mqtt
