// SPDX-License-Identifier: Apache-2.0
// The end of the link on the thread `net`, which alone uses it.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {

class HubEnd {
 public:
  void send(std::uint64_t number, json::object command, std::chrono::milliseconds limit);
};

}  // namespace hearth::integrations::home_assistant
