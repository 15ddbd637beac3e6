// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace notify {

using enum KeyType;

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = command_topic, .required = true},
    {.name = "command_template", .type = template_text},
};
constexpr Sending kSendings[] = {
    {.service = "send_message", .topic = "command_topic", .command_template = "command_template", .field = "message"}};

}  // namespace notify

const Component kNotify{.name = "notify",
                        .kind = &domains::kNotify,
                        .keys = notify::kKeys,
                        .sendings = notify::kSendings,
                        .default_name = "MQTT Notify"};

}  // namespace hearth::integrations::mqtt
