// SPDX-License-Identifier: Apache-2.0
#include "auth/password.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

#include "auth/bcrypt.h"
#include "base/text/utf8.h"

namespace hearth::auth {
namespace {

bool argon2id_matches(const std::string& hash, std::string_view password) {
  // Well formed and as costly as a real one, but nobody knows its password.
  constexpr const char* nobody =
      "$argon2id$v=19$m=65536,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const char* const used = hash.empty() ? nobody : hash.c_str();
  const bool same = sodium_init() >= 0 && crypto_pwhash_str_verify(used, password.data(), password.size()) == 0;
  return same && !hash.empty();
}

}  // namespace

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
  return hash_known_password(password);
}

base::Result<std::string> hash_known_password(std::string_view password) {
  std::array<char, crypto_pwhash_STRBYTES> hash;
  if (sodium_init() < 0 ||
      crypto_pwhash_str(hash.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0) {
    return base::fail(base::ErrorCode::unavailable, "There is not enough memory to hash a password.");
  }
  return std::string(hash.data());
}

base::Result<void> check_password_hash(const std::string& hash) {
  if (hash.empty()) return {};
  if (is_bcrypt(hash)) {
    const auto cost = bcrypt_cost(hash);
    return cost ? base::Result<void>() : std::unexpected(cost.error());
  }
  // Less than 0 if it is none.
  const int known = crypto_pwhash_str_needs_rehash(hash.c_str(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                                   crypto_pwhash_MEMLIMIT_INTERACTIVE);
  if (known >= 0) return {};
  return base::fail(base::ErrorCode::invalid, "It is neither argon2id nor bcrypt.");
}

bool password_matches(const std::string& hash, std::string_view password, int highest_bcrypt_cost) {
  const bool fits = password.size() <= kMaxPasswordBytes;
  const std::string_view asked = password.substr(0, kMaxPasswordBytes);
  const bool readable = check_password_hash(hash).has_value();
  const int own = readable ? bcrypt_cost(hash).value_or(0) : 0;
  if (own > 0 && bcrypt_matches(hash, asked) && fits) return true;
  if (argon2id_matches(own > 0 || !readable ? std::string() : hash, asked) && fits) return true;
  for (const int cost : further_bcrypt_costs(own, highest_bcrypt_cost)) spend_bcrypt(cost, asked);
  return false;
}

std::vector<int> further_bcrypt_costs(int own, int highest) {
  if (highest == 0) return {};
  if (own == 0) return {highest};
  // Each cost is twice the one before.
  std::vector<int> costs;
  for (int cost = own; cost < highest; ++cost) costs.push_back(cost);
  return costs;
}

}  // namespace hearth::auth
