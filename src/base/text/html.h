// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hearth::base {

// The text as HTML and XML show it, in an element or in an attribute's value in quotes of either kind, spelled as
// Python's markupsafe does. Any thread.
std::string html_escaped(std::string_view text);

}  // namespace hearth::base
