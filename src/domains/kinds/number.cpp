// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace number {

constexpr Attribute kAttributes[] = {
    {"min", field::Number{}, Shown::once},
    {"max", field::Number{}, Shown::once},
    {"step", field::Number{}, Shown::once},
    {"mode", field::Option{"auto box slider"}, Shown::once},
    {"unit_of_measurement", field::Text{}, Shown::once},
};
constexpr Input kValue[] = {{.field = {"value", "The number.", 42.5, field::Number{}, true},
                             .bounds = {.min = "min", .max = "max", .step = "step"},
                             .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets numbers.", kValue}};

}  // namespace number

constexpr Kind kNumber{.domain = "number",
                       .description = "A number that a device takes, within its bounds.",
                       .value = field::Number{},
                       .attributes = number::kAttributes,
                       .actions = number::kActions};

}  // namespace hearth::domains
