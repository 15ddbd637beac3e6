// SPDX-License-Identifier: Apache-2.0
#include "auth/password.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

#include "base/text/utf8.h"

namespace hearth::auth {

base::Result<void> check_new_password(std::string_view password) {
  if (password.size() > kMaxPasswordBytes) return base::fail(base::ErrorCode::invalid, "The password is too long.");
  const auto length = base::utf8_length(password);
  if (!length) return base::fail(base::ErrorCode::invalid, "The password is not UTF-8.");
  if (*length >= kMinPasswordLength) return {};
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("A password has at least {} characters.", kMinPasswordLength));
}

base::Result<std::string> hash_password(std::string_view password) {
  if (auto good = check_new_password(password); !good) return std::unexpected(std::move(good.error()));
  std::array<char, crypto_pwhash_STRBYTES> hash;
  if (sodium_init() < 0 ||
      crypto_pwhash_str(hash.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0) {
    return base::fail(base::ErrorCode::unavailable, "There is not enough memory to hash a password.");
  }
  return std::string(hash.data());
}

bool password_matches(const std::string& hash, std::string_view password) {
  // Well formed and as costly as a real one, but nobody knows its password.
  constexpr const char* nobody =
      "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const char* const used = hash.empty() ? nobody : hash.c_str();
  const std::string_view asked = password.substr(0, kMaxPasswordBytes);
  const bool same = sodium_init() >= 0 && crypto_pwhash_str_verify(used, asked.data(), asked.size()) == 0;
  return same && !hash.empty() && asked.size() == password.size();
}

}  // namespace hearth::auth
