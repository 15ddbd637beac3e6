// SPDX-License-Identifier: Apache-2.0
#include "api/logbook_query.h"

#include <algorithm>
#include <chrono>

#include "api/history_query.h"
#include "api/seconds.h"
#include "base/json.h"
#include "base/timestamp.h"
#include "recorder/log_packer.h"

namespace hearth::api {
namespace {

using recorder::Change;
using Kept = recorder::HistoryReader::KeptEvent;

constexpr std::size_t kMaxEntries = 20'000;  // of a slice; where there are more it is made narrower
constexpr std::size_t kMaxEvents = 20'000;
constexpr base::Duration kFirstStep = std::chrono::hours(24);
constexpr base::Duration kLeastStep = std::chrono::seconds(1);
constexpr base::Duration kEffect = std::chrono::minutes(10);  // how long after its cause one is looked for

std::string text_of(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
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

}  // namespace

LogbookQuery::LogbookQuery(LogbookOptions options, Times times)
    : options_(std::move(options)),
      times_(times),
      slice_{options_.span.start, options_.span.start},
      step_(kFirstStep) {}

bool LogbookQuery::wanted(std::string_view entity_id) const {
  return options_.entity_ids.empty() || std::ranges::find(options_.entity_ids, entity_id) != options_.entity_ids.end();
}

base::Result<bool> LogbookQuery::produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes) {
  const auto until = std::chrono::steady_clock::now() + kQueryTurn;
  const std::size_t end = out.size() + bytes;
  while (out.size() < end && std::chrono::steady_clock::now() < until) {
    if (!in_slice_) {
      if (begun_ && slice_.end >= options_.span.end) {
        out += any_ ? "]" : "[]";
        return false;
      }
      if (auto begun = begin_slice(reader); !begun) return std::unexpected(std::move(begun.error()));
    } else if (entity_ || next_ < entities_.size()) {
      if (auto read = read_entity(reader); !read) return std::unexpected(std::move(read.error()));
    } else {
      end_slice(out);
    }
  }
  return true;
}

base::Result<void> LogbookQuery::begin_slice(recorder::HistoryReader& reader) {
  if (!begun_) {
    // Those that are alive and have nothing on the disk yet are among what waits.
    auto known = reader.entities();
    if (!known) return std::unexpected(std::move(known.error()));
    for (auto& entity : *known) entities_.push_back(std::move(entity.entity_id));
    for (const auto& entry : reader.recorder().waiting_behind(0).entries) {
      if (entry.is_change()) entities_.emplace_back(entry.state->entity_id());
    }
    std::ranges::sort(entities_);
    entities_.erase(std::ranges::unique(entities_).begin(), entities_.end());
    std::erase_if(entities_, [&](const std::string& id) { return !wanted(id); });
  }
  slice_.start = begun_ ? slice_.end : options_.span.start;
  slice_.end = std::min(options_.span.end, slice_.start + step_);
  begun_ = in_slice_ = true;
  next_ = 0;
  auto events = reader.events(slice_.start - kEffect, slice_.end, kMaxEvents);
  if (!events) return std::unexpected(std::move(events.error()));
  for (const Kept& event : *events) take_event(event);
  return {};
}

base::Result<void> LogbookQuery::read_entity(recorder::HistoryReader& reader) {
  if (!entity_) entity_.emplace(entities_[next_++], slice_, recorder::EntityHistory::Wanted{false, false});
  auto piece = entity_->next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  for (const Change& change : piece->changes) take(entity_->entity_id(), change);
  if (!piece->more) entity_.reset();
  if (entries_.size() > kMaxEntries && step_ > kLeastStep) narrow();
  return {};
}

// The slice once more, a part of it only.
void LogbookQuery::narrow() {
  step_ = std::max(step_ / 8, kLeastStep);
  slice_.end = slice_.start;
  entity_.reset();
  entries_.clear();
  causes_.clear();
  in_slice_ = false;
}

void LogbookQuery::take(const std::string& entity_id, const Change& change) {
  if (change.removed || change.changed != change.updated || recorder::is_measurement(change.attributes)) return;
  if (options_.context_id && change.context_id != *options_.context_id) return;
  if (attributes_ != change.attributes || name_.empty()) {
    attributes_ = change.attributes;
    const auto parsed = base::parse_json(attributes_);
    name_ = parsed && parsed->is_object() ? text_of(parsed->get_object(), "friendly_name") : std::string();
  }
  Entry entry;
  entry.when = change.updated;
  entry.entity_id = entity_id;
  entry.name = name_.empty() ? plain_name(entity_id) : name_;
  entry.state = change.value;
  entry.domain = entity_id.substr(0, entity_id.find('.'));
  entry.context_id = change.context_id;
  entry.parent_id = change.parent_id;
  entry.user_id = change.user_id;
  if (!entry.context_id.empty()) {
    Cause cause;
    cause.name = entry.name;
    cause.entity_id = entity_id;
    cause.state = entry.state;
    causes_.try_emplace(entry.context_id, std::move(cause));
  }
  entries_.push_back(std::move(entry));
}

void LogbookQuery::take_event(const Kept& event) {
  const auto parsed = base::parse_json(event.data);
  if (!parsed || !parsed->is_object()) return;
  const json::object& data = parsed->get_object();
  Entry entry;
  entry.is_event = true;
  entry.when = event.fired;
  entry.entity_id = text_of(data, "entity_id");
  entry.name = text_of(data, "name");
  entry.domain = entry.entity_id.substr(0, entry.entity_id.find('.'));
  entry.context_id = event.context.id;
  entry.parent_id = event.context.parent_id.value_or("");
  entry.user_id = event.context.user_id.value_or("");
  Cause cause;
  cause.event_type = event.type;
  if (event.type == core::event_type::kCallService) {
    cause.domain = text_of(data, "domain");
    cause.service = text_of(data, "service");
    causes_.insert_or_assign(entry.context_id, std::move(cause));
    return;
  }
  if (event.type == core::event_type::kPlatformStart || event.type == core::event_type::kPlatformStop) {
    entry.name = "Hearth";
    entry.domain = "platform";
    entry.message = event.type == core::event_type::kPlatformStart ? "started" : "stopped";
  } else if (event.type == "automation_triggered") {
    entry.source = text_of(data, "source");
    entry.message = entry.source.empty() ? "triggered" : "triggered by " + entry.source;
    entry.domain = "automation";
  } else if (event.type == "script_started") {
    entry.message = "started";
    entry.domain = "script";
  } else if (event.type == "scene_activated") {
    entry.message = "activated";
    entry.domain = "scene";
  } else {
    entry.message = text_of(data, "message");
    if (const auto domain = text_of(data, "domain"); !domain.empty()) entry.domain = domain;
  }
  if (entry.name.empty()) entry.name = plain_name(entry.entity_id);
  cause.domain = entry.domain;
  cause.name = entry.name;
  cause.entity_id = entry.entity_id;
  cause.source = entry.source;
  cause.message = entry.message;
  causes_.insert_or_assign(entry.context_id, std::move(cause));
  if (event.fired <= slice_.start || (options_.context_id && entry.context_id != *options_.context_id)) return;
  if (options_.entity_ids.empty() || wanted(entry.entity_id)) entries_.push_back(std::move(entry));
}

void LogbookQuery::end_slice(std::string& out) {
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return std::tie(entry.when, entry.entity_id); });
  for (const Entry& entry : entries_) {
    out += any_ ? ',' : '[';
    any_ = true;
    write(out, entry);
  }
  if (entries_.size() < kMaxEntries / 16) step_ = std::min(step_ * 2, options_.span.end - options_.span.start);
  step_ = std::max(step_, kLeastStep);
  entries_.clear();
  causes_.clear();
  in_slice_ = false;
}

