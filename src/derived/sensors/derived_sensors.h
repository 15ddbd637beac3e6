// SPDX-License-Identifier: Apache-2.0
// All derived sensors of the home: those of the configuration, and those that people make. Bus thread only, except
// where noted.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "configured/in_force.h"
#include "configured/reload.h"
#include "derived/history_questions.h"
#include "derived/sensors/made_sensors.h"
#include "derived/sensors/plan_parser.h"
#include "derived/units/unit.h"

namespace hearth::derived {

class DerivedSensors {
 public:
  // All must outlive it.
  DerivedSensors(automation::Home& home, domains::EntityTable& entities, HistoryQuestions& history);
  ~DerivedSensors();
  DerivedSensors(const DerivedSensors&) = delete;
  DerivedSensors& operator=(const DerivedSensors&) = delete;

  // <platform>.reload of each. Once, while the bus does not run.
  void add_services(const configured::Reload& reload);

  // Puts the configuration in force: what has not changed goes on. A broken one leaves the last good one working. With
  // the first one those that people made begin.
  void apply(const Configuration& configuration);
  // Ends everything; entities keep their states.
  void stop();

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }

 private:
  // Null if none of its entities could be added.
  std::unique_ptr<Unit> start(const std::shared_ptr<const Plan>& plan, std::vector<configured::Fault>& faults) const;
  // Sensors of earlier configurations that this one lacks: removed, or unavailable if a file cannot be read.
  void clear_left(bool complete) const;
  void publish_faults();
  void for_each(const std::function<void(Unit& unit)>& act) const;

  const Environment environment_;
  configured::InForce<Unit> units_;
  std::vector<configured::Fault> file_faults_;
  MadeSensors made_{environment_, [this] { publish_faults(); }};
  configured::Faults faults_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::derived
