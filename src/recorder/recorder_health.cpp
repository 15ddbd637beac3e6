// SPDX-License-Identifier: Apache-2.0
// The recorder's ways if it cannot write, and its health.
#include "base/log/log.h"
#include "recorder/history_file_reader.h"
#include "recorder/recorder.h"

namespace hearth::recorder {

using namespace std::chrono_literals;

void Recorder::report_health() {
  if (on_health_) on_health_(health());
}

void Recorder::failed(const base::Error& error) {
  if (writer_) {
    const bool damaged = writer_->database().damaged() || (days_ && days_->damaged());
    writer_->rollback();
    if (damaged) writer_.reset();
    days_.reset();
  }
  std::vector<Waiter> waiters;
  bool news;
  {
    base::MutexLock lock(mutex_);
    appended_ = 0;
    backoff_ = std::min<std::chrono::milliseconds>(std::max<std::chrono::milliseconds>(500ms, backoff_ * 2), 10s);
    commit_due_ = std::chrono::steady_clock::now() + backoff_;
    news = !health_.failing || health_.last_error != error.message;
    health_.failing = true;
    health_.last_error = error.message;
    waiters.swap(waiters_);
  }
  if (news) base::log_error("recorder", "history cannot be saved, trying again: {}", error.message);
  if (news) report_health();
  for (const Waiter& waiter : waiters) {
    waiter.done(base::fail(base::ErrorCode::unavailable,
                           "The change is in force, but it could not be saved: " + error.message));
  }
}

void Recorder::succeeded() {
  std::uint64_t dropped;
  {
    base::MutexLock lock(mutex_);
    if (!std::exchange(health_.failing, false)) return;
    backoff_ = 0ms;
    dropped = health_.dropped;
  }
  base::log_info("recorder", "history is saved again; {} changes were dropped since the start", dropped);
  report_health();
}

Recorder::Health Recorder::health() const {
  base::MutexLock lock(mutex_);
  Health health = health_;
  health.waiting = queue_.size();
  const auto first = std::ranges::find_if(queue_, [](const LogEntry& entry) { return !entry.is_gap(); });
  if (first != queue_.end()) health.oldest = first->event ? first->event->time_fired : first->state->last_updated();
  return health;
}

std::uintmax_t Recorder::database_bytes() const {
  std::uintmax_t sum = 0;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file_.string() + suffix, error);
    if (!error) sum += size;
  }
  return sum;
}

}  // namespace hearth::recorder
