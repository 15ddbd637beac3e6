// SPDX-License-Identifier: Apache-2.0
// Two clocks: the wall clock, for people and records, and a steady one that only goes forward, for waits. Any thread.
#pragma once

#include <atomic>
#include <chrono>

namespace hearth::base {

using Timestamp = std::chrono::sys_time<std::chrono::microseconds>;
using Duration = std::chrono::microseconds;
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;
  // The wall clock, up to some milliseconds late, at a fraction of the cost.
  virtual Timestamp coarse_now() const = 0;
  virtual SteadyTime steady_now() const = 0;
  virtual SteadyTime coarse_steady_now() const { return steady_now(); }  // likewise for the steady clock
};

class SystemClock final : public Clock {
 public:
  Timestamp now() const override { return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now()); }
  Timestamp coarse_now() const override;
  SteadyTime steady_now() const override {
    return std::chrono::time_point_cast<Duration>(std::chrono::steady_clock::now());
  }
  SteadyTime coarse_steady_now() const override;
};

// For tests: stands still until it is moved.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Timestamp start = Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)))
      : now_(start) {}
  Timestamp now() const override { return now_.load(); }
  Timestamp coarse_now() const override { return now(); }
  SteadyTime steady_now() const override { return SteadyTime(steady_.load()); }
  SteadyTime coarse_steady_now() const override { return steady_now(); }

  void advance(Duration step) {
    now_ = now_.load() + step;
    steady_ = steady_.load() + step;
  }
  // Moves the wall clock alone, as an administrator or a time server does.
  void set(Timestamp now) { now_ = now; }

 private:
  std::atomic<Timestamp> now_;
  std::atomic<Duration> steady_{Duration(0)};
};

}  // namespace hearth::base
