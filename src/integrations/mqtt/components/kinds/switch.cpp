// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace switches {

using enum KeyType;

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = command_topic, .required = true},
    {.name = "command_template", .type = template_text},
    {.name = "state_topic", .type = topic},
    {.name = "value_template", .type = template_text},
    {.name = "payload_on", .type = payload, .fallback = "ON"},
    {.name = "payload_off", .type = payload, .fallback = "OFF"},
    {.name = "state_on", .type = payload, .same_as = "payload_on"},
    {.name = "state_off", .type = payload, .same_as = "payload_off"},
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
