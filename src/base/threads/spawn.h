// SPDX-License-Identifier: Apache-2.0
// Starts a program as a process of its own. Any thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hearth::base {

struct Spawn {
  std::string program;                                       // its file
  std::vector<std::string> arguments;                        // the first is what it is called
  std::optional<std::vector<std::string>> environment = {};  // NAME=value each; null: the hub's
  std::filesystem::path folder = {};                         // where it runs; empty: where the hub does
  int input = -1, output = -1, errors = -1;                  // descriptors that it gets; it has no others
  bool own_group = false;                                    // it is the first of a process group
};

// Its number: the caller has to wait for it. It blocks no signals, and handles them as programs do at first. Fails with
// unavailable; the message is the system's.
Result<pid_t> spawn(Spawn what);

}  // namespace hearth::base
