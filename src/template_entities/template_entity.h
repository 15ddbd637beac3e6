// SPDX-License-Identifier: Apache-2.0
// A template entity at work: its state is the result of its templates, and its services run its steps. A class for each
// kind of entity adds the meaning. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "automation/runs/runs.h"
#include "automation/triggers/live_template.h"
#include "base/log/repeated_log.h"
#include "domains/entities/entity_table.h"
#include "template_entities/rendering.h"

namespace hearth::template_entities {

constexpr std::string_view kIntegration = "template";  // of all of them

class TemplateEntity {
 public:
  static constexpr std::size_t kMostOwnChanges = 10;  // in a row that its own state leads to; then it stays

  // All must outlive it. The entity's plan is one of the plan's.
  static std::unique_ptr<TemplateEntity> create(std::shared_ptr<const Plan> plan, const EntityPlan& entity,
                                                automation::Home& home, domains::EntityTable& entities);
  virtual ~TemplateEntity() = default;
  TemplateEntity(const TemplateEntity&) = delete;
  TemplateEntity& operator=(const TemplateEntity&) = delete;

  // Adds the entity. Without triggers it follows what its templates look at; with triggers it shows its last state
  // until show(). Fails as EntityTable::add.
  base::Result<void> start();
  // Takes the entity out of the home, which keeps its state.
  void withdraw();

  // Renders all as of that moment, with these variables besides `this`. `cause`: of the change; null if none is known.
  void show(const templates::Variables& variables, const core::Context* cause, const automation::Moment& moment);

  const EntityPlan& plan() const { return entity_; }
  std::string_view entity_id() const { return shown_ ? shown_->entity_id() : std::string_view(); }
  // The runs of the steps with that item's unique id; null if there are none.
  automation::Runs* runs(std::string_view item) const;
  // Runs that were under way before the restart go on.
  void resume();

 protected:
  TemplateEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
                 domains::EntityTable& entities);

  // The entity as it is before its templates say anything. `last` and `first` may be null: what it showed before the
  // restart, and what the templates give now.
  virtual std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last,
                                                const Rendering* first) = 0;
  // Takes what the templates give, of an entity that is available. `cause` may be null.
  virtual void apply(const Rendering& rendering, const templates::Variables& variables, const core::Context* cause,
                     const automation::Moment& moment) = 0;
  // Writes its state again, unchanged.
  virtual void repeat() = 0;

  // True if the entity has steps under that key, and runs them: they see the data of the call.
  bool run(std::string_view key, templates::Variables data);
  // A service was called: the next report answers.
  void commanded() { awaited_ = true; }
  bool awaited() const { return awaited_; }
  // The cause that the next report names; may be null.
  const core::Context* cause_of_report(const core::Context* cause);
  // A line in the log, unless it is the last one again.
  void complain(std::string_view what);
  // The attributes besides those of the domain that the state had.
  json::object extra_of(const core::State& last) const;
  automation::Home& home() const { return home_; }
  bool by_triggers() const { return plan_->by_triggers; }
  domains::Entity* shown() const { return shown_; }
  core::StatePtr last_state() const;

 private:
  // Names that all of its templates see besides the variables of a trigger.
  templates::Variables own_variables(templates::Variables variables, const automation::Moment& moment) const;
  // With those of the block and of the entity. `seen` may be null.
  base::Result<templates::Variables> all_variables(templates::Variables variables, const automation::Moment& moment,
                                                   templates::Dependencies* seen) const;
  void follow();
  void on_change(const core::Event* event, const automation::Moment& moment);
  void take_result(const base::Result<Rendering>& result, const templates::Variables& variables,
                   const core::Context* cause, const automation::Moment& moment);
  void rename(const std::string& name);

  const std::shared_ptr<const Plan> plan_;
  const EntityPlan& entity_;
  automation::Home& home_;
  domains::EntityTable& entities_;
  domains::Entity* shown_ = nullptr;
  std::map<std::string, std::unique_ptr<automation::Runs>, std::less<>> runs_;  // by item
  base::Result<Rendering> result_;                                              // the last one
  templates::Variables seen_variables_;                                         // that it saw
  std::unique_ptr<automation::LiveTemplate> live_;
  std::string complaint_;  // the last one, until templates give something without any
  bool complained_ = false;
  base::RepeatedLog said_{"template"};
  bool awaited_ = false;  // a call waits for the next report
  std::size_t own_changes_ = 0;
};

}  // namespace hearth::template_entities
