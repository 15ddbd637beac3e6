// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <span>

namespace hearth::base {
namespace {

const unsigned char* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

std::string hex_of(std::span<const unsigned char> hash) {
  std::string text(2 * hash.size(), '\0');
  sodium_bin2hex(text.data(), text.size() + 1, hash.data(), hash.size());
  return text;
}

}  // namespace

std::array<unsigned char, crypto_hash_sha256_BYTES> sha256(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), data_of(bytes), bytes.size());
  return hash;
}

std::string sha256_hex(std::string_view bytes) {
  return hex_of(sha256(bytes));
}

std::string sha256_base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  const auto hash = sha256(bytes);
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, kVariant)> text;
  return sodium_bin2base64(text.data(), text.size(), hash.data(), hash.size(), kVariant);
}

void Digest::add(std::string_view bytes) {
  crypto_hash_sha256_update(&state_, data_of(bytes), bytes.size());
}

std::string Digest::hex() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256_final(&state_, hash.data());
  return hex_of(hash);
}

std::string fingerprint(std::string_view bytes) {
  std::array<unsigned char, 16> hash;
  crypto_generichash(hash.data(), hash.size(), data_of(bytes), bytes.size(), nullptr, 0);
  return hex_of(hash);
}

}  // namespace hearth::base
