// SPDX-License-Identifier: Apache-2.0
// The recorder's work between commits: save last states, pack the log, merge days and store their statistics.
#include "base/log/log.h"
#include "recorder/history/day_statistics.h"
#include "recorder/history_file_reader.h"
#include "recorder/log/history_file.h"
#include "recorder/log/log_packer.h"
#include "recorder/recorder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;
using base::Result;
using SteadyClock = std::chrono::steady_clock;

constexpr auto kTurn = 20ms;  // for merging days, then a commit
constexpr std::int64_t kDaysAtOnce = 31;

}  // namespace

Result<void> Recorder::save_states() {
  if (unsaved_.empty()) return {};
  if (auto opened = open_writer(); !opened) return opened;
  if (auto saved = states_.save(unsaved_, {writer_->name(), writer_->last_change()}); !saved) return saved;
  unsaved_.clear();
  states_due_.reset();
  return {};
}

void Recorder::save(Done done) {
  bool waits = false;
  {
    base::MutexLock lock(mutex_);
    if (saves_.size() < kMaxSaves) {
      saves_.push_back(std::move(done));
      waits = true;
    }
    throttle_.hurry(true);
  }
  wake_.notify_one();
  if (!waits) done(base::fail(base::ErrorCode::unavailable, "Too many are waiting for the disk."));
}

void Recorder::run_requested_save() {
  std::vector<Done> asked;
  {
    base::MutexLock lock(mutex_);
    asked.swap(saves_);
  }
  if (asked.empty()) return;
  auto done = commit();
  if (done) {
    done = save_states();
    if (!done) failed(done.error());
  }
  for (const Done& each : asked) each(done);
}

bool Recorder::pack_due() const {
  return writer_->log_size() >= kPackSize || (writer_->log_day() && *writer_->log_day() < day_of(clock_.now()));
}

std::int64_t Recorder::followed() const {
  return followers_.followed ? followers_.followed(writer_->name()) : kNobodyFollows;
}

Result<bool> Recorder::maintain() {
  if (auto opened = open_writer(); !opened) return std::unexpected(std::move(opened.error()));
  // The following steps have transactions of their own.
  if (writer_->database().in_transaction()) {
    if (auto done = commit(); !done) return std::unexpected(std::move(done.error()));
  }
  if (states_due_ && SteadyClock::now() >= *states_due_) {
    if (auto saved = save_states(); !saved) return std::unexpected(std::move(saved.error()));
    return true;
  }
  if (pack_due()) {
    if (auto packed = pack(); !packed) return std::unexpected(std::move(packed.error()));
    return true;
  }
  if (auto merged = merge(); !merged || *merged) return merged;
  return purge_step();
}

// The log may lose only what is in the last states.
Result<void> Recorder::pack() {
  if (auto done = commit(); !done) return done;
  if (auto saved = save_states(); !saved) return saved;
  const CpuThrottle::Background background(throttle_);
  const auto packed = pack_log(
      writer_->database(), writer_->last_change(),
      [this](std::string_view entity_id) { return options_.retention.records(entity_id); },
      writer_->log_size() >= kPackSize ? Effort::quick : Effort::thorough, followed());
  if (!packed) return std::unexpected(packed.error());
  return writer_->refresh();
}

// Merges days that have ended and stores their statistics: one entity after the other, as many in a transaction as a
// turn has time for.
Result<bool> Recorder::merge() {
  const std::int64_t today = day_of(clock_.now());
  storage::Database& database = writer_->database();
  if (merged_before_ > today) {
    // The clock was set back: days that had ended have not.
    if (auto stored = store_number(database, kMergedBefore, today); !stored)
      return std::unexpected(std::move(stored.error()));
    merged_before_ = today;
  }
  if (merged_before_ == today) return false;
  if (merging_before_ != today) {
    to_merge_.clear();
    auto select = database.prepare("SELECT id FROM entities ORDER BY id DESC");
    if (!select) return std::unexpected(std::move(select.error()));
    auto read = select->for_each([&](const storage::Statement& row) { to_merge_.push_back(row.integer(0)); });
    if (!read) return std::unexpected(std::move(read.error()));
    merging_before_ = today;
    statistics_before_ = merged_before_;
  }
  const CpuThrottle::Background background(throttle_);
  if (!days_) days_ = std::make_unique<HistoryFileReader>(*this);
  auto transaction = storage::Transaction::begin(database, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto merging = Merging{to_merge_.size(), statistics_before_};
  for (const auto end = SteadyClock::now() + kTurn; merging.left > 0 && SteadyClock::now() < end;) {
    if (auto done = merge_entity(merging); !done) return std::unexpected(std::move(done.error()));
  }
  if (merging.left == 0) {
    if (auto stored = store_number(database, kMergedBefore, today); !stored)
      return std::unexpected(std::move(stored.error()));
  }
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  to_merge_.resize(merging.left);
  statistics_before_ = merging.statistics_before;
  if (merging.left > 0) return true;
  merged_before_ = today;
  days_.reset();
  return true;
}

// Does a bounded part of the next entity's work.
Result<void> Recorder::merge_entity(Merging& merging) {
  const std::int64_t entity = to_merge_[merging.left - 1];
  storage::Database& database = writer_->database();
  // The last day before may have had a late change.
  const auto merged = merge_days(database, entity, merged_before_ - 1, merging_before_, followed());
  if (!merged) return std::unexpected(merged.error());
  if (*merged) return {};
  auto select = database.prepare(
      "SELECT entity_id, (SELECT min(first) FROM segments WHERE entity = entities.id AND last >= ?) FROM entities "
      "WHERE id = ? AND 1 = (SELECT measurement FROM segments WHERE entity = entities.id ORDER BY last DESC LIMIT 1)");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(merging.statistics_before * kMicrosPerDay, entity).step();
  if (!row) return std::unexpected(std::move(row.error()));
  std::int64_t end = merging_before_;
  if (*row) {
    // The first time, all days; then those since the last time.
    std::int64_t first = merging.statistics_before;
    if (first == merged_before_ && !select->is_null(1))
      first = std::max(first, day_of(select->timestamp(1)));
    else if (first == 0)
      first = end;
    end = std::min(end, first + kDaysAtOnce);
    const std::string name(select->text(0));
    if (auto put = store_day_statistics(*days_, database, entity, name, first, end); !put) return put;
  }
  merging.statistics_before = end;
  if (end < merging_before_) return {};
  --merging.left;
  merging.statistics_before = merged_before_;
  return {};
}

}  // namespace hearth::recorder
