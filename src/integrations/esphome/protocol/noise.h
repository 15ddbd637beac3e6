// SPDX-License-Identifier: Apache-2.0
// The symmetric half of Noise_NNpsk0_25519_ChaChaPoly_SHA256 (noiseprotocol.org, revision 34, sections 5.1 and 5.2):
// both sides do the same. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::integrations::esphome {

// Bytes that are overwritten at the end of their life.
class SecretBytes {
 public:
  static constexpr std::size_t kSize = 32;

  SecretBytes() = default;
  SecretBytes(const SecretBytes&) = default;
  SecretBytes& operator=(const SecretBytes&) = default;
  ~SecretBytes();

  unsigned char* data() { return bytes_.data(); }
  const unsigned char* data() const { return bytes_.data(); }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), kSize}; }

 private:
  std::array<unsigned char, kSize> bytes_{};
};

SecretBytes random_secret();

// The key that a node and its clients share.
using NodeKey = SecretBytes;

// Reads 32 bytes in base64, as a node's configuration has them. Fails with invalid.
base::Result<NodeKey> parse_node_key(std::string_view base64);
// A new random key, and how it is written.
std::string make_node_key();

// One direction of the encrypted connection.
class NoiseCipher {
 public:
  static constexpr std::size_t kMac = 16;  // bytes

  explicit NoiseCipher(const SecretBytes& key) : key_(key) {}

  // Appends the sealed bytes.
  void seal(std::string& out, std::string_view plain, std::string_view associated = {});
  // Opens the bytes in place; null if they are not authentic.
  std::optional<std::string_view> open(std::span<unsigned char> sealed, std::string_view associated = {});

 private:
  std::array<unsigned char, 12> next_nonce();

  SecretBytes key_;
  std::uint64_t counter_ = 0;
};

class NoiseSymmetric {
 public:
  explicit NoiseSymmetric(std::string_view prologue);

  void mix_hash(std::string_view bytes);
  void mix_key(std::string_view input);
  void mix_key_and_hash(const NodeKey& key);
  // Of an empty payload, as both messages of the handshake have it.
  void seal_nothing(std::string& out);
  bool open_nothing(std::string_view mac);

  struct Pair {
    NoiseCipher of_initiator, of_responder;
  };
  Pair split() const;

 private:
  SecretBytes hash_, chain_;
  NoiseCipher cipher_{SecretBytes()};
};

// The initiator's part: a message each way.
class NoiseInitiator {
 public:
  static constexpr std::size_t kMessage = 32 + NoiseCipher::kMac;  // bytes, of both

  // `secret`: of the one connection; random, except in tests.
  NoiseInitiator(const NodeKey& key, std::string_view prologue, const SecretBytes& secret);

  std::string first_message() { return first_; }
  // Null if the responder has another key.
  std::optional<NoiseSymmetric::Pair> finish(std::string_view message);

 private:
  NoiseSymmetric symmetric_;
  SecretBytes secret_;
  std::string first_;
};

}  // namespace hearth::integrations::esphome
