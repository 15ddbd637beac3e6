// SPDX-License-Identifier: Apache-2.0
// Runs work that exceptions must not leave: a callback that a C library calls, a turn of a thread's loop.
#pragma once

#include <exception>
#include <string_view>

#include "base/log/log.h"

namespace hearth::base {

// Any thread. False if the function throws; it is logged under `component`, and `work` names it: "a message of MQTT".
template <class Function>
bool run_guarded(std::string_view component, std::string_view work, Function&& function) noexcept {
  try {
    function();
    return true;
  } catch (const std::exception& failure) {
    log_error(component, "{} failed: {}", work, failure.what());
  } catch (...) {
    log_error(component, "{} failed: unknown exception", work);
  }
  return false;
}

}  // namespace hearth::base
