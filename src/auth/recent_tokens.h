// SPDX-License-Identifier: Apache-2.0
// Remembers for each thread whose the tokens are that it saw last: a client sends the same one with each request, and
// its SHA-256 is the dearest step of the check. What was learned from another version of the accounts is forgotten.
//
// Any thread; each touches only what is its own.
#pragma once

#include <sodium.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "auth/identity.h"
#include "base/thread_slot.h"

namespace hearth::auth {

class RecentTokens {
 public:
  // Null where this thread has not seen the token under this version of the accounts, or not lately.
  IdentityPtr find(std::string_view token_text, std::uint64_t version) const;
  // `token_text` has kTokenLength characters.
  void remember(std::string_view token_text, std::uint64_t version, const IdentityPtr& identity);

 private:
  // With zeros behind it: texts of 64 bytes are compared at once, in the same time wherever they differ.
  using Text = std::array<unsigned char, crypto_verify_64_BYTES>;
  static_assert(kTokenLength <= crypto_verify_64_BYTES);
  struct Entry {
    Text text;
    IdentityPtr identity;
  };
  struct Known {
    std::uint64_t version = 0;
    std::array<Entry, 32> entries;  // by the token's first characters, which are random
  };

  static Text padded(std::string_view token_text);
  static std::size_t place_of(std::string_view token_text);

  std::vector<std::unique_ptr<Known>> threads_{base::ThreadSlot::count()};  // made when a thread first comes
};

}  // namespace hearth::auth
