// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace button {

using enum KeyType;

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = command_topic, .required = true},
    {.name = "command_template", .type = template_text},
    {.name = "payload_press", .type = payload, .fallback = "PRESS"},
};
constexpr Sending kSendings[] = {
    {.service = "press", .topic = "command_topic", .command_template = "command_template", .payload = "payload_press"}};

}  // namespace button

const Component kButton{.name = "button",
                        .kind = &domains::kButton,
                        .keys = button::kKeys,
                        .sendings = button::kSendings,
                        .device_classes = "identify restart update",
                        .default_name = "MQTT Button"};

}  // namespace hearth::integrations::mqtt
