// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace lawn_mower {

constexpr Feature kFeatures[] = {
    {"start_mowing", 1, "start"}, {"pause", 2, "pause"}, {"dock", 4, "return to its dock"}};
constexpr Action kActions[] = {
    {"start_mowing", "Start", "Begins to mow, or goes on with it.", {}, "start_mowing", "mowing"},
    {"pause", "Pause", "Pauses the mowing.", {}, "pause", "paused"},
    {"dock", "Dock", "Sends lawn mowers home.", {}, "dock", "returning"},
};
constexpr Arrival kArrivals[] = {{"returning", "docked"}};

}  // namespace lawn_mower

constexpr Kind kLawnMower{.domain = "lawn_mower",
                          .description = "A robot that mows the lawn.",
                          .value = field::Option{"mowing paused docked returning error"},
                          .features = lawn_mower::kFeatures,
                          .actions = lawn_mower::kActions,
                          .arrivals = lawn_mower::kArrivals};

}  // namespace hearth::domains
