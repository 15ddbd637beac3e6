// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/person_helper.h"

#include "core/registry/helper_types.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kHomeState = "home", kHomeZone = "zone.home";

bool is_newer(const core::StatePtr& state, const core::StatePtr& than) {
  return !than || state->last_updated() >= than->last_updated();
}

}  // namespace

Report PersonHelper::first(const Kind& kind, const core::State* last) {
  trackers_ = core::member_ids(item_.fields.at("device_trackers"));
  listen();
  Report now = report();
  // Until a tracker says more.
  if (last && !source()) {
    Report before = restored(kind, {}, *last);
    for (const auto& [key, value] : before.attributes) now.attributes[key] = value;
    now.value = before.value;
  }
  return now;
}

void PersonHelper::show() {
  trackers_ = core::member_ids(item_.fields.at("device_trackers"));
  listen();
  thing_->report(report());
}

void PersonHelper::listen() {
  listening_ = hub_.entity_listeners.listen(trackers_, [this](const core::StateChange&, const core::Event& event) {
    if (thing_) thing_->report(report(), &event.context);
  });
}

core::StatePtr PersonHelper::source() const {
  core::StatePtr by_router, by_position, away;
  const auto table = hub_.states.snapshot();
  for (const std::string& id : trackers_) {
    core::StatePtr state = table->find(id);
    if (!state || state->value() == core::kUnavailable || state->value() == core::kUnknown) continue;
    const json::object attributes = state->attributes();
    const json::value* const type = attributes.if_contains("source_type");
    core::StatePtr& newest = type && *type == "gps" ? by_position : state->value() == kHomeState ? by_router : away;
    if (is_newer(state, newest)) newest = std::move(state);
  }
  return by_router ? by_router : by_position ? by_position : away;
}

Report PersonHelper::report() const {
  const json::value* const user = item_.fields.if_contains("user_id");
  const json::value* const picture = item_.fields.if_contains("picture");
  json::array trackers;
  for (const std::string& id : trackers_) trackers.emplace_back(id);
  Report made{.value = nullptr,
              .attributes = {{"editable", editable_},
                             {"id", item_.id},
                             {"device_trackers", std::move(trackers)},
                             {"user_id", user ? *user : json::value()},
                             {"entity_picture", picture ? *picture : json::value()},
                             {"source", nullptr},
                             {"latitude", nullptr},
                             {"longitude", nullptr},
                             {"gps_accuracy", nullptr}}};
  const core::StatePtr from = source();
  if (!from) return made;
  made.value = json::value(from->value());
  made.attributes["source"] = from->entity_id();
  json::object place = from->attributes();
  // A person who is at home is where the home is.
  if (!place.contains("latitude") && from->value() == kHomeState) {
    const core::StatePtr home = hub_.states.find(kHomeZone);
    if (home) place = home->attributes();
  }
  for (const char* const key : {"latitude", "longitude", "gps_accuracy"})
    if (const json::value* const value = place.if_contains(key); value && value->is_number())
      made.attributes[key] = *value;
  return made;
}

}  // namespace hearth::domains
