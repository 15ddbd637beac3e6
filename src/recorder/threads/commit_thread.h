// SPDX-License-Identifier: Apache-2.0
// Commits waiting changes on a thread of its own, all of one interval together; retries after a failure or an
// exception. Never wakes while idle.
//
// Queue: at most kMaxFlushes flushes wait; a further one fails at once.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "base/threads/task_thread.h"

namespace hearth::recorder {

class CommitThread {
 public:
  using Commit = std::function<base::Result<void>()>;
  using Done = std::function<void(base::Result<void>)>;
  static constexpr std::size_t kMaxFlushes = 1'024;

  // `name` is the thread's; `what` says in the log what is saved: "states".
  CommitThread(std::string name, std::string what, std::chrono::milliseconds interval, Commit commit)
      : what_(std::move(what)),
        interval_(interval),
        commit_(std::move(commit)),
        thread_(std::move(name), "recorder", {kMaxFlushes}, [this] { return commit_if_due(); }) {}
  ~CommitThread() { stop(); }
  CommitThread(const CommitThread&) = delete;
  CommitThread& operator=(const CommitThread&) = delete;

  // Any thread: there is something to commit.
  void wake();
  // Any thread. Commits at once, and calls `done` on its own thread after that succeeded or failed; on the caller's if
  // it has stopped, or if too many wait.
  void flush(Done done);
  // Any thread except its own, while it runs. The same, and waits for it.
  base::Result<void> flush();

  // Any thread. Runs the task on its own thread, for what must not run beside a commit. False as flush fails at once.
  [[nodiscard]] bool post(base::TaskThread::Task task) { return thread_.post(std::move(task)); }

  // Any thread. Why the last commit failed; empty if it did not.
  std::string failure() const;

  // One thread at a time. stop commits a last time.
  void start() { thread_.start(); }
  void stop();

 private:
  base::Duration commit_if_due();
  // All return the error; empty on success.
  std::string commit();
  std::string commit_and_log();
  std::string commit_or_fail();

  const std::string what_;
  const std::chrono::milliseconds interval_;
  const Commit commit_;

  mutable base::Mutex mutex_;
  std::optional<std::chrono::steady_clock::time_point> due_ __attribute__((guarded_by(mutex_)));  // if something waits

  // Empty after a success; so that a lasting failure is logged once, too.
  std::string last_failure_ __attribute__((guarded_by(mutex_)));

  base::TaskThread thread_;
};

}  // namespace hearth::recorder
