// SPDX-License-Identifier: Apache-2.0
// All automations and scripts of the home, and their services. Bus thread only, except where noted.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "automation/automation.h"
#include "automation/items/item_parser.h"
#include "automation/runs/one_off_steps.h"
#include "automation/script.h"
#include "base/threads/published.h"
#include "configured/fault.h"
#include "configured/in_force.h"
#include "configured/reload.h"
#include "core/registry/item_references.h"

namespace hearth::automation {

class Engine final : private Ports {
 public:
  // How long after the start, or after a change, what is named must be there.
  static constexpr base::Duration kReferenceTime = std::chrono::minutes(10), kReferenceAgain = std::chrono::minutes(1);

  using ClockIsSet = std::function<bool()>;

  // All must outlive it. `clock_is_set`: as Ports has it.
  Engine(
      core::Hub& hub, domains::EntityTable& entities, Renderer::Imports imports,
      ClockIsSet clock_is_set = [] { return true; });
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // For what else listens to triggers and runs steps.
  Home& home() { return home_; }

  // Once, while the bus does not run.
  void add_services(const configured::Reload& reload);

  // Once, before the first apply(): what is under way is written down from now on. `entries` are what the journal has
  // from the last run of the hub, which goes on when the home is up.
  void use(core::Journal& journal, const core::Journal::Entries& entries);
  // Puts the configuration in force: items that have not changed go on, those that are gone or changed end their runs.
  // A broken item leaves the last good one of the same id running, and while a file cannot be read nothing is gone.
  void apply(Configuration configuration);
  // Ends everything that runs; entities keep their states.
  void stop();

  // The automations with runs that this context has caused, and that have not ended.
  std::vector<std::string> under_way(const base::Id& cause) const;

  // As automation/missed: {entity_id, at, trigger, why}, newest first.
  json::array missed() const;
  // Items that clients send to be tried or run once.
  OneOffSteps& one_off_steps() { return one_off_steps_; }

  // As it is written, in the new spelling, with secrets masked. Fails with not_found.
  base::Result<json::value> config_of(std::string_view entity_id) const;
  const Traces& traces() const { return home_.traces; }
  // Of the item of that domain with that unique id, for traces of what is under way.
  json::object shown_in_traces(std::string_view domain, const std::string& item_id) const;

  // Of all that runs, also of what a reload with errors has left as it was: what nobody is shown.
  std::vector<std::string> secrets() const;

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }
  // Of all automations and scripts. Any thread.
  std::shared_ptr<const std::vector<core::ItemReferences>> named() const { return named_.load(); }

 private:
  template <class Work>
  using InForce = configured::InForce<Work>;

  template <class Work>
  void apply(InForce<Work>& in_force, const std::vector<std::shared_ptr<const Item>>& items, bool complete,
             std::vector<configured::Fault>& faults);
  // Items of earlier configurations that this one lacks: removed, or unavailable if a file cannot be read.
  void clear_left(std::string_view domain, const std::vector<std::shared_ptr<const Item>>& items, bool complete);
  template <class Work>
  Work* find(const InForce<Work>& all, std::string_view domain, std::string_view entity_id) const;
  Automation* find_automation(std::string_view entity_id) const;
  Script* find_script(std::string_view entity_id) const;
  bool call_script(const core::ServiceRequest& request, const Caller& caller, Trace* trace,
                   const core::ServiceRegistry::Done& done) override;
  base::Result<json::array> calendar_events(const std::string& entity_id, base::Timestamp from,
                                            base::Timestamp until) override;
  bool clock_is_set() override { return clock_is_set_(); }
  void stopped_changed() override { publish_faults(); }
  // Puts what the journal has of runs where it belongs.
  void restore_runs();
  bool has_item(std::string_view item) const;
  Runs* runs_of(std::string_view item, std::string_view fingerprint) const;

  void publish_faults();
  void publish_named();
  void check_references();

  void add_automation_services();
  void add_script_services();
  // Checks the variables of the call for all of its items, as check_given.
  base::Result<void> check_variables(const core::ServiceCall& call);

  const ClockIsSet clock_is_set_;
  Home home_;
  domains::EntityTable& entities_;
  InForce<Automation> automations_;
  InForce<Script> scripts_;
  OneOffSteps one_off_steps_{home_};
  std::vector<configured::Fault> found_;       // when the configuration was read
  std::vector<configured::Fault> references_;  // when that had settled
  core::Timer reference_timer_;
  base::Published<std::vector<core::ItemReferences>> named_{
      std::make_shared<const std::vector<core::ItemReferences>>()};
  configured::Faults faults_;
  std::vector<core::Registration> registrations_;
  core::Subscription started_;
  std::optional<base::Timestamp> last_alive_;  // of the hub, before this start
};

}  // namespace hearth::automation
