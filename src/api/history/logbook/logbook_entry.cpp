// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_entry.h"

#include <algorithm>

#include "api/gateway/seconds.h"
#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "core/bus/event.h"
#include "recorder/log/log_packer.h"

namespace hearth::api {
namespace {

std::string_view domain_of(std::string_view entity_id) {
  return entity_id.substr(0, entity_id.find('.'));
}

// `light.kitchen_lamp` → `kitchen lamp`
std::string plain_name(std::string_view entity_id) {
  std::string name(entity_id.substr(entity_id.find('.') + 1));
  std::ranges::replace(name, '_', ' ');
  return name;
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  if (!out.ends_with('{')) out += ',';
  out.append("\"").append(key).append("\":");
  base::write_json_string(out, text);
}

void describe(LogbookCause& cause, const json::object& data) {
  const std::string_view type = cause.event_type;
  cause.entity_id = base::text_at(data, "entity_id");
  cause.name = base::text_at(data, "name");
  cause.domain = domain_of(cause.entity_id);
  if (type == core::event_type::kPlatformStart || type == core::event_type::kPlatformStop) {
    cause.name = "Hearth";
    cause.domain = "platform";
    cause.message = type == core::event_type::kPlatformStart ? "started" : "stopped";
  } else if (type == "automation_triggered") {
    cause.trigger = core::TriggerCause::of(data);
    cause.message = cause.trigger.source.empty() ? "triggered" : "triggered by " + cause.trigger.source;
    cause.domain = "automation";
  } else if (type == "script_started") {
    cause.message = "started";
    cause.domain = "script";
  } else if (type == "scene_activated") {
    cause.message = "activated";
    cause.domain = "scene";
  } else {
    cause.message = base::text_at(data, "message");
    if (const auto domain = base::text_at(data, "domain"); !domain.empty()) cause.domain = domain;
  }
  if (cause.name.empty()) cause.name = plain_name(cause.entity_id);
}

void write_cause(std::string& out, const LogbookCause& cause) {
  append_text(out, "context_event_type", cause.event_type);
  append_text(out, "context_domain", cause.domain);
  append_text(out, "context_service", cause.service);
  append_text(out, "context_entity_id", cause.entity_id);
  append_text(out, "context_name", cause.name);
  append_text(out, "context_source", cause.trigger.source);
  append_text(out, "context_message", cause.message);
}

}  // namespace

bool in_logbook(const recorder::Change& change) {
  return !change.removed && change.changed == change.updated && !recorder::is_measurement(change.attributes);
}

std::string_view LogbookNames::of(std::string_view entity_id, std::string_view attributes_json) {
  if (attributes_ != attributes_json) {
    attributes_ = attributes_json;
    const auto parsed = base::parse_json(attributes_);
    name_ = parsed && parsed->is_object() ? base::text_at(parsed->get_object(), "friendly_name") : std::string();
  }
  if (!name_.empty()) return name_;
  return plain_ = plain_name(entity_id);
}

LogbookEntry logbook_entry(std::string_view entity_id, const recorder::Change& change, std::string_view name) {
  LogbookEntry entry;
  entry.when = change.updated;
  entry.entity_id = entity_id;
  entry.name = name;
  entry.state = change.value;
  entry.domain = domain_of(entity_id);
  entry.context_id = change.context_id;
  entry.parent_id = change.parent_id;
  entry.user_id = change.user_id;
  return entry;
}

LogbookEntry logbook_entry(const LogbookCause& cause, const core::Context& context, base::Timestamp when) {
  LogbookEntry entry;
  entry.kind = LogbookEntry::Kind::event;
  entry.when = when;
  entry.entity_id = cause.entity_id;
  entry.name = cause.name;
  entry.domain = cause.domain;
  entry.message = cause.message;
  entry.source = cause.trigger.source;
  entry.context_id = context.id;
  if (context.parent_id) entry.parent_id = *context.parent_id;
  if (context.user_id) entry.user_id = *context.user_id;
  return entry;
}

std::optional<LogbookCause> logbook_cause(std::string_view event_type, std::string_view data_json) {
  const auto parsed = base::parse_json(data_json);
  if (!parsed || !parsed->is_object()) return {};
  const json::object& data = parsed->get_object();
  LogbookCause cause;
  cause.event_type = event_type;
  if (event_type == core::event_type::kCallService) {
    cause.domain = base::text_at(data, "domain");
    cause.service = base::text_at(data, "service");
  } else {
    describe(cause, data);
  }
  return cause;
}

void hide_trigger(LogbookCause& cause, const std::function<bool(std::string_view entity_id)>& reads) {
  const core::TriggerCause& trigger = cause.trigger;
  const bool of_entity = trigger.platform == "state" || trigger.platform == "numeric_state";
  if (trigger.source.empty() || trigger.is_of_clock() || trigger.platform == "homeassistant") return;
  if (of_entity && !trigger.entity_id.empty() && reads(trigger.entity_id)) return;
  cause.trigger = {};
  cause.message = "triggered";
}

void write_json(std::string& out, const LogbookEntry& entry, LogbookTimes times, const LogbookCause* cause,
                const LogbookEntry* change) {
  out += R"({"when":)";
  if (times == LogbookTimes::iso) {
    const auto text = base::format_timestamp(entry.when);
    out.append("\"").append(text.data(), text.size()).append("\"");
  } else {
    append_seconds(out, entry.when);
  }
  append_text(out, "name", entry.name);
  if (entry.kind == LogbookEntry::Kind::state) {
    out += R"(,"state":)";
    base::write_json_string(out, entry.state);
  }
  append_text(out, "message", entry.message);
  append_text(out, "source", entry.source);
  append_text(out, "domain", entry.domain);
  append_text(out, "entity_id", entry.entity_id);
  append_text(out, "context_id", entry.context_id);
  append_text(out, "context_user_id", entry.user_id);
  if (cause) {
    write_cause(out, *cause);
  } else if (change) {
    append_text(out, "context_entity_id", change->entity_id);
    append_text(out, "context_entity_id_name", change->name);
    append_text(out, "context_state", change->state);
  }
  out += '}';
}

}  // namespace hearth::api
