// SPDX-License-Identifier: Apache-2.0
// Dates, times and both.
#include "base/text/timestamp.h"
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace moments {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
};

void receive(ThingEntity& entity, const Reading& reading, const core::MqttMessage&, std::string text) {
  const domains::Kind& kind = *entity.component().kind;
  if (text == "None") return entity.report("state", json::value());
  if (!domains::value_text(kind, json::value(text)))
    return entity.complain_text(reading.topic, core::field::expected(kind.value), text);
  entity.report("state", std::move(text));
}

constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template", .receive = receive}};

template <const char* kService, const char* kField>
constexpr Sending kSending[] = {
    {.service = kService, .topic = "command_topic", .command_template = "command_template", .field = kField}};
constexpr char kSetValue[] = "set_value", kDateField[] = "date", kTimeField[] = "time", kDateTimeField[] = "datetime";

}  // namespace moments

const Component kDate{.name = "date",
                      .kind = &domains::kDate,
                      .keys = moments::kKeys,
                      .readings = moments::kReadings,
                      .sendings = moments::kSending<moments::kSetValue, moments::kDateField>,
                      .default_name = "MQTT Date"};
const Component kTime{.name = "time",
                      .kind = &domains::kTime,
                      .keys = moments::kKeys,
                      .readings = moments::kReadings,
                      .sendings = moments::kSending<moments::kSetValue, moments::kTimeField>,
                      .default_name = "MQTT Time"};
const Component kDateTime{.name = "datetime",
                          .kind = &domains::kDateTime,
                          .keys = moments::kKeys,
                          .readings = moments::kReadings,
                          .sendings = moments::kSending<moments::kSetValue, moments::kDateTimeField>,
                          .default_name = "MQTT Datetime"};

}  // namespace hearth::integrations::mqtt
