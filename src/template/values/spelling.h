// SPDX-License-Identifier: Apache-2.0
// Writes a text in the letters of slugs, as closely as possible.
#pragma once

#include <string>
#include <string_view>

namespace hearth::templates {

// Without marks, apostrophes within words and commas within numbers; Greek and Cyrillic in Latin letters, signs as
// words: "m²" is "m2", "Кухня" is "kukhnia".
std::string spelled_out(std::string_view text);

}  // namespace hearth::templates
