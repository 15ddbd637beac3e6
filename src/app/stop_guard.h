// SPDX-License-Identifier: Apache-2.0
// Ends the process if the hub does not stop in time, for example because an integration blocks the bus: a supervisor
// waits 5 seconds (contract) and then kills the hub, with nothing logged or saved.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace hearth::app {

class StopGuard {
 public:
  // Unless destroyed within `patience`, it calls `last` on a thread of its own and ends the process with 1.
  StopGuard(std::chrono::milliseconds patience, std::function<void()> last);

 private:
  std::jthread thread_;
};

}  // namespace hearth::app
