// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace water_heater {

constexpr Feature kFeatures[] = {
    {"target_temperature", 1, "hold a temperature"},
    {"operation_mode", 2, "change its mode"},
    {"away_mode", 4, "be told that nobody is home"},
    {"on_off", 8, "be turned on and off"},
};
constexpr field::Number kDegrees{-50, 150};  // of the field; each device has a range of its own
constexpr Attribute kAttributes[] = {
    {"min_temp", kDegrees, Shown::once},
    {"max_temp", kDegrees, Shown::once},
    {"target_temp_step", field::Number{}, Shown::once},
    {"operation_list", field::TextList{}, Shown::once, "operation_mode"},
    {.name = "current_temperature", .type = kDegrees, .restored = true, .significant = true},
    {.name = "temperature", .type = kDegrees, .restored = true, .significant = true},
    {"target_temp_high", kDegrees, Shown::always, {}, true, true},
    {"target_temp_low", kDegrees, Shown::always, {}, true, true},
    {"operation_mode", field::Text{}, Shown::always, "operation_mode", true, true, "operation_list"},
    {"away_mode", field::Option{"on off"}, Shown::always, "away_mode", true, true},
};
constexpr core::Field kMode{"operation_mode", "A mode from the device's operation_list.", "eco", field::Text{}};
constexpr core::Field kModeRequired{"operation_mode", kMode.description, "eco", field::Text{}, true};
constexpr Bounds kModes{.options = "operation_list", .cannot = "run in the mode"};
constexpr Input kTemperature[] = {
    {{"temperature", "The temperature to hold.", 55, kDegrees, true},
     {.min = "min_temp", .max = "max_temp", .step = "target_temp_step"}},
    {kMode, kModes, "operation_mode"},
};
constexpr Input kSetMode[] = {{kModeRequired, kModes}};
constexpr Input kAway[] = {{{"away_mode", "Whether nobody is home.", true, field::Boolean{}, true}}};
constexpr Action kActions[] = {
    {"turn_on", "Turn on", "Turns water heaters on.", {}, "on_off"},
    {"turn_off", "Turn off", "Turns water heaters off.", {}, "on_off", "off"},
    {"set_temperature", "Set target temperature", "Sets the temperature to hold.", kTemperature, "target_temperature"},
    {"set_operation_mode", "Set mode", "Sets how water is heated.", kSetMode, "operation_mode"},
    {"set_away_mode", "Set away mode", "Says whether nobody is home.", kAway, "away_mode"},
};

// A device gets away_mode as the word it shows.
base::Result<void> to_words(const Thing&, Order& order) {
  if (json::value* const away = order.data.if_contains("away_mode"); away && away->is_bool())
    *away = away->get_bool() ? "on" : "off";
  return {};
}

}  // namespace water_heater

constexpr Kind kWaterHeater{.domain = "water_heater",
                            .description = "A boiler for hot water. Its state is the mode that it is in.",
                            .value = field::Option{"off eco electric performance high_demand heat_pump gas"},
                            .on = "turn_on",
                            .off = "turn_off",
                            .active = "eco electric performance high_demand heat_pump gas",
                            .features = water_heater::kFeatures,
                            .attributes = water_heater::kAttributes,
                            .actions = water_heater::kActions,
                            .check = water_heater::to_words};

}  // namespace hearth::domains
