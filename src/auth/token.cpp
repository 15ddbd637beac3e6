// SPDX-License-Identifier: Apache-2.0
#include "auth/token.h"

#include <openssl/evp.h>
#include <sodium.h>

#include <memory>
#include <new>

namespace hearth::auth {

std::string make_token() {
  std::array<std::uint8_t, 32> random;
  randombytes_buf(random.data(), random.size());
  std::string text(kTokenLength + 1, '\0');  // including the terminating zero that libsodium writes
  sodium_bin2base64(text.data(), text.size(), random.data(), random.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  text.pop_back();
  return text;
}

// Each request is checked by one: OpenSSL uses the processor's own instructions, and a thread keeps what it works with.
TokenHash hash_token(std::string_view text) {
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  thread_local std::unique_ptr<EVP_MD_CTX, Free> context;
  if (!context) {
    std::unique_ptr<EVP_MD_CTX, Free> made(EVP_MD_CTX_new());
    if (!made || EVP_DigestInit_ex2(made.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
    context = std::move(made);
  }
  TokenHash hash;
  if (EVP_DigestInit_ex2(context.get(), nullptr, nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), text.data(), text.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), hash.data(), nullptr) != 1)
    throw std::bad_alloc();
  return hash;
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
