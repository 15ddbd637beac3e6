// SPDX-License-Identifier: Apache-2.0
#include "auth/recent_tokens.h"

#include <sodium.h>

#include <cstring>

namespace hearth::auth {

std::size_t RecentTokens::place_of(std::string_view token_text) {
  const auto first = static_cast<unsigned char>(token_text[0]);
  const auto second = static_cast<unsigned char>(token_text[1]);
  return (first * 31u + second) % std::tuple_size_v<decltype(Known::entries)>;
}

RecentTokens::Text RecentTokens::padded(std::string_view token_text) {
  Text text{};
  std::memcpy(text.data(), token_text.data(), kTokenLength);
  return text;
}

IdentityPtr RecentTokens::find(std::string_view token_text, std::uint64_t version) const {
  const std::size_t thread = base::ThreadSlot::index();
  if (thread >= threads_.size() || !threads_[thread]) return nullptr;
  const Known& known = *threads_[thread];
  if (known.version != version) return nullptr;
  const Entry& entry = known.entries[place_of(token_text)];
  if (!entry.identity || crypto_verify_64(entry.text.data(), padded(token_text).data()) != 0) return nullptr;
  return entry.identity;
}

void RecentTokens::remember(std::string_view token_text, std::uint64_t version, const IdentityPtr& identity) {
  const std::size_t thread = base::ThreadSlot::index();
  if (thread >= threads_.size()) return;
  auto& known = threads_[thread];
  if (!known || known->version != version) {
    known = std::make_unique<Known>();
    known->version = version;
  }
  Entry& entry = known->entries[place_of(token_text)];
  entry.text = padded(token_text);
  entry.identity = identity;
}

}  // namespace hearth::auth
