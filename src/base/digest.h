// SPDX-License-Identifier: Apache-2.0
// Digests of bytes. Any thread.
#pragma once

#include <sodium.h>

#include <array>
#include <string>
#include <string_view>

namespace hearth::base {

// SHA-256 (FIPS 180-4).
std::array<unsigned char, crypto_hash_sha256_BYTES> sha256(std::string_view bytes);
// As lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
// As a Content-Security-Policy has it.
std::string sha256_base64(std::string_view bytes);

// SHA-256 of bytes that come in pieces. One thread at a time.
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

// 32 hexadecimal digits, the same for the same bytes: BLAKE2b of 128 bits.
std::string fingerprint(std::string_view bytes);

}  // namespace hearth::base
