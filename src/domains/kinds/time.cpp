// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace time_only {

constexpr Input kTime[] = {
    {.field = {"time", "The time of the day.", "05:04:20", field::Time{}, true}, .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets times.", kTime}};

}  // namespace time_only

constexpr Kind kTime{.domain = "time",
                     .description = "A time of the day that a device takes.",
                     .value = field::Time{},
                     .actions = time_only::kActions};

}  // namespace hearth::domains
