// SPDX-License-Identifier: Apache-2.0
// Commits what waits on a thread of its own, all that comes within an interval in one go; what fails or throws is tried
// again. Idle, it never wakes.
//
// Queue: of those who want it at once at most kMaxFlushes wait; one more is refused.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "base/task_thread.h"

namespace hearth::recorder {

class CommitThread {
 public:
  using Commit = std::function<base::Result<void>()>;
  static constexpr std::size_t kMaxFlushes = 1'024;

  // `name` is the thread's; `what` names in the log what is saved: "states".
  CommitThread(std::string name, std::string what, std::chrono::milliseconds interval, Commit commit)
      : what_(std::move(what)),
        interval_(interval),
        commit_(std::move(commit)),
        thread_(std::move(name), "recorder", {kMaxFlushes}, [this] { return commit_if_due(); }) {}
  ~CommitThread() { stop(); }
  CommitThread(const CommitThread&) = delete;
  CommitThread& operator=(const CommitThread&) = delete;

  // Any thread: something waits.
  void wake();
  // Any thread but its own, while it runs: commits at once, and returns when that is done, or has failed.
  base::Result<void> flush();

  // One thread at a time. stop commits once more.
  void start() { thread_.start(); }
  void stop();

 private:
  base::Duration commit_if_due();
  // All return what went wrong; empty after a success.
  std::string commit();
  std::string commit_and_log();
  std::string commit_or_fail();

  const std::string what_;
  const std::chrono::milliseconds interval_;
  const Commit commit_;
  std::string last_failure_;  // empty after a success; so that one that lasts is logged once

  base::Mutex mutex_;
  std::optional<std::chrono::steady_clock::time_point> due_ __attribute__((guarded_by(mutex_)));  // if something waits

  base::TaskThread thread_;
};

}  // namespace hearth::recorder
