// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/outbound.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

namespace hearth::integrations::mqtt {

std::size_t size_of(const Publish& message) {
  return sizeof(Order) + message.topic.size() + message.payload.size();
}

Outbound::~Outbound() {
  if (event_ >= 0) ::close(event_);
}

base::Result<void> Outbound::open() {
  event_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event_ >= 0) return {};
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("The connection cannot be made: {}", std::generic_category().message(errno)));
}

base::Result<void> Outbound::put(Order order) {
  const auto* const message = std::get_if<Publish>(&order);
  const std::size_t size = message ? size_of(*message) : 0;
  {
    base::MutexLock lock(mutex_);
    if (message && (messages_ >= kMaxMessages || bytes_ >= kMaxBytes)) {
      return base::fail(base::ErrorCode::unavailable,
                        fmt::format("Too much waits to be sent to the broker: {} messages or {} MiB are the limit.",
                                    kMaxMessages, kMaxBytes / 1024 / 1024));
    }
    if (message) {
      ++messages_;
      bytes_ += size;
    }
    waiting_.push_back(std::move(order));
  }
  wake();
  return {};
}

void Outbound::stop() {
  stopping_.store(true, std::memory_order_release);
  wake();
}

std::vector<Order> Outbound::drain() {
  eventfd_t count;
  ::eventfd_read(event_, &count);
  if (stopping()) wake();  // so that no later wait for it is long
  base::MutexLock lock(mutex_);
  return std::exchange(waiting_, {});
}

void Outbound::done(std::size_t messages, std::size_t bytes) {
  base::MutexLock lock(mutex_);
  messages_ -= messages;
  bytes_ -= bytes;
}

void Outbound::give_back(std::vector<Publish> messages) {
  base::MutexLock lock(mutex_);
  waiting_.insert(waiting_.begin(), std::move_iterator(messages.begin()), std::move_iterator(messages.end()));
}

std::size_t Outbound::drop_unsure() {
  std::vector<Order> all;
  base::MutexLock lock(mutex_);
  all.swap(waiting_);
  std::size_t dropped = 0;
  for (Order& order : all) {
    const auto* const message = std::get_if<Publish>(&order);
    if (message && message->qos > 0) {
      waiting_.push_back(std::move(order));
    } else if (message) {
      ++dropped;
      --messages_;
      bytes_ -= size_of(*message);
    }
  }
  return dropped;
}

std::size_t Outbound::messages() const {
  base::MutexLock lock(mutex_);
  return messages_;
}

void Outbound::pause(base::Duration time) {
  pollfd watched{event_, POLLIN, 0};
  const auto until = std::chrono::steady_clock::now() + time;
  while (!stopping()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    if (::poll(&watched, 1, static_cast<int>(left.count())) <= 0) continue;
    // Packets that come meanwhile wait for the next connection.
    eventfd_t count;
    ::eventfd_read(event_, &count);
  }
  wake();  // so that no later wait for the end is long
}

void Outbound::wake() {
  ::eventfd_write(event_, 1);
}

}  // namespace hearth::integrations::mqtt
