// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace sun {

constexpr Attribute kAttributes[] = {
    {"next_dawn", field::Text{}, Shown::if_reported},          {"next_dusk", field::Text{}, Shown::if_reported},
    {"next_midnight", field::Text{}, Shown::if_reported},      {"next_noon", field::Text{}, Shown::if_reported},
    {"next_rising", field::Text{}, Shown::if_reported},        {"next_setting", field::Text{}, Shown::if_reported},
    {"elevation", field::Number{-90, 90}, Shown::if_reported}, {"azimuth", field::Number{0, 360}, Shown::if_reported},
    {"rising", field::Boolean{}, Shown::if_reported},
};

}  // namespace sun

constexpr Kind kSun{.domain = "sun",
                    .description = "The sun at the home: above_horizon or below_horizon.",
                    .value = field::Option{"above_horizon below_horizon"},
                    .attributes = sun::kAttributes};

}  // namespace hearth::domains
