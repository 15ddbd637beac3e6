// SPDX-License-Identifier: Apache-2.0
#include "recorder/commit_thread.h"

#include "base/log.h"

namespace hearth::recorder {

void CommitThread::wake() {
  bool first;
  {
    base::MutexLock lock(mutex_);
    first = !std::exchange(waiting_, true);
  }
  if (first) wake_.notify_one();
}

base::Result<void> CommitThread::flush() {
  std::uint64_t call;
  {
    base::MutexLock lock(mutex_);
    call = ++asked_;
    waiting_ = true;
  }
  wake_.notify_one();
  base::MutexLock lock(mutex_);
  while (served_ < call && !stopping_) flushed_.wait(mutex_);
  if (served_ >= call && flush_failure_.empty()) return {};
  return base::fail(base::ErrorCode::unavailable, served_ >= call ? flush_failure_ : "The hub ends.");
}

void CommitThread::start() {
  thread_ = std::thread([this] { run(); });
}

void CommitThread::stop() {
  if (!thread_.joinable()) return;
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  flushed_.notify_all();
  thread_.join();
  commit_and_log();
}

void CommitThread::run() {
  for (;;) {
    std::uint64_t serving;
    {
      base::MutexLock lock(mutex_);
      while (!waiting_ && !stopping_) wake_.wait(mutex_);
      // More changes of the same moment go into the same transaction.
      const auto due = std::chrono::steady_clock::now() + interval_;
      while (!stopping_ && asked_ == served_ && wake_.wait_until(mutex_, due) == std::cv_status::no_timeout) {
      }
      if (stopping_) return;
      waiting_ = false;
      serving = asked_;
    }
    const bool done = commit_and_log();
    base::MutexLock lock(mutex_);
    if (!done) waiting_ = true;
    if (serving == served_) continue;
    served_ = serving;
    flush_failure_ = last_failure_;
    flushed_.notify_all();
  }
}

bool CommitThread::commit_and_log() {
  const auto done = commit_();
  std::string failure = done ? std::string() : done.error().message;
  if (!failure.empty() && failure != last_failure_) {
    base::log_error("recorder", "{} cannot be saved, trying again: {}", what_, failure);
  } else if (done && !last_failure_.empty()) {
    base::log_info("recorder", "{} are saved again", what_);
  }
  last_failure_ = std::move(failure);
  return done.has_value();
}

}  // namespace hearth::recorder
