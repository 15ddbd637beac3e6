// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace select {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "options", .type = field::TextSet{}, .required = true},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
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
