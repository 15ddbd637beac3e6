// SPDX-License-Identifier: Apache-2.0
// All polled entities of the home. Bus thread only, except where noted.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "building_blocks/polled/plan_reader.h"
#include "building_blocks/polled/polled_unit.h"
#include "building_blocks/polled/workers.h"
#include "building_blocks/processes/command_runner.h"
#include "configured/in_force.h"
#include "configured/reload.h"

namespace hearth::building_blocks {

class PolledEntities {
 public:
  // All must outlive it. Commands run in `folder`.
  PolledEntities(std::span<const Block> blocks, automation::Home& home, domains::EntityTable& entities,
                 net::HttpClient& http, std::filesystem::path folder, Databases* databases = nullptr);
  ~PolledEntities();
  PolledEntities(const PolledEntities&) = delete;
  PolledEntities& operator=(const PolledEntities&) = delete;

  // <block>.reload of each. Once, while the bus does not run.
  void add_services(const configured::Reload& reload);

  // Puts the configuration in force: what has not changed goes on. A broken item leaves the last good one working.
  void apply(const PolledConfiguration& configuration);
  // Ends everything, and kills commands that run; entities keep their states.
  void stop();
  // Waits for the threads, after stop(). While the bus does not run.
  void join();

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }

 private:
  // Entities that only earlier configurations had are removed, or unavailable if a file cannot be read.
  void clear_left(bool complete) const;

  const std::span<const Block> blocks_;
  CommandRunner fetches_, orders_;
  Workers workers_;
  const PolledEnvironment environment_;
  configured::InForce<PolledUnit> units_;
  configured::Faults faults_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::building_blocks
