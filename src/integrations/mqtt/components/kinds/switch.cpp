// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace switches {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
    {.name = "payload_off", .type = field::Payload{}, .fallback = "OFF"},
    {.name = "state_on", .type = field::Payload{}, .same_as = "payload_on"},
    {.name = "state_off", .type = field::Payload{}, .same_as = "payload_off"},
};
constexpr Word kWords[] = {{"on", "state_on"}, {"off", "state_off"}};
constexpr Reading kReadings[] = {
    {.topic = "state_topic", .value_template = "value_template", .as = Reading::As::words, .words = kWords}};
constexpr Sending kSendings[] = {
    {.service = "turn_on", .topic = "command_topic", .command_template = "command_template", .payload = "payload_on"},
    {.service = "turn_off", .topic = "command_topic", .command_template = "command_template", .payload = "payload_off"},
};

}  // namespace switches

const Component kSwitch{.name = "switch",
                        .kind = &domains::kSwitch,
                        .keys = switches::kKeys,
                        .readings = switches::kReadings,
                        .sendings = switches::kSendings,
                        .device_classes = "outlet switch",
                        .default_name = "MQTT Switch"};

}  // namespace hearth::integrations::mqtt
