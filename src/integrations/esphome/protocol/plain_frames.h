// SPDX-License-Identifier: Apache-2.0
// Frames without encryption: a zero, the length of the payload and the type as numbers of seven bits a byte, the
// payload. One thread at a time.
#pragma once

#include "integrations/esphome/protocol/byte_queue.h"
#include "integrations/esphome/protocol/frames.h"

namespace hearth::integrations::esphome {

class PlainFrames final : public Framing {
 public:
  static constexpr std::size_t kMaxPayload = 1024 * 1024;

  std::string opening() override { return {}; }
  void put(std::string_view bytes) override { queue_.put(bytes); }
  std::expected<std::optional<Frame>, FrameFailure> next() override;
  bool open() const override { return true; }
  bool append(std::string& out, std::uint32_t type, std::string_view payload) override;

 private:
  ByteQueue queue_;
};

}  // namespace hearth::integrations::esphome
