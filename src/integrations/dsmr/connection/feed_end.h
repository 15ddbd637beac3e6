// SPDX-License-Identifier: Apache-2.0
// The end of a meter's feed on the thread `net`, which alone uses it: it makes telegrams of bytes, so that no flood
// gets to the bus.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "integrations/dsmr/connection/feed.h"
#include "integrations/dsmr/protocol/telegram_reader.h"
#include "net/reactor/timer.h"

namespace hearth::integrations::dsmr {

class FeedEnd final : private net::Link::Handler {
 public:
  FeedEnd(net::Reactor& reactor, const FeedOptions& options, net::BusSender<Feed::Arrival> arrivals);

  void stop();
  void retry_now() { link_->retry_now(); }

 private:
  using Arrival = Feed::Arrival;
  using Steady = std::chrono::steady_clock;

  void on_connected() override;
  void on_bytes(std::string_view bytes) override;
  void on_lost(const net::Failure& why, std::chrono::milliseconds retry_in) override;

  void take(std::string_view text);
  // Now, or when the last one is old enough; a later telegram takes its place.
  void pass_on(std::string_view text);
  void put_waiting();
  void wait_for_telegram();
  void put(Arrival arrival);

  const std::string name_;
  net::BusSender<Arrival> arrivals_;
  TelegramReader reader_;
  net::Timer silence_, next_;
  std::string waiting_;
  std::string wrong_;  // with the last telegram, if it was wrong
  Steady::time_point told_wrong_{};
  Steady::time_point window_{};
  std::size_t in_window_ = 0;  // bytes
  std::unique_ptr<net::Link> link_;
};

}  // namespace hearth::integrations::dsmr
