// SPDX-License-Identifier: Apache-2.0
// Ends the process if the hub has not come to its end in time, as while an integration holds the bus for good: whoever
// asked the hub to end waits 5 seconds (contract) and kills it then, without anything having been said or saved.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace hearth::app {

class StopGuard {
 public:
  // Unless it is destroyed within `patience`, `last` is called on a thread of its own, and the process ends with 1.
  StopGuard(std::chrono::milliseconds patience, std::function<void()> last);

 private:
  std::jthread thread_;
};

}  // namespace hearth::app
