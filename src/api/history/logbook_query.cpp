// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook_query.h"

#include <algorithm>
#include <chrono>

#include "api/gateway/seconds.h"
#include "api/history/query.h"
#include "base/json.h"
#include "base/timestamp.h"
#include "core/entity_filter.h"
#include "recorder/log_packer.h"

namespace hearth::api {
namespace {

using recorder::Change;
using Kept = recorder::HistoryReader::KeptEvent;

constexpr base::Duration kFirstStep = std::chrono::hours(24);
constexpr base::Duration kLeastStep(1);
constexpr double kGoal = 0.75;                                // so full is the next slice to be
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

// What an event says of itself: what happened, and to whom.
void describe(LogbookCause& cause, std::string_view type, const json::object& data) {
  cause.entity_id = text_of(data, "entity_id");
  cause.name = text_of(data, "name");
  cause.domain = cause.entity_id.substr(0, cause.entity_id.find('.'));
  if (type == core::event_type::kPlatformStart || type == core::event_type::kPlatformStop) {
    cause.name = "Hearth";
    cause.domain = "platform";
    cause.message = type == core::event_type::kPlatformStart ? "started" : "stopped";
  } else if (type == "automation_triggered") {
    cause.source = text_of(data, "source");
    cause.message = cause.source.empty() ? "triggered" : "triggered by " + cause.source;
    cause.domain = "automation";
  } else if (type == "script_started") {
    cause.message = "started";
    cause.domain = "script";
  } else if (type == "scene_activated") {
    cause.message = "activated";
    cause.domain = "scene";
  } else {
    cause.message = text_of(data, "message");
    if (const auto domain = text_of(data, "domain"); !domain.empty()) cause.domain = domain;
  }
  if (cause.name.empty()) cause.name = plain_name(cause.entity_id);
}

}  // namespace

std::optional<LogbookReadable> readable_in_logbook(const core::View& home, std::string_view user_id) {
  if (home.rights().reads_all()) return {};
  return LogbookReadable{home.registry(), std::string(user_id)};
}

LogbookQuery::LogbookQuery(LogbookOptions options, Times times)
    : options_(std::move(options)), times_(times), slice_{options_.span.start, options_.span.start}, step_(kFirstStep) {
  core::make_unique(options_.entity_ids);
}

bool LogbookQuery::wanted(std::string_view entity_id) const {
  return options_.entity_ids.empty() || std::ranges::binary_search(options_.entity_ids, entity_id, std::less<>());
}

base::Result<bool> LogbookQuery::produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes) {
  const auto until = std::chrono::steady_clock::now() + kQueryTurn;
  const std::size_t end = out.size() + bytes;
  if (!begun_) {
    if (auto begun = begin(reader); !begun) return std::unexpected(std::move(begun.error()));
  }
  while (out.size() < end && std::chrono::steady_clock::now() < until) {
    if (stage_ == Stage::writing) {
      write_entries(out, end);
    } else if (stage_ == Stage::reading) {
      if (auto read = read_entity(reader); !read) return std::unexpected(std::move(read.error()));
    } else if (slice_.end >= options_.span.end) {
      out += any_ ? "]" : "[]";
      return false;
    } else if (auto begun = begin_slice(reader); !begun) {
      return std::unexpected(std::move(begun.error()));
    }
  }
  return true;
}

base::Result<void> LogbookQuery::begin(recorder::HistoryReader& reader) {
  begun_ = true;
  // Before what is kept there is nothing.
  const auto oldest = reader.oldest();
  if (!oldest) return std::unexpected(oldest.error());
  const auto start = std::max(options_.span.start, *oldest - base::Duration(1));
  slice_ = {start, start};
  if (!options_.entity_ids.empty()) {
    others_ = options_.entity_ids;
    return {};
  }
  auto names = reader.names();
  if (!names) return std::unexpected(std::move(names.error()));
  names_ = std::move(*names);
  // Those that are alive and have nothing on the disk yet are among what waits.
  others_ = reader.waiting_names();
  std::erase_if(others_, [&](const std::string& id) { return std::ranges::binary_search(*names_, id); });
  return {};
}

base::Result<void> LogbookQuery::begin_slice(recorder::HistoryReader& reader) {
  stage_ = Stage::reading;
  slice_.start = slice_.end;
  slice_.end = std::min(options_.span.end, slice_.start + step_);
  next_ = 0;
  const auto from = causes_known_ ? slice_.start : slice_.start - kEffect;
  const auto read = reader.events(from, slice_.end, [this](const Kept& event) { return take_event(event); });
  if (!read) return std::unexpected(read.error());
  if (!*read) narrow();
  return {};
}

// The next one to read, if there is any.
bool LogbookQuery::next_entity() {
  const std::size_t known = names_ ? names_->size() : 0;
  if (next_ == known + others_.size()) return false;
  const std::string& id = next_ < known ? (*names_)[next_] : others_[next_ - known];
  ++next_;
  entity_.emplace(id, slice_, recorder::EntityHistory::Wanted{false, false});
  return true;
}

