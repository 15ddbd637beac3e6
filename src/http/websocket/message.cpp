// SPDX-License-Identifier: Apache-2.0
#include "http/websocket/message.h"

namespace hearth::http {
namespace {

constexpr char kFinal = '\x80', kTextFrame = '\x01', kContinuation = '\x00';
constexpr char kFinalText = kFinal | kTextFrame;
constexpr std::size_t kShort = 125;      // the length fits into the second byte…
constexpr std::size_t kMedium = 0xFFFF;  // …or into two more; beyond, into eight

}  // namespace

void Message::begin(char first_byte, std::size_t text_size) {
  const std::size_t length_bytes = text_size <= kShort ? 0 : text_size <= kMedium ? 2 : 8;
  start_ = 2 + length_bytes;
  bytes_.reserve(start_ + text_size);
  bytes_ += first_byte;
  bytes_ += static_cast<char>(length_bytes == 0 ? text_size : length_bytes == 2 ? 126 : 127);
  for (std::size_t i = length_bytes; i > 0; --i) bytes_ += static_cast<char>(text_size >> (8 * (i - 1)));
}

Message::Message(std::string_view text) {
  begin(kFinalText, text.size());
  bytes_ += text;
}

MessagePtr Message::array(std::span<const MessagePtr> messages) {
  std::size_t size = 1 + messages.size();
  for (const MessagePtr& message : messages) size += message->text().size();
  std::shared_ptr<Message> array(new Message);
  array->begin(kFinalText, size);
  for (const MessagePtr& message : messages) {
    array->bytes_ += &message == messages.data() ? '[' : ',';
    array->bytes_ += message->text();
  }
  array->bytes_ += ']';
  array->start_ = array->bytes_.size();
  return array;
}

MessagePtr Message::fragment(std::string_view part, bool first, bool last) {
  std::shared_ptr<Message> fragment(new Message);
  fragment->begin(static_cast<char>((first ? kTextFrame : kContinuation) | (last ? kFinal : 0)), part.size());
  fragment->bytes_ += part;
  fragment->start_ = fragment->bytes_.size();
  return fragment;
}

MessagePtr Message::raw(std::string bytes) {
  std::shared_ptr<Message> message(new Message);
  message->start_ = bytes.size();
  message->bytes_ = std::move(bytes);
  return message;
}

}  // namespace hearth::http
