// SPDX-License-Identifier: Apache-2.0
// Covers and fans.
#include "domains/entities/kinds.h"
#include "template_entities/forms/all.h"

namespace hearth::template_entities {
namespace movers {

using enum Fixed::Type;

constexpr Word kOpen[] = {{"true", "open"},    {"on", "open"},    {"1", "open"},
                          {"false", "closed"}, {"off", "closed"}, {"0", "closed"}};
constexpr Reading kCoverReadings[] = {
    {.key = "state", .old_key = "value_template", .words = kOpen},
    {.key = "position", .old_key = "position_template", .sets = "current_position"},
    {.key = "tilt", .old_key = "tilt_template", .sets = "current_tilt_position"},
};
constexpr std::string_view kMove = "set_cover_position", kTilt = "set_cover_tilt_position";
constexpr Sending kCoverSendings[] = {
    {"open_cover", "open_cover"},
    {.service = "open_cover", .key = kMove, .instead_of = "open_cover", .variable = "position", .number = 100},
    {"close_cover", "close_cover"},
    {.service = "close_cover", .key = kMove, .instead_of = "close_cover", .variable = "position", .number = 0},
    {"stop_cover", "stop_cover"},
    {kMove, kMove},
    {.service = "open_cover_tilt", .key = kTilt, .variable = "tilt", .number = 100},
    {.service = "close_cover_tilt", .key = kTilt, .variable = "tilt", .number = 0},
    {.service = kTilt, .key = kTilt, .field = "tilt_position", .variable = "tilt"},
};
constexpr Ability kCoverAbilities[] = {{"set_position", "set_cover_position"},
                                       {"stop", "stop_cover"},
                                       {"open_tilt close_tilt set_tilt_position", "set_cover_tilt_position"}};

constexpr Reading kFanReadings[] = {
    {.key = "state", .old_key = "value_template", .words = kOnOff},
    {.key = "percentage", .old_key = "percentage_template", .sets = "percentage"},
    {.key = "preset_mode", .old_key = "preset_mode_template", .sets = "preset_mode"},
    {.key = "oscillating", .old_key = "oscillating_template", .sets = "oscillating"},
    {.key = "direction", .old_key = "direction_template", .sets = "direction"},
};
constexpr Sending kFanSendings[] = {
    {"turn_on", "turn_on"},
    {.service = "turn_on", .key = "set_percentage", .field = "percentage"},
    {.service = "turn_on", .key = "set_preset_mode", .field = "preset_mode"},
    {"turn_off", "turn_off"},
    {"set_percentage", "set_percentage"},
    {"increase_speed", "set_percentage"},
    {"decrease_speed", "set_percentage"},
    {"set_preset_mode", "set_preset_mode"},
    {"oscillate", "set_oscillating"},
    {"set_direction", "set_direction"},
};
constexpr Ability kFanAbilities[] = {{"set_speed", "set_percentage percentage"},
                                     {"preset_mode", "set_preset_mode preset_mode"},
                                     {"oscillate", "set_oscillating"},
                                     {"direction", "set_direction"}};
constexpr Fixed kFanFixed[] = {{"preset_modes", "preset_modes", texts}, {"speed_count", "percentage_step", number}};

}  // namespace movers

const Form kCover{.kind = &domains::kCover,
                  .readings = movers::kCoverReadings,
                  .sendings = movers::kCoverSendings,
                  .abilities = movers::kCoverAbilities,
                  .list = "covers"};
const Form kFan{.kind = &domains::kFan,
                .readings = movers::kFanReadings,
                .sendings = movers::kFanSendings,
                .abilities = movers::kFanAbilities,
                .fixed = movers::kFanFixed,
                .required = "turn_on turn_off",
                .as_asked = "set_percentage increase_speed decrease_speed set_preset_mode",
                .list = "fans"};

}  // namespace hearth::template_entities
