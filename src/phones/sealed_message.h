// SPDX-License-Identifier: Apache-2.0
// Messages between a companion app and the hub that only the two can read: libsodium's secretbox
// (XSalsa20-Poly1305), the nonce before it, as base64. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hearth::phones {

// `secret`: 64 hexadecimal digits. Some apps take its first 32 characters for the key, others the bytes that it
// stands for; an answer is sealed as the message before it was.
struct OpenedMessage {
  std::string text;
  bool by_characters = false;
};
// Null if it was not sealed with the secret.
std::optional<OpenedMessage> open_message(std::string_view secret, std::string_view sealed);
std::string seal_message(std::string_view secret, std::string_view text, bool by_characters);

}  // namespace hearth::phones
