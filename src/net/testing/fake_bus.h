// SPDX-License-Identifier: Apache-2.0
// For tests: the bus's end of a BusQueue; the test's thread is the bus thread.
#pragma once

#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/testing/wait_until.h"
#include "net/reactor/bus_queue.h"

namespace hearth::net::testing {

class FakeBus {
 public:
  FakeBus() = default;
  FakeBus(const FakeBus&) = delete;
  FakeBus& operator=(const FakeBus&) = delete;

  // The bus must outlive it.
  PostToBus post() {
    return [this](std::size_t bytes, std::function<void()> task) { return add(bytes, std::move(task)); };
  }
  void set_full(bool full) {
    const base::MutexLock lock(mutex_);
    full_ = full;
  }
  // Posts that have met a full bus.
  int refused() const {
    const base::MutexLock lock(mutex_);
    return refused_;
  }
  // Tasks that have been posted.
  int tasks() const {
    const base::MutexLock lock(mutex_);
    return posted_;
  }

  void run_pending() {
    std::vector<std::function<void()>> tasks;
    {
      const base::MutexLock lock(mutex_);
      tasks.swap(tasks_);
    }
    for (const auto& task : tasks) task();
  }
  template <class Condition>
  void run_until(Condition&& condition, const std::source_location& where = std::source_location::current()) {
    base::wait_until(
        [&] {
          run_pending();
          return condition();
        },
        where);
  }

 private:
  bool add(std::size_t, std::function<void()> task) {
    const base::MutexLock lock(mutex_);
    if (full_) return ++refused_, false;
    ++posted_;
    tasks_.push_back(std::move(task));
    return true;
  }

  mutable base::Mutex mutex_;
  std::vector<std::function<void()>> tasks_ __attribute__((guarded_by(mutex_)));
  bool full_ __attribute__((guarded_by(mutex_))) = false;
  int refused_ __attribute__((guarded_by(mutex_))) = 0;
  int posted_ __attribute__((guarded_by(mutex_))) = 0;
};

}  // namespace hearth::net::testing
