// SPDX-License-Identifier: Apache-2.0
// Events of the types that the section names, from there and to there. Nothing goes in a circle: an event of another
// hub is not sent on, and what was sent from here is not taken when it comes back. Bus thread only.
//
// Bounds: at most kMaxUnanswered events are on their way there, further ones are dropped; kMaxHeld from there wait
// until it is known whether they were sent from here.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/log/repeated_log.h"
#include "base/text/text_map.h"
#include "core/bus/event_bus.h"
#include "integrations/home_assistant/calls/calls_home.h"

namespace hearth::integrations::home_assistant {

class EventExchange {
 public:
  static constexpr std::size_t kMaxUnanswered = 1'000, kMaxHeld = 10'000, kMaxSent = 10'000;
  static constexpr base::Duration kSentFor = std::chrono::minutes(10);
  static constexpr base::Duration kHeldFor = std::chrono::seconds(10);

  explicit EventExchange(const CallsHome& home);
  EventExchange(const EventExchange&) = delete;
  EventExchange& operator=(const EventExchange&) = delete;

  void opened(const OtherHub& hub);
  void lost();
  void take(const OtherEvent& event);

  // Events that are never received.
  static bool is_never_received(std::string_view type);

 private:
  struct Held {
    OtherEvent event;
    std::uint64_t until;  // number of the last event on its way when it came
    base::SteadyTime since;
  };
  struct Sent {
    std::string context_id;
    base::SteadyTime at;
  };
  void send(const core::EventPtr& event);
  void sent(std::string context_id, const core::Context& context);
  void answered(std::uint64_t number, const std::string& type, const Answer& answer);
  bool may_be_ours(const OtherEvent& event) const;
  void release();
  void fire(const OtherEvent& event);
  void forget_old();

  const CallsHome& home_;
  bool connected_ = false;
  bool other_is_hearth_ = false;
  std::uint64_t last_ = 0;
  std::deque<std::uint64_t> unanswered_;  // numbers, in their order
  std::deque<Held> held_;
  std::deque<Sent> sent_;
  base::TextMap<char> sent_ids_;
  core::Timer release_;
  base::RepeatedLog log_{"home_assistant"};
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
  domains::IntegrationBus::Heard sending_;
};

}  // namespace hearth::integrations::home_assistant
