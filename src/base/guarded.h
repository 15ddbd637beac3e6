// SPDX-License-Identifier: Apache-2.0
// Runs work that exceptions must not leave: a callback that a C library calls, a turn of a thread's loop.
#pragma once

#include <exception>
#include <string_view>

namespace hearth::base {

// Any thread. Logs "`work` failed: `reason`"; never throws, not even if there is no memory for the record.
void log_failure(std::string_view component, std::string_view work, std::string_view reason) noexcept;

// Any thread. False if the function throws; it is logged under `component`, and `work` names it: "a message of MQTT".
template <class Function>
bool run_guarded(std::string_view component, std::string_view work, Function&& function) noexcept {
  try {
    function();
    return true;
  } catch (const std::exception& failure) {
    log_failure(component, work, failure.what());
  } catch (...) {
    log_failure(component, work, "unknown exception");
  }
  return false;
}

}  // namespace hearth::base
