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
  thread_.join();
  commit_and_log();
}

void CommitThread::run() {
  for (;;) {
    {
      base::MutexLock lock(mutex_);
      while (!waiting_ && !stopping_) wake_.wait(mutex_);
      // More changes of the same moment go into the same transaction.
      const auto due = std::chrono::steady_clock::now() + interval_;
      while (!stopping_ && wake_.wait_until(mutex_, due) == std::cv_status::no_timeout) {
      }
      if (stopping_) return;
      waiting_ = false;
    }
    if (commit_and_log()) continue;
    base::MutexLock lock(mutex_);
    waiting_ = true;
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
