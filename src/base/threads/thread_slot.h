// SPDX-License-Identifier: Apache-2.0
// A small number for each running thread, reused after the thread ends: an index into arrays with one element a thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>

namespace hearth::base {

class ThreadSlot {
 public:
  // How many numbers there are: one for each worker, at most one a core, and kOthers for the hub's other threads.
  static std::size_t count() {
    static const std::size_t count = count_for(std::thread::hardware_concurrency());
    return count;
  }
  static constexpr std::size_t count_for(std::size_t cores) { return std::max<std::size_t>(cores, 8) + kOthers; }
  static constexpr std::size_t kOthers = 24;

  // This thread's number, below count(); or count() if all numbers are taken.
  static std::size_t index() {
    thread_local const ThreadSlot slot;
    return slot.index_;
  }

 private:
  ThreadSlot();
  ~ThreadSlot();

  std::size_t index_;
};

}  // namespace hearth::base
