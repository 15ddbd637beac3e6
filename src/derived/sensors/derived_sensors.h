// SPDX-License-Identifier: Apache-2.0
// All sensors of the home that are made of others: those of the configuration, and those that people make. Bus thread
// only, except where noted.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "automation/engine.h"
#include "base/threads/published.h"
#include "derived/history_questions.h"
#include "derived/sensors/made_sensors.h"
#include "derived/sensors/plan_parser.h"
#include "derived/units/unit.h"

namespace hearth::derived {

class DerivedSensors {
 public:
  // Reads the configuration again, on a thread of its own, and calls apply() on the bus thread; then replies.
  using Reload = automation::Engine::Reload;

  // All must outlive it.
  DerivedSensors(automation::Home& home, domains::EntityTable& entities, HistoryQuestions& history);
  ~DerivedSensors();
  DerivedSensors(const DerivedSensors&) = delete;
  DerivedSensors& operator=(const DerivedSensors&) = delete;

  // <platform>.reload of each. Once, while the bus does not run.
  void add_services(const Reload& reload);

  // Puts the configuration in force: what has not changed goes on. A broken one leaves the last good one working. With
  // the first one those that people made begin.
  void apply(const Configuration& configuration);
  // Ends everything; entities keep their states.
  void stop();

  // Any thread.
  std::shared_ptr<const std::vector<automation::Fault>> faults() const { return faults_.load(); }

 private:
  using Units = std::vector<std::unique_ptr<Unit>>;

  static std::unique_ptr<Unit> taken(const std::map<std::string, std::unique_ptr<Unit>*>& former, const Plan& plan);
  // What earlier configurations had and this one has not: removed, or unavailable if a file cannot be read.
  void clear_left(bool complete) const;
  void publish_faults();
  void for_each(const std::function<void(Unit& unit)>& act) const;

  const Environment environment_;
  Units units_;
  std::vector<automation::Fault> file_faults_;
  MadeSensors made_{environment_, [this] { publish_faults(); }};
  base::Published<std::vector<automation::Fault>> faults_{std::make_shared<const std::vector<automation::Fault>>()};
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::derived
