// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/recovery_codes.h"

#include <fmt/format.h>
#include <sodium.h>

namespace hearth::auth {
namespace {

// No character that is easily taken for another.
constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
static_assert(kLetters.size() == 32);
constexpr std::size_t kLength = 12, kGroup = 4;

}  // namespace

std::vector<std::string> make_recovery_codes() {
  std::vector<std::string> codes(kRecoveryCodes);
  for (std::string& code : codes) {
    for (std::size_t i = 0; i < kLength; ++i) {
      if (i > 0 && i % kGroup == 0) code += '-';
      code += kLetters[randombytes_uniform(static_cast<std::uint32_t>(kLetters.size()))];
    }
  }
  return codes;
}

TokenHash hash_recovery_code(const base::Id& user_id, std::string_view code) {
  std::string text(user_id.str());
  text += '\n';
  for (const char c : code) {
    if (c == ' ' || c == '-') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return hash_token(text);
}

}  // namespace hearth::auth
