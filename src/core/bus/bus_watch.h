// SPDX-License-Identifier: Apache-2.0
// Finds callbacks that hold the bus too long: each is timed, and one that takes more than kTooLong is named in the log
// and in a list, by its source location. A callback that never returns is named as soon as somebody asks.
//
// The bus thread notes what it starts, which costs a read of the coarse clock; any thread asks. At most kMaxPlaces
// locations are kept: a further one replaces the one that was slow longest ago. The log names a location once in
// kLogInterval.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"

namespace hearth::core {

class BusWatch {
 public:
  static constexpr base::Duration kTooLong = std::chrono::milliseconds(100);
  static constexpr base::Duration kLogInterval = std::chrono::minutes(1);
  static constexpr std::size_t kMaxPlaces = 64;

  explicit BusWatch(const base::Clock& clock) : clock_(clock) {}

  // A source location. The file is a literal; null if nothing runs.
  struct Where {
    Where() = default;
    Where(const char* in_file, std::uint32_t at_line) : file(in_file), line(at_line) {}
    Where(const std::source_location& location) : file(location.file_name()), line(location.line()) {}

    const char* file = nullptr;
    std::uint32_t line = 0;
  };

  // Bus thread. The last callback has ended, and one of this location begins, or none.
  void begin(Where where) noexcept;

  // Bus thread. While it exists, the time counts for this location instead of the enclosing one.
  class Inner {
   public:
    Inner(BusWatch& watch, Where where) noexcept
        : watch_(watch),
          before_(watch.file_.load(std::memory_order_relaxed), watch.line_.load(std::memory_order_relaxed)) {
      watch.begin(where);
    }
    ~Inner() { watch_.begin(before_); }
    Inner(const Inner&) = delete;
    Inner& operator=(const Inner&) = delete;

   private:
    BusWatch& watch_;
    const Where before_;
  };

  struct Slow {
    std::string where;  // src/integrations/demo/world.cpp:52
    base::Duration longest{0};
    std::uint64_t times = 0;
    base::Timestamp last = {};  // when it was last slow
    bool holds_now = false;     // it has not returned
  };
  // Any thread. The callbacks that have held the bus too long, the longest first, including the current one.
  std::vector<Slow> slow();
  // Any thread. How long the current callback has held the bus; zero if none does.
  base::Duration held() const;
  // Any thread. The longest that a callback has held the bus since the start, the current one among them; less than
  // kTooLong is not noted, and zero here.
  base::Duration longest();
  // Any thread. Notes and logs the current callback if it has held the bus too long.
  void check();

 private:
  // The current callback, as read by another thread.
  struct Call {
    std::uint64_t number = 0;
    Where where;
    base::SteadyTime started;
  };
  struct Place {
    Slow slow;
    std::uint64_t last_call = 0;
    std::optional<base::SteadyTime> logged = {};
  };

  Call call() const;
  void note(const Call& call, base::SteadyTime now, bool over);
  Place& place(std::string where) __attribute__((requires_capability(mutex_)));

  const base::Clock& clock_;

  // Written by the bus thread only. A sequence lock: even while the fields are consistent.
  std::atomic<std::uint64_t> number_{0};
  std::atomic<const char*> file_{nullptr};
  std::atomic<std::uint32_t> line_{0};
  std::atomic<base::SteadyTime> started_{};

  base::Mutex mutex_;
  std::vector<Place> places_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::core
