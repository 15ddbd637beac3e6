// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace select {

using enum KeyType;

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = command_topic, .required = true},
    {.name = "command_template", .type = template_text},
    {.name = "options", .type = texts, .required = true},
    {.name = "state_topic", .type = topic},
    {.name = "value_template", .type = template_text},
};
constexpr Reading kReadings[] = {{.topic = "state_topic", .value_template = "value_template", .listed = "options"}};
constexpr Sending kSendings[] = {
    {.service = "select_option", .topic = "command_topic", .command_template = "command_template", .field = "option"}};
constexpr Fixed kFixed[] = {{"options", "options"}};

}  // namespace select

const Component kSelect{.name = "select",
                        .kind = &domains::kSelect,
                        .keys = select::kKeys,
                        .readings = select::kReadings,
                        .sendings = select::kSendings,
                        .fixed = select::kFixed,
                        .default_name = "MQTT Select"};

}  // namespace hearth::integrations::mqtt
