// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace image {

constexpr Attribute kAttributes[] = {
    {"access_token", field::Text{}, Shown::if_reported},
    {"entity_picture", field::Text{}, Shown::if_reported},
};

}  // namespace image

constexpr Kind kImage{.domain = "image",
                      .description = "A picture that changes now and then. Its state is when it last did.",
                      .value = field::DateTime{},
                      .stamped = Stamped::when_reported,
                      .attributes = image::kAttributes,
                      .pictures = true};

}  // namespace hearth::domains
