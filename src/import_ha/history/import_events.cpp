// SPDX-License-Identifier: Apache-2.0
// Events of the past. Their numbers in history.db are below 0 and say which row they come from, so that an event that
// is written twice is there once.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/json/json_fields.h"
#include "import_ha/history/history_import.h"
#include "import_ha/history/history_progress.h"
#include "import_ha/history/lost_rows.h"
#include "import_ha/history/old_states.h"
#include "import_ha/history/old_tables.h"
#include "import_ha/history/old_values.h"
#include "recorder/history/past_writer.h"
#include "recorder/log/history_file.h"
#include "recorder/log/logged_events.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using storage::Statement;

constexpr std::size_t kLookEvents = 4'096;
constexpr std::int64_t kFirstNumber = INT64_MIN / 2;  // of row 0
constexpr std::string_view kEventsPart = "events";
constexpr base::Timestamp kEarliestEvent = std::chrono::sys_days(std::chrono::year(2000) / 1 / 1);

enum EventColumn : int {
  kEventId,
  kEventTypeId,
  kFiredSeconds,
  kEventDataId,
  kEventContextBytes,
  kEventParentBytes,
  kEventUserBytes,
  kEventTypeText,
  kEventDataText,
  kFiredText,
  kEventContextText,
  kEventParentText,
  kEventUserText,
};
const std::vector<std::string_view> kEventColumns = {"event_id",
                                                     "event_type_id",
                                                     "time_fired_ts",
                                                     "data_id",
                                                     "context_id_bin",
                                                     "context_parent_id_bin",
                                                     "context_user_id_bin",
                                                     "event_type",
                                                     "event_data",
                                                     "time_fired",
                                                     "context_id",
                                                     "context_parent_id",
                                                     "context_user_id"};

struct EventCounts {
  std::uint64_t carried = 0, own = 0, wrong_time = 0, unasked = 0;
  LostRows lost;
  StateFates::Names others;  // by type

  json::object to_json() const {
    json::object types;
    for (const auto& [type, rows] : others) types[type] = rows;
    return {{"carried", carried},       {"own", own},
            {"wrong_time", wrong_time}, {"unasked", unasked},
            {"lost", lost.to_json()},   {"others", std::move(types)}};
  }
  static EventCounts parse(const json::object& json) {
    const auto number = [&](std::string_view key) { return static_cast<std::uint64_t>(base::number_at(json, key)); };
    EventCounts counts{number("carried"),
                       number("own"),
                       number("wrong_time"),
                       number("unasked"),
                       LostRows::parse(base::value_at(json, "lost")),
                       {}};
    if (const json::value& types = base::value_at(json, "others"); types.is_object()) {
      for (const auto& [type, rows] : types.get_object()) counts.others[type] = rows.to_number<std::uint64_t>();
    }
    return counts;
  }
};

// Turning on a scene is the one call that counts.
bool is_scene_call(const json::object& data) {
  return base::text_view_at(data, "domain") == "scene" && base::text_view_at(data, "service") == "turn_on";
}

class EventsImport {
 public:
  EventsImport(const HistoryPlan& plan, Report& report) : plan_(plan), report_(report) {}

  Result<void> run();

 private:
  Result<void> open();
  Result<void> read_all();
  Result<void> take(const Statement& row);
  Result<std::string> data_of(const Statement& row);
  std::string_view type_of(const Statement& row) const;
  Result<void> note();
  void tell();

  const HistoryPlan& plan_;
  Report& report_;
  std::optional<HistoryProgress> progress_;
  std::optional<recorder::PastWriter> writer_;
  std::unordered_map<std::int64_t, std::string> types_;
  std::optional<Statement> find_data_;
  std::optional<base::Timestamp> since_;
  OldColumns columns_;
  OldRange range_;
  std::int64_t at_ = 0;
  std::uint64_t rows_ = 0;
  EventCounts counts_;
};

Result<void> EventsImport::run() {
  auto columns = old_columns(plan_.old, "events");
  if (!columns) return std::unexpected(std::move(columns.error()));
  columns_ = std::move(*columns);
  if (columns_.empty()) return {};
  if (auto done = open(); !done) return done;
  if (auto done = read_all(); !done) return done;
  tell();
  return {};
}

Result<void> EventsImport::open() {
  const auto range = old_range(plan_.old, "events", "event_id");
  if (!range) return std::unexpected(range.error());
  range_ = *range;
  at_ = range_.first - 1;
  auto types = plan_.old.prepare("SELECT event_type_id, event_type FROM event_types");
  if (types) {
    auto read = types->for_each([&](const Statement& row) { types_[row.integer(0)] = row.text(1); });
    if (!read && !plan_.old.damaged()) return read;
  }
  if (auto find = plan_.old.prepare("SELECT shared_data FROM event_data WHERE data_id = ?"))
    find_data_.emplace(std::move(*find));
  if (plan_.last) {
    auto states = OldStates::open(plan_.old, plan_.now);
    if (!states) return std::unexpected(std::move(states.error()));
    const auto newest = states->newest();
    if (!newest) return std::unexpected(newest.error());
    if (*newest) since_ = **newest - *plan_.last;
  }
  if (plan_.dry_run) return {};
  auto progress = HistoryProgress::open(plan_.scratch, plan_.fingerprint);
  if (!progress) return std::unexpected(std::move(progress.error()));
  progress_.emplace(std::move(*progress));
  const auto was = progress_->read(kEventsPart);
  if (!was) return std::unexpected(was.error());
  if (!was->empty()) {
    at_ = base::number_at(*was, "at");
    range_.last = base::number_at(*was, "until");
    if (const json::value& counts = base::value_at(*was, "counts"); counts.is_object())
      counts_ = EventCounts::parse(counts.get_object());
  }
  auto writer = recorder::PastWriter::open(plan_.target / recorder::kHistoryDatabase);
  if (!writer) return std::unexpected(std::move(writer.error()));
  writer_.emplace(std::move(*writer));
  return {};
}

