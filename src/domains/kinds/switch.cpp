// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace switches {

constexpr Action kActions[] = {
    {.service = "turn_on", .name = "Turn on", .description = "Turns switches on.", .value = "on"},
    {.service = "turn_off", .name = "Turn off", .description = "Turns switches off.", .value = "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns on what is off, and off what is on.",
     .toggles = true},
};

}  // namespace switches

constexpr Kind kSwitch{.domain = "switch",
                       .description = "On or off, nothing between.",
                       .value = field::Option{"on off"},
                       .on = "turn_on",
                       .off = "turn_off",
                       .actions = switches::kActions};

}  // namespace hearth::domains
