// SPDX-License-Identifier: Apache-2.0
// What one client has not yet been sent, in order. Worker thread only. Its bounds are its owner's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "http/body_file.h"
#include "http/message.h"

namespace hearth::http {

class MessageQueue {
 public:
  void push(MessagePtr message);
  // One text, made piece by piece as the client takes it: what is sent of it now and no more is in memory. What it
  // throws comes out of `push` and `sent`; the message is then broken.
  void push(BodySource source);

  bool empty() const { return first_ == items_.size(); }
  std::size_t size() const { return items_.size() - first_; }
  std::size_t bytes() const { return bytes_; }
  // Bytes behind the message that is being sent.
  std::size_t bytes_behind() const { return empty() ? 0 : bytes_ - front().size(); }

  // What to send now: the first message where it is long or alone, else several one behind the other, put together in
  // `scratch`. With `coalesce` texts that wait together become one, a JSON array of them, for as long as it is of
  // moderate size. REQUIRES: not empty.
  std::string_view next(bool coalesce, std::string& scratch);
  // That much of it has gone.
  void sent(std::size_t size);

 private:
  struct Item {
    MessagePtr message;
    BodySource rest;  // makes what comes after the message, which is a fragment; null if nothing does
  };

  std::string_view front() const { return items_[first_].message->frame().substr(sent_of_first_); }
  void coalesce();
  bool make_next(Item& item);

  std::vector<Item> items_;  // from first_ on they wait
  std::size_t first_ = 0;
  std::size_t sent_of_first_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hearth::http
