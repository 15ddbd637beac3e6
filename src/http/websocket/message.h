// SPDX-License-Identifier: Apache-2.0
// A text message, or a fragment of one, with its frame header (RFC 6455 §5.2, §5.4): built once and sent to many.
// Immutable, any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hearth::http {

class Message {
 public:
  explicit Message(std::string_view text);
  // A JSON array of the messages.
  static std::shared_ptr<const Message> array(std::span<const std::shared_ptr<const Message>> messages);
  // A part of a message; the first has the opcode, the last the FIN bit.
  static std::shared_ptr<const Message> fragment(std::string_view part, bool first, bool last);
  // Bytes sent unchanged: control frames.
  static std::shared_ptr<const Message> raw(std::string bytes);

  // Empty for an array, a fragment, or raw bytes.
  std::string_view text() const { return std::string_view(bytes_).substr(start_); }
  std::string_view frame() const { return bytes_; }

 private:
  Message() = default;
  void begin(char first_byte, std::size_t text_size);

  std::string bytes_;
  std::size_t start_ = 0;
};
using MessagePtr = std::shared_ptr<const Message>;

}  // namespace hearth::http
