// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/event_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/comparison.h"

namespace hearth::automation {
namespace {

using templates::Value;

// True if all of `wanted` is in the value: the keys of objects, lists as a whole.
bool holds(const json::value& value, const json::value& wanted) {
  if (!wanted.is_object()) return is_equal(value, wanted);
  const auto* const object = value.if_object();
  if (!object) return false;
  return std::ranges::all_of(wanted.get_object(), [&](const auto& entry) {
    const json::value* const found = object->if_contains(entry.key());
    return found && holds(*found, entry.value());
  });
}

// Of a device's trigger of MQTT: the message, as a trigger of MQTT tells it.
FiringFacts facts_of_message(const json::value& data) {
  FiringFacts facts;
  for (const char* const key : {"topic", "payload", "qos"}) {
    const json::value* const found = data.is_object() ? data.get_object().if_contains(key) : nullptr;
    if (!found) continue;
    facts.emplace_back(key, Value::from_json(json::value(*found)));
    if (key != std::string_view("payload") || !found->is_string()) continue;
    if (auto parsed = base::parse_json(found->get_string()))
      facts.emplace_back("payload_json", Value::from_json(*parsed));
  }
  return facts;
}

json::object context_json(const core::Context& context) {
  const auto text = [](const std::optional<base::Id>& id) {
    return id ? json::value(json::string(std::string_view(*id))) : json::value();
  };
  return {{"id", json::string(std::string_view(context.id))},
          {"parent_id", text(context.parent_id)},
          {"user_id", text(context.user_id)}};
}

}  // namespace

EventWatch::EventWatch(const Trigger& trigger, Home& home, Fire fire, std::optional<std::uint64_t> since)
    : trigger_(trigger), kind_(std::get<EventTrigger>(trigger.kind)), home_(home), fire_(std::move(fire)) {
  listening_ = home.events.listen(kind_.types, [this](const core::Event& event) { on_event(event); }, since);
}

void EventWatch::on_event(const core::Event& event) const {
  const Moment moment = home_.at(event);
  const json::object context = context_json(event.context);
  for (const auto& [key, ids] : kind_.context) {
    const auto& wanted = ids.as_array();
    if (std::ranges::find(wanted, context.at(key)) == wanted.end()) return;
  }
  std::string text;
  core::write_data_json(text, event);
  auto data = base::parse_json(text);
  if (!data || !holds(*data, kind_.data)) return;
  const auto fits = [&](const json::object& wanted) { return holds(*data, wanted); };
  if (!kind_.alternatives.empty() && std::ranges::none_of(kind_.alternatives, fits)) return;
  FiringFacts facts = trigger_.platform == "device" ? facts_of_message(*data) : FiringFacts();
  templates::Dict fired;
  fired.set("event_type", Value(event.type));
  fired.set("data", Value::from_json(std::move(*data)));
  fired.set("origin", event.origin == core::Origin::local ? "LOCAL" : "REMOTE");
  const base::Timestamp time = event.time_there == base::Timestamp{} ? event.time_fired : event.time_there;
  fired.set("time_fired", templates::DateTime{time.time_since_epoch().count(), templates::Zone::utc()});
  fired.set("context", Value::from_json(json::value(context)));
  facts.emplace_back("event", Value::dict(std::move(fired)));
  fire_({trigger_value(trigger_, std::move(facts)), fmt::format("event '{}'", event.type), event.context,
         event.state_change() ? event.state_change()->new_state : nullptr},
        moment);
}

}  // namespace hearth::automation
