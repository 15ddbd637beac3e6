// SPDX-License-Identifier: Apache-2.0
#include "phones/sealed_message.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <vector>

namespace hearth::phones {
namespace {

using Key = std::array<unsigned char, crypto_secretbox_KEYBYTES>;
constexpr std::size_t kOverhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;

std::optional<Key> key_of(std::string_view secret, bool by_characters) {
  Key key{};
  if (by_characters) {
    if (secret.size() < key.size()) return {};
    std::copy_n(secret.begin(), key.size(), key.begin());
    return key;
  }
  std::size_t length = 0;
  if (sodium_hex2bin(key.data(), key.size(), secret.data(), secret.size(), nullptr, &length, nullptr) != 0) return {};
  return length == key.size() ? std::optional(key) : std::nullopt;
}

// Of either alphabet, with or without padding.
std::optional<std::vector<unsigned char>> base64_bytes(std::string_view text) {
  if (text.empty()) return {};
  std::vector<unsigned char> bytes(text.size());
  for (const int variant : {sodium_base64_VARIANT_ORIGINAL, sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
                            sodium_base64_VARIANT_URLSAFE, sodium_base64_VARIANT_URLSAFE_NO_PADDING}) {
    std::size_t length = 0;
    if (sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), "\r\n", &length, nullptr, variant) != 0)
      continue;
    bytes.resize(length);
    return bytes;
  }
  return {};
}

}  // namespace

std::optional<OpenedMessage> open_message(std::string_view secret, std::string_view sealed) {
  const auto bytes = base64_bytes(sealed);
  if (!bytes || bytes->size() < kOverhead) return {};
  for (const bool by_characters : {false, true}) {
    const auto key = key_of(secret, by_characters);
    if (!key) continue;
    std::string text(bytes->size() - kOverhead, '\0');
    if (crypto_secretbox_open_easy(reinterpret_cast<unsigned char*>(text.data()),
                                   bytes->data() + crypto_secretbox_NONCEBYTES,
                                   bytes->size() - crypto_secretbox_NONCEBYTES, bytes->data(), key->data()) == 0)
      return OpenedMessage{std::move(text), by_characters};
  }
  return {};
}

std::string seal_message(std::string_view secret, std::string_view text, bool by_characters) {
  const auto key = key_of(secret, by_characters);
  if (!key) return {};
  std::vector<unsigned char> bytes(kOverhead + text.size());
  randombytes_buf(bytes.data(), crypto_secretbox_NONCEBYTES);
  crypto_secretbox_easy(bytes.data() + crypto_secretbox_NONCEBYTES, reinterpret_cast<const unsigned char*>(text.data()),
                        text.size(), bytes.data(), key->data());
  std::string sealed(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(sealed.data(), sealed.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  sealed.resize(sealed.find('\0'));
  return sealed;
}

}  // namespace hearth::phones