void LogbookQuery::write(std::string& out, const Entry& entry) const {
  out += R"({"when":)";
  if (times_ == Times::iso) {
    const auto text = base::format_timestamp(entry.when);
    out.append("\"").append(text.data(), text.size()).append("\"");
  } else {
    append_seconds(out, entry.when);
  }
  append_text(out, "name", entry.name);
  if (!entry.is_event) {
    out += R"(,"state":)";
    base::write_json_string(out, entry.state);
  }
  append_text(out, "message", entry.message);
  append_text(out, "source", entry.source);
  append_text(out, "domain", entry.domain);
  append_text(out, "entity_id", entry.entity_id);
  append_text(out, "context_id", entry.context_id);
  append_text(out, "context_user_id", entry.user_id);
  write_cause(out, entry);
  out += '}';
}

// The event that the entry shares its context with, or what made the context that its own descends from.
void LogbookQuery::write_cause(std::string& out, const Entry& entry) const {
  const auto own = causes_.find(entry.context_id);
  const bool by_event = !entry.is_event && own != causes_.end() && !own->second.event_type.empty();
  const auto cause = by_event ? own : causes_.find(entry.parent_id);
  if (cause == causes_.end()) return;
  const Cause& c = cause->second;
  append_text(out, "context_event_type", c.event_type);
  append_text(out, "context_domain", c.domain);
  append_text(out, "context_service", c.service);
  append_text(out, "context_entity_id", c.entity_id);
  append_text(out, c.event_type.empty() ? "context_entity_id_name" : "context_name", c.name);
  append_text(out, "context_state", c.state);
  append_text(out, "context_source", c.source);
  append_text(out, "context_message", c.message);
}

}  // namespace hearth::api
