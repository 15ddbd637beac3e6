// SPDX-License-Identifier: Apache-2.0
// Tokens: 256 random bits as URL-safe base64, shown once, stored only as SHA-256 (contract, Tokens and rights). Two
// kinds authenticate: long-lived access tokens, and access tokens of half an hour, which a session issues for its
// refresh token. A refresh token does not authenticate. Tokens and refresh tokens that came from another hub have that
// hub's form, up to kMaxTokenLength, and a long-lived one may have several hashes. Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "core/rights/rights.h"

namespace hearth::auth {

constexpr std::size_t kTokenLength = 43;      // of those that this hub makes
constexpr std::size_t kMaxTokenLength = 512;  // of all; none is empty
constexpr std::chrono::days kDefaultTokenLife{3'650};
constexpr std::chrono::days kMaxTokenLife{1'000'000};
constexpr std::chrono::days kSessionLife{90};  // from its last use
constexpr std::chrono::minutes kViewLife{15};  // of a token to see the home as another user
constexpr std::chrono::minutes kAccessTokenLife{30};

using TokenHash = std::array<std::uint8_t, 32>;

std::string make_token();
// Another token, which only this process can make of the one. The same each time.
std::string successor_of_token(std::string_view text);
TokenHash hash_token(std::string_view text);

// 32 random hexadecimal digits, for ids of users and tokens.
std::string make_id();

// The stored part of a long-lived token; never its text.
struct Token {
  std::string id;
  std::string name;
  base::Timestamp created_at;
  std::optional<base::Timestamp> expires_at;
  std::optional<base::Timestamp> used_at;
  std::string used_from;  // the address; empty if the token was never used
  core::TokenRights rights = {};
};

// Clients know sessions and long-lived tokens as two types of refresh token.
enum class TokenType { normal, long_lived_access_token };

std::string_view to_string(TokenType type);
// Fails with invalid; the message names the existing types.
base::Result<TokenType> parse_token_type(std::string_view text);

// A session or a long-lived token, as its user sees it.
struct RefreshToken {
  std::string id;
  TokenType type;
  std::optional<std::string> client_id;    // a session's: the URL of the client that logged in
  std::optional<std::string> client_name;  // a long-lived token's
  std::optional<std::string> client_icon;
  base::Timestamp created_at;
  std::optional<base::Timestamp> expires_at;
  std::optional<base::Timestamp> used_at;
  std::string used_from;   // the address; empty if never used
  std::string user_agent;  // what a session's client calls itself; empty if it did not say, or before this was kept
  core::TokenRights rights = {};
};

// For a refresh token that no session has.
constexpr std::string_view kUnknownRefreshToken = "This refresh token is unknown, revoked or expired.";

// The answer to a client after login or refresh.
struct IssuedTokens {
  std::string session_id;
  std::string refresh_token;  // empty if the session existed before
  std::string access_token;
};

}  // namespace hearth::auth
