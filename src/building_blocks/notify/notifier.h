// SPDX-License-Identifier: Apache-2.0
// The messages of one channel that are not delivered yet, one after the other. One that fails, but might pass later, is
// tried again after kWaits; meanwhile others have their turn. Bus thread only.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "building_blocks/notify/channel.h"
#include "core/hub.h"

namespace hearth::building_blocks {

class Notifier {
 public:
  static constexpr std::size_t kMostOpen = 32;  // messages that are not delivered; further ones are refused
  // From each failure until the next try.
  static constexpr std::array<base::Duration, 3> kWaits{std::chrono::seconds(5), std::chrono::seconds(25),
                                                        std::chrono::seconds(210)};
  // After that, no try begins any more.
  static constexpr base::Duration kLongest = std::chrono::minutes(5);
  // A message that is not delivered then fails for its sender, though it may still be tried: a call cannot wait longer.
  static constexpr base::Duration kTold = std::chrono::seconds(50);
  // The same for the call of an entity, which domains::LaterAnswers ends a second later.
  static constexpr base::Duration kToldEntity = std::chrono::seconds(9);

  // `log` gets each failed try and each message that is given up.
  using Log = std::function<void(const std::string& line)>;

  // The hub must outlive it.
  Notifier(core::Hub& hub, std::unique_ptr<Channel> channel, Log log)
      : hub_(hub), channel_(std::move(channel)), log_(std::move(log)) {}
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  // Replies when the message is delivered, has failed for good, or `told` is over; with full if too many wait.
  void send(Message message, const core::ServiceReply& reply, base::Duration told = kTold);
  // Called after each delivery.
  void on_delivered(std::function<void()> callback) { on_delivered_ = std::move(callback); }

  bool is_idle() const { return open_.empty(); }
  bool is_full() const { return open_.size() >= kMostOpen; }

 private:
  struct Open {
    Message message;
    core::ServiceReply reply;  // null when its sender has been told
    base::SteadyTime until;
    std::size_t tries = 0;
    std::string why = {};  // it failed the last time
    core::Timer again = {}, tell = {};
  };

  void enqueue(Message message, core::ServiceReply reply, base::Duration told);
  void pump();
  void tried(std::uint64_t number, Delivery delivery);
  void end(std::uint64_t number, base::Result<json::value> result);
  static void tell(Open& open, base::Result<json::value> result);

  core::Hub& hub_;
  const std::unique_ptr<Channel> channel_;
  const Log log_;
  std::function<void()> on_delivered_;
  std::map<std::uint64_t, Open> open_;
  std::deque<std::uint64_t> ready_;  // whose turn it is
  bool busy_ = false;                // the channel has one
  std::uint64_t last_ = 0;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // for answers that come later
};

}  // namespace hearth::building_blocks
