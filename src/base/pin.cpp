// SPDX-License-Identifier: Apache-2.0
#include "base/pin.h"

#include <sodium.h>

#include <algorithm>
#include <array>

namespace hearth::base {

bool is_pin(std::string_view text) {
  return text.size() >= 4 && text.size() <= 12 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Result<std::string> hash_pin(std::string_view pin) {
  constexpr std::size_t kMemory = 256 * 1024;
  std::array<char, crypto_pwhash_STRBYTES> hash;
  if (sodium_init() < 0 ||
      crypto_pwhash_str(hash.data(), pin.data(), pin.size(), crypto_pwhash_OPSLIMIT_MIN, kMemory) != 0) {
    return fail(ErrorCode::unavailable, "There is not enough memory to hash a PIN.");
  }
  return std::string(hash.data());
}

bool pin_matches(const std::string& hash, std::string_view pin) {
  return !hash.empty() && is_pin(pin) && sodium_init() >= 0 &&
         crypto_pwhash_str_verify(hash.c_str(), pin.data(), pin.size()) == 0;
}

}  // namespace hearth::base
