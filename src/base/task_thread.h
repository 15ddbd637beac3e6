// SPDX-License-Identifier: Apache-2.0
// A thread that runs tasks one after the other, and looks after something of its owner's between them.
//
// Tasks wait in lines, which take turns. Each line has a bound; at it, one more task is refused. What a task or the
// work between tasks throws is logged, and the thread goes on. When the thread stops, it finishes the task under way;
// those that wait are destroyed without having run: whoever waits for one is told by what the task owns.
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
  // Called on the thread before the first task, after each task, and after each wake. Returns for how long the thread
  // may sleep if no task waits.
  using Between = std::function<Duration()>;
  static constexpr Duration kUntilWoken = Duration::max();
  static constexpr Duration kAfterFailure = std::chrono::seconds(1);  // if `between` has thrown

  // `name`, of at most 15 bytes, names the thread for the system and in the log; `component` is the log's. `bounds`:
  // how many tasks may wait, line by line.
  TaskThread(std::string name, std::string component, std::vector<std::size_t> bounds, Between between = {});
  ~TaskThread() { stop(); }
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Any thread. False if the line is full or the thread has stopped. What is posted before the start waits for it.
  [[nodiscard]] bool post(Task task, std::size_t line = 0);
  // Any thread. Has `between` called soon.
  void wake();
  // Any thread. Whether no task waits.
  bool idle() const;

  // Any thread. Does nothing if the thread runs or has stopped. Throws std::system_error if there is no thread to be
  // had.
  void start();
  // Not on the thread itself. Returns once it has ended; true if this call ended it. It cannot be started again.
  bool stop();

 private:
  struct Line {
    std::size_t bound = 0;
    std::deque<Task> tasks = {};
  };

  void run();
  // The next task, or an empty one if there is only `between` to be called; nothing at the end.
  std::optional<Task> next(Duration pause);
  template <class Work>
  void run_guarded(Work&& work) const;

  const std::string name_, component_;
  const Between between_;

  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::vector<Line> lines_ __attribute__((guarded_by(mutex_)));
  std::size_t turn_ __attribute__((guarded_by(mutex_))) = 0;     // the line that comes next
  std::size_t waiting_ __attribute__((guarded_by(mutex_))) = 0;  // tasks, in all lines
  bool woken_ __attribute__((guarded_by(mutex_))) = false;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::thread thread_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::base
