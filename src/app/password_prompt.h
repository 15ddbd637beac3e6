// SPDX-License-Identifier: Apache-2.0
// Asks for a password on a terminal.
#pragma once

#include <string>

#include "base/result.h"

namespace hearth::app {

constexpr std::size_t kMaxPasswordBytes = 1'024;

// Shows the question on `output` and reads one line from `input` without showing it. Interrupted, it puts the terminal
// right before the signal takes effect. Fails with invalid where `input` is no terminal, ends, or is too long.
base::Result<std::string> ask_password(int input, int output, const std::string& question);

}  // namespace hearth::app
