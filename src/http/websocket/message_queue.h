// SPDX-License-Identifier: Apache-2.0
// The messages that wait for one client, in order. Worker thread only. Its owner enforces the bounds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "http/messages/body_file.h"
#include "http/websocket/message.h"

namespace hearth::http {

class MessageQueue {
 public:
  void push(MessagePtr message);
  // A message made piece by piece as the client takes it: only the piece being sent is in memory. Exceptions of the
  // source come out of `push` and `sent`; the message is then broken.
  void push(BodySource source);

  bool empty() const { return first_ == items_.size(); }
  std::size_t size() const { return items_.size() - first_; }
  std::size_t bytes() const { return bytes_; }
  // Bytes after the message that is being sent.
  std::size_t bytes_after_front() const { return empty() ? 0 : bytes_ - front().size(); }

  // The next bytes to send: the first message if it is long or alone, otherwise several joined in `scratch`. With
  // `coalesce`, texts that wait together become one message, a JSON array of them, of moderate size. REQUIRES: not
  // empty.
  std::string_view next(bool coalesce, std::string& scratch);
  // That many bytes have been sent.
  void sent(std::size_t size);

 private:
  struct Item {
    MessagePtr message;
    BodySource rest;  // makes the fragments after this message; null if there are none
  };

  std::string_view front() const { return items_[first_].message->frame().substr(sent_of_first_); }
  void coalesce();
  bool make_next(Item& item);

  std::vector<Item> items_;  // those from first_ on wait
  std::size_t first_ = 0;
  std::size_t sent_of_first_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hearth::http
