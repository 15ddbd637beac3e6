// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace scene {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "payload_on", .type = field::Payload{}, .fallback = "ON"},
};
constexpr Sending kSendings[] = {
    {.service = "turn_on", .topic = "command_topic", .command_template = {}, .payload = "payload_on"}};

}  // namespace scene

const Component kScene{.name = "scene",
                       .kind = &domains::kScene,
                       .keys = scene::kKeys,
                       .sendings = scene::kSendings,
                       .default_name = "MQTT Scene"};

}  // namespace hearth::integrations::mqtt
