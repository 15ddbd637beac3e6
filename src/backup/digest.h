// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of bytes that come in pieces. One thread at a time.
#pragma once

#include <sodium.h>

#include <string>
#include <string_view>

namespace hearth::backup {

class Digest {
 public:
  static constexpr std::size_t kHexLength = 2 * crypto_hash_sha256_BYTES;

  Digest() { crypto_hash_sha256_init(&state_); }
  void add(std::string_view bytes);
  // Lower-case hexadecimal digits. Call once, at the end.
  std::string hex();

 private:
  crypto_hash_sha256_state state_;
};

}  // namespace hearth::backup
