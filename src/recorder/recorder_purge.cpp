// SPDX-License-Identifier: Apache-2.0
// Deletions of the recorder, and their times: once a day rows older than their retention, and those that somebody
// names; an entity at a time, with commits in between.
#include <algorithm>

#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "recorder/log/history_file.h"
#include "recorder/log/log_packer.h"
#include "recorder/recorder.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

constexpr std::int64_t kFreePages = 256;  // returned in one step
constexpr base::Duration kEvents = std::chrono::days(30);
// The clock must have shown a day for this long: what a clock deletes that is wrong for a moment is lost.
constexpr base::Duration kSureOfTheDay = std::chrono::minutes(10);

// Logs that changes from before there was a Hearth are deleted: the clock was wrong when they were recorded.
Result<void> report_wrong_times(storage::Database& database, base::Duration keep, base::Timestamp now) {
  constexpr base::Timestamp kEarliestChange = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  if (keep == Retention::kForever || now - keep < kEarliestChange) return {};
  auto select = database.prepare("SELECT sum(changes), max(last) FROM segments WHERE last < ? AND last_change > 0");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(kEarliestChange).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (*row && !select->is_null(0)) {
    base::log_warning("recorder",
                      "{} changes until {} are deleted with what is older than history is kept: the clock was wrong "
                      "when they were recorded",
                      select->integer(0), base::to_string(select->timestamp(1)).substr(0, 10));
  }
  return {};
}

}  // namespace

Result<void> Recorder::purge(Purge purge) {
  {
    base::MutexLock lock(mutex_);
    if (purges_.size() >= kMaxPurges)
      return base::fail(base::ErrorCode::unavailable, "Too much is to be purged already; ask again in a moment.");
    purges_.push_back(std::move(purge));
    maintenance_due_ = std::chrono::steady_clock::now();
  }
  wake_.notify_one();
  return {};
}

Result<bool> Recorder::purge_step() {
  storage::Database& database = writer_->database();
  if (!purging_) {
    base::MutexLock lock(mutex_);
    if (!purges_.empty()) {
      purging_ = std::move(purges_.front());
      purges_.pop_front();
    }
  }
  if (!purging_) {
    const std::int64_t today = day_of(clock_.now());
    if (today != seen_day_) {
      seen_day_ = today;
      seen_day_at_ = clock_.steady_now();
    }
    if (purged_on_ == today || clock_.steady_now() - seen_day_at_ < kSureOfTheDay) return false;
    purged_on_ = today;
    purging_.emplace(Purge{});
    if (auto told = report_wrong_times(database, options_.retention.keep, clock_.now()); !told)
      return std::unexpected(std::move(told.error()));
  }
  if (to_purge_.empty() && purged_ == 0) {
    // A requested purge covers the newest changes, too, which only segments can lose.
    if (purging_->done) {
      if (auto packed = pack(); !packed) return std::unexpected(std::move(packed.error()));
      if (writer_->log_size() > kPackSize) return true;
    }
    auto select = database.prepare("SELECT id FROM entities");
    if (!select) return std::unexpected(std::move(select.error()));
    auto read = select->for_each([&](const Statement& row) { to_purge_.push_back(row.integer(0)); });
    if (!read) return std::unexpected(std::move(read.error()));
    to_purge_.push_back(0);  // the last one: then all are done
    std::ranges::reverse(to_purge_);
  }
  ++purged_;
  const std::int64_t entity = to_purge_.back();
  if (entity != 0) {
    if (auto gone = purge_entity(entity); !gone) return std::unexpected(std::move(gone.error()));
    to_purge_.pop_back();
    return true;
  }
  return end_purge();
}

Result<void> Recorder::purge_entity(std::int64_t entity) {
  storage::Database& database = writer_->database();
  std::string name;
  {
    auto select = database.prepare("SELECT entity_id FROM entities WHERE id = ?");
    if (!select) return std::unexpected(std::move(select.error()));
    if (auto row = select->bind(entity).step(); !row) return std::unexpected(std::move(row.error()));
    name = select->text(0);
  }
  if (purging_->entities && !purging_->entities->names(name)) return {};
  base::Duration keep = purging_->keep.value_or(options_.retention.of(name));
  if (purging_->apply_filter && !options_.retention.records(name)) keep = base::Duration(0);
  if (keep == Retention::kForever) return {};
  const base::Timestamp before = clock_.now() - keep;
  if (auto told = report_unread(name, entity, before); !told) return told;
  auto done = database.run("DELETE FROM segments WHERE entity = ? AND last < ?", entity, before);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

// Logs what those who follow the log have not read and will not find any more.
Result<void> Recorder::report_unread(std::string_view name, std::int64_t entity, base::Timestamp before) {
  if (followed() == kNobodyFollows) return {};
  auto select = writer_->database().prepare(
      "SELECT sum(changes) FROM segments WHERE entity = ? AND last < ? AND last_number > ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(entity, before, followed()).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (*row && !select->is_null(0)) {
    base::log_warning("recorder",
                      "{}: about {} changes are deleted before they were sent, because history is not kept longer",
                      name, select->integer(0));
  }
  return {};
}

// Deletes old events and returns free space, a part at a time.
Result<bool> Recorder::end_purge() {
  storage::Database& database = writer_->database();
  const auto keep = std::max(options_.retention.keep, kEvents);
  if (!purging_->entities && keep != Retention::kForever) {
    if (auto gone = database.run("DELETE FROM events WHERE fired < ?", clock_.now() - keep); !gone)
      return std::unexpected(std::move(gone.error()));
  }
  auto free = database.prepare("PRAGMA freelist_count");
  if (!free) return std::unexpected(std::move(free.error()));
  if (auto row = free->step(); !row) return std::unexpected(std::move(row.error()));
  const std::int64_t pages = free->integer(0);
  free->restart();
  if (pages > kFreePages) {
    // The next packing needs some of the space again.
    auto given = database.execute("PRAGMA incremental_vacuum(" + std::to_string(kFreePages) + ")");
    if (!given) return std::unexpected(std::move(given.error()));
    return true;
  }
  if (purging_->repack) {
    if (auto given = database.execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)"); !given)
      return std::unexpected(std::move(given.error()));
  }
  to_purge_.clear();
  purged_ = 0;
  const Done done = std::move(purging_->done);
  purging_.reset();
  if (done) done({});
  return true;
}

}  // namespace hearth::recorder
