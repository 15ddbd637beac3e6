// SPDX-License-Identifier: Apache-2.0
#include "http/websocket/message_queue.h"

namespace hearth::http {
namespace {

constexpr std::size_t kWriteAtOnce = 256 * 1024;

}  // namespace

void MessageQueue::push(MessagePtr message) {
  bytes_ += message->frame().size();
  items_.push_back({std::move(message), nullptr});
}

void MessageQueue::push(BodySource source) {
  std::string piece;
  const bool more = source(piece);
  if (!more) return push(std::make_shared<const Message>(piece));
  items_.push_back({Message::fragment(piece, true, false), std::move(source)});
  bytes_ += items_.back().message->frame().size();
}

// False if the item has been sent whole.
bool MessageQueue::make_next(Item& item) {
  if (!item.rest) return false;
  std::string piece;
  const bool more = item.rest(piece);
  item.message = Message::fragment(piece, false, !more);
  bytes_ += item.message->frame().size();
  if (!more) item.rest = nullptr;
  return true;
}

std::string_view MessageQueue::next(bool coalesce, std::string& scratch) {
  if (coalesce && size() > 1) this->coalesce();
  if (size() == 1 || items_[first_].rest || front().size() >= kWriteAtOnce) return front();
  scratch = front();
  for (std::size_t i = first_ + 1; i < items_.size() && scratch.size() < kWriteAtOnce; ++i) {
    if (items_[i].rest) break;  // its next fragment must come before later messages
    scratch += items_[i].message->frame().substr(0, kWriteAtOnce - scratch.size());
  }
  return scratch;
}

// Joins each run of texts into an array. Arrays have no text, so that none is nested in another.
void MessageQueue::coalesce() {
  std::size_t to = sent_of_first_ > 0 ? first_ + 1 : first_;
  std::vector<MessagePtr> run;
  for (std::size_t from = to; from < items_.size();) {
    std::size_t end = from;
    std::size_t size = 1;
    run.clear();
    for (; end < items_.size() && !items_[end].message->text().empty(); ++end) {
      size += items_[end].message->text().size() + 1;
      if (size > kWriteAtOnce) break;
      run.push_back(items_[end].message);
    }
    Item next;
    if (run.size() < 2) {
      end = from + 1;
      next = std::move(items_[from]);
    } else {
      for (const MessagePtr& message : run) bytes_ -= message->frame().size();
      next = {Message::array(run), nullptr};
      bytes_ += next.message->frame().size();
    }
    items_[to++] = std::move(next);
    from = end;
  }
  items_.resize(to);
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
    if (!make_next(items_[first_])) items_[first_++] = {};
  }
  if (empty()) {
    constexpr std::size_t kKept = 16;
    items_.clear();
    if (items_.capacity() > kKept) items_.shrink_to_fit();
    first_ = 0;
  } else if (first_ > 1024) {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
}

}  // namespace hearth::http
