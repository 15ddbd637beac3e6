// SPDX-License-Identifier: Apache-2.0
// The thread that reads history: runs tasks one after the other, each short, so that long questions take turns with
// short ones and none blocks a worker. Sleeps if there is nothing to read.
//
// Questions of many tasks get a place first: a limited number runs at a time, others wait (question_places.h). After
// the last one, the memory that they used goes back to the system.
//
// Queue: at most kMaxTasks; a further one is refused.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "base/threads/task_thread.h"
#include "core/values/limits.h"
#include "recorder/history_file_reader.h"
#include "recorder/question_places.h"

namespace hearth::recorder {

class History {
 public:
  static constexpr std::size_t kMaxTasks = 1'024;
  using Task = std::function<void(HistoryReader& reader)>;

  // The recorder must outlive this.
  explicit History(const Recorder& recorder, std::size_t questions = core::Limits().questions)
      : History(std::make_unique<HistoryFileReader>(recorder), questions) {}
  explicit History(std::unique_ptr<HistoryReader> reader, std::size_t questions = core::Limits().questions)
      : places_(questions), reader_(std::move(reader)) {}
  ~History() { stop(); }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Any thread. False, and the task will not run, if too many wait or the thread has stopped. A task that throws, or
  // that will not run any more, is destroyed: what the task owns notifies those who wait for it.
  [[nodiscard]] bool post(Task task);
  // Any thread. As QuestionPlaces::ask.
  [[nodiscard]] bool ask(QuestionPlaces::Begin begin);

  // One thread at a time. Stopping destroys tasks that have not started.
  void start() { thread_.start(); }
  void stop();

 private:
  base::Duration between_tasks();

  QuestionPlaces places_;
  const std::unique_ptr<HistoryReader> reader_;
  bool memory_used_ = false;                           // since memory was last returned …
  std::chrono::steady_clock::time_point next_return_;  // … which happens again at this time at the earliest
  base::TaskThread thread_{"history", "recorder", {kMaxTasks}, [this] { return between_tasks(); }};
};

}  // namespace hearth::recorder
