// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_query.h"

#include <algorithm>
#include <chrono>

#include "api/history/query.h"
#include "core/values/entity_filter.h"

namespace hearth::api {
namespace {

using recorder::Change;
using Kept = recorder::HistoryReader::KeptEvent;

constexpr base::Duration kFirstStep = std::chrono::hours(24);
constexpr base::Duration kLeastStep(1);
constexpr double kGoal = 0.75;                                // so full is the next slice to be
constexpr base::Duration kEffect = std::chrono::minutes(10);  // how long after its cause one is looked for

}  // namespace

std::optional<LogbookReadable> readable_in_logbook(const core::View& home, std::string_view user_id) {
  if (home.rights().reads_all()) return {};
  return LogbookReadable{home.registry(), std::string(user_id)};
}

LogbookQuery::LogbookQuery(LogbookOptions options, LogbookTimes times)
    : options_(std::move(options)), times_(times), slice_{options_.span.start, options_.span.start}, step_(kFirstStep) {
  core::make_unique(options_.entity_ids);
  if (options_.context_id) descent_.emplace(*options_.context_id);
}

bool LogbookQuery::wanted(std::string_view entity_id) const {
  return options_.entity_ids.empty() || std::ranges::binary_search(options_.entity_ids, entity_id, std::less<>());
}

base::Result<bool> LogbookQuery::produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes,
                                         bool whole) {
  const auto until = std::chrono::steady_clock::now() + kQueryTurn;
  const std::size_t end = out.size() + bytes;
  if (!begun_) {
    if (auto begun = begin(reader); !begun) return std::unexpected(std::move(begun.error()));
  }
  if (whole) any_ = false;
  bool more = true;
  while (more && out.size() < end && std::chrono::steady_clock::now() < until) {
    if (stage_ == Stage::writing) {
      write_entries(out, end);
    } else if (stage_ == Stage::reading) {
      if (auto read = read_entity(reader); !read) return std::unexpected(std::move(read.error()));
    } else if (slice_.end >= options_.span.end) {
      more = false;
    } else if (auto begun = begin_slice(reader); !begun) {
      return std::unexpected(std::move(begun.error()));
    }
  }
  if (!more || whole) out += any_ ? "]" : "[]";
  return more;
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
  // Entities with nothing on the disk yet are among the changes that wait.
  others_ = reader.waiting_names();
  std::erase_if(others_, [&](const std::string& id) { return std::ranges::binary_search(*names_, id); });
  return {};
}

base::Result<void> LogbookQuery::begin_slice(recorder::HistoryReader& reader) {
  stage_ = Stage::reading;
  slice_.start = slice_.end;
  slice_.end = std::min(options_.span.end, slice_.start + step_);
  next_ = 0;
  narrow_at_ = 0;
  const auto from = causes_known_ ? slice_.start : slice_.start - kEffect;
  const auto read = reader.events(from, slice_.end, [this](const Kept& event) { return take_event(event); });
  if (!read) return std::unexpected(read.error());
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
  const bool all =
      std::ranges::all_of(piece->changes, [&](const Change& change) { return take(entity_->entity_id(), change); });
  if (!all || !piece->more) entity_.reset();
  return {};
}

// If it is full, the slice ends earlier: what is later comes in the next one, and nothing is read twice before.
void LogbookQuery::narrow() {
  if (!entries_.full() || entries_.size() < narrow_at_) return;
  const auto last = entries_.drop_later_half();
  if (!last) {
    narrow_at_ = 2 * entries_.size();
    return;
  }
  slice_.end = *last;
  step_ = std::max(slice_.end - slice_.start, kLeastStep);
  causes_.forget_after(slice_.end);
}

// False if it is later than the slice, as all that follows. So with an event.
bool LogbookQuery::take(std::string_view entity_id, const Change& change) {
  if (change.updated > slice_.end) return false;
  if (options_.readable && !options_.readable->entity(entity_id)) return true;
  if (!in_logbook(change) || !may_descend(change.context_id, change.parent_id)) return true;
  entries_.add(logbook_entry(entity_id, change, entity_names_.of(entity_id, change.attributes)));
  narrow();
  return true;
}

bool LogbookQuery::take_event(const Kept& event) {
  if (event.fired > slice_.end) return false;
  auto cause = logbook_cause(event.type, event.data);
  if (!cause) return true;
  if (options_.readable) hide_trigger(*cause, [this](std::string_view id) { return options_.readable->entity(id); });
  LogbookEntry entry = logbook_entry(*cause, event.context, event.fired);
  const bool is_call = event.type == core::event_type::kCallService;
  const bool readable = !options_.readable || (is_call ? event.context.user_id == options_.readable->user_id
                                                       : options_.readable->entity(cause->entity_id));
  const bool named = options_.entity_ids.empty() || wanted(entry.entity_id);
  if (is_call || !readable || !named) entry.kind = LogbookEntry::Kind::link;
  const bool listed = entry.kind == LogbookEntry::Kind::event || (descent_ && event.context.parent_id);
  if (listed && event.fired > slice_.start && may_descend(entry.context_id, entry.parent_id)) entries_.add(entry);
  if (readable) causes_.put(event.fired, event.context.id, std::move(*cause));
  narrow();
  return true;
}

// True if it may be asked for, judged without its forebears.
bool LogbookQuery::may_descend(std::string_view context_id, std::string_view parent_id) const {
  return !descent_ || !parent_id.empty() || context_id == *options_.context_id;
}

bool LogbookQuery::asked_for(const LogbookEntry& entry) {
  const bool descends = !descent_ || descent_->holds(entry.context_id, entry.parent_id);
  return descends && entry.kind != LogbookEntry::Kind::link;
}

void LogbookQuery::write_entries(std::string& out, std::size_t end) {
  for (; written_ < entries_.size() && out.size() < end; ++written_) {
    const LogbookEntry entry = entries_.at(written_);
    if (!asked_for(entry)) continue;
    out += any_ ? ',' : '[';
    any_ = true;
    write(out, entry);
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

// With the event that the entry shares its context with, or what made the context that its own descends from.
void LogbookQuery::write(std::string& out, const LogbookEntry& entry) {
  const LogbookCause* cause = entry.kind == LogbookEntry::Kind::event ? nullptr : causes_.find(entry.context_id);
  if (!cause) cause = causes_.find(entry.parent_id);
  std::optional<LogbookEntry> change;
  if (!cause && !entry.parent_id.empty()) {
    const std::size_t first = entries_.first_change_of(entry.parent_id);
    if (first != entries_.size()) change = entries_.at(first);
  }
  write_json(out, entry, times_, cause, change ? &*change : nullptr);
}

}  // namespace hearth::api
