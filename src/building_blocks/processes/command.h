// SPDX-License-Identifier: Apache-2.0
// Runs a command that the configuration names, within bounds: no more memory than kMaxMemory, no more output than
// kMaxPrinted, no longer than its timeout. It has a process group of its own, which is killed when the command has
// ended or reached a bound, and of the hub's environment only PATH, HOME, the language and the like.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hearth::building_blocks {

struct Command {
  static constexpr std::size_t kMaxMemory = 512 * 1024 * 1024;  // bytes of addresses, of each process (RLIMIT_AS)
  static constexpr std::size_t kMaxKept = 64 * 1024;            // bytes of each output; the rest is left out
  static constexpr std::size_t kMaxPrinted = 16 * 1024 * 1024;  // bytes of each output; then it is killed

  std::vector<std::string> words;  // the program, looked for in PATH, and its arguments; no shell reads them
  std::string folder = {};         // where it runs; empty: where the hub does
  std::string input = {};          // what it finds on its standard input
  std::chrono::milliseconds timeout = std::chrono::seconds(60);

  // A command line for /bin/sh.
  static std::vector<std::string> for_shell(std::string line) { return {"/bin/sh", "-c", std::move(line)}; }
};

struct CommandResult {
  int code = 0;                // of its exit; 128 and the signal's number if one ended it
  std::string output, errors;  // at most kMaxKept bytes each, as it has written them
};

// Returns when it has ended. Fails with unavailable if it cannot be started, is not wanted any more or reaches the
// timeout; with full if it prints too much. `is_wanted` is asked several times a second. Any thread that may wait.
base::Result<CommandResult> run(const Command& command, const std::function<bool()>& is_wanted);

}  // namespace hearth::building_blocks
