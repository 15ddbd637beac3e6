// SPDX-License-Identifier: Apache-2.0
// A hash table by string whose lookup by view makes no copy.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hearth::base {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace hearth::base
