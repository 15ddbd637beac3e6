// SPDX-License-Identifier: Apache-2.0
// Frames of ESPHome's native API: a type and a payload each, plain or encrypted. Bytes go in, frames come out. One
// thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::integrations::esphome {

struct Frame {
  std::uint32_t type;
  std::string_view payload;  // valid until the next call of the reader
};

enum class FrameError {
  needs_encryption,  // plain, and the node has a key
  no_encryption,     // encrypted, and the node has no key
  wrong_key,
  unsupported_encryption,
  rejected,       // by the node during the handshake, for another reason than the key
  wrong_start,    // the first byte of a frame is none of the protocol's
  wrong_number,   // a number of more than five bytes
  too_long,       // a frame
  wrong_length,   // within a frame, or of a message of the handshake
  not_authentic,  // an encrypted frame that the key does not open
};

// For people: completes "The node …".
std::string_view to_string(FrameError error);

struct FrameFailure {
  FrameError error;
  std::string said = {};  // by the node; empty if it said nothing

  // A whole sentence.
  std::string text() const;
};

class Framing {
 public:
  virtual ~Framing() = default;

  // The first bytes to send.
  virtual std::string opening() = 0;
  // Bytes that came.
  virtual void put(std::string_view bytes) = 0;
  // The next frame; null before all of it has come. Fails for good.
  virtual std::expected<std::optional<Frame>, FrameFailure> next() = 0;
  // True once frames may be sent.
  virtual bool open() const = 0;
  // Appends the frame as it is sent. False if the payload is too long for it. REQUIRES: open().
  virtual bool append(std::string& out, std::uint32_t type, std::string_view payload) = 0;
  // The MAC that the node gives before it describes itself, 12 hexadecimal digits; empty if it gives none. Not
  // authentic before the first frame.
  virtual std::string_view mac() const { return {}; }
};

}  // namespace hearth::integrations::esphome
