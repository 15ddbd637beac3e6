// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/inbound.h"

#include <algorithm>
#include <utility>

namespace hearth::integrations::mqtt {
namespace {

std::size_t size_of(const Arrival& arrival) {
  const auto* const received = std::get_if<Received>(&arrival);
  return sizeof(Arrival) + (received ? received->message.topic().size() + received->message.payload().size() : 0);
}

}  // namespace

void Inbound::put(Arrival arrival) {
  const std::size_t size = size_of(arrival);
  bool wake = false;
  {
    base::MutexLock lock(mutex_);
    const bool waits = !std::holds_alternative<Connected>(arrival) && !std::holds_alternative<Lost>(arrival);
    while (waits && !closed_ && (waiting_.size() >= kMaxMessages || bytes_ >= kMaxBytes)) room_.wait(mutex_);
    if (closed_) return;
    waiting_.push_back(std::move(arrival));
    bytes_ += size;
    wake = !std::exchange(woken_, true);
  }
  if (wake) wake_();
}

std::vector<Arrival> Inbound::drain(std::size_t most) {
  std::vector<Arrival> taken;
  {
    base::MutexLock lock(mutex_);
    const std::size_t count = std::min(most, waiting_.size());
    taken.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      bytes_ -= size_of(waiting_.front());
      taken.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    woken_ = count > 0;
  }
  room_.notify_one();
  return taken;
}

void Inbound::close() {
  std::deque<Arrival> dropped;
  {
    base::MutexLock lock(mutex_);
    closed_ = true;
    dropped.swap(waiting_);
    bytes_ = 0;
  }
  room_.notify_all();
}

}  // namespace hearth::integrations::mqtt
