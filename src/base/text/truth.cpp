// SPDX-License-Identifier: Apache-2.0
#include "base/text/truth.h"

#include <algorithm>

#include "base/text/text.h"

namespace hearth::base {

std::optional<bool> parse_yaml_boolean(std::string_view text) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return equals_ignoring_case(text, word); });
  };
  if (is_one_of({"true", "yes", "on"})) return true;
  if (is_one_of({"false", "no", "off"})) return false;
  return {};
}

std::optional<bool> parse_boolean(std::string_view text) {
  if (text == "1" || equals_ignoring_case(text, "enable")) return true;
  if (text == "0" || equals_ignoring_case(text, "disable")) return false;
  return parse_yaml_boolean(text);
}

}  // namespace hearth::base
