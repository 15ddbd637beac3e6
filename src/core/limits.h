// SPDX-License-Identifier: Apache-2.0
// What the home takes at most from those who may ask: the keys under `limits:` in configuration.yaml (contract, Weight,
// and strangers). What is over a limit is refused with a message that names it; nothing is half done.
#pragma once

#include <cstddef>

namespace hearth::core {

struct Limits {
  std::size_t subscriptions = 1'024;  // of one WebSocket

  bool operator==(const Limits&) const = default;
};

}  // namespace hearth::core
