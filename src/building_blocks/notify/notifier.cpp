// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/notifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hearth::building_blocks {

void Notifier::send(Message message, const core::ServiceReply& reply, base::Duration told) {
  const bool splits = channel_->splits_targets() && message.targets.size() > 1;
  const std::size_t parts = splits ? message.targets.size() : 1;
  if (open_.size() + parts > kMostOpen) {
    return reply(
        base::fail(base::ErrorCode::full,
                   fmt::format("{} messages wait, of at most {} that are not delivered yet", open_.size(), kMostOpen)));
  }
  if (!splits) return enqueue(std::move(message), reply, told);
  const core::ServiceReply each = core::join_replies(parts, reply);
  for (const std::string& target : message.targets) {
    Message one = message;
    one.targets = {target};
    enqueue(std::move(one), each, told);
  }
}

void Notifier::enqueue(Message message, core::ServiceReply reply, base::Duration told) {
  const std::uint64_t number = ++last_;
  Open& open = open_[number];
  open.message = std::move(message);
  open.reply = std::move(reply);
  open.until = hub_.clock.steady_now() + kLongest;
  open.tell = hub_.bus.schedule(told, [this, number] {
    Open& late = open_.at(number);
    tell(late, base::fail(base::ErrorCode::unavailable,
                          fmt::format("is not delivered yet, and may still be tried: {}",
                                      late.why.empty() ? "earlier messages take long" : late.why)));
  });
  ready_.push_back(number);
  pump();
}

void Notifier::pump() {
  if (busy_ || ready_.empty()) return;
  const std::uint64_t number = ready_.front();
  ready_.pop_front();
  const Open& open = open_.at(number);
  if (hub_.clock.steady_now() > open.until) {
    return tried(number,
                 std::unexpected(Undelivered{.why = open.why.empty() ? "earlier messages took too long" : open.why}));
  }
  busy_ = true;
  channel_->send(open.message, [this, alive = std::weak_ptr(alive_), number](Delivery delivery) {
    if (alive.expired()) return;
    busy_ = false;
    tried(number, std::move(delivery));
  });
}

void Notifier::tried(std::uint64_t number, Delivery delivery) {
  Open& open = open_.at(number);
  const std::size_t tries = ++open.tries;
  if (delivery) {
    if (on_delivered_) on_delivered_();
    end(number, json::value());
  } else if (Undelivered& failed = delivery.error();
             !failed.may_pass || tries > kWaits.size() || hub_.clock.steady_now() + kWaits[tries - 1] > open.until) {
    log_(tries > 1 ? fmt::format("is given up after {} tries: {}", tries, failed.why) : failed.why);
    end(number,
        base::fail(failed.code,
                   tries > 1 ? fmt::format("is not delivered after {} tries: {}", tries, failed.why) : failed.why));
  } else {
    log_(failed.why);
    open.why = std::move(failed.why);
    open.again = hub_.bus.schedule(kWaits[tries - 1], [this, number] {
      ready_.push_back(number);
      pump();
    });
  }
  pump();
}

void Notifier::end(std::uint64_t number, base::Result<json::value> result) {
  auto ended = open_.extract(number);
  tell(ended.mapped(), std::move(result));
}

void Notifier::tell(Open& open, base::Result<json::value> result) {
  if (const auto reply = std::exchange(open.reply, nullptr)) reply(std::move(result));
}

}  // namespace hearth::building_blocks
