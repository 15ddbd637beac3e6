// SPDX-License-Identifier: Apache-2.0
// The thread that reads history: tasks one after the other, each short, so that long questions and short ones take
// turns and none of them holds up a worker. It rests where there is nothing to read.
//
// Queue: at most kMaxTasks; one more is refused.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"
#include "recorder/history_reader.h"

namespace hearth::recorder {

class History {
 public:
  static constexpr std::size_t kMaxTasks = 1'024;
  using Task = std::function<void(HistoryReader& reader)>;

  // The recorder must outlive it.
  explicit History(const Recorder& recorder) : reader_(recorder) {}
  ~History() { stop(); }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Any thread. False, and the task will not run, where too many wait or the thread has stopped. A task that throws, or
  // that does not run any more, is destroyed: what waits for it is told by what the task owns.
  [[nodiscard]] bool post(Task task);

  // One thread at a time. Tasks that have not begun when it stops are destroyed.
  void start();
  void stop();

 private:
  void run();

  HistoryReader reader_;
  base::Mutex mutex_;
  base::ConditionVariable wake_;
  std::deque<Task> tasks_ __attribute__((guarded_by(mutex_)));
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::thread thread_;
};

}  // namespace hearth::recorder
