// SPDX-License-Identifier: Apache-2.0
// Asks for a password on the controlling terminal, even if standard input is something else.
#pragma once

#include <iosfwd>
#include <string>

#include "base/result.h"

namespace hearth::app {

constexpr std::size_t kMaxPasswordBytes = 1'024;

// Shows the question and reads one line without echo. A signal restores the terminal before it takes effect. Fails with
// invalid if there is no terminal, or if the line is empty or too long.
base::Result<std::string> ask_password(const std::string& question);

// One line, from a program. Fails with invalid if it is empty or too long.
base::Result<std::string> read_passphrase(std::istream& in);

}  // namespace hearth::app
