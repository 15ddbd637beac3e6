// SPDX-License-Identifier: Apache-2.0
// A whole text message with its frame header (RFC 6455 §5.2): built once and sent to many. Immutable, any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hearth::http {

class Message {
 public:
  explicit Message(std::string_view text);
  // A JSON array of the messages' texts.
  static std::shared_ptr<const Message> array(std::span<const std::shared_ptr<const Message>> messages);
  // Bytes that are to be sent as they are: control frames.
  static std::shared_ptr<const Message> raw(std::string bytes);

  // Empty where it is an array, or raw.
  std::string_view text() const { return std::string_view(bytes_).substr(start_); }
  std::string_view frame() const { return bytes_; }

 private:
  Message() = default;
  void begin(std::size_t text_size);

  std::string bytes_;
  std::size_t start_ = 0;
};
using MessagePtr = std::shared_ptr<const Message>;

}  // namespace hearth::http
