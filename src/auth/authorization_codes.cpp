// SPDX-License-Identifier: Apache-2.0
#include "auth/authorization_codes.h"

#include <sodium.h>

#include <algorithm>

namespace hearth::auth {
namespace {

bool is_base64url(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

}  // namespace

std::string AuthorizationCodes::issue(Grant grant) {
  std::string code = make_token();
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  std::erase_if(codes_, [&](const auto& entry) { return entry.second.expires_at <= now; });
  if (codes_.size() >= kMaxCodes) {
    codes_.erase(std::ranges::min_element(codes_, {}, [](const auto& entry) { return entry.second.number; }));
  }
  codes_.emplace(hash_token(code), Entry{std::move(grant), now + kLife, ++issued_});
  return code;
}

std::optional<AuthorizationCodes::Grant> AuthorizationCodes::take(std::string_view code) {
  const TokenHash hash = hash_token(code);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  const auto taken = codes_.extract(hash);
  if (!taken || taken.mapped().expires_at <= now) return {};
  return std::move(taken.mapped().grant);
}

bool is_code_challenge(std::string_view text) {
  return text.size() == kTokenLength && std::ranges::all_of(text, is_base64url);
}

bool code_verifier_matches(const CodeChallenge& challenge, std::optional<std::string_view> verifier) {
  if (challenge.empty()) return true;
  if (!verifier || verifier->size() < 43 || verifier->size() > 128) return false;
  const auto unreserved = [](char c) { return is_base64url(c) || c == '.' || c == '~'; };
  if (!std::ranges::all_of(*verifier, unreserved)) return false;
  const TokenHash hash = hash_token(*verifier);
  std::array<char, kTokenLength + 1> expected;
  sodium_bin2base64(expected.data(), expected.size(), hash.data(), hash.size(),
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return challenge.size() == kTokenLength && sodium_memcmp(challenge.data(), expected.data(), kTokenLength) == 0;
}

}  // namespace hearth::auth
