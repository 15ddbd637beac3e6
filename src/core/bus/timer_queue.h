// SPDX-License-Identifier: Apache-2.0
// Callbacks due at a time of one clock, earliest first; equal times in the order of adding. Not thread-safe: its owner
// locks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <source_location>
#include <utility>

namespace hearth::core {

struct TimerEntry {
  std::function<void()> task;
  std::source_location where;  // where it was added
};

template <class Time>
class TimerQueue {
 public:
  using Task = std::function<void()>;
  using Key = std::pair<Time, std::uint64_t>;

  Key add(Time due, Task task, const std::source_location& where) {
    const Key key{due, last_number_ + 1};
    tasks_.emplace(key, TimerEntry{std::move(task), where});
    ++last_number_;
    return key;
  }
  // Returns the task, if it has not run, so that the caller can destroy it outside its lock.
  Task remove(Key key) {
    const auto node = tasks_.extract(key);
    return node ? std::move(node.mapped().task) : Task();
  }
  std::optional<Time> next_due() const {
    if (tasks_.empty()) return {};
    return tasks_.begin()->first.first;
  }
  std::uint64_t last_number() const { return last_number_; }
  // Removes the first task if it is due at `now` and was among the first `numbers` to be added.
  std::optional<TimerEntry> pop_due(Time now, std::uint64_t numbers) {
    if (tasks_.empty() || tasks_.begin()->first.first > now || tasks_.begin()->first.second > numbers) return {};
    return std::move(tasks_.extract(tasks_.begin()).mapped());
  }

 private:
  std::map<Key, TimerEntry> tasks_;
  std::uint64_t last_number_ = 0;
};

}  // namespace hearth::core
