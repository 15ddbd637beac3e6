// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace event {

constexpr Attribute kAttributes[] = {
    {"event_types", field::TextList{}, Shown::once},
    {.name = "event_type", .type = field::Text{}, .restored = true, .options = "event_types"},
};

}  // namespace event

constexpr Kind kEvent{.domain = "event",
                      .description =
                          "Something that happens at once: a doorbell, a button that is pressed. Its state is "
                          "when it last did.",
                      .value = field::DateTime{},
                      .stamped = Stamped::when_reported,
                      .attributes = event::kAttributes};

}  // namespace hearth::domains
