// SPDX-License-Identifier: Apache-2.0
// Makes long background work sleep 100 µs after each 100 µs. So a thread that answers a client on the same core waits
// at most that long, and not for the end of a time slice, which takes milliseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace hearth::recorder {

class CpuThrottle {
 public:
  static constexpr std::chrono::microseconds kWork{100}, kRest{100};

  // While one exists, the working thread rests. The working thread only.
  class Background {
   public:
    explicit Background(CpuThrottle& throttle) : throttle_(throttle) { throttle_.in_background_ = true; }
    ~Background() { throttle_.in_background_ = false; }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

   private:
    CpuThrottle& throttle_;
  };

  // The working thread, as often as possible: takes nanoseconds unless a rest is due. Returns whether it rested.
  bool rest_if_due() {
    if (!in_background_ || std::chrono::steady_clock::now() < due_) return false;
    const bool rests = !hurried_.load(std::memory_order_relaxed);
    if (rests) std::this_thread::sleep_for(kRest);
    due_ = std::chrono::steady_clock::now() + kWork;
    return rests;
  }

  // Any thread. True if somebody waits for the working thread, or if it lags behind: it then does not rest.
  void hurry(bool on) { hurried_.store(on, std::memory_order_relaxed); }

 private:
  bool in_background_ = false;
  std::chrono::steady_clock::time_point due_;
  std::atomic<bool> hurried_{false};
};

}  // namespace hearth::recorder
