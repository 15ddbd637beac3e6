// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace siren {

constexpr Feature kFeatures[] = {
    {"turn_on", 1, "be turned on"},         {"turn_off", 2, "be turned off"},   {"tones", 4, "choose its tone"},
    {"volume_set", 8, "change its volume"}, {"duration", 16, "stop by itself"},
};
constexpr Attribute kAttributes[] = {{"available_tones", field::Any{}, Shown::once, "tones"}};
constexpr Input kTurnOn[] = {
    {{"tone", "A tone from the siren's available_tones.", "fire", field::Text{}},
     {.options = "available_tones", .cannot = "sound the tone"},
     "tones"},
    {.field = {"duration", "Seconds to sound.", 30, field::Number{0, 86'400}}, .needs = "duration"},
    {.field = {"volume_level", "How loud, from 0 to 1.", 0.8, field::Number{0, 1}}, .needs = "volume_set"},
};
constexpr Action kActions[] = {
    {"turn_on", "Turn on", "Sounds sirens.", kTurnOn, "turn_on", "on"},
    {"turn_off", "Turn off", "Silences sirens.", {}, "turn_off", "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Sounds sirens that are silent, and silences those that sound.",
     .toggles = true},
};

}  // namespace siren

constexpr Kind kSiren{.domain = "siren",
                      .description = "A siren or a warning device.",
                      .value = field::Option{"on off"},
                      .on = "turn_on",
                      .off = "turn_off",
                      .features = siren::kFeatures,
                      .attributes = siren::kAttributes,
                      .actions = siren::kActions};

}  // namespace hearth::domains
