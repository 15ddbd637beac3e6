// SPDX-License-Identifier: Apache-2.0
// Callbacks due at a time, soonest first; equal times in the order they were added. Not thread-safe: its owner locks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/clock.h"

namespace hearth::core {

class TimerQueue {
 public:
  using Task = std::function<void()>;
  using Key = std::pair<base::SteadyTime, std::uint64_t>;

  Key add(base::SteadyTime due, Task task) {
    const Key key{due, ++last_number_};
    tasks_.emplace(key, std::move(task));
    return key;
  }
  // The task, if it had not run, so that the caller can destroy it outside its lock.
  Task remove(Key key) {
    const auto node = tasks_.extract(key);
    return node ? std::move(node.mapped()) : Task();
  }
  std::optional<base::SteadyTime> next_due() const {
    if (tasks_.empty()) return {};
    return tasks_.begin()->first.first;
  }
  // Takes the first task that is due at `now` out; empty where none is.
  Task pop_due(base::SteadyTime now) {
    if (tasks_.empty() || tasks_.begin()->first.first > now) return {};
    return std::move(tasks_.extract(tasks_.begin()).mapped());
  }
  void clear() { tasks_.clear(); }

 private:
  std::map<Key, Task> tasks_;
  std::uint64_t last_number_ = 0;
};

}  // namespace hearth::core
