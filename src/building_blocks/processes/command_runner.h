// SPDX-License-Identifier: Apache-2.0
// Runs commands, kMostRunning at a time, each on a thread that begins with the first command that needs it. Others wait
// in their order, `most_waiting` at most. Bus thread only, except where noted.
#pragma once

#include <utility>

#include "building_blocks/processes/command.h"
#include "building_blocks/processes/worker_pool.h"

namespace hearth::building_blocks {

class CommandRunner {
 public:
  static constexpr std::size_t kMostRunning = 4;
  static constexpr std::size_t kMostWaiting = 64;
  using Done = std::function<void(base::Result<CommandResult> result)>;

  // The bus must outlive it.
  explicit CommandRunner(core::EventBus& bus, std::size_t most_waiting = kMostWaiting)
      : pool_(bus, {.name = "commands", .running = kMostRunning, .waiting = most_waiting},
              [](const CommandResult& result) { return result.output.size() + result.errors.size(); }) {}

  // Calls `done` once, on the bus thread: as run(), or at once with full if too many commands wait. Not after stop().
  void run(Command command, Done done) {
    pool_.run(
        [command = std::move(command)](const auto& is_wanted) { return building_blocks::run(command, is_wanted); },
        std::move(done));
  }
  // Kills what runs, and forgets what waits.
  void stop() { pool_.stop(); }
  // Waits for the threads. While the bus does not run.
  void join() { pool_.join(); }

 private:
  WorkerPool<CommandResult> pool_;
};

}  // namespace hearth::building_blocks
