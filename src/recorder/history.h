// SPDX-License-Identifier: Apache-2.0
// The thread that reads history: tasks one after the other, each short, so that long questions and short ones take
// turns and none of them holds up a worker. It rests where there is nothing to read.
//
// Questions of many turns take a place first: so many are at work at once, and others wait (question_places.h). When
// the last of them is done, the memory that they have left behind goes back to the system.
//
// Queue: at most kMaxTasks; one more is refused.
#pragma once

#include <chrono>
#include <functional>

#include "base/task_thread.h"
#include "core/limits.h"
#include "recorder/history_reader.h"
#include "recorder/question_places.h"

namespace hearth::recorder {

class History {
 public:
  static constexpr std::size_t kMaxTasks = 1'024;
  using Task = std::function<void(HistoryReader& reader)>;

  // The recorder must outlive it.
  explicit History(const Recorder& recorder, std::size_t questions = core::Limits().questions)
      : places_(questions), reader_(recorder) {}
  ~History() { stop(); }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Any thread. False, and the task will not run, where too many wait or the thread has stopped. A task that throws, or
  // that does not run any more, is destroyed: what waits for it is told by what the task owns.
  [[nodiscard]] bool post(Task task);
  // Any thread. As QuestionPlaces::ask.
  [[nodiscard]] bool ask(QuestionPlaces::Begin begin);

  // One thread at a time. Tasks that have not begun when it stops are destroyed.
  void start() { thread_.start(); }
  void stop();

 private:
  base::Duration between_tasks();

  QuestionPlaces places_;
  HistoryReader reader_;
  bool memory_used_ = false;                           // since the last time that it was given back …
  std::chrono::steady_clock::time_point next_return_;  // … which is not before then again
  base::TaskThread thread_{"history", "recorder", {kMaxTasks}, [this] { return between_tasks(); }};
};

}  // namespace hearth::recorder
