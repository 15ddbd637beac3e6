// SPDX-License-Identifier: Apache-2.0
// An automation at work: its entity, its armed triggers, its runs. Bus thread only.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "automation/item_entity.h"
#include "automation/kept_conditions.h"
#include "automation/runs/runs.h"
#include "automation/triggers/trigger_watch.h"
#include "core/trigger_cause.h"
#include "domains/entities/entity_table.h"

namespace hearth::automation {

class Automation {
 public:
  static constexpr std::size_t kMostMissed = 100;
  static constexpr base::Duration kRateTime = std::chrono::seconds(1);  // of Item::max_rate
  // By then all triggers have noticed that the clock was set.
  static constexpr base::Duration kJumpTime = std::chrono::seconds(2);

  // Both must outlive it.
  Automation(std::shared_ptr<const Item> item, Home& home, domains::EntityTable& entities);
  ~Automation();
  Automation(const Automation&) = delete;
  Automation& operator=(const Automation&) = delete;

  // Adds the entity, and arms the triggers if it is on. Fails as EntityTable::add.
  base::Result<void> start();
  // Puts another item with the same unique id in force: ends all runs.
  void replace(std::shared_ptr<const Item> item);
  // Takes the entity out of the home.
  void withdraw();

  // Its place among all automations of the configuration.
  void set_order(std::size_t order) { order_ = order; }
  const Item& item() const { return *item_; }
  const Item& plan() const { return *item_; }
  std::string_view entity_id() const { return entity_->entity_id(); }
  bool is_on() const { return entity_->shown().on; }
  // Why it was stopped; empty if it was not.
  const std::string& stopped() const { return stopped_; }

  Runs& runs() { return *runs_; }
  // The hub was down between these times: lists what it would have run by the clock, and runs it if the item wants it.
  void catch_up(base::Timestamp after, base::Timestamp until);
  // Shows how many runs there are.
  void show_runs();

  void turn_on(const core::Context& context);
  void turn_off(const core::Context& context, bool stop_runs);
  // By hand. Fails with invalid if its variables cannot be rendered.
  base::Result<void> trigger(const core::Context& context, const json::object& given, bool skip_conditions);

 private:
  // Events after number `since` count; by default those that are fired from now on.
  void arm(std::optional<std::uint64_t> since = {});
  void on_fire(const Trigger& trigger, Firing firing, const Moment& moment);
  // If all conditions hold, asks for a run.
  void ask_for_run(const Trigger& trigger, Firing firing, const Moment& moment, const core::Context& context,
                   const std::shared_ptr<Trace>& trace);
  // Calls `work`, which may throw: then the run whose trace it is does not begin.
  void attempt(const std::shared_ptr<Trace>& trace, const std::function<void()>& work);
  // True if it may begin another run in spite of having led to this cause itself.
  bool stays_below_rate(const core::Context& cause);
  // As templates see it: with `late` if a missed time is made up for.
  templates::Value this_value(const Moment& moment) const;
  // A condition that cannot be checked does not hold, and is logged.
  bool conditions_hold(const Moment& moment, const templates::VariablesView& variables) const;
  // With those of the automation, except what `of_trigger` or the trigger variables have.
  base::Result<templates::Variables> with_own(templates::Variables variables, const NamedData& of_trigger,
                                              const Moment& moment) const;
  void run(const core::TriggerCause& cause, Runs::Order order);
  // Of a run that does not begin; null if there is none.
  void end_trace(const std::shared_ptr<Trace>& trace, Execution how, std::string error);
  void show(const core::Context& context);
  struct Armed {
    std::shared_ptr<const std::vector<Trigger>> triggers = {};  // of which the watches are
    std::vector<std::unique_ptr<TriggerWatch>> watches = {};
  };
  // Returns the watches, which may have to last a little longer.
  Armed disarm();
  // As they are now: those of the item, or those that must be read again.
  std::shared_ptr<const std::vector<Trigger>> present_triggers(const templates::Variables& seen) const;
  // Lists them, oldest first. `while_what`: for people.
  void report_missed(const std::vector<TriggerWatch::MissedTime>& times, std::string_view why,
                     std::string_view while_what);
  // Runs them if the item wants it: the last one or all.
  void make_up_for(const std::vector<TriggerWatch::MissedTime>& times);
  // Times that one trigger has noticed. They are made up for when the other triggers have noticed theirs.
  void make_up_for_jump(std::vector<TriggerWatch::MissedTime> times);
  // Empty: it is no longer. Until it is turned on again, also after a restart.
  void report_stopped(std::string why);

  std::shared_ptr<const Item> item_;
  Home& home_;
  domains::EntityTable& entities_;
  ItemEntity* entity_ = nullptr;
  templates::Variables trigger_variables_;
  Armed armed_;
  std::vector<TriggerWatch::MissedTime>
      jumped_over_;  // of the triggers, to be made up for; at most kMostMissed of each
  core::Timer jump_timer_;
  std::deque<base::SteadyTime> own_runs_;  // of the last kRateTime, that it caused itself; at most max_rate
  std::string stopped_;                    // why, by its rate; empty otherwise
  std::unique_ptr<Runs> runs_;
  KeptConditions conditions_elsewhere_;
  std::size_t order_ = 0;
  base::Duration late_{0};                                // of the missed time that is made up for right now
  std::shared_ptr<int> asked_ = std::make_shared<int>();  // by runs that have not begun; another one drops them
};

}  // namespace hearth::automation
