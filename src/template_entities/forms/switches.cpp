// SPDX-License-Identifier: Apache-2.0
// Entities that are set, pressed or turned on and off.
#include "domains/entities/kinds.h"
#include "template_entities/forms/all.h"

namespace hearth::template_entities {
namespace switches {

using enum Fixed::Type;

constexpr Reading kOnOffReadings[] = {{.key = "state", .old_key = "value_template", .words = kOnOff}};
constexpr Sending kOnOffSendings[] = {{"turn_on", "turn_on"}, {"turn_off", "turn_off"}};

constexpr Reading kNumberReadings[] = {
    {.key = "state"},
    {.key = "min", .sets = "min"},
    {.key = "max", .sets = "max"},
    {.key = "step", .sets = "step"},
};
constexpr Sending kNumberSendings[] = {{"set_value", "set_value"}};
constexpr Fixed kNumberFixed[] = {{"unit_of_measurement", "unit_of_measurement"},
                                  {"mode", "mode", text, "auto box slider"}};

constexpr Reading kSelectReadings[] = {{.key = "options", .sets = "options", .required = true}, {.key = "state"}};
constexpr Sending kSelectSendings[] = {{"select_option", "select_option"}};

constexpr Sending kButtonSendings[] = {{"press", "press"}};

// LightEntity decides which of these the call names.
constexpr Reading kLightReadings[] = {
    {.key = "state", .old_key = "value_template", .words = kOnOff},
    {.key = "level", .old_key = "level_template", .sets = "level"},
    {.key = "temperature", .old_key = "temperature_template", .sets = "temperature"},
    {.key = "hs", .old_key = "hs_template", .sets = "hs"},
    {.key = "color", .old_key = "color_template", .sets = "hs"},
    {.key = "rgb", .old_key = "rgb_template", .sets = "rgb"},
    {.key = "rgbw", .old_key = "rgbw_template", .sets = "rgbw"},
    {.key = "rgbww", .old_key = "rgbww_template", .sets = "rgbww"},
    {.key = "effect", .old_key = "effect_template", .sets = "effect"},
    {.key = "effect_list", .old_key = "effect_list_template", .sets = "effect_list"},
    {.key = "min_mireds", .old_key = "min_mireds_template", .sets = "min_mireds"},
    {.key = "max_mireds", .old_key = "max_mireds_template", .sets = "max_mireds"},
    {.key = "supports_transition", .old_key = "supports_transition_template", .sets = "transition"},
};
constexpr Sending kLightSendings[] = {
    {"turn_on", "turn_on"},   {"turn_off", "turn_off"}, {"turn_on", "set_level"}, {"turn_on", "set_temperature"},
    {"turn_on", "set_hs"},    {"turn_on", "set_color"}, {"turn_on", "set_rgb"},   {"turn_on", "set_rgbw"},
    {"turn_on", "set_rgbww"}, {"turn_on", "set_effect"}};

constexpr Word kLocked[] = {{"true", "locked"},    {"on", "locked"},    {"1", "locked"},
                            {"false", "unlocked"}, {"off", "unlocked"}, {"0", "unlocked"}};
constexpr Reading kLockReadings[] = {{.key = "state", .old_key = "value_template", .words = kLocked},
                                     {.key = "code_format", .old_key = "code_format_template", .sets = "code_format"}};
constexpr Sending kLockSendings[] = {{"lock", "lock"}, {"unlock", "unlock"}, {"open", "open"}};
constexpr Ability kLockAbilities[] = {{"open", "open"}};

constexpr Reading kVacuumReadings[] = {
    {.key = "state", .old_key = "value_template"},
    {.key = "battery_level", .old_key = "battery_level_template", .sets = "battery_level"},
    {.key = "fan_speed", .old_key = "fan_speed_template", .sets = "fan_speed"},
};
constexpr Sending kVacuumSendings[] = {{"start", "start"},
                                       {"pause", "pause"},
                                       {"stop", "stop"},
                                       {"return_to_base", "return_to_base"},
                                       {"clean_spot", "clean_spot"},
                                       {"locate", "locate"},
                                       {"set_fan_speed", "set_fan_speed"}};
constexpr Ability kVacuumAbilities[] = {{"start", "start"},
                                        {"pause", "pause"},
                                        {"stop", "stop"},
                                        {"return_home", "return_to_base"},
                                        {"clean_spot", "clean_spot"},
                                        {"locate", "locate"},
                                        {"fan_speed", "set_fan_speed"},
                                        {"battery", "battery_level"}};
constexpr Fixed kVacuumFixed[] = {{"fan_speeds", "fan_speed_list", texts}};

constexpr Reading kAlarmReadings[] = {{.key = "state", .old_key = "value_template"}};
constexpr Sending kAlarmSendings[] = {{"alarm_disarm", "disarm"},
                                      {"alarm_arm_home", "arm_home"},
                                      {"alarm_arm_away", "arm_away"},
                                      {"alarm_arm_night", "arm_night"},
                                      {"alarm_arm_vacation", "arm_vacation"},
                                      {"alarm_arm_custom_bypass", "arm_custom_bypass"},
                                      {"alarm_trigger", "trigger"}};
constexpr Ability kAlarmAbilities[] = {{"arm_home", "arm_home"},   {"arm_away", "arm_away"},
                                       {"arm_night", "arm_night"}, {"arm_vacation", "arm_vacation"},
                                       {"trigger", "trigger"},     {"arm_custom_bypass", "arm_custom_bypass"}};
constexpr Fixed kAlarmFixed[] = {{"code_arm_required", "code_arm_required", boolean},
                                 {"code_format", "code_format", text, "number text no_code"}};

}  // namespace switches

const Form kSwitch{.kind = &domains::kSwitch,
                   .readings = switches::kOnOffReadings,
                   .sendings = switches::kOnOffSendings,
                   .required = "turn_on turn_off",
                   .list = "switches"};
const Form kNumber{.kind = &domains::kNumber,
                   .readings = switches::kNumberReadings,
                   .sendings = switches::kNumberSendings,
                   .fixed = switches::kNumberFixed,
                   .required = "set_value",
                   .only_new = true};
const Form kSelect{.kind = &domains::kSelect,
                   .readings = switches::kSelectReadings,
                   .sendings = switches::kSelectSendings,
                   .required = "select_option",
                   .only_new = true};
const Form kButton{.kind = &domains::kButton,
                   .readings = {},
                   .sendings = switches::kButtonSendings,
                   .required = "press",
                   .only_new = true};
const Form kLight{.kind = &domains::kLight,
                  .readings = switches::kLightReadings,
                  .sendings = switches::kLightSendings,
                  .required = "turn_on turn_off",
                  .ignored = "white_value_template set_white_value",
                  .list = "lights"};
const Form kLock{.kind = &domains::kLock,
                 .readings = switches::kLockReadings,
                 .sendings = switches::kLockSendings,
                 .abilities = switches::kLockAbilities,
                 .required = "lock unlock"};
const Form kVacuum{.kind = &domains::kVacuum,
                   .readings = switches::kVacuumReadings,
                   .sendings = switches::kVacuumSendings,
                   .abilities = switches::kVacuumAbilities,
                   .fixed = switches::kVacuumFixed,
                   .required = "start",
                   .list = "vacuums"};
const Form kAlarmControlPanel{.kind = &domains::kAlarmControlPanel,
                              .readings = switches::kAlarmReadings,
                              .sendings = switches::kAlarmSendings,
                              .abilities = switches::kAlarmAbilities,
                              .fixed = switches::kAlarmFixed,
                              .list = "panels"};

}  // namespace hearth::template_entities
