// SPDX-License-Identifier: Apache-2.0
// Long work on a thread that nobody waits for, in strokes with rests between them: a thread that answers a client,
// woken on the same processor, waits for the end of a stroke instead of the scheduler's slice, which is milliseconds
// long.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace hearth::recorder {

class WorkStrokes {
 public:
  static constexpr std::chrono::microseconds kStroke{100}, kRest{100};

  // The working thread: the more often, the better; takes nanoseconds but where a rest is due. Whether there was one.
  bool rest_if_due() {
    if (std::chrono::steady_clock::now() < due_) return false;
    const bool rests = !hurried_.load(std::memory_order_relaxed);
    if (rests) std::this_thread::sleep_for(kRest);
    due_ = std::chrono::steady_clock::now() + kStroke;
    return rests;
  }

  // Any thread. Somebody waits for the work, or too much of it does: no rests.
  void hurry(bool on) { hurried_.store(on, std::memory_order_relaxed); }

 private:
  std::chrono::steady_clock::time_point due_;
  std::atomic<bool> hurried_{false};
};

}  // namespace hearth::recorder
