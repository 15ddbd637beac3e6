// SPDX-License-Identifier: Apache-2.0
#include "simulation/service_calls.h"

#include <algorithm>
#include <array>

#include "base/json/json_fields.h"

namespace hearth::simulation {
namespace {

bool is_of_entity(const core::TriggerCause& trigger) {
  constexpr std::array<std::string_view, 3> kOfEntity{"state", "numeric_state", "zone"};
  return std::ranges::find(kOfEntity, trigger.platform) != kOfEntity.end();
}

// True if history keeps what makes such a trigger fire: states and the time.
bool is_in_history(const core::TriggerCause& trigger) {
  return is_of_entity(trigger) || trigger.platform == "template" || trigger.is_of_clock();
}

// The entities, areas and so on of a call are among its data, wherever the step has them.
json::object data_of(const json::object& event) {
  const json::value* const given = event.if_contains("service_data");
  json::object data = given && given->is_object() ? given->get_object() : json::object();
  const auto target = data.find("target");
  if (target == data.end() || !target->value().is_object()) return data;
  const json::object fields = std::move(target->value().get_object());
  data.erase(target);
  for (const auto& [name, value] : fields) data.emplace(name, value);
  return data;
}

}  // namespace

void ServiceCalls::on_event(const core::EventPtr& event) {
  const std::string* const text = std::get_if<std::string>(&event->data);
  if (event->by_client || !text) return;
  add({.at = event->time_fired,
       .type = event->type,
       .data = *text,
       .context_id = std::string(event->context.id.str()),
       .parent_id = event->context.parent_id ? std::string(event->context.parent_id->str()) : std::string()});
}

void ServiceCalls::add(const Past::Event& event) {
  if (is_full()) return;
  const auto parsed = base::parse_json(event.data);
  if (!parsed || !parsed->is_object()) return;
  const json::object& data = parsed->get_object();
  if (event.type == "automation_triggered") {
    const auto trigger = core::TriggerCause::of(data);
    Run run{base::text_at(data, "entity_id"), trigger.source};
    if (!is_in_history(trigger) || is_of_first_state(trigger, event.at)) {
      ++left_out_[run.automation];
      runs_.insert_or_assign(event.context_id, Run());
      return;
    }
    keep({.kind = Difference::Kind::run, .at = event.at, .automation = run.automation, .trigger = run.trigger});
    runs_.insert_or_assign(event.context_id, std::move(run));
    return;
  }
  auto cause = runs_.find(event.context_id);
  if (cause == runs_.end()) cause = runs_.find(event.parent_id);
  if (cause == runs_.end()) return;
  const Run run = cause->second;
  runs_.try_emplace(event.context_id, run);
  if (event.type != core::event_type::kCallService || run.automation.empty()) return;
  keep({.kind = Difference::Kind::call,
        .at = event.at,
        .automation = run.automation,
        .trigger = run.trigger,
        .service = base::text_at(data, "domain") + "." + base::text_at(data, "service"),
        .data = data_of(data)});
}

void ServiceCalls::follow(const std::string& entity_id, std::string_view value, base::Timestamp at) {
  const auto [known, is_first] = first_.try_emplace(entity_id, FirstState{std::string(value)});
  if (!is_first && !known->second.until && known->second.value != value) known->second.until = at;
}

bool ServiceCalls::is_of_first_state(const core::TriggerCause& trigger, base::Timestamp at) const {
  const auto found = is_of_entity(trigger) ? first_.find(trigger.entity_id) : first_.end();
  return found != first_.end() && (!found->second.until || at < *found->second.until);
}

void ServiceCalls::keep(Difference difference) {
  ++count_;
  if (kept_.empty() || kept_.contains(difference.automation)) all_.push_back(std::move(difference));
}

}  // namespace hearth::simulation
