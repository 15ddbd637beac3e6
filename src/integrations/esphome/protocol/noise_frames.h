// SPDX-License-Identifier: Apache-2.0
// Encrypted frames: a one, the length in 16 bits, and a body. The first bodies are a handshake; each later one is
// sealed, and holds the type and the length of the payload in 16 bits each, and the payload. One thread at a time.
#pragma once

#include <optional>

#include "integrations/esphome/protocol/byte_queue.h"
#include "integrations/esphome/protocol/frames.h"
#include "integrations/esphome/protocol/noise.h"

namespace hearth::integrations::esphome {

class NoiseFrames final : public Framing {
 public:
  static constexpr std::size_t kMaxPayload = 65'535 - 4 - NoiseCipher::kMac;  // a frame's length has 16 bits

  // `secret`: of the one connection; random, except in tests.
  explicit NoiseFrames(const NodeKey& key, const SecretBytes& secret = random_secret());

  std::string opening() override;
  void put(std::string_view bytes) override { queue_.put(bytes); }
  std::expected<std::optional<Frame>, FrameFailure> next() override;
  bool open() const override { return ciphers_.has_value(); }
  bool append(std::string& out, std::uint32_t type, std::string_view payload) override;
  std::string_view mac() const override { return mac_; }

 private:
  std::optional<FrameFailure> take_hello(std::string_view body);
  std::optional<FrameFailure> finish_handshake(std::string_view body);
  std::expected<std::optional<Frame>, FrameFailure> take_frame(std::size_t length);

  ByteQueue queue_;
  std::optional<NoiseInitiator> handshake_;  // until it is done
  std::optional<NoiseSymmetric::Pair> ciphers_;
  bool greeted_ = false;
  std::string mac_;
};

}  // namespace hearth::integrations::esphome
