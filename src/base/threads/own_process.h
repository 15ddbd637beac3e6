// SPDX-License-Identifier: Apache-2.0
// Runs this program once more in a process of its own, for work that must not take memory or time from the hub, nor end
// it: the process has a lower priority, and is the first to be killed if memory is short.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::base {

struct OwnProcess {
  static constexpr std::size_t kMaxErrors = 64 * 1024;  // bytes; what is beyond is left out

  std::vector<std::string> arguments;                             // without the program's name
  std::string input = {};                                         // its standard input
  std::function<void(std::string_view line)> on_line = {};        // each line of its standard output
  std::function<void(std::string_view line)> on_error_line = {};  // likewise; then Ended has no errors
  std::function<bool()> is_wanted = {};                           // asked several times a second; if not, it is ended
  std::chrono::milliseconds time_to_end{0};  // with it, it is told to end (SIGTERM) and killed if it has not by then
  std::size_t max_line = 3 * 1024 * 1024;    // bytes; a longer one is a failure
  unsigned max_seconds = 600;                // of the processor; then the system kills it
};

struct Ended {
  int code = 0;        // of its exit; 128 and the signal's number if one ended it
  std::string errors;  // what it wrote to standard error
};

// Returns when it has ended. Fails with unavailable if it cannot be started or is no longer wanted, with full if a line
// is too long. Any thread that may wait.
Result<Ended> run(const OwnProcess& process);

}  // namespace hearth::base
