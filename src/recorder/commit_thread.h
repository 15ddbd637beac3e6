// SPDX-License-Identifier: Apache-2.0
// Commits what waits on a thread of its own, all that comes within an interval in one go; what fails or throws is tried
// again. Idle, it never wakes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"

namespace hearth::recorder {

class CommitThread {
 public:
  using Commit = std::function<base::Result<void>()>;

  // `what` names in the log what is saved: "states".
  CommitThread(std::string what, std::chrono::milliseconds interval, Commit commit)
      : what_(std::move(what)), interval_(interval), commit_(std::move(commit)) {}
  ~CommitThread() { stop(); }
  CommitThread(const CommitThread&) = delete;
  CommitThread& operator=(const CommitThread&) = delete;

  // Any thread: something waits.
  void wake();
  // Any thread but its own, while it runs: commits at once, and returns when that is done, or has failed.
  base::Result<void> flush();

  // One thread at a time. stop commits once more.
  void start();
  void stop();

 private:
  void run();
  std::optional<std::uint64_t> next();
  // Both return what went wrong; empty after a success.
  std::string commit_and_log();
  std::string commit_or_fail();

  const std::string what_;
  const std::chrono::milliseconds interval_;
  const Commit commit_;
  std::string last_failure_;  // empty after a success; so that one that lasts is logged once

  base::Mutex mutex_;
  base::ConditionVariable wake_, flushed_;
  bool waiting_ __attribute__((guarded_by(mutex_))) = false;      // something does
  std::uint64_t asked_ __attribute__((guarded_by(mutex_))) = 0;   // calls of flush
  std::uint64_t served_ __attribute__((guarded_by(mutex_))) = 0;  // of these, how many the last commit has served
  std::string flush_failure_ __attribute__((guarded_by(mutex_)));
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::thread thread_;
};

}  // namespace hearth::recorder
