// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace tag {

constexpr Attribute kAttributes[] = {
    {"tag_id", field::Text{}, Shown::once},
    {.name = "last_scanned_by_device_id", .type = field::Text{}, .restored = true},
};

}  // namespace tag

constexpr Kind kTag{.domain = "tag",
                    .description = "A tag that a phone or a reader scans. Its state is when it last was.",
                    .value = field::DateTime{},
                    .stamped = Stamped::when_reported,
                    .attributes = tag::kAttributes};

}  // namespace hearth::domains