base::Result<void> LogbookQuery::read_entity(recorder::HistoryReader& reader) {
  if (!entity_ && !next_entity()) {
    entries_.sort();
    written_ = 0;
    stage_ = Stage::writing;
    return {};
  }
  auto piece = entity_->next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  for (const Change& change : piece->changes) {
    if (!take(entity_->entity_id(), change)) {
      narrow();
      return {};
    }
  }
  if (!piece->more) entity_.reset();
  return {};
}

bool LogbookQuery::too_much() const {
  return entries_.full() && step_ > kLeastStep;
}

// The slice once more, a part of it only.
void LogbookQuery::narrow() {
  step_ = std::max(std::min(step_, slice_.end - slice_.start) / 8, kLeastStep);
  slice_.end = slice_.start;
  entity_.reset();
  entries_.clear();
  causes_.clear();
  causes_known_ = false;
  stage_ = Stage::between;
}

// False where that was one too many. So with an event.
bool LogbookQuery::take(std::string_view entity_id, const Change& change) {
  if (options_.readable && !options_.readable->entity(entity_id)) return true;
  if (change.removed || change.changed != change.updated || recorder::is_measurement(change.attributes)) return true;
  if (options_.context_id && change.context_id != *options_.context_id) return true;
  if (attributes_ != change.attributes) {
    attributes_ = change.attributes;
    const auto parsed = base::parse_json(attributes_);
    name_ = parsed && parsed->is_object() ? text_of(parsed->get_object(), "friendly_name") : std::string();
  }
  const std::string plain = name_.empty() ? plain_name(entity_id) : std::string();
  LogbookEntry entry;
  entry.when = change.updated;
  entry.entity_id = entity_id;
  entry.name = name_.empty() ? plain : name_;
  entry.state = change.value;
  entry.domain = entity_id.substr(0, entity_id.find('.'));
  entry.context_id = change.context_id;
  entry.parent_id = change.parent_id;
  entry.user_id = change.user_id;
  entries_.add(entry);
  return !too_much();
}

bool LogbookQuery::take_event(const Kept& event) {
  const auto parsed = base::parse_json(event.data);
  if (!parsed || !parsed->is_object()) return true;
  const json::object& data = parsed->get_object();
  LogbookCause cause;
  cause.event_type = event.type;
  if (event.type == core::event_type::kCallService) {
    cause.domain = text_of(data, "domain");
    cause.service = text_of(data, "service");
    if (options_.readable && event.context.user_id != options_.readable->user_id) return true;
    causes_.put(event.fired, event.context.id, std::move(cause));
    return true;
  }
  describe(cause, event.type, data);
  if (options_.readable && !options_.readable->entity(cause.entity_id)) return true;
  LogbookEntry entry;
  entry.is_event = true;
  entry.when = event.fired;
  entry.entity_id = cause.entity_id;
  entry.name = cause.name;
  entry.domain = cause.domain;
  entry.message = cause.message;
  entry.source = cause.source;
  entry.context_id = event.context.id;
  if (event.context.parent_id) entry.parent_id = *event.context.parent_id;
  if (event.context.user_id) entry.user_id = *event.context.user_id;
  const bool listed = event.fired > slice_.start &&
                      (!options_.context_id || entry.context_id == *options_.context_id) &&
                      (options_.entity_ids.empty() || wanted(entry.entity_id));
  if (listed) entries_.add(entry);
  causes_.put(event.fired, event.context.id, std::move(cause));
  return !too_much();
}

void LogbookQuery::write_entries(std::string& out, std::size_t end) {
  for (; written_ < entries_.size() && out.size() < end; ++written_) {
    out += any_ ? ',' : '[';
    any_ = true;
    write(out, entries_.at(written_));
  }
  if (written_ == entries_.size()) end_slice();
}

void LogbookQuery::end_slice() {
  const double factor = std::clamp(kGoal / std::max(entries_.fill(), 0.001), 0.5, 8.0);
  const auto longest = std::max<base::Duration>(options_.span.end - slice_.end, kLeastStep);
  const auto wider = base::Duration(static_cast<base::Duration::rep>(static_cast<double>(step_.count()) * factor));
  step_ = std::clamp(wider, kLeastStep, longest);
  causes_.forget_before(slice_.end - kEffect);
  causes_known_ = true;
  entries_.clear();
  stage_ = Stage::between;
}

void LogbookQuery::write(std::string& out, const LogbookEntry& entry) {
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
void LogbookQuery::write_cause(std::string& out, const LogbookEntry& entry) {
  const LogbookCause* cause = entry.is_event ? nullptr : causes_.find(entry.context_id);
  if (!cause) cause = causes_.find(entry.parent_id);
  if (cause) {
    append_text(out, "context_event_type", cause->event_type);
    append_text(out, "context_domain", cause->domain);
    append_text(out, "context_service", cause->service);
    append_text(out, "context_entity_id", cause->entity_id);
    append_text(out, "context_name", cause->name);
    append_text(out, "context_source", cause->source);
    append_text(out, "context_message", cause->message);
    return;
  }
  if (entry.parent_id.empty()) return;
  const std::size_t first = entries_.first_change_of(entry.parent_id);
  if (first == entries_.size()) return;
  const LogbookEntry change = entries_.at(first);
  append_text(out, "context_entity_id", change.entity_id);
  append_text(out, "context_entity_id_name", change.name);
  append_text(out, "context_state", change.state);
}

}  // namespace hearth::api
