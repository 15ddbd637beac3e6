// SPDX-License-Identifier: Apache-2.0
// A thread that runs tasks one after the other, and calls its owner between them.
//
// Tasks wait in queues that take turns. Each queue has a bound, at which it refuses further tasks. Exceptions of a task
// or of the owner's work are logged, and the thread goes on. On stop the running task finishes; waiting tasks are
// destroyed without having run, and whatever a task owns notifies those who wait for it.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::base {

class TaskThread {
 public:
  using Task = std::move_only_function<void()>;
  // Called on the thread before the first task, after each task, and after each wake. Returns how long the thread may
  // sleep if no task waits.
  using Between = std::function<Duration()>;
  static constexpr Duration kUntilWoken = Duration::max();
  static constexpr Duration kAfterFailure = std::chrono::seconds(1);  // if `between` has thrown

  // `name`, at most 15 bytes, is the thread's name in the system and the log; `component` is the log's. `bounds`: how
  // many tasks may wait in each queue.
  TaskThread(std::string name, std::string component, std::vector<std::size_t> bounds, Between between = {});
  ~TaskThread() { stop(); }
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Any thread. False if the queue is full or the thread has stopped. Tasks posted before start wait for it.
  [[nodiscard]] bool post(Task task, std::size_t queue = 0);
  // Any thread. Makes the thread call `between` soon.
  void wake();
  // Any thread. Whether no task waits.
  bool idle() const;

  // Any thread. No effect if the thread runs or has stopped. Throws std::system_error if no thread can be created.
  void start();
  // Not on the thread itself. Returns after the thread has ended; true if this call ended it. It cannot be restarted.
  bool stop();

 private:
  struct Queue {
    std::size_t bound = 0;
    std::deque<Task> tasks = {};
  };

  void run();
  // The next task; an empty one if only `between` is to be called; null at the end.
  std::optional<Task> next(Duration pause);

  const std::string name_, component_, work_;
  const Between between_;

  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::vector<Queue> queues_ __attribute__((guarded_by(mutex_)));
  std::size_t turn_ __attribute__((guarded_by(mutex_))) = 0;     // the queue that comes next
  std::size_t waiting_ __attribute__((guarded_by(mutex_))) = 0;  // tasks in all queues
  bool woken_ __attribute__((guarded_by(mutex_))) = false;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::thread thread_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::base
