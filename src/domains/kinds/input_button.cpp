// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace input_button {

constexpr Attribute kAttributes[] = {{"editable", field::Boolean{}, Shown::once}};
constexpr Action kActions[] = {{"press", "Press", "Presses helpers."}};

}  // namespace input_button

constexpr Kind kInputButton{.domain = "input_button",
                            .description =
                                "A button that people make for themselves. Its state is when it was last "
                                "pressed.",
                            .value = field::DateTime{},
                            .stamped = Stamped::when_done,
                            .attributes = input_button::kAttributes,
                            .actions = input_button::kActions};

}  // namespace hearth::domains
