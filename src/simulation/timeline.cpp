// SPDX-License-Identifier: Apache-2.0
#include "simulation/timeline.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json/json.h"
#include "base/json/json_fields.h"

namespace hearth::simulation {
namespace {

// Events of the hub about itself.
bool is_housekeeping(std::string_view type) {
  constexpr std::array kTypes{core::event_type::kServiceRegistered,  core::event_type::kServiceRemoved,
                              core::event_type::kCoreConfigUpdated,  core::event_type::kCollectionUpdated,
                              core::event_type::kIntegrationUpdated, core::event_type::kRepairsUpdated,
                              core::event_type::kPlatformStart,      core::event_type::kPlatformStarted,
                              core::event_type::kPlatformStop,       core::event_type::kPlatformFinalWrite,
                              core::event_type::kHomeassistantStart, core::event_type::kHomeassistantStarted,
                              core::event_type::kHomeassistantStop,  core::event_type::kHomeassistantFinalWrite,
                              std::string_view("script_started")};
  return type.ends_with("_registry_updated") || std::ranges::find(kTypes, type) != kTypes.end();
}

// The entities, areas and so on of a call are among its data, wherever the step has them.
void flatten_target(json::object& data) {
  const auto target = data.find("target");
  if (target == data.end() || !target->value().is_object()) return;
  const json::object fields = std::move(target->value().get_object());
  data.erase(target);
  for (const auto& [name, value] : fields) data.emplace(name, value);
}

// Automations and scripts change their attributes with each run, which is a happening of its own.
bool shows(const core::StateChange& change) {
  const std::string_view id = change.entity_id(), domain = id.substr(0, id.find('.'));
  if (domain != "automation" && domain != "script" && domain != "zone" && domain != "sun") return true;
  return change.old_state && change.new_state && change.old_state->value() != change.new_state->value();
}

}  // namespace

void Timeline::follow(core::EventBus& bus) {
  subscription_ = bus.listen({}, *this);
}

void Timeline::add(Happening happening) {
  if (!is_full()) all_.push_back(std::move(happening));
}

void Timeline::on_event(const core::EventPtr& event) {
  const std::string context(event->context.id.str());
  Happening happening{.kind = Happening::Kind::event, .at = event->time_fired, .name = event->type, .context = context};
  happening.by_test = own_.contains(context);
  if (const core::StateChange* const change = event->state_change()) {
    happening.kind = Happening::Kind::state;
    happening.name = change->entity_id();
    happening.state = change->new_state;
    happening.shown = shows(*change);
    // It moves all the time, and years are simulated.
    if (!happening.shown && happening.name.starts_with("sun.")) return;
    return add(std::move(happening));
  }
  const std::string* const text = std::get_if<std::string>(&event->data);
  auto data = text ? base::parse_json(*text) : base::Result<json::value>(json::object());
  if (data && data->is_object()) happening.data = std::move(data->get_object());
  happening.shown = !is_housekeeping(event->type);
  if (!event->by_client && event->type == core::event_type::kCallService) {
    happening.kind = Happening::Kind::call;
    happening.name = base::text_at(happening.data, "domain") + "." + base::text_at(happening.data, "service");
    const json::value* const fields = happening.data.if_contains("service_data");
    json::object named = fields && fields->is_object() ? fields->get_object() : json::object();
    flatten_target(named);
    happening.data = std::move(named);
  } else if (!event->by_client && event->type == "automation_triggered") {
    Happening run{.kind = Happening::Kind::run,
                  .at = event->time_fired,
                  .name = base::text_at(happening.data, "entity_id"),
                  .trigger = base::text_at(happening.data, "source"),
                  .context = context};
    // A run that has ended by now is where it began.
    if (const auto ended = ended_.extract(context); ended && ended.mapped() < all_.size()) {
      run.result = std::move(all_[ended.mapped()].result);
      run.error = std::move(all_[ended.mapped()].error);
      erase(ended.mapped());
    } else {
      runs_[context] = all_.size();
    }
    add(std::move(run));
    happening.shown = false;
  }
  add(std::move(happening));
}

void Timeline::erase(std::size_t index) {
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
  for (auto* const places : {&runs_, &ended_}) {
    for (auto& [context, place] : *places) {
      if (place > index) --place;
    }
  }
}

void Timeline::end_run(const json::object& row, std::string entity_id, base::Timestamp now) {
  const std::string context = base::text_at(row, "run_id");
  const auto found = runs_.find(context);
  if (found == runs_.end()) {
    ended_[context] = all_.size();
    add({.kind = Happening::Kind::run,
         .at = now,
         .name = std::move(entity_id),
         .trigger = base::text_at(row, "trigger"),
         .result = base::text_at(row, "script_execution"),
         .error = base::text_at(row, "error"),
         .context = context});
    return;
  }
  if (found->second < all_.size()) {
    all_[found->second].result = base::text_at(row, "script_execution");
    all_[found->second].error = base::text_at(row, "error");
  }
  runs_.erase(found);
}

}  // namespace hearth::simulation
