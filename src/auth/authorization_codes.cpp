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
    codes_.erase(std::ranges::min_element(
        codes_, {}, [](const auto& entry) { return std::pair(!entry.second.used, entry.second.number); }));
  }
  codes_.emplace(hash_token(code), Entry{std::move(grant), now + kLife, ++issued_});
  return code;
}

std::expected<AuthorizationCodes::Grant, AuthorizationCodes::Refusal> AuthorizationCodes::redeem(
    std::string_view code) {
  const TokenHash hash = hash_token(code);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  const auto found = codes_.find(hash);
  if (found == codes_.end() || found->second.expires_at <= now) return std::unexpected(Refusal());
  Entry& entry = found->second;
  if (entry.used) {
    entry.shown_again = true;
    return std::unexpected(Refusal{entry.grant.user_id, entry.session_id});
  }
  entry.used = true;
  entry.expires_at = now + kRemembered;
  return entry.grant;
}

bool AuthorizationCodes::exchanged(std::string_view code, std::string_view session_id) {
  const TokenHash hash = hash_token(code);
  base::MutexLock lock(mutex_);
  const auto found = codes_.find(hash);
  if (found == codes_.end()) return true;
  found->second.session_id = session_id;
  return !found->second.shown_again;
}

bool is_code_challenge(std::string_view text) {
  return text.size() == kTokenLength && std::ranges::all_of(text, is_base64url);
}

bool code_verifier_matches(const CodeChallenge& challenge, std::optional<std::string_view> verifier) {
  if (verifier && verifier->empty()) verifier.reset();  // as good as omitted (RFC 6749 §3.1)
  if (challenge.empty()) return !verifier;
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
