// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace notify {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
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
