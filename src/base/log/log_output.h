// SPDX-License-Identifier: Apache-2.0
// Writes the lines of the log to a file, a pipe or a terminal. If its reader stops reading or ends, only the thread of
// this waits, while it runs. A pipe, a terminal or a socket with room has the line when `put` returns, so that it is
// not lost if the process is killed; everything else is written by the thread.
//
// Queue: kMaxBytes; beyond it the oldest lines are dropped. A line says later how many are missing.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>

namespace hearth::base {

class LogOutput {
 public:
  static constexpr std::size_t kMaxBytes = 4 << 20;

  // The descriptor stays open; 2 is standard error.
  explicit LogOutput(int descriptor);
  // Stops the thread without patience.
  ~LogOutput();
  LogOutput(const LogOutput&) = delete;
  LogOutput& operator=(const LogOutput&) = delete;

  // Any thread. A line with its line break. Without the thread it is written at once, whatever that takes.
  void put(std::string line);
  // Any thread, also in the handler of a signal: waits until every line put before is written or dropped. False if that
  // takes longer.
  bool written_within(std::chrono::milliseconds patience) const noexcept;

  // One thread. From now on a thread of its own writes.
  void start();
  // One thread. Returns as soon as all is written, at the latest after `patience`: then the thread is left behind in
  // its write, and ends after it.
  void stop(std::chrono::milliseconds patience);

 private:
  struct State;

  const std::shared_ptr<State> state_;  // the thread's, too
  std::thread thread_;
};

}  // namespace hearth::base
