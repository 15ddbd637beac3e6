// SPDX-License-Identifier: Apache-2.0
// What someone who mistyped a word may have meant. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace hearth::base {

// The word with the fewest letters to add, drop, change or swap with a neighbour; case does not count. Nothing where
// even that one is another word. Meant for short words: takes the product of the lengths.
std::optional<std::string_view> nearest_word(std::string_view typed, std::span<const std::string_view> words);

}  // namespace hearth::base
