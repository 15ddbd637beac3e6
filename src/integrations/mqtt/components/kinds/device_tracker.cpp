// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"
#include "base/text/number.h"
#include "domains/people/zones.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace device_tracker {

constexpr Key kKeys[] = {
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "payload_home", .type = field::Payload{}, .fallback = "home"},
    {.name = "payload_not_home", .type = field::Payload{}, .fallback = "not_home"},
    {.name = "payload_reset", .type = field::Payload{}, .fallback = "None"},
    {.name = "source_type", .type = field::Option{"gps router bluetooth bluetooth_le"}, .fallback = "gps"},
};

void receive(ThingEntity& entity, const Reading&, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  if (text == settings.text("payload_home"))
    text = "home";
  else if (text == settings.text("payload_not_home"))
    text = "not_home";
  else if (text == settings.text("payload_reset"))
    return entity.report("state", json::value());
  entity.report("state", std::move(text));
}

// Where it is by its attributes: {"latitude": 52.5, "longitude": 13.4, "gps_accuracy": 10}.
void receive_position(ThingEntity& entity, const Reading&, const core::MqttMessage&, std::string text) {
  const auto parsed = base::parse_json(text);
  const json::object* const object = parsed ? parsed->if_object() : nullptr;
  if (!object) return;
  domains::Report report;
  for (const std::string_view name : {"latitude", "longitude", "gps_accuracy", "altitude", "course", "speed"}) {
    const json::value* const value = object->if_contains(name);
    const auto number = value ? base::parse_number(printed(*value)) : std::nullopt;
    if (number) report.attributes[name] = *number;
  }
  const json::value *const latitude = report.attributes.if_contains("latitude"), *const longitude =
                                                                                     report.attributes.if_contains(
                                                                                         "longitude");
  if (!latitude || !longitude) return;
  const json::value* const accuracy = report.attributes.if_contains("gps_accuracy");
  if (!entity.settings().has("state_topic")) {
    const domains::Position position{latitude->get_double(), longitude->get_double(),
                                     accuracy ? accuracy->get_double() : 0};
    report.value = domains::zone_at(entity.home().hub, position).value_or("not_home");
  }
  entity.report(std::move(report));
}

void describe(const Settings& settings, domains::Abilities& can) {
  can.attributes["source_type"] = settings.text("source_type");
}

base::Result<void> check(Settings& settings, std::vector<DroppedKey>&) {
  if (settings.has_any("state_topic json_attributes_topic")) return {};
  return base::fail(base::ErrorCode::invalid, "state_topic: expected, or json_attributes_topic, but both are missing");
}

constexpr Reading kReadings[] = {
    {.topic = "state_topic", .value_template = "value_template", .receive = receive},
    {.topic = "json_attributes_topic",
     .value_template = "json_attributes_template",
     .sets = "latitude",
     .receive = receive_position},
};

}  // namespace device_tracker

const Component kDeviceTracker{.name = "device_tracker",
                               .kind = &domains::kDeviceTracker,
                               .keys = device_tracker::kKeys,
                               .readings = device_tracker::kReadings,
                               .default_name = "MQTT Device Tracker",
                               .check = device_tracker::check,
                               .describe = device_tracker::describe};

}  // namespace hearth::integrations::mqtt
