// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace schedule {

constexpr Attribute kAttributes[] = {
    {"editable", field::Boolean{}, Shown::if_reported},
    {"next_event", field::Text{}},
};
constexpr Action kActions[] = {
    {.service = "get_schedule",
     .name = "Get schedule",
     .description = "Answers with the times of schedules, by weekday.",
     .answers = true},
};

}  // namespace schedule

constexpr Kind kSchedule{.domain = "schedule",
                         .description = "On at set times of each weekday.",
                         .value = field::Option{"on off"},
                         .attributes = schedule::kAttributes,
                         .actions = schedule::kActions};

}  // namespace hearth::domains
