// SPDX-License-Identifier: Apache-2.0
// Says when a server is asked again: after the interval, or after 1, 2, 4, 8 minutes if it failed. Bus thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "domains/entities/integration_bus.h"

namespace hearth::integrations::calendars {

class PollTimer {
 public:
  static constexpr base::Duration kFirstPause = std::chrono::minutes(1);

  // The bus must outlive it.
  PollTimer(domains::IntegrationBus& bus, base::Duration interval, std::function<void()> poll)
      : bus_(bus), interval_(interval), poll_(std::move(poll)) {}

  // Call when a poll begins: there is another one, whatever becomes of this.
  void begin() { wait(interval_); }
  void succeeded() {
    pause_ = kFirstPause;
    wait(interval_);
  }
  void failed() {
    wait(std::min(pause_, interval_));
    pause_ = std::min(pause_ * 2, interval_);
  }
  void soon() { wait(base::Duration(0)); }
  void stop() { timer_ = {}; }

 private:
  void wait(base::Duration pause) {
    timer_ = bus_.schedule(pause, [this] { poll_(); });
  }

  domains::IntegrationBus& bus_;
  const base::Duration interval_;
  const std::function<void()> poll_;
  base::Duration pause_ = kFirstPause;
  core::Timer timer_;
};

}  // namespace hearth::integrations::calendars
