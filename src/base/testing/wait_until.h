// SPDX-License-Identifier: Apache-2.0
// For tests: waits for the effect of another thread. If it does not come, the program ends and says where it waited,
// because its threads may use objects that a failed test would destroy.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <source_location>
#include <thread>

namespace hearth::base {

// Longer than any machine needs; ctest would end the program later, without a word.
inline constexpr std::chrono::seconds kTestPatience{120};

[[noreturn]] inline void waited_in_vain(const std::source_location& where) {
  std::fprintf(stderr, "%s:%u: what the test waits for has not come within %lld s\n", where.file_name(), where.line(),
               static_cast<long long>(kTestPatience.count()));
  std::abort();
}

template <class Condition>
void wait_until(Condition&& condition, const std::source_location& where = std::source_location::current()) {
  const auto end = std::chrono::steady_clock::now() + kTestPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) waited_in_vain(where);
    std::this_thread::yield();
  }
}

// The future's value.
template <class Value>
Value wait_for(std::future<Value> future, const std::source_location& where = std::source_location::current()) {
  if (future.wait_for(kTestPatience) != std::future_status::ready) waited_in_vain(where);
  return future.get();
}

}  // namespace hearth::base
