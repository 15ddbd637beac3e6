// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"
#include "domains/kinds/travel.h"

namespace hearth::domains {
namespace cover {

constexpr Feature kFeatures[] = {
    {.name = "open", .bit = 1, .always = true},
    {.name = "close", .bit = 2, .always = true},
    {"set_position", 4, "move to a position"},
    {"stop", 8, "stop on its way"},
    {"open_tilt", 16, "tilt its slats"},
    {"close_tilt", 32, "tilt its slats"},
    {"stop_tilt", 64, "stop its slats on their way"},
    {"set_tilt_position", 128, "tilt its slats to a position"},
};
constexpr Attribute kAttributes[] = {
    {.name = "current_position", .type = kPercent, .needs = "set_position", .restored = true},
    {.name = "current_tilt_position", .type = kPercent, .needs = "open_tilt", .restored = true},
};

constexpr char kWhere[] = "Where to, from 0, closed, to 100, open.";
constexpr Input kPosition[] = {{.field = {"position", kWhere, 70, kPercent, true}, .sets = "current_position"}};
constexpr Input kTilt[] = {{.field = {"tilt_position", kWhere, 50, kPercent, true}, .sets = "current_tilt_position"}};

constexpr Action kActions[] = {
    {.service = "open_cover", .name = "Open", .description = "Opens covers.", .value = "open"},
    {.service = "close_cover", .name = "Close", .description = "Closes covers.", .value = "closed"},
    {"stop_cover", "Stop", "Stops covers on their way.", {}, "stop"},
    {"toggle", "Toggle", "Opens covers that are closed, closes open ones, stops moving ones."},
    {"set_cover_position", "Set position", "Moves covers to a position.", kPosition, "set_position"},
    {"open_cover_tilt", "Open tilt", "Tilts slats open.", {}, "open_tilt"},
    {"close_cover_tilt", "Close tilt", "Tilts slats closed.", {}, "open_tilt"},
    {"stop_cover_tilt", "Stop tilt", "Stops slats on their way.", {}, "open_tilt stop_tilt"},
    {"toggle_cover_tilt", "Toggle tilt", "Tilts closed slats open, and others closed.", {}, "open_tilt"},
    {"set_cover_tilt_position", "Set tilt position", "Tilts slats to a position.", kTilt,
     "open_tilt set_tilt_position"},
};

base::Result<void> toggle(const Thing& cover, Order& order) {
  constexpr Travel travel{"open_cover", "close_cover", "stop_cover"};
  const std::string_view service = order.action->service;
  if (service == "toggle") order.action = cover.kind().find_action(travel.toggled(cover));
  if (service == "toggle_cover_tilt") {
    const bool closed = cover.number("current_tilt_position") == 0;
    order.action = cover.kind().find_action(closed ? "open_cover_tilt" : "close_cover_tilt");
  }
  return {};
}

}  // namespace cover

constexpr Kind kCover{
    .domain = "cover",
    .description = "A blind, shutter, awning or garage door. Positions run from 0, closed, to 100, open.",
    .value = field::Option{"open opening closed closing"},
    .on = "open_cover",
    .off = "close_cover",
    .features = cover::kFeatures,
    .attributes = cover::kAttributes,
    .actions = cover::kActions,
    .arrivals = kTravelArrivals,
    .check = cover::toggle};

}  // namespace hearth::domains
