// SPDX-License-Identifier: Apache-2.0
// A running PolledPlan: its entities, its source, and the timer between two fetches. If a fetch fails, the entities are
// unavailable until one succeeds; the log has a line for each of the two. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "building_blocks/polled/polled_entity.h"
#include "building_blocks/polled/polled_plan.h"
#include "building_blocks/polled/source.h"
#include "core/bus/event_bus.h"

namespace hearth::building_blocks {

class PolledUnit {
 public:
  // The environment must outlive it.
  PolledUnit(std::shared_ptr<const PolledPlan> plan, const PolledEnvironment& environment);
  ~PolledUnit();
  PolledUnit(const PolledUnit&) = delete;
  PolledUnit& operator=(const PolledUnit&) = delete;

  // Adds the entities, and fetches for the first time. The entities that could not be added, each with the reason.
  std::vector<std::string> start();
  // Takes the entities out of the home, which keeps their states. Nothing else may be called afterwards.
  void withdraw();

  const PolledPlan& plan() const { return *plan_; }
  std::vector<std::string> entity_ids() const;

 private:
  class BrokenEntity;

  void fetch();
  void receive(base::Result<Source::Parts> parts);
  void show(PolledEntity& entity, const base::Result<Fetched>& part);
  void command(std::size_t entity, const domains::Action& action, const json::object& data);
  bool refresh();

  const std::shared_ptr<const PolledPlan> plan_;
  const PolledEnvironment& environment_;
  std::unique_ptr<Source> source_;                       // null: the plan is broken
  std::vector<std::unique_ptr<PolledEntity>> entities_;  // as in the plan; null: could not be added
  std::vector<std::string> broken_;                      // ids of entities of a broken plan
  core::Timer timer_;
  bool fetching_ = false, again_ = false;  // again: as soon as this fetch has ended
  bool stale_ = false;                     // a command was carried out during this fetch, whose result is not shown
  bool failing_ = false;
};

}  // namespace hearth::building_blocks
