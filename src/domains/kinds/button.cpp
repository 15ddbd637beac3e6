// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace button {

constexpr Action kActions[] = {{"press", "Press", "Presses buttons."}};

}  // namespace button

constexpr Kind kButton{.domain = "button",
                       .description = "Does one thing when it is pressed. Its state is when that was last.",
                       .value = field::DateTime{},
                       .stamped = Stamped::when_done,
                       .actions = button::kActions};

}  // namespace hearth::domains
