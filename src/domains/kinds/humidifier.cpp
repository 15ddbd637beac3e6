// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace humidifier {

constexpr Feature kFeatures[] = {{"modes", 1, "change its mode"}};
constexpr Attribute kAttributes[] = {
    {"min_humidity", field::Number{0, 100}, Shown::once},
    {"max_humidity", field::Number{0, 100}, Shown::once},
    {"available_modes", field::TextList{}, Shown::once, "modes"},
    {"action", field::Option{"humidifying drying idle off"}, Shown::if_reported, {}, true, true},
    {"current_humidity", field::Number{0, 100}, Shown::if_reported, {}, true, true},
    {"humidity", field::Number{0, 100}, Shown::always, {}, true, true},
    {"mode", field::Text{}, Shown::always, "modes", true, true, "available_modes"},
};
constexpr Input kHumidity[] = {{{"humidity", "Relative humidity in percent.", 55, kPercent, true},
                                {.min = "min_humidity", .max = "max_humidity"}}};
constexpr Input kMode[] = {{{"mode", "A mode from the device's available_modes.", "eco", field::Text{}, true},
                            {.options = "available_modes", .cannot = "run in the mode"}}};
constexpr Action kActions[] = {
    {.service = "turn_on", .name = "Turn on", .description = "Turns humidifiers on.", .value = "on"},
    {.service = "turn_off", .name = "Turn off", .description = "Turns humidifiers off.", .value = "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns humidifiers on that are off, and off that are on.",
     .toggles = true},
    {"set_humidity", "Set target humidity", "Sets the humidity to hold.", kHumidity},
    {"set_mode", "Set mode", "Sets how humidifiers run.", kMode, "modes"},
};

}  // namespace humidifier

constexpr Kind kHumidifier{.domain = "humidifier",
                           .description = "A humidifier or, by its device class, a dehumidifier.",
                           .value = field::Option{"on off"},
                           .on = "turn_on",
                           .off = "turn_off",
                           .features = humidifier::kFeatures,
                           .attributes = humidifier::kAttributes,
                           .actions = humidifier::kActions};

}  // namespace hearth::domains
