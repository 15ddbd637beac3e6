// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace zone {

constexpr Attribute kAttributes[] = {
    {"latitude", field::Number{-90, 90}, Shown::if_reported, {}, false, true},
    {"longitude", field::Number{-180, 180}, Shown::if_reported, {}, false, true},
    {"radius", field::Number{0, 1e6}, Shown::if_reported},
    {"passive", field::Boolean{}, Shown::if_reported},
    {"persons", field::TextList{}, Shown::if_reported},
    {"editable", field::Boolean{}, Shown::if_reported},
};

}  // namespace zone

constexpr Kind kZone{.domain = "zone",
                     .description = "A place on the map. Its state is how many people are there.",
                     .value = field::Integer{0, 1'000'000},
                     .attributes = zone::kAttributes};

}  // namespace hearth::domains
