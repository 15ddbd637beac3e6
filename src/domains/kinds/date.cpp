// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace date_only {

constexpr Input kDate[] = {{.field = {"date", "The date.", "2026-04-20", field::Date{}, true}, .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets dates.", kDate}};

}  // namespace date_only

constexpr Kind kDate{.domain = "date",
                     .description = "A date that a device takes.",
                     .value = field::Date{},
                     .actions = date_only::kActions};

}  // namespace hearth::domains
