// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace button {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "payload_press", .type = field::Payload{}, .fallback = "PRESS"},
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
