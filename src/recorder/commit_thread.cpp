// SPDX-License-Identifier: Apache-2.0
#include "recorder/commit_thread.h"

#include <exception>
#include <future>

#include "base/log.h"

namespace hearth::recorder {

using SteadyClock = std::chrono::steady_clock;

void CommitThread::wake() {
  {
    base::MutexLock lock(mutex_);
    if (due_) return;
    due_ = SteadyClock::now() + interval_;
  }
  thread_.wake();
}

base::Result<void> CommitThread::flush() {
  std::promise<std::string> done;
  auto answer = done.get_future();
  if (!thread_.post([this, done = std::move(done)]() mutable { done.set_value(commit()); }))
    return base::fail(base::ErrorCode::unavailable, "The hub ends, or has too much to save.");
  std::string failure;
  try {
    failure = answer.get();
  } catch (const std::future_error&) {
    failure = "The hub ends.";
  }
  if (failure.empty()) return {};
  return base::fail(base::ErrorCode::unavailable, std::move(failure));
}

void CommitThread::stop() {
  if (thread_.stop()) commit_and_log();
}

base::Duration CommitThread::commit_if_due() {
  {
    base::MutexLock lock(mutex_);
    if (!due_) return base::TaskThread::kUntilWoken;
    const auto left = std::chrono::ceil<base::Duration>(*due_ - SteadyClock::now());
    if (left.count() > 0) return left;
  }
  commit();
  return base::Duration(0);
}

std::string CommitThread::commit() {
  {
    base::MutexLock lock(mutex_);
    due_.reset();  // what arrives from now on is in the next commit
  }
  std::string failure = commit_and_log();
  if (!failure.empty()) wake();
  return failure;
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
    return "out of memory";  // short enough to need no allocation
  }
}

// Turns a library's exception, such as bad_alloc, into a failure like any other.
std::string CommitThread::commit_or_fail() {
  try {
    const auto done = commit_();
    return done ? "" : done.error().message;
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

}  // namespace hearth::recorder
