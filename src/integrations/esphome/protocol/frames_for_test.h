// SPDX-License-Identifier: Apache-2.0
// For tests and fuzzers: frames as texts, bytes from hexadecimal digits, and the encrypting side of a node.
#pragma once

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "integrations/esphome/protocol/noise_frames.h"
#include "integrations/esphome/protocol/plain_frames.h"

namespace hearth::integrations::esphome {

// Ignores spaces.
inline std::string bytes_of_hex(std::string_view digits) {
  std::string bytes;
  int high = -1;
  for (const char c : digits) {
    if (c == ' ' || c == '\n') continue;
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high >= 0) bytes += static_cast<char>(high << 4 | value);
    high = high >= 0 ? -1 : value;
  }
  return bytes;
}

inline std::string hex_of_bytes(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

// A line for each frame, the last one for the failure if there is one; given to the reader in parts of this size.
inline std::string frames_text(Framing& framing, std::string_view bytes, std::size_t part = std::string::npos) {
  std::string lines;
  while (!bytes.empty()) {
    framing.put(bytes.substr(0, part));
    bytes.remove_prefix(std::min(part, bytes.size()));
    for (;;) {
      const auto frame = framing.next();
      if (!frame) return lines + frame.error().text() + "\n";
      if (!*frame) break;
      lines += fmt::format("{} {}\n", (*frame)->type, hex_of_bytes((*frame)->payload));
    }
  }
  return lines;
}

// The node's side of encrypted frames.
class SealingNode {
 public:
  explicit SealingNode(const NodeKey& key) : key_(key) {}

  // The answer to the hub's opening.
  std::string answer(std::string_view opening, std::string_view name = "node", std::string_view mac = "0123456789ab") {
    std::string out = framed('\x01' + std::string(name) + '\0' + std::string(mac) + '\0');
    const std::string_view first = opening.substr(3 + 3 + 1, NoiseInitiator::kMessage);
    NoiseSymmetric symmetric(std::string_view("NoiseAPIInit\0\0", 14));
    symmetric.mix_key_and_hash(key_);
    const std::string_view remote = first.substr(0, 32);
    symmetric.mix_hash(remote);
    symmetric.mix_key(remote);
    if (!symmetric.open_nothing(first.substr(32))) return out + framed("\x01Handshake MAC failure");
    const SecretBytes secret = random_secret();
    std::string message(32, '\0');
    crypto_scalarmult_base(reinterpret_cast<unsigned char*>(message.data()), secret.data());
    symmetric.mix_hash(message);
    symmetric.mix_key(message);
    SecretBytes shared;
    if (crypto_scalarmult(shared.data(), secret.data(), reinterpret_cast<const unsigned char*>(remote.data())) != 0)
      return out;
    symmetric.mix_key(shared.view());
    symmetric.seal_nothing(message);
    ciphers_ = symmetric.split();
    return out + framed('\0' + message);
  }
  // REQUIRES: answered.
  std::string sealed(std::string_view plain) {
    std::string body;
    ciphers_->of_responder.seal(body, plain);
    return framed(body);
  }
  std::string sealed(std::uint32_t type, std::string_view payload) {
    std::string plain{static_cast<char>(type >> 8), static_cast<char>(type), static_cast<char>(payload.size() >> 8),
                      static_cast<char>(payload.size())};
    return sealed(plain.append(payload));
  }
  // The plain bytes of the hub's frame; empty if they are not authentic.
  std::string opened(std::string_view frame) {
    std::string body(frame.substr(3));
    const auto plain = ciphers_->of_initiator.open({reinterpret_cast<unsigned char*>(body.data()), body.size()});
    return std::string(plain.value_or(""));
  }

  static std::string framed(std::string_view body) {
    std::string out{'\x01', static_cast<char>(body.size() >> 8), static_cast<char>(body.size())};
    return out.append(body);
  }

 private:
  NodeKey key_;
  std::optional<NoiseSymmetric::Pair> ciphers_;
};

}  // namespace hearth::integrations::esphome
