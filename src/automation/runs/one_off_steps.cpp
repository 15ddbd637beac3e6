// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/one_off_steps.h"

#include <fmt/format.h>

#include "automation/conditions/condition_check.h"
#include "automation/config/json_node.h"
#include "automation/config/limited_templates.h"
#include "automation/config/parsing.h"
#include "automation/config/part_check.h"
#include "automation/triggers/trigger_watch.h"
#include "automation/values/context_value.h"

namespace hearth::automation {
namespace {

templates::Variables variables_of(const json::object& given) {
  templates::Variables variables;
  for (const auto& [name, value] : given) variables.emplace_back(name, templates::Value::from_json(json::value(value)));
  return variables;
}

}  // namespace

base::Result<bool> OneOffSteps::test(const json::value& conditions, const json::object& given) {
  const auto read = read_conditions_of(conditions);
  if (!read) return std::unexpected(read.error());
  const templates::Variables variables = variables_of(given);
  for (const Condition& condition : *read) {
    const auto holds = check(condition, home_.now(), variables, "condition");
    if (!holds || !*holds) return holds;
  }
  return true;
}

void OneOffSteps::run(const json::value& steps, const json::object& given, const core::Context& context,
                      std::function<void(base::Result<json::value> response)> ended) {
  auto read = read_steps_of(steps, "sequence");
  if (!read) return ended(std::unexpected(read.error()));
  if (auto room = check_room_for_run(home_); !room) return ended(std::unexpected(std::move(room.error())));
  auto item = std::make_shared<Item>();
  item->kind = ItemKind::script;
  item->alias = "a sequence of steps that a client has sent";
  item->stored_traces = 0;
  item->durable = false;
  item->actions = std::move(*read);
  under_way_.push_back(std::make_unique<Runs>(std::move(item), home_, [] {}));
  const auto place = std::prev(under_way_.end());
  templates::Variables variables = variables_of(given);
  variables.emplace_back("context", context_value(context));
  const auto done = [this, place, ended = std::move(ended)](const Run::Result* result) {
    // Null: it is cancelled, with all others, because the hub ends.
    if (!result) return ended(base::fail(base::ErrorCode::unavailable, "The steps were ended."));
    home_.hub.bus.post([this, place] { under_way_.erase(place); });
    if (result->end == Run::End::failed && !result->asked)
      return ended(base::fail(base::ErrorCode::invalid, result->text));
    ended(result->response);
  };
  (*place)->begin({context, std::move(variables), done});
}

struct OneOffSteps::Watched {
  std::vector<Trigger> triggers;
  std::vector<std::unique_ptr<TriggerWatch>> watches = {};
};

base::Result<std::shared_ptr<void>> OneOffSteps::watch(const json::value& triggers, const json::object& given,
                                                       std::function<void(json::object event)> fired) {
  const ConfigNode node = node_of_json(triggers, "trigger");
  const templates::Variables variables = variables_of(given);
  auto read = parse_triggers(&node, variables, home_.renderer());
  if (!read) return std::unexpected(read.error());
  const auto watched = std::make_shared<Watched>(std::move(*read));
  for (const Trigger& trigger : watched->triggers) {
    if (!trigger.enabled) continue;
    watched->watches.push_back(
        TriggerWatch::create(trigger, home_, variables, "", [fired](const Firing& firing, const Moment&) {
          fired({{"variables", json::object{{"trigger", shown_value(firing.trigger)}}},
                 {"context", firing.cause ? json_of(context_value(*firing.cause)) : json::value()}});
        }));
  }
  std::erase_if(watched_, [](const auto& each) { return each.expired(); });
  watched_.push_back(watched);
  return watched;
}

void OneOffSteps::stop() {
  under_way_.clear();
  for (const auto& each : watched_) {
    if (const auto watched = each.lock()) watched->watches.clear();
  }
}

}  // namespace hearth::automation
