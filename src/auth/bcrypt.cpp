// SPDX-License-Identifier: Apache-2.0
#include "auth/bcrypt.h"

#include <crypt.h>
#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <memory>

namespace hearth::auth {
namespace {

constexpr std::size_t kHashLength = 60;
constexpr std::size_t kCostAt = 4;
constexpr std::size_t kSaltAt = 7;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_bcrypt_letter(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '/';
}

}  // namespace

bool is_bcrypt(std::string_view hash) {
  return hash.starts_with("$2a$") || hash.starts_with("$2b$") || hash.starts_with("$2y$");
}

base::Result<int> bcrypt_cost(std::string_view hash) {
  const auto wrong = [](std::string why) { return base::fail(base::ErrorCode::invalid, std::move(why)); };
  if (!is_bcrypt(hash)) return wrong("A password from elsewhere is a bcrypt hash: it begins with $2a$, $2b$ or $2y$.");
  if (hash.size() != kHashLength) {
    return wrong(fmt::format("A bcrypt hash has {} characters, not {}.", kHashLength, hash.size()));
  }
  if (!is_digit(hash[kCostAt]) || !is_digit(hash[kCostAt + 1]) || hash[kCostAt + 2] != '$' ||
      !std::ranges::all_of(hash.substr(kSaltAt), is_bcrypt_letter)) {
    return wrong("This bcrypt hash is damaged: a cost of two digits, $, and 53 letters and digits were expected.");
  }
  const int cost = 10 * (hash[kCostAt] - '0') + (hash[kCostAt + 1] - '0');
  if (cost < kMinBcryptCost || cost > kMaxBcryptCost) {
    return wrong(fmt::format("A bcrypt hash of cost {}: {} to {} are taken.", cost, kMinBcryptCost, kMaxBcryptCost));
  }
  return cost;
}

bool bcrypt_matches(const std::string& hash, std::string_view password) {
  std::string asked(password.substr(0, kBcryptBytes));
  const auto work = std::make_unique<crypt_data>();  // 32 KiB
  const char* const made = crypt_r(asked.c_str(), hash.c_str(), work.get());
  const bool same = made && std::string_view(made).size() == hash.size() &&
                    sodium_memcmp(made, hash.data(), hash.size()) == 0 && !password.contains('\0');
  sodium_memzero(asked.data(), asked.size());
  sodium_memzero(work.get(), sizeof *work);
  return same;
}

void spend_bcrypt(int cost, std::string_view password) {
  // Well formed, but nobody knows its password.
  static_cast<void>(bcrypt_matches(fmt::format("$2b${:02}${:.<53}", cost, ""), password));
}

}  // namespace hearth::auth
