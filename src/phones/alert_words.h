// SPDX-License-Identifier: Apache-2.0
// What an alert of a kind is called where the hub itself tells of it. Any thread.
#pragma once

#include <string_view>

namespace hearth::phones {

// Of a kind of core::alert_rules(), or another.
std::string_view alert_words(std::string_view kind, bool german);

}  // namespace hearth::phones
