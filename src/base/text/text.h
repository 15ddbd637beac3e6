// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace hearth::base {

// Ignores the case of ASCII letters only, as in names of fields, codings and schemes. (Boost.Beast's iequals reads one
// byte past both strings, in 1.81 and other versions.)
inline bool equals_ignoring_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(one, other, {}, lower, lower);
}

// Without leading and trailing spaces and tabs, the blanks of HTTP and MIME fields (RFC 9110 §5.6.3).
inline std::string_view trim_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Appends all texts with at most one allocation.
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
