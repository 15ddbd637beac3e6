// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace event {

constexpr Key kKeys[] = {
    {.name = "state_topic", .type = field::TopicFilter{}, .required = true},
    {.name = "value_template", .type = field::Template{}},
    {.name = "event_types", .type = field::TextSet{}, .required = true},
};

// {"event_type": "press", "button": 2}. What the broker has kept happened some time ago.
void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage& message, std::string text) {
  if (message.retain() || text == "None") return;
  const auto parsed = base::parse_json(text);
  const json::object* const object = parsed ? parsed->if_object() : nullptr;
  const json::value* const type = object ? object->if_contains("event_type") : nullptr;
  if (!type || !type->is_string() || !entity.settings().lists("event_types", type->get_string()))
    return entity.complain_text(reading.topic, "a JSON object with an event_type of event_types", text);
  json::object beside = *object;
  beside.erase("event_type");
  entity.show_beside(std::move(beside));
  entity.report({.value = {}, .attributes = {{"event_type", *type}}});
}

constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template", .receive = receive}};
constexpr Fixed kFixed[] = {{"event_types", "event_types"}};

}  // namespace event

const Component kEvent{.name = "event",
                       .kind = &domains::kEvent,
                       .keys = event::kKeys,
                       .readings = event::kReadings,
                       .fixed = event::kFixed,
                       .device_classes = "button doorbell motion",
                       .default_name = "MQTT Event"};

}  // namespace hearth::integrations::mqtt
