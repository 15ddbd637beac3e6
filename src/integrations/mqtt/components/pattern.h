// SPDX-License-Identifier: Apache-2.0
// Regular expressions of discovery messages, in Python's syntax and within a limit of steps. Any thread.
#pragma once

#include <string_view>

namespace hearth::integrations::mqtt {

bool is_pattern(std::string_view pattern);
// True if the text matches from its start, as far as the pattern goes. False beyond the limit.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace hearth::integrations::mqtt
