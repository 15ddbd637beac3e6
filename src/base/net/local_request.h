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

// `host`: an address or name of this machine. Fails with unavailable, with the reason.
Result<LocalAnswer> ask_local_hub(const std::string& host, std::uint16_t port, const std::string& path,
                                  std::chrono::milliseconds patience);

}  // namespace hearth::base
