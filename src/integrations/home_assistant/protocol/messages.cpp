// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/protocol/messages.h"

#include <charconv>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

using Kind = Incoming::Kind;

Kind kind_of(std::string_view type) {
  if (type == "\"event\"") return Kind::event;
  if (type == "\"result\"") return Kind::result;
  if (type == "\"pong\"") return Kind::pong;
  if (type == "\"auth_required\"") return Kind::auth_required;
  if (type == "\"auth_ok\"") return Kind::auth_ok;
  if (type == "\"auth_invalid\"") return Kind::auth_invalid;
  return Kind::unknown;
}

// Null if the text is no message.
std::optional<Incoming> read_message(std::string_view text) {
  TextParts parts(text);
  if (!parts.is_object()) return {};
  Incoming message;
  while (const auto part = parts.next()) {
    const auto& [key, value] = *part;
    if (key == "id")
      std::from_chars(value.data(), value.data() + value.size(), message.id);
    else if (key == "type")
      message.type = value;
    else if (key == "event")
      message.event = value;
    else if (key == "success")
      message.success = value == "true";
    else if (key == "result")
      message.result = value;
    else if (key == "error")
      message.error = value;
    else if (key == "ha_version")
      message.version = value;
    else if (key == "message")
      message.message = value;
  }
  if (parts.broken()) return {};
  message.kind = kind_of(message.type);
  return message;
}

}  // namespace

std::string command_text(std::uint64_t id, json::object command) {
  command["id"] = id;
  return base::to_json(command);
}

std::string auth_text(std::string_view token) {
  return base::to_json(json::object{{"type", "auth"}, {"access_token", token}});
}

bool read_messages(std::string_view text, const std::function<bool(const Incoming&)>& take) {
  if (first_of(text) == '{') {
    const auto message = read_message(text);
    if (message) take(*message);
    return message.has_value();
  }
  if (first_of(text) != '[') return false;
  TextParts parts(text);
  while (const auto part = parts.next()) {
    const auto message = read_message(part->value);
    if (!message) return false;
    if (!take(*message)) return true;
  }
  return !parts.broken();
}

OtherContext read_context(const json::value& context) {
  if (context.is_string()) return {.id = std::string(context.get_string())};
  if (!context.is_object()) return {};
  const auto& fields = context.get_object();
  OtherContext read{.id = base::short_text_at(fields, "id")};
  if (auto parent = base::short_text_at(fields, "parent_id"); !parent.empty()) read.parent_id = std::move(parent);
  if (auto user = base::short_text_at(fields, "user_id"); !user.empty()) read.user_id = std::move(user);
  return read;
}

OtherEvent read_event(std::string_view event, base::Timestamp now) {
  json::object fields = object_of(event);
  const auto fired = base::parse_timestamp(base::text_view_at(fields, "time_fired"));
  OtherEvent read{.type = base::short_text_at(fields, "event_type"),
                  .data = nullptr,
                  .time = fired.value_or(now),
                  .context = read_context(base::value_at(fields, "context"))};
  if (json::value* const data = fields.if_contains("data")) read.data = std::move(*data);
  return read;
}

void read_config(OtherHub& hub, const json::object& config) {
  hub.version = base::short_text_at(config, "version");
  hub.hearth_version = base::short_text_at(config, "hearth_version");
  hub.uuid = base::short_text_at(config, "hearth_uuid");
  hub.name = base::short_text_at(config, "location_name");
}

bool is_running(const json::object& config) {
  const json::value& state = base::value_at(config, "state");
  // Before 0.109 there was none.
  return !state.is_string() || state.get_string() == "RUNNING";
}

void read_user(OtherHub& hub, const json::object& user) {
  hub.user_id = base::short_text_at(user, "id");
  hub.user_name = base::short_text_at(user, "name");
  hub.administrator = base::flag_at(user, "is_admin") || base::flag_at(user, "is_owner");
}

void read_tokens(OtherHub& hub, const json::value& tokens) {
  if (!tokens.is_array()) return;
  for (const json::value& one : tokens.get_array()) {
    if (!one.is_object() || !base::flag_at(one.get_object(), "is_current")) continue;
    if (const auto end = base::parse_timestamp(base::text_view_at(one.get_object(), "expire_at")))
      hub.token_ends = *end;
  }
}

json::object filter_fields(const MirrorFilter& filter, bool old) {
  const auto by_name = [](const MirrorFilter::Rule& rule) {
    return rule.globs.empty() && rule.areas.empty() && rule.labels.empty() && rule.devices.empty() &&
           rule.integrations.empty();
  };
  const auto list = [](const auto& names) { return json::array(names.begin(), names.end()); };
  const auto rule = [&](const MirrorFilter::Rule& of) {
    json::object fields;
    if (!of.entities.empty()) fields["entities"] = list(of.entities);
    if (!of.domains.empty()) fields["domains"] = list(of.domains);
    return fields;
  };
  if (!filter.include.empty()) {
    if (!by_name(filter.include)) return {};
    if (filter.include.domains.empty()) return {{"entity_ids", list(filter.include.entities)}};
    return old ? json::object() : json::object{{"include", rule(filter.include)}};
  }
  if (old || filter.exclude.empty()) return {};
  // Another rule that excludes more is applied here.
  json::object excluded = rule(filter.exclude);
  return excluded.empty() ? json::object() : json::object{{"exclude", std::move(excluded)}};
}

}  // namespace hearth::integrations::home_assistant
