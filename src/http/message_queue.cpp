// SPDX-License-Identifier: Apache-2.0
#include "http/message_queue.h"

namespace hearth::http {
namespace {

constexpr std::size_t kWriteAtOnce = 256 * 1024;

}  // namespace

void MessageQueue::push(MessagePtr message) {
  bytes_ += message->frame().size();
  messages_.push_back(std::move(message));
}

std::string_view MessageQueue::next(bool coalesce, std::string& scratch) {
  if (coalesce && size() > 1) this->coalesce();
  if (size() == 1 || front().size() >= kWriteAtOnce) return front();
  scratch = front();
  for (std::size_t i = first_ + 1; i < messages_.size() && scratch.size() < kWriteAtOnce; ++i) {
    scratch += messages_[i]->frame().substr(0, kWriteAtOnce - scratch.size());
  }
  return scratch;
}

// Each run of texts becomes an array. Arrays have no text: none gets into another.
void MessageQueue::coalesce() {
  std::size_t to = sent_of_first_ > 0 ? first_ + 1 : first_;
  for (std::size_t from = to; from < messages_.size();) {
    std::size_t end = from;
    std::size_t size = 1;
    for (; end < messages_.size() && !messages_[end]->text().empty(); ++end) {
      size += messages_[end]->text().size() + 1;
      if (size > kWriteAtOnce) break;
    }
    MessagePtr next;
    if (end < from + 2) {
      end = from + 1;
      next = std::move(messages_[from]);
    } else {
      for (std::size_t i = from; i < end; ++i) bytes_ -= messages_[i]->frame().size();
      next = Message::array(std::span(messages_).subspan(from, end - from));
      bytes_ += next->frame().size();
    }
    messages_[to++] = std::move(next);
    from = end;
  }
  messages_.resize(to);
}

void MessageQueue::sent(std::size_t size) {
  bytes_ -= size;
  while (size > 0) {
    const std::size_t left = front().size();
    if (size < left) {
      sent_of_first_ += size;
      break;
    }
    size -= left;
    sent_of_first_ = 0;
    messages_[first_++].reset();
  }
  if (empty()) {
    constexpr std::size_t kKept = 16;
    messages_.clear();
    if (messages_.capacity() > kKept) messages_.shrink_to_fit();
    first_ = 0;
  } else if (first_ > 1024) {
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
}

}  // namespace hearth::http
