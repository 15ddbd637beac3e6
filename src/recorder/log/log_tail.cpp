// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/log_tail.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/log/log.h"
#include "recorder/log/history_file.h"
#include "recorder/log/segment.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

constexpr std::int64_t kLogRows = 4'096;  // read ahead from the log

}  // namespace

// The entries with the numbers after `after` up to `until`.
struct LogTail::Window {
  struct Texts {
    ChangeList changes;                                      // what the entries are views of …
    std::unordered_map<std::int64_t, std::string> entities;  // … and the ids by number
  };

  std::int64_t after = 0, until = 0;
  std::vector<TailEntry> entries;
  std::shared_ptr<Texts> texts = std::make_shared<Texts>();
  std::size_t bytes = 0;
  bool at_end = false;

  // Copies the change, or shares its strings with the last one.
  void add(std::int64_t entity, std::string_view entity_id, const Change& change) {
    texts->changes.add(change);
    auto [name, fresh] = texts->entities.try_emplace(entity);
    if (fresh) name->second = entity_id;
    entries.push_back({texts->changes.changes().back(), entity, name->second});
    bytes += sizeof(TailEntry) + change.value.size() + change.attributes.size() + change.context_id.size();
  }
  void add_event(const Change& change, std::string_view type, std::string_view data) {
    texts->changes.add(change);
    entries.push_back({texts->changes.changes().back(), 0, {}, texts->changes.keep(type), texts->changes.keep(data)});
    bytes += sizeof(TailEntry) + type.size() + data.size();
  }
};

LogTail::LogTail(storage::Database database, std::string history)
    : database_(std::move(database)), history_(std::move(history)) {}
LogTail::LogTail(LogTail&&) noexcept = default;
LogTail& LogTail::operator=(LogTail&&) noexcept = default;
LogTail::~LogTail() = default;

Result<LogTail> LogTail::open(const std::filesystem::path& file) {
  auto database = storage::Database::open_to_read(file);
  if (!database) return std::unexpected(std::move(database.error()));
  auto name = history_name(*database);
  if (!name) return std::unexpected(std::move(name.error()));
  return LogTail(std::move(*database), std::move(*name));
}

Result<std::int64_t> LogTail::number(std::string_view sql, std::int64_t parameter) {
  auto select = database_.prepare(sql);
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(parameter).step();
  if (!row) return std::unexpected(std::move(row.error()));
  return *row && !select->is_null(0) ? select->integer(0) : 0;
}

Result<std::int64_t> LogTail::last_number() {
  return number("SELECT max(coalesce((SELECT max(id) FROM changes), ?1), coalesce((SELECT max(id) FROM events), ?1))",
                0);
}

Result<TailPart> LogTail::read(std::int64_t after, std::size_t most) {
  const bool ahead = window_ && window_->after <= after && after < window_->until;
  if (!ahead) {
    window_.reset();
    if (auto filled = fill(after); !filled) return std::unexpected(std::move(filled.error()));
  }
  TailPart part;
  part.history = history_;
  part.after = after;
  part.texts = window_->texts;
  const auto begin =
      std::ranges::upper_bound(window_->entries, after, {}, [](const TailEntry& entry) { return entry.change.number; });
  const auto left = static_cast<std::size_t>(window_->entries.end() - begin);
  const bool whole = left <= most;
  part.entries.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(left, most)));
  part.until = whole ? window_->until : part.entries.back().change.number;
  part.at_end = whole && window_->at_end;
  if (whole) window_.reset();
  return part;
}

Result<void> LogTail::fill(std::int64_t after) {
  // One moment: what is packed meanwhile is neither missed nor seen twice.
  auto transaction = storage::Transaction::begin(database_, storage::Transaction::Kind::read);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  const auto packed = number("SELECT max(?1 + 1, min(first_number)) FROM segments WHERE last_number > ?1", after);
  if (!packed) return std::unexpected(packed.error());
  if (*packed == 0) return fill_from_log(after);
  const auto logged = number("SELECT min(id) FROM changes WHERE id > ?", after);
  if (!logged) return std::unexpected(logged.error());
  for (std::int64_t width = kWindow;; width /= 2) {
    std::int64_t until = *packed + width - 1;
    // The log has later numbers than all segments.
    if (*logged > 0 && *logged > *packed) until = std::min(until, *logged - 1);
    window_ = std::make_unique<Window>();
    window_->after = after;
    window_->until = until;
    if (auto done = fill_from_segments(*packed, until); !done) return done;
    if (window_->bytes <= kWindowBytes || width == 1) break;
  }
  return add_events();
}

