// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace hearth::base {

// Of ASCII letters alone, as in names of fields, codings and schemes. (Boost.Beast's iequals reads a byte behind both
// texts, in versions 1.81 and others.)
inline bool equals_ignoring_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(one, other, {}, lower, lower);
}

// Without the spaces and tabs at its ends: the blanks of HTTP's and of MIME's fields (RFC 9110 §5.6.3).
inline std::string_view trim_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Appends them all, growing once.
template <class... Texts>
void append(std::string& out, const Texts&... texts) {
  const std::size_t start = out.size();
  const std::size_t end = start + (... + std::string_view(texts).size());
  out.resize_and_overwrite(end, [&](char* place, std::size_t) {
    char* at = place + start;
    const auto put = [&](std::string_view text) { at += text.copy(at, text.size()); };
    (put(texts), ...);
    return end;
  });
}

}  // namespace hearth::base
