// SPDX-License-Identifier: Apache-2.0
#include "base/text/html.h"

namespace hearth::base {
namespace {

std::string_view reference_for(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '\'':
      return "&#39;";
    case '"':
      return "&#34;";
    default:
      return {};
  }
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const std::string_view reference = reference_for(c);
    if (reference.empty())
      out += c;
    else
      out += reference;
  }
  return out;
}

}  // namespace hearth::base
