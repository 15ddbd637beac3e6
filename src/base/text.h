// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace hearth::base {

// Without the spaces and tabs at its ends: the blanks of HTTP's and of MIME's fields (RFC 9110 §5.6.3).
inline std::string_view trim_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace hearth::base
