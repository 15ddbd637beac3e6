// SPDX-License-Identifier: Apache-2.0
// A running Plan: its entities, and, for a block with triggers, the triggers that change them. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "automation/runs/runs.h"
#include "automation/triggers/trigger_watch.h"
#include "base/log/repeated_log.h"
#include "template_entities/template_entity.h"

namespace hearth::template_entities {

class Unit {
 public:
  // Both must outlive it.
  Unit(std::shared_ptr<const Plan> plan, automation::Home& home, domains::EntityTable& entities);
  ~Unit();
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  // Adds the entities, and arms the triggers. The entities that could not be added, each with the reason.
  std::vector<std::string> start();
  // Takes the entities out of the home, which keeps their states, and ends all runs. Its clocks last until it is
  // destroyed, for another unit to take over. Nothing else may be called afterwards.
  void withdraw();

  const Plan& plan() const { return *plan_; }
  const std::vector<std::unique_ptr<TemplateEntity>>& entities() const { return shown_; }

  // Puts back what the journal has of a run of that item. False if it is none of this unit's.
  bool restore_run(std::string_view item, const json::object& stored);
  void resume();

 private:
  void arm();
  void on_fire(const automation::Trigger& trigger, const automation::Firing& firing, const automation::Moment& moment);
  void act(templates::Variables variables, core::Context context);
  void show(const templates::Variables& variables, const core::Context& cause, const automation::Moment& moment);
  // Of a run of the actions.
  void ended(const automation::Run::Result* result, const core::Context& context);
  void complain(std::string_view what);

  const std::shared_ptr<const Plan> plan_;
  automation::Home& home_;
  domains::EntityTable& entities_;
  std::vector<std::unique_ptr<TemplateEntity>> shown_;
  std::vector<std::unique_ptr<automation::TriggerWatch>> watches_;
  std::unique_ptr<automation::Runs> runs_;  // null if there are no actions
  std::string complaint_;                   // is logged once
  base::RepeatedLog said_{"template"};
};

}  // namespace hearth::template_entities
