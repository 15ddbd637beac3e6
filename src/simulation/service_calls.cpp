// SPDX-License-Identifier: Apache-2.0
#include "simulation/service_calls.h"

#include <algorithm>
#include <array>

#include "base/json/json.h"

namespace hearth::simulation {
namespace {

std::string member_text(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

// Whether history keeps what makes such a trigger fire: states and the time.
bool is_in_history(std::string_view trigger) {
  constexpr std::array<std::string_view, 6> kKept{"state of", "numeric state", "template", "time", "sun", "zone"};
  return std::ranges::any_of(kKept, [&](std::string_view kept) { return trigger.starts_with(kept); });
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
    Run run{member_text(data, "entity_id"), member_text(data, "source")};
    if (!is_in_history(run.trigger) || is_of_first_state(run.trigger, event.at)) {
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
        .service = member_text(data, "domain") + "." + member_text(data, "service"),
        .data = data_of(data)});
}

void ServiceCalls::follow(const std::string& entity_id, std::string_view value, base::Timestamp at) {
  const auto [known, is_first] = first_.try_emplace(entity_id, FirstState{std::string(value)});
  if (!is_first && !known->second.until && known->second.value != value) known->second.until = at;
}

// `trigger`: "state of light.hall".
bool ServiceCalls::is_of_first_state(std::string_view trigger, base::Timestamp at) const {
  constexpr std::string_view kOf = "state of ";
  const std::size_t of = trigger.rfind(kOf);
  const auto found = of == std::string_view::npos ? first_.end() : first_.find(trigger.substr(of + kOf.size()));
  return found != first_.end() && (!found->second.until || at < *found->second.until);
}

void ServiceCalls::keep(Difference difference) {
  ++count_;
  if (kept_.empty() || kept_.contains(difference.automation)) all_.push_back(std::move(difference));
}

}  // namespace hearth::simulation
