// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace person {

constexpr Attribute kAttributes[] = {
    {"editable", field::Boolean{}, Shown::if_reported},
    {"id", field::Text{}, Shown::if_reported},
    {"device_trackers", field::TextList{}, Shown::if_reported},
    {"user_id", field::Text{}, Shown::if_reported},
    {"entity_picture", field::Text{}, Shown::if_reported},
    {.name = "source", .type = field::Text{}, .shown = Shown::if_reported, .restored = true},
    {.name = "latitude",
     .type = field::Number{-90, 90},
     .shown = Shown::if_reported,
     .restored = true,
     .significant = true},
    {.name = "longitude",
     .type = field::Number{-180, 180},
     .shown = Shown::if_reported,
     .restored = true,
     .significant = true},
    {.name = "gps_accuracy", .type = field::Number{0, 1e6}, .shown = Shown::if_reported, .restored = true},
};

}  // namespace person

constexpr Kind kPerson{.domain = "person",
                       .description = "Somebody who lives here. Its state is the zone, `home` or `not_home`.",
                       .value = field::Text{},
                       .active = "home",
                       .attributes = person::kAttributes};

}  // namespace hearth::domains
