// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace hearth::templates {

// The character with that name of Unicode, such as DEGREE SIGN, LF or CJK UNIFIED IDEOGRAPH-4E00; in capitals or not.
// Nothing for a name that no character has, and for a sequence of several characters.
std::optional<char32_t> character_named(std::string_view name);

}  // namespace hearth::templates
