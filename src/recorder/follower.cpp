// SPDX-License-Identifier: Apache-2.0
#include "recorder/follower.h"

#include <algorithm>
#include <utility>

#include "base/log/log.h"
#include "recorder/log/history_file.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;
using base::Result;

constexpr base::Duration kFirstPause = 1s;
constexpr base::Duration kSaveInterval = 1s;

}  // namespace

Follower::Follower(std::filesystem::path history, const base::Clock& clock, Options options,
                   std::unique_ptr<FollowerTarget> target, FollowerMark mark)
    : history_(std::move(history)),
      clock_(clock),
      options_(std::move(options)),
      target_(std::move(target)),
      mark_(std::move(mark)),
      delivered_(mark_.mark()),
      thread_(options_.name, options_.name, {}, [this] { return work(); }) {}

Result<std::unique_ptr<Follower>> Follower::open(const std::filesystem::path& folder, const base::Clock& clock,
                                                 Options options, std::unique_ptr<FollowerTarget> target) {
  auto mark = FollowerMark::open(folder / kHomeDatabase, options.name);
  if (!mark) return std::unexpected(std::move(mark.error()));
  return std::unique_ptr<Follower>(
      new Follower(folder / kHistoryDatabase, clock, std::move(options), std::move(target), std::move(*mark)));
}

void Follower::wake(unsigned generation) {
  generation_.store(generation, std::memory_order_release);
  thread_.wake();
}

void Follower::stop() {
  target_->cancel();
  thread_.stop();
  if (const auto saved = save_mark(); !saved) failed(saved.error());
}

std::int64_t Follower::followed(std::string_view history) const {
  base::MutexLock lock(mutex_);
  return delivered_.history == history ? delivered_.change : 0;
}

Follower::Status Follower::status() const {
  base::MutexLock lock(mutex_);
  return status_;
}

base::Duration Follower::work() {
  const auto now = clock_.steady_now();
  if (now < retry_at_) return retry_at_ - now;
  Result<bool> more = base::fail(base::ErrorCode::internal, "It ended by an exception.");
  try {
    more = deliver_next();
  } catch (const std::exception& failure) {
    more = base::fail(base::ErrorCode::internal, failure.what());
  }
  if (!more) {
    failed(more.error());
    return pause_;
  }
  if (!*more || clock_.steady_now() - saved_at_ >= kSaveInterval) {
    if (const auto saved = save_mark(); !saved) failed(saved.error());
  }
  return *more ? base::Duration(0) : base::TaskThread::kUntilWoken;
}

// The number after which it goes on in the file that there is now.
Result<std::int64_t> Follower::next_number() {
  const unsigned generation = generation_.load(std::memory_order_acquire);
  if (!tail_ || generation != tail_generation_) {
    tail_generation_ = generation;
    auto tail = LogTail::open(history_);
    if (!tail) return std::unexpected(std::move(tail.error()));
    tail_.emplace(std::move(*tail));
  }
  return followed(tail_->history());
}

Result<bool> Follower::deliver_next() {
  const auto after = next_number();
  if (!after) return std::unexpected(after.error());
  const auto part = tail_->read(*after, options_.most);
  if (!part) {
    tail_.reset();  // another file may replace a damaged one
    return std::unexpected(part.error());
  }
  if (part->until == *after) return false;
  const auto delivered = part->entries.empty() ? Result<void>() : target_->deliver(*part);
  note(*part, delivered);
  if (!delivered) return std::unexpected(delivered.error());
  return !part->at_end;
}

void Follower::note(const TailPart& part, const Result<void>& delivered) {
  const auto last = tail_->last_number();
  bool recovered = false;
  {
    base::MutexLock lock(mutex_);
    if (delivered) {
      delivered_ = {part.history, part.until};
      status_.since.reset();
      recovered = !std::exchange(status_.failure, {}).empty();
    } else if (!part.entries.empty()) {
      status_.since = part.entries.front().change.updated;
    }
    const std::int64_t from = delivered_.history == part.history ? delivered_.change : 0;
    if (last) status_.behind = std::max<std::int64_t>(*last - from, 0);
  }
  if (!delivered) return;
  pause_ = {};
  if (recovered) base::log_info(options_.name, "it works again");
}

void Follower::failed(const base::Error& error) {
  pause_ = std::clamp(2 * pause_, kFirstPause, options_.longest_pause);
  retry_at_ = clock_.steady_now() + pause_;
  bool fresh;
  {
    base::MutexLock lock(mutex_);
    fresh = std::exchange(status_.failure, error.message) != error.message;
  }
  if (fresh) base::log_warning(options_.name, "{} It is tried again.", error.message);
}

Result<void> Follower::save_mark() {
  saved_at_ = clock_.steady_now();
  LastStates::Mark mark;
  {
    base::MutexLock lock(mutex_);
    mark = delivered_;
  }
  if (mark == mark_.mark()) return {};
  return mark_.save(std::move(mark));
}

}  // namespace hearth::recorder
