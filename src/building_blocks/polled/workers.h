// SPDX-License-Identifier: Apache-2.0
// Runs what blocks for sources that are no commands: reads files, asks databases, waits for a host. Bus thread
// only.
#pragma once

#include <string>
#include <utility>

#include "building_blocks/processes/worker_pool.h"

namespace hearth::building_blocks {

class Workers : public WorkerPool<std::string> {
 public:
  explicit Workers(core::EventBus& bus, std::size_t most_waiting)
      : WorkerPool(bus, {.name = "polls", .running = 4, .waiting = most_waiting},
                   [](const std::string& text) { return text.size(); }) {}
};

}  // namespace hearth::building_blocks
