// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace sensor {

constexpr Attribute kAttributes[] = {
    {"state_class", field::Option{"measurement measurement_angle total total_increasing"}, Shown::once},
    {"options", field::TextList{}, Shown::once},
    {"unit_of_measurement", field::Text{}, Shown::once},
    {"last_reset", field::DateTime{}, Shown::if_reported},
};

}  // namespace sensor

constexpr Kind kSensor{.domain = "sensor",
                       .description = "One measured or counted value, or a text.",
                       .value = field::Any{},
                       .attributes = sensor::kAttributes};

}  // namespace hearth::domains
