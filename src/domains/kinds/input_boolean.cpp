// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace input_boolean {

constexpr Attribute kAttributes[] = {{"editable", field::Boolean{}, Shown::once}};
constexpr Action kActions[] = {
    {.service = "turn_on", .name = "Turn on", .description = "Turns helpers on.", .value = "on"},
    {.service = "turn_off", .name = "Turn off", .description = "Turns helpers off.", .value = "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns on what is off, and off what is on.",
     .toggles = true},
};

}  // namespace input_boolean

constexpr Kind kInputBoolean{.domain = "input_boolean",
                             .description = "A switch that people make for themselves, such as “guests are here”.",
                             .value = field::Option{"on off"},
                             .on = "turn_on",
                             .off = "turn_off",
                             .attributes = input_boolean::kAttributes,
                             .actions = input_boolean::kActions};

}  // namespace hearth::domains