Result<void> LogTail::fill_from_segments(std::int64_t least, std::int64_t until) {
  auto select = database_.prepare(
      "SELECT entity, entity_id, data, changes FROM segments JOIN entities ON entities.id = entity WHERE last_number "
      ">= ? AND "
      "first_number <= ? ORDER BY entity, first_number");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(least, until);
  while (window_->bytes <= kWindowBytes) {
    auto row = select->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) break;
    const auto list = decode_segment(select->blob(2));
    if (!list) {
      // Otherwise nothing after it would ever be read.
      base::log_warning("recorder", "{}: a damaged segment of history is left out: {} changes", select->text(1),
                        select->integer(3));
      continue;
    }
    for (const Change& change : list->changes()) {
      if (change.number >= least && change.number <= until) window_->add(select->integer(0), select->text(1), change);
    }
  }
  return {};
}

Result<void> LogTail::fill_from_log(std::int64_t after) {
  auto select = database_.prepare(
      "SELECT changes.id, entity, entity_id, updated, changed, value, attribute_sets.attributes, context_id, "
      "parent_id, "
      "user_id FROM changes JOIN entities ON entities.id = entity LEFT JOIN attribute_sets ON attribute_sets.id = "
      "changes.attributes LEFT JOIN users ON users.id = user WHERE changes.id > ? ORDER BY changes.id LIMIT ?");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(after, kLogRows);
  window_ = std::make_unique<Window>();
  window_->after = window_->until = after;
  std::int64_t rows = 0;
  while (window_->bytes <= kWindowBytes) {
    auto row = select->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) break;
    ++rows;
    Change change;
    change.number = window_->until = select->integer(0);
    change.updated = select->timestamp(3);
    change.changed = select->optional_timestamp(4).value_or(change.updated);
    change.removed = select->is_null(5);
    change.value = select->text(5);
    if (!change.removed) change.attributes = select->is_null(6) ? "{}" : select->text(6);
    change.context_id = select->text(7);
    change.parent_id = select->text(8);
    change.user_id = select->text(9);
    window_->add(select->integer(1), select->text(2), change);
  }
  if (rows < kLogRows && window_->bytes <= kWindowBytes) {
    // Also the events after the last change.
    const auto last = last_number();
    if (!last) return std::unexpected(last.error());
    window_->until = std::max(window_->until, *last);
    window_->at_end = true;
  }
  return add_events();
}

// Stops at the bound: the window then ends there.
Result<void> LogTail::add_events() {
  auto select = database_.prepare(
      "SELECT events.id, fired, type, data, context_id, parent_id, user_id FROM events LEFT JOIN users ON users.id = "
      "user WHERE events.id > ? AND events.id <= ? ORDER BY events.id");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(window_->after, window_->until);
  for (;;) {
    auto row = select->step();
    if (!row) return std::unexpected(std::move(row.error()));
    if (!*row) break;
    Change change;
    change.number = select->integer(0);
    change.updated = change.changed = select->timestamp(1);
    change.context_id = select->text(4);
    change.parent_id = select->text(5);
    change.user_id = select->text(6);
    window_->add_event(change, select->text(2), select->text(3));
    if (window_->bytes > kWindowBytes) {
      window_->until = change.number;
      window_->at_end = false;
      break;
    }
  }
  std::erase_if(window_->entries, [&](const TailEntry& entry) { return entry.change.number > window_->until; });
  std::ranges::sort(window_->entries, {}, [](const TailEntry& entry) { return entry.change.number; });
  return {};
}

}  // namespace hearth::recorder
