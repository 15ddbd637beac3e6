// SPDX-License-Identifier: Apache-2.0
// A small number for each running thread, given back when the thread ends: an index into arrays with a place per
// thread.
#pragma once

#include <cstddef>

namespace hearth::base {

class ThreadSlot {
 public:
  static constexpr std::size_t kCount = 32;

  // This thread's number: below kCount for the first kCount threads alive at one time, kCount for any further one.
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
