// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/components.h"

namespace hearth::integrations::mqtt {
namespace lawn_mower {

constexpr Key kKeys[] = {
    {.name = "activity_state_topic", .type = field::TopicFilter{}},
    {.name = "activity_value_template", .type = field::Template{}},
    {.name = "start_mowing_command_topic", .type = field::Topic{}},
    {.name = "start_mowing_command_template", .type = field::Template{}},
    {.name = "pause_command_topic", .type = field::Topic{}},
    {.name = "pause_command_template", .type = field::Template{}},
    {.name = "dock_command_topic", .type = field::Topic{}},
    {.name = "dock_command_template", .type = field::Template{}},
    {.name = "start", .type = field::Payload{}, .fallback = "start_mowing"},
    {.name = "pause", .type = field::Payload{}, .fallback = "pause"},
    {.name = "dock", .type = field::Payload{}, .fallback = "dock"},
};
constexpr Reading kReadings[] = {{.topic = "activity_state_topic", .value_template = "activity_value_template"}};
constexpr Sending kSendings[] = {
    {.service = "start_mowing",
     .topic = "start_mowing_command_topic",
     .command_template = "start_mowing_command_template",
     .payload = "start"},
    {.service = "pause",
     .topic = "pause_command_topic",
     .command_template = "pause_command_template",
     .payload = "pause"},
    {.service = "dock", .topic = "dock_command_topic", .command_template = "dock_command_template", .payload = "dock"},
};
constexpr Ability kAbilities[] = {
    {"start_mowing", "start_mowing_command_topic"}, {"pause", "pause_command_topic"}, {"dock", "dock_command_topic"}};

}  // namespace lawn_mower

const Component kLawnMower{.name = "lawn_mower",
                           .kind = &domains::kLawnMower,
                           .keys = lawn_mower::kKeys,
                           .readings = lawn_mower::kReadings,
                           .sendings = lawn_mower::kSendings,
                           .abilities = lawn_mower::kAbilities,
                           .default_name = "MQTT Lawn Mower"};

}  // namespace hearth::integrations::mqtt
