// SPDX-License-Identifier: Apache-2.0
// Percent-encoding of texts within addresses (RFC 3986 §2.1). Any thread.
#pragma once

#include <string>
#include <string_view>

namespace hearth::base {

// All bytes but unreserved characters (RFC 3986 §2.3).
void append_percent_encoded(std::string& out, std::string_view text);
std::string percent_encoded(std::string_view text);

}  // namespace hearth::base
