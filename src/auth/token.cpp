// SPDX-License-Identifier: Apache-2.0
#include "auth/token.h"

#include <sodium.h>

#include "base/digest.h"

namespace hearth::auth {

namespace {

std::string token_text(const std::array<std::uint8_t, 32>& bytes) {
  std::string text(kTokenLength + 1, '\0');  // including the terminating zero that libsodium writes
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  text.pop_back();
  return text;
}

}  // namespace

std::string make_token() {
  std::array<std::uint8_t, 32> random;
  randombytes_buf(random.data(), random.size());
  return token_text(random);
}

std::string successor_of_token(std::string_view text) {
  static const auto key = [] {
    std::array<std::uint8_t, crypto_auth_hmacsha256_KEYBYTES> random;
    randombytes_buf(random.data(), random.size());
    return random;
  }();
  std::array<std::uint8_t, 32> mac;
  static_assert(crypto_auth_hmacsha256_BYTES == sizeof mac);
  crypto_auth_hmacsha256(mac.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), key.data());
  return token_text(mac);
}

TokenHash hash_token(std::string_view text) {
  return base::sha256(text);
}

std::string make_id() {
  std::array<std::uint8_t, 16> random;
  randombytes_buf(random.data(), random.size());
  std::string text(33, '\0');
  sodium_bin2hex(text.data(), text.size(), random.data(), random.size());
  text.pop_back();
  return text;
}

std::string_view to_string(TokenType type) {
  return type == TokenType::normal ? "normal" : "long_lived_access_token";
}

base::Result<TokenType> parse_token_type(std::string_view text) {
  for (const TokenType type : {TokenType::normal, TokenType::long_lived_access_token}) {
    if (text == to_string(type)) return type;
  }
  return base::fail(base::ErrorCode::invalid, "The types of refresh tokens are normal and long_lived_access_token.");
}

}  // namespace hearth::auth
