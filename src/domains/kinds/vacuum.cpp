// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace vacuum {

constexpr Feature kFeatures[] = {
    {"pause", 4, "pause"},
    {"stop", 8, "stop"},
    {"return_home", 16, "return to its base"},
    {"fan_speed", 32, "change its fan speed"},
    {"battery", 64},
    {"status", 128},
    {"send_command", 256, "take commands of its maker"},
    {"locate", 512, "say where it is"},
    {"clean_spot", 1024, "clean a spot"},
    {"map", 2048},
    {.name = "state", .bit = 4096, .always = true},
    {"start", 8192, "start"},
    {"clean_area", 16384, "clean areas"},
};
constexpr Attribute kAttributes[] = {
    {"fan_speed_list", field::TextList{}, Shown::once, "fan_speed"},
    {"battery_level", kPercent, Shown::if_reported, "battery", true},
    {"battery_icon", field::Text{}, Shown::if_reported, "battery"},
    {.name = "fan_speed", .type = field::Text{}, .needs = "fan_speed", .restored = true, .options = "fan_speed_list"},
    {"status", field::Text{}, Shown::if_reported, "status"},
};
constexpr Input kSpeed[] = {{{"fan_speed", "A speed from the device's fan_speed_list.", "quiet", field::Text{}, true},
                             {.options = "fan_speed_list", .cannot = "run at the fan speed"}}};
constexpr Input kCommand[] = {
    {{"command", "The command, as its maker calls it.", "set_dnd_timer", field::Text{}, true}},
    {{"params", "What goes with it: an object or a list.", core::Example::Json{R"({"key": "value"})"}}},
};
constexpr Input kAreas[] = {
    {{"cleaning_area_id", "The areas to clean.", core::Example::Json{R"(["kitchen"])"}, field::TextList{}, true}}};
constexpr Action kActions[] = {
    {"start", "Start", "Begins to clean, or goes on with it.", {}, "start", "cleaning"},
    {"pause", "Pause", "Pauses the cleaning.", {}, "pause", "paused"},
    {"stop", "Stop", "Stops the cleaning.", {}, "stop", "idle"},
    {"return_to_base", "Return to base", "Sends vacuums home.", {}, "return_home", "returning"},
    {"clean_spot", "Clean spot", "Cleans around where vacuums are.", {}, "clean_spot", "cleaning"},
    {"clean_area", "Clean areas", "Cleans areas of the home.", kAreas, "clean_area", "cleaning"},
    {"locate", "Locate", "Makes vacuums say where they are.", {}, "locate"},
    {"set_fan_speed", "Set fan speed", "Sets how hard vacuums suck.", kSpeed, "fan_speed"},
    {"send_command", "Send command", "Sends a command of the maker's.", kCommand, "send_command"},
};
constexpr Arrival kArrivals[] = {{"returning", "docked"}};

}  // namespace vacuum

constexpr Kind kVacuum{.domain = "vacuum",
                       .description = "A robot that cleans floors.",
                       .value = field::Option{"cleaning docked idle paused returning error"},
                       .features = vacuum::kFeatures,
                       .attributes = vacuum::kAttributes,
                       .actions = vacuum::kActions,
                       .arrivals = vacuum::kArrivals};

}  // namespace hearth::domains
