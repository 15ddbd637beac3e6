// SPDX-License-Identifier: Apache-2.0
#include "auth/first_user_code.h"

#include <sodium.h>

#include <stdexcept>

namespace hearth::auth {
namespace {

constexpr std::size_t kDigits = 8;
constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // without letters that look alike

// The digits alone; shorter than kDigits if it is no code.
std::string digits_of(std::string_view typed) {
  std::string digits;
  for (char c : typed) {
    if (c == '-' || c == ' ') continue;
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == 'O') c = '0';
    if (c == 'I' || c == 'L') c = '1';
    if (digits.size() == kDigits) return {};
    digits += c;
  }
  return digits;
}

}  // namespace

FirstUserCode::FirstUserCode() {
  if (sodium_init() < 0) throw std::runtime_error("the system gives no random bytes");
  for (std::size_t i = 0; i < kDigits; ++i) {
    if (i == kDigits / 2) text_ += '-';
    text_ += kAlphabet[randombytes_uniform(kAlphabet.size())];
  }
}

bool FirstUserCode::matches(std::string_view typed) const {
  const std::string shown = digits_of(typed);
  const std::string expected = digits_of(text_);
  return shown.size() == expected.size() && sodium_memcmp(shown.data(), expected.data(), shown.size()) == 0;
}

}  // namespace hearth::auth
