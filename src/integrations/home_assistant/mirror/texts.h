// SPDX-License-Identifier: Apache-2.0
// Texts of the hub there, within the bounds of those here. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/text/optional_text.h"

namespace hearth::integrations::home_assistant {

// At most as many code points as a name may have here; UTF-8.
std::string fit(std::string_view text);
// Empty texts are none.
base::OptionalText fitting(const base::OptionalText& text);

}  // namespace hearth::integrations::home_assistant
