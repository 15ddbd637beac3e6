// SPDX-License-Identifier: Apache-2.0
// What one client has not yet been sent, in order. Worker thread only. Its bounds are its owner's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace hearth::http {

class MessageQueue {
 public:
  void push(MessagePtr message);

  bool empty() const { return first_ == messages_.size(); }
  std::size_t size() const { return messages_.size() - first_; }
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
  std::string_view front() const { return messages_[first_]->frame().substr(sent_of_first_); }
  void coalesce();

  std::vector<MessagePtr> messages_;  // from first_ on they wait
  std::size_t first_ = 0;
  std::size_t sent_of_first_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hearth::http