Result<void> EventsImport::read_all() {
  OldPass pass(
      plan_.old, columns_, "events", kEventColumns, [this](const Statement& row) { return take(row); },
      [this](std::int64_t after, std::int64_t before) -> Result<void> {
        const auto gap = static_cast<std::uint64_t>(std::max<std::int64_t>(before - after - 1, 1));
        counts_.lost.add(fmt::format("events {} to {}", after + 1, before - 1), std::min(gap, range_.size()));
        return {};
      });
  while (at_ < range_.last) {
    std::optional<storage::Transaction> transaction;
    if (writer_) {
      auto begun = storage::Transaction::begin(writer_->database(), storage::Transaction::Kind::write);
      if (!begun) return std::unexpected(std::move(begun.error()));
      transaction.emplace(std::move(*begun));
    }
    const auto at = pass.read(at_, range_.last, plan_.rows_at_once);
    if (!at) return std::unexpected(at.error());
    at_ = *at;
    if (transaction) {
      if (auto done = transaction->commit(); !done) return done;
      if (auto done = note(); !done) return done;
    }
    if (find_data_) find_data_->restart();
    if (auto done = plan_.renew(); !done) return done;
  }
  return {};
}

Result<void> EventsImport::note() {
  return progress_->write(kEventsPart, {{"at", at_}, {"until", range_.last}, {"counts", counts_.to_json()}});
}

std::string_view EventsImport::type_of(const Statement& row) const {
  if (row.is_null(kEventTypeId)) return row.text(kEventTypeText);
  const auto known = types_.find(row.integer(kEventTypeId));
  return known == types_.end() ? std::string_view() : std::string_view(known->second);
}

// `{}` if there is none, or if it is no JSON object.
Result<std::string> EventsImport::data_of(const Statement& row) {
  std::string data(row.text(kEventDataText));
  if (!row.is_null(kEventDataId) && find_data_) {
    auto found = find_data_->bind(row.integer(kEventDataId)).step();
    if (!found && !plan_.old.damaged()) return std::unexpected(std::move(found.error()));
    data = found && *found ? std::string(find_data_->text(0)) : std::string();
    find_data_->restart();
  }
  const auto parsed = base::parse_json(data);
  return parsed && parsed->is_object() ? data : "{}";
}

Result<void> EventsImport::take(const Statement& row) {
  if (++rows_ % kLookEvents == 0) {
    plan_.progress(rows_, range_.size());
    if (!plan_.go_on())
      return base::fail(base::ErrorCode::unavailable, "The import was cancelled; the same command goes on.");
  }
  const std::string_view type = type_of(row);
  const bool call = type == core::event_type::kCallService;
  const bool known = std::ranges::find(recorder::kLoggedEvents, type) != recorder::kLoggedEvents.end();
  const auto leave = [&] {
    if (const auto other = counts_.others.find(type); other != counts_.others.end())
      ++other->second;
    else
      counts_.others.emplace(type, 1);
    return Result<void>();
  };
  if (!known) return leave();
  recorder::HistoryReader::KeptEvent event;
  event.type = type;
  auto data = data_of(row);
  if (!data) return std::unexpected(std::move(data.error()));
  event.data = std::move(*data);
  if (call && !is_scene_call(base::parse_json(event.data)->get_object())) return leave();
  const auto fired = time_of_columns(row, kFiredSeconds, kFiredText);
  if (!fired || *fired < kEarliestEvent || *fired > plan_.now + OldStates::kAhead) {
    ++counts_.wrong_time;
    return {};
  }
  if (since_ && *fired < *since_) {
    ++counts_.unasked;
    return {};
  }
  event.fired = *fired;
  const auto text = [](const auto& characters) { return std::string_view(characters.data(), characters.size()); };
  if (const auto id = id_of_columns(row, kEventContextBytes, kEventContextText))
    event.context.id = text(ulid_text(*id));
  if (const auto id = id_of_columns(row, kEventParentBytes, kEventParentText))
    event.context.parent_id = text(ulid_text(*id));
  if (const auto id = id_of_columns(row, kEventUserBytes, kEventUserText)) event.context.user_id = text(hex_text(*id));
  if (writer_) {
    const auto added = writer_->add_event(kFirstNumber + row.integer(kEventId), event);
    if (!added) return std::unexpected(added.error());
    if (!*added) {
      ++counts_.own;
      return {};
    }
  }
  ++counts_.carried;
  return {};
}

void EventsImport::tell() {
  std::uint64_t others = 0;
  std::string types;
  for (const auto& [type, rows] : counts_.others) {
    others += rows;
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", rows, type.empty() ? "of no type" : type);
  }
  report_.count("events", Fate::carried, counts_.carried);
  report_.count("events", Fate::left, others + counts_.own + counts_.wrong_time + counts_.unasked);
  counts_.lost.tell("event", report_);
  if (others > 0) report_.note(fmt::format("Events that the logbook does not show are left: {}.", types));
  const std::pair<std::uint64_t, std::string_view> notes[] = {
      {counts_.wrong_time, "{} events are of the future, or from before 2000: left."},
      {counts_.unasked, "{} events are older than was asked for: left."},
      {counts_.own, "{} events are not older than the first that this home recorded itself: left."},
  };
  for (const auto& [number, sentence] : notes) {
    if (number > 0) report_.note(fmt::format(fmt::runtime(sentence), number));
  }
}

}  // namespace

Result<void> import_events(const HistoryPlan& plan, Report& report) {
  return EventsImport(plan, report).run();
}

}  // namespace hearth::import_ha
