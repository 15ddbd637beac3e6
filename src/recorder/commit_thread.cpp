// SPDX-License-Identifier: Apache-2.0
#include "recorder/commit_thread.h"

#include <exception>

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
  while (const auto serving = next()) {
    std::string failure = commit_and_log();
    base::MutexLock lock(mutex_);
    if (!failure.empty()) waiting_ = true;
    if (*serving == served_) continue;
    served_ = *serving;
    flush_failure_ = std::move(failure);
    flushed_.notify_all();
  }
}

// What the next commit serves, once something waits; nothing when the thread ends.
std::optional<std::uint64_t> CommitThread::next() {
  base::MutexLock lock(mutex_);
  while (!waiting_ && !stopping_) wake_.wait(mutex_);
  // More changes of the same moment go into the same transaction.
  const auto due = std::chrono::steady_clock::now() + interval_;
  while (!stopping_ && asked_ == served_ && wake_.wait_until(mutex_, due) == std::cv_status::no_timeout) {
  }
  if (stopping_) return {};
  waiting_ = false;
  return asked_;
}

std::string CommitThread::commit_and_log() {
  try {
    auto failure = commit_or_fail();
    if (!failure.empty() && failure != last_failure_) {
      base::log_error("recorder", "{} cannot be saved, trying again: {}", what_, failure);
    } else if (failure.empty() && !last_failure_.empty()) {
      base::log_info("recorder", "{} are saved again", what_);
    }
    last_failure_ = failure;
    return failure;
  } catch (const std::exception&) {
    return "out of memory";  // short enough to need none
  }
}

// What a library throws, as if memory is short, is a failure like any other.
std::string CommitThread::commit_or_fail() {
  try {
    const auto done = commit_();
    return done ? "" : done.error().message;
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

}  // namespace hearth::recorder
