// SPDX-License-Identifier: Apache-2.0
// Long-lived access tokens: 256 random bits as URL-safe base64, shown once, kept only as SHA-256 (contract, Tokens and
// rights). Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace hearth::auth {

constexpr std::size_t kTokenLength = 43;
constexpr std::chrono::days kDefaultTokenLife{3'650};
constexpr std::chrono::days kMaxTokenLife{1'000'000};

using TokenHash = std::array<std::uint8_t, 32>;

std::string make_token();
TokenHash hash_token(std::string_view text);

// 32 random hexadecimal digits: the ids of users and tokens.
std::string make_id();

// What is known of a token; never its text.
struct Token {
  std::string id;
  std::string name;
  base::Timestamp created_at;
  std::optional<base::Timestamp> expires_at;
  std::optional<base::Timestamp> used_at;
  std::string used_from;  // the address, empty where the token was never used
};

}  // namespace hearth::auth
