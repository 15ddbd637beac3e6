// SPDX-License-Identifier: Apache-2.0
#include "template_entities/unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/condition_check.h"
#include "automation/values/context_value.h"
#include "automation/values/stored_value.h"

namespace hearth::template_entities {

Unit::Unit(std::shared_ptr<const Plan> plan, automation::Home& home, domains::EntityTable& entities)
    : plan_(std::move(plan)), home_(home), entities_(entities) {}

Unit::~Unit() = default;

std::vector<std::string> Unit::start() {
  std::vector<std::string> left_out;
  for (const EntityPlan& each : plan_->entities) {
    auto entity = TemplateEntity::create(plan_, each, home_, entities_);
    if (const auto added = entity->start())
      shown_.push_back(std::move(entity));
    else
      left_out.push_back(fmt::format("{}: {}", each.place, added.error().message));
  }
  if (plan_->actions) runs_ = std::make_unique<automation::Runs>(plan_->actions, home_, [] {});
  if (plan_->error.empty()) arm();
  return left_out;
}

void Unit::withdraw() {
  runs_.reset();
  for (const auto& each : shown_) each->withdraw();
}

void Unit::arm() {
  std::vector<std::string_view> places;
  for (const automation::Trigger& trigger : plan_->triggers) {
    if (!trigger.enabled) continue;
    const auto same = std::ranges::count(places, std::string_view(trigger.fingerprint));
    places.push_back(trigger.fingerprint);
    watches_.push_back(automation::TriggerWatch::create(
        trigger, home_, {}, fmt::format("template {}/{}/{}", plan_->id, trigger.fingerprint, same),
        [this, &trigger](const automation::Firing& firing, const automation::Moment& moment) {
          on_fire(trigger, firing, moment);
        }));
  }
}

void Unit::on_fire(const automation::Trigger& trigger, const automation::Firing& firing,
                   const automation::Moment& moment) {
  core::Context context = core::Context::create(home_.hub.clock.now());
  if (firing.cause) context.parent_id = firing.cause->id;
  templates::Variables variables{{"trigger", firing.trigger}, {"context", automation::context_value(context)}};
  auto own = with_variables(trigger.variables, moment, std::move(variables), nullptr);
  if (own) own = with_variables(plan_->variables, moment, std::move(*own), nullptr);
  if (!own) return complain(own.error().message);
  const auto holds = automation::all_hold(plan_->conditions, moment, *own, "condition");
  if (!holds) home_.complain(plan_->place, "a condition cannot be checked: " + holds.error().message);
  if (!holds || !*holds) return;
  complaint_.clear();
  if (runs_)
    act(std::move(*own), context);
  else
    show(*own, context, moment);
}

void Unit::act(templates::Variables variables, core::Context context) {
  home_.cause_chain.add(context, this);
  // Its effects have the context of the run.
  runs_->begin({context, std::move(variables),
                [this, context](const automation::Run::Result* result) { ended(result, context); }});
}

void Unit::ended(const automation::Run::Result* result, const core::Context& context) {
  // A run that was cancelled, or has failed, changes nothing.
  if (result && result->end != automation::Run::End::failed) show(result->variables, context, home_.now());
}

void Unit::show(const templates::Variables& variables, const core::Context& cause, const automation::Moment& moment) {
  for (const auto& each : shown_) each->show(variables, &cause, moment);
}

void Unit::complain(std::string_view what) {
  if (complaint_ == what) return;
  complaint_ = what;
  said_.log_as(what.substr(0, 40), fmt::format("{}: {}", plan_->place, what));
}

bool Unit::restore_run(std::string_view item, const json::object& stored) {
  const json::value* const fingerprint = stored.if_contains("fingerprint");
  const auto restore = [&](const automation::Item& known, automation::Runs& runs, auto ended) {
    if (!fingerprint || !fingerprint->is_string() || fingerprint->get_string() != known.fingerprint) return false;
    return runs.restore(stored, std::move(ended));
  };
  if (runs_ && plan_->actions->unique_id == item) {
    const json::value* const begun = stored.if_contains("context");
    const core::Context context = begun ? automation::context_from_stored(*begun) : core::Context();
    return restore(*plan_->actions, *runs_,
                   [this, context](const automation::Run::Result* result) { ended(result, context); });
  }
  for (const auto& each : shown_) {
    automation::Runs* const runs = each->runs(item);
    if (!runs) continue;
    const auto steps =
        std::ranges::find_if(each->plan().steps, [&](const auto& known) { return known.second->unique_id == item; });
    return restore(*steps->second, *runs, nullptr);
  }
  return false;
}

void Unit::resume() {
  if (runs_) runs_->resume();
  for (const auto& each : shown_) each->resume();
}

}  // namespace hearth::template_entities
