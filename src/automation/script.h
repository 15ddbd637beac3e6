// SPDX-License-Identifier: Apache-2.0
// A script at work: its entity, its service, its runs. Bus thread only.
#pragma once

#include <memory>

#include "automation/item_entity.h"
#include "automation/kept_conditions.h"
#include "automation/runs/runs.h"
#include "domains/entities/entity_table.h"

namespace hearth::automation {

class Script {
 public:
  static constexpr std::size_t kMaxDepth = 10;           // of a script that leads to itself
  static constexpr std::size_t kMaxParallelDepth = 100;  // with many runs in mode parallel

  // Called once, perhaps before the call returns. Null: it was dropped or cancelled.
  using Ended = std::function<void(const Run::Result* result)>;

  // Both must outlive it.
  Script(std::shared_ptr<const Item> item, Home& home, domains::EntityTable& entities);

  // Adds the entity and the service. Fails as EntityTable::add.
  base::Result<void> start();
  // As Automation's.
  void replace(std::shared_ptr<const Item> item);
  void withdraw();

  const Item& item() const { return *item_; }
  const Item& plan() const { return *item_; }
  std::string_view entity_id() const { return entity_->entity_id(); }
  bool is_on() const { return runs_->current() > 0; }
  Runs& runs() { return *runs_; }
  // As Automation's.
  void show_runs();

  // `caller` is the run of the context `by`, if it waits for the end. Fails, without calling `ended`, with invalid if
  // it is broken or calls itself too deeply, if it would wait for itself, or if its variables cannot be rendered, with
  // throttled if too many runs are under way in the home.
  base::Result<void> run(const json::object& variables, const core::Context& by, Ended ended,
                         std::optional<Caller> caller = {}, Trace* of_caller = nullptr);
  void turn_off(const core::Context& context);

 private:
  void add_service();
  void show(const core::Context& context);

  std::shared_ptr<const Item> item_;
  Home& home_;
  domains::EntityTable& entities_;
  ItemEntity* entity_ = nullptr;
  std::unique_ptr<Runs> runs_;
  KeptConditions conditions_elsewhere_;
  core::Registration service_;
};

// The answer of a script's service.
base::Result<json::value> answer_of(const Run::Result* result);

}  // namespace hearth::automation
