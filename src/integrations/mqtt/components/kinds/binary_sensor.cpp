// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace binary_sensor {

constexpr Key kKeys[] = {
    {.name = "state_topic", .type = field::TopicFilter{}, .required = true},
    {.name = "value_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "off_delay", .type = field::Number{0, 1e9}},
    {.name = "expire_after", .type = field::Number{0, 1e9}},
    {.name = "force_update", .type = field::Boolean{}},
};
constexpr Word kWords[] = {{"on", "payload_on"}, {"off", "payload_off"}};

void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  entity.cancel_timer();
  entity.receive(reading, std::move(text));
  const double delay = entity.settings().number("off_delay");
  if (delay <= 0 || entity.thing().reported() != "on") return;
  entity.after(base::Duration(static_cast<std::int64_t>(delay * 1e6)), [&entity] { entity.report("state", false); });
}

constexpr Reading kReadings[] = {{.topic = "state_topic",
                                  .value_template = "value_template",
                                  .as = Reading::As::words,
                                  .words = kWords,
                                  .receive = receive}};

}  // namespace binary_sensor

const Component kBinarySensor{
    .name = "binary_sensor",
    .kind = &domains::kBinarySensor,
    .keys = binary_sensor::kKeys,
    .readings = binary_sensor::kReadings,
    .device_classes =
        "battery battery_charging carbon_monoxide cold connectivity door garage_door gas heat light lock "
        "moisture motion moving occupancy opening plug power presence problem running safety smoke sound "
        "tamper update vibration window",
    .default_name = "MQTT Binary Sensor"};

}  // namespace hearth::integrations::mqtt
