// SPDX-License-Identifier: Apache-2.0
#include "recorder/threads/commit_thread.h"

#include <exception>
#include <future>

#include "base/log/log.h"

namespace hearth::recorder {
namespace {

// Calls `done` once, at the latest when it is destroyed.
class Waiter {
 public:
  explicit Waiter(CommitThread::Done done) : done_(std::move(done)) {}
  Waiter(Waiter&& other) noexcept : done_(std::exchange(other.done_, {})) {}
  Waiter& operator=(Waiter&&) = delete;
  ~Waiter() {
    if (done_) call(base::fail(base::ErrorCode::unavailable, "The hub ends, or has too much to save."));
  }
  void call(const base::Result<void>& saved) { std::exchange(done_, {})(saved); }

 private:
  CommitThread::Done done_;
};

}  // namespace

std::string CommitThread::failure() const {
  base::MutexLock lock(mutex_);
  return last_failure_;
}

void CommitThread::wake() {
  {
    base::MutexLock lock(mutex_);
    if (due_) return;
    due_ = std::chrono::steady_clock::now() + interval_;
  }
  thread_.wake();
}

void CommitThread::flush(Done done) {
  // A task that is refused, or destroyed because the thread stops, calls its waiter.
  static_cast<void>(thread_.post([this, waiter = Waiter(std::move(done))]() mutable {
    std::string failure = commit();
    waiter.call(failure.empty() ? base::Result<void>() : base::fail(base::ErrorCode::unavailable, std::move(failure)));
  }));
}

base::Result<void> CommitThread::flush() {
  std::promise<base::Result<void>> saved;
  auto answer = saved.get_future();
  flush([&saved](base::Result<void> result) { saved.set_value(std::move(result)); });
  return answer.get();
}

void CommitThread::stop() {
  if (thread_.stop()) commit_and_log();
}

base::Duration CommitThread::commit_if_due() {
  {
    base::MutexLock lock(mutex_);
    if (!due_) return base::TaskThread::kUntilWoken;
    const auto left = std::chrono::ceil<base::Duration>(*due_ - std::chrono::steady_clock::now());
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
    std::string before = failure;
    {
      base::MutexLock lock(mutex_);
      before.swap(last_failure_);
    }
    if (!failure.empty() && failure != before) {
      base::log_error("recorder", "{} cannot be saved, trying again: {}", what_, failure);
    } else if (failure.empty() && !before.empty()) {
      base::log_info("recorder", "{} are saved again", what_);
    }
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
  } catch (const std::bad_alloc&) {
    return "out of memory";  // short enough to need no allocation
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

}  // namespace hearth::recorder
