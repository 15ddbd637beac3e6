// SPDX-License-Identifier: Apache-2.0
// What the recorder does between commits: last states are saved, the log is packed, days are joined and their
// statistics put down.
#include "base/log.h"
#include "recorder/day_statistics.h"
#include "recorder/history_file.h"
#include "recorder/history_reader.h"
#include "recorder/log_packer.h"
#include "recorder/recorder.h"

namespace hearth::recorder {
namespace {

using base::Result;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kPackSize = 32'768;  // changes in the log
constexpr std::string_view kMergedBefore = "merged_before";

// The first time, all days that there are; else those since the last time.
Result<void> put_down(const Recorder& recorder, storage::Database& database, std::int64_t entity, std::int64_t since,
                      std::int64_t today) {
  auto select = database.prepare(
      "SELECT entity_id, (SELECT min(first) FROM segments WHERE entity = entities.id AND last >= ?) FROM entities "
      "WHERE id = ? AND EXISTS (SELECT 1 FROM segments WHERE entity = entities.id AND measurement = 1)");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(since * kMicrosPerDay, entity).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return {};  // nothing that is measured
  const std::string name(select->text(0));
  const std::int64_t first = select->is_null(1) ? since : day_of(select->timestamp(1));
  select->restart();
  if (first == 0) return {};  // nothing ever
  HistoryReader reader(recorder);
  return put_down_days(reader, database, entity, name, std::max(first, since), today);
}

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
  {
    base::MutexLock lock(mutex_);
    saves_.push_back(std::move(done));
  }
  wake_.notify_one();
}

void Recorder::save_asked() {
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
  for (const Done& one : asked) one(done);
}

bool Recorder::pack_due() const {
  return writer_->log_size() >= kPackSize || (writer_->log_size() > 1 && *writer_->log_day() < day_of(clock_.now()));
}

Result<bool> Recorder::maintain() {
  if (auto opened = open_writer(); !opened) return std::unexpected(std::move(opened.error()));
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

// The log may lose only what the last states have.
Result<void> Recorder::pack() {
  if (auto done = commit(); !done) return done;
  if (auto saved = save_states(); !saved) return saved;
  const auto packed = pack_log(writer_->database(), writer_->last_change(),
                               [this](std::string_view entity_id) { return options_.retention.records(entity_id); });
  if (!packed) return std::unexpected(packed.error());
  return writer_->refresh();
}

Result<bool> Recorder::merge() {
  const std::int64_t today = day_of(clock_.now());
  if (merged_before_ >= today) return false;
  storage::Database& database = writer_->database();
  if (merging_before_ != today) {
    to_merge_.clear();
    auto select = database.prepare("SELECT id FROM entities ORDER BY id DESC");
    if (!select) return std::unexpected(std::move(select.error()));
    auto read = select->for_each([&](const storage::Statement& row) { to_merge_.push_back(row.integer(0)); });
    if (!read) return std::unexpected(std::move(read.error()));
    merging_before_ = today;
  }
  if (!to_merge_.empty()) {
    const auto merged = merge_days(database, to_merge_.back(), merged_before_, today);
    if (!merged) return std::unexpected(merged.error());
    if (*merged) return true;
    if (auto put = put_down(*this, database, to_merge_.back(), merged_before_, today); !put)
      return std::unexpected(std::move(put.error()));
    to_merge_.pop_back();
    return true;
  }
  if (auto stored = store_number(database, kMergedBefore, today); !stored)
    return std::unexpected(std::move(stored.error()));
  merged_before_ = today;
  return true;
}

}  // namespace hearth::recorder
