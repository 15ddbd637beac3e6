// SPDX-License-Identifier: Apache-2.0
// Suggests the word that somebody mistyped. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace hearth::base {

// The word with the fewest insertions, deletions, substitutions and swaps, ignoring case. Null if even that one is too
// different. For short words: the cost is the product of the lengths.
std::optional<std::string_view> nearest_word(std::string_view typed, std::span<const std::string_view> words);

}  // namespace hearth::base
