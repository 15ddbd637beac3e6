// SPDX-License-Identifier: Apache-2.0
// Counts of the hub's work since its start, for monitoring. Each counter has one writer at a time; any thread reads.
#pragma once

#include <atomic>
#include <cstdint>

namespace hearth::core {

class Counter {
 public:
  void increase() { value_.store(value() + 1, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Written by the bus thread.
struct Counters {
  Counter automation_runs;         // begun, of automations; not those that wait for their turn
  Counter failed_automation_runs;  // ended by an error
  Counter script_runs;
  Counter failed_script_runs;
  Counter mqtt_received;   // messages
  Counter mqtt_published;  // likewise
};

}  // namespace hearth::core
