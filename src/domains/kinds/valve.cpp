// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"
#include "domains/kinds/travel.h"

namespace hearth::domains {
namespace valve {

constexpr Feature kFeatures[] = {
    {"open", 1, "open"},
    {"close", 2, "close"},
    {"set_position", 4, "move to a position"},
    {"stop", 8, "stop on its way"},
};
constexpr Attribute kAttributes[] = {
    {.name = "current_position", .type = kPercent, .needs = "set_position", .restored = true}};
constexpr Input kPosition[] = {
    {.field = {"position", "Where to, from 0, closed, to 100, open.", 30, kPercent, true}, .sets = "current_position"}};
constexpr Action kActions[] = {
    {.service = "open_valve", .name = "Open", .description = "Opens valves.", .needs = "open", .value = "open"},
    {.service = "close_valve", .name = "Close", .description = "Closes valves.", .needs = "close", .value = "closed"},
    {"stop_valve", "Stop", "Stops valves on their way.", {}, "stop"},
    {"toggle", "Toggle", "Opens valves that are closed, closes open ones, stops moving ones."},
    {"set_valve_position", "Set position", "Moves valves to a position.", kPosition, "set_position"},
};

base::Result<void> toggle(const Thing& valve, Order& order) {
  constexpr Travel travel{"open_valve", "close_valve", "stop_valve"};
  if (order.action->service == "toggle") order.action = valve.kind().find_action(travel.toggled(valve));
  return {};
}

}  // namespace valve

constexpr Kind kValve{.domain = "valve",
                      .description = "A valve in a pipe. Positions run from 0, closed, to 100, open.",
                      .value = field::Option{"open opening closed closing"},
                      .on = "open_valve",
                      .off = "close_valve",
                      .features = valve::kFeatures,
                      .attributes = valve::kAttributes,
                      .actions = valve::kActions,
                      .arrivals = kTravelArrivals,
                      .check = valve::toggle};

}  // namespace hearth::domains
