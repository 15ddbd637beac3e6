// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text/number.h"
#include "base/text/timestamp.h"
#include "integrations/mqtt/components/components.h"
#include "template/values/zoned_time.h"

namespace hearth::integrations::mqtt {
namespace sensor {

constexpr Key kKeys[] = {
    {.name = "state_topic", .type = field::TopicFilter{}, .required = true},
    {.name = "value_template", .type = field::Template{}},
    {.name = "unit_of_measurement", .type = field::Text{}},
    {.name = "state_class", .type = field::Option{"measurement measurement_angle total total_increasing"}},
    {.name = "suggested_display_precision", .type = field::Number{0, 20}},
    {.name = "last_reset_value_template", .type = field::Template{}},
    {.name = "options", .type = field::TextSet{}},
    {.name = "expire_after", .type = field::Number{0, 1e9}},
    {.name = "force_update", .type = field::Boolean{}},
};
constexpr core::Words kWithoutNumber{"date enum timestamp"};

bool is_numeric(const Settings& settings) {
  const std::string_view device_class = settings.text("device_class");
  return settings.has("unit_of_measurement") || settings.has("state_class") ||
         (!device_class.empty() && !kWithoutNumber.contains(device_class));
}

bool is_date(std::string_view text) {
  return text.size() == 10 && base::parse_timestamp(std::string(text) + "T00:00:00Z").has_value();
}

void receive_value(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const Settings& settings = entity.settings();
  const std::string_view device_class = settings.text("device_class");
  if (text == "None") return entity.report("state", json::value());
  if (device_class == "timestamp") {
    const auto time = templates::zoned_time(text);
    if (!time) {
      entity.complain_text(reading.topic, time.error(), text);
      return entity.report("state", json::value());
    }
    text = *time;
  } else if (device_class == "date") {
    if (!is_date(text)) return entity.complain_text(reading.topic, "a date such as 2026-04-20", text);
  } else if (settings.has("options")) {
    if (!settings.lists("options", text)) return entity.complain_text(reading.topic, "one of options", text);
  } else if (is_numeric(settings)) {
    if (!base::parse_number(text)) return entity.complain_text(reading.topic, "a number", text);
    std::erase(text, ' ');
  }
  entity.report("state", std::move(text));
}

void take_last_reset(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  if (!entity.settings().has("last_reset_value_template")) return;
  const auto time = base::parse_timestamp(text);
  if (!time) return entity.complain_text(reading.value_template, "a time by ISO 8601", text);
  entity.report("last_reset", base::to_string(*time));
}

// Of keys that contradict each other the less important one goes.
base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  const std::string_view device_class = settings.text("device_class");
  if (settings.has("options") && (settings.has("unit_of_measurement") || settings.has("state_class")))
    settings.drop("options", "expected none beside a unit or a state class", dropped);
  if (settings.has("options") && !device_class.empty() && device_class != "enum")
    settings.drop("options", "expected only with the device class enum", dropped);
  if (kWithoutNumber.contains(device_class)) {
    for (const std::string_view key : {"unit_of_measurement", "state_class"}) {
      if (settings.has(key)) settings.drop(key, "expected none with this device class", dropped);
    }
  }
  if (settings.has("last_reset_value_template") && settings.text("state_class") != "total")
    settings.drop("last_reset_value_template", "expected only with the state class total", dropped);
  return {};
}

constexpr Reading kReadings[] = {
    {.topic = "state_topic",
     .value_template = "last_reset_value_template",
     .sets = "last_reset",
     .receive = take_last_reset},
    {.topic = "state_topic", .value_template = "value_template", .receive = receive_value},
};
constexpr Fixed kFixed[] = {
    {"state_class", "state_class"}, {"options", "options"}, {"unit_of_measurement", "unit_of_measurement"}};

}  // namespace sensor

const Component kSensor{.name = "sensor",
                        .kind = &domains::kSensor,
                        .keys = sensor::kKeys,
                        .readings = sensor::kReadings,
                        .fixed = sensor::kFixed,
                        .device_classes = kSensorClasses,
                        .default_name = "MQTT Sensor",
                        .check = sensor::check};

}  // namespace hearth::integrations::mqtt
