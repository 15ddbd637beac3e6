// SPDX-License-Identifier: Apache-2.0
// Who holds the bus for longer than it should: each callback is timed, and one that takes more than kTooLong is named
// in the log and in a list, with the place in the sources that it came from. One that never returns is named, too, as
// soon as somebody asks.
//
// The bus thread says what it begins, which costs a reading of the coarse clock; any thread asks. At most kMaxPlaces
// places are kept: a further one displaces the one that was slow the longest ago. The log names a place once in
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

  // A line of a source. Its file is a literal, or null: nothing runs.
  struct Where {
    Where() = default;
    Where(const char* in_file, std::uint32_t at_line) : file(in_file), line(at_line) {}
    Where(const std::source_location& location) : file(location.file_name()), line(location.line()) {}

    const char* file = nullptr;
    std::uint32_t line = 0;
  };

  // Bus thread. What came before is over, and a callback of this place begins, or nothing.
  void begin(Where where) noexcept;

  // Bus thread. While it lives, the time counts for this place instead of the one before.
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
    base::Timestamp last = {};  // when it was noticed last
    bool holds_now = false;     // it has not returned
  };
  // Any thread. The callbacks that have held the bus for too long, the longest first; the one that holds it now
  // included.
  std::vector<Slow> slow();
  // Any thread. Notes and logs the callback that holds the bus now, if it has held it for too long.
  void check();

 private:
  // The callback under way, as another thread sees it.
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

  // Written by the bus thread alone. The number is even while the rest belongs together.
  std::atomic<std::uint64_t> number_{0};
  std::atomic<const char*> file_{nullptr};
  std::atomic<std::uint32_t> line_{0};
  std::atomic<base::SteadyTime> started_{};

  base::Mutex mutex_;
  std::vector<Place> places_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::core
