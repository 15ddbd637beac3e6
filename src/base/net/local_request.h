// SPDX-License-Identifier: Apache-2.0
// A GET of this machine's own hub, for commands that ask a running one. Any thread; waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace hearth::base {

struct LocalAnswer {
  int status = 0;
  std::string body;  // at most kMaxLocalAnswer bytes of it
};
constexpr std::size_t kMaxLocalAnswer = 64 * 1024;

// `origin`: http or https, and an address of this machine, as https://[::1]:8123. The certificate may be another
// name's: nobody else is asked. Fails with unavailable, with the reason.
Result<LocalAnswer> ask_local_hub(const std::string& origin, const std::string& path,
                                  std::chrono::milliseconds patience);

}  // namespace hearth::base
