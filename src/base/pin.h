// SPDX-License-Identifier: Apache-2.0
// PINs: short secrets of digits, stored as argon2id hashes that take a millisecond. They keep a hand away from a
// button; a hash that was stolen tells its PIN to whoever tries all. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::base {

// 4 to 12 digits.
bool is_pin(std::string_view text);
// Fails with unavailable if memory runs out. REQUIRES: is_pin(pin).
Result<std::string> hash_pin(std::string_view pin);
// An empty hash matches nothing.
bool pin_matches(const std::string& hash, std::string_view pin);

}  // namespace hearth::base
