// SPDX-License-Identifier: Apache-2.0
// All template entities of the home. Bus thread only, except where noted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "automation/engine.h"
#include "configured/in_force.h"
#include "configured/reload.h"
#include "template_entities/plan_parser.h"
#include "template_entities/unit.h"

namespace hearth::template_entities {

class TemplateEntities final : private automation::RunOwner {
 public:
  // All must outlive it.
  TemplateEntities(automation::Home& home, domains::EntityTable& entities);
  ~TemplateEntities() override;
  TemplateEntities(const TemplateEntities&) = delete;
  TemplateEntities& operator=(const TemplateEntities&) = delete;

  // Once, while the bus does not run.
  void add_services(configured::Reload reload);

  // Puts the configuration in force: what has not changed goes on. A broken one leaves the last good one working. The
  // first time before Engine::apply(), which forgets what nobody has taken from the journal.
  void apply(const Configuration& configuration);
  // Ends everything; entities keep their states. After Engine::stop(): what was under way stays in the journal.
  void stop();

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }

 private:
  bool restore_run(std::string_view item, const json::object& stored) override;
  // Entities of earlier configurations that this one lacks: removed, or unavailable if a file cannot be read.
  void clear_left(bool complete) const;

  automation::Home& home_;
  domains::EntityTable& entities_;
  configured::InForce<Unit> units_;
  configured::Faults faults_;
  std::vector<core::Registration> registrations_;
  core::Subscription started_;
};

}  // namespace hearth::template_entities
