// SPDX-License-Identifier: Apache-2.0
// The last messages of all entities, for people who look for the cause of a problem. Bus thread only.
//
// At most kMaxMessages and kMaxBytes; beyond them the oldest go. A payload is kept up to kMaxPayload.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "core/mqtt.h"

namespace hearth::integrations::mqtt {

class RecentMessages {
 public:
  static constexpr std::size_t kMaxMessages = 1'000, kMaxBytes = 1024 * 1024, kMaxPayload = 4 * 1024;

  // The same message may come once for each entity; it is kept once.
  void note(const core::MqttMessage& message);
  // [{"topic":…,"payload":…,"qos":…,"retain":…,"time":…}], the oldest first.
  json::array of_topic(std::string_view topic) const;

 private:
  struct Kept {
    std::string topic, payload;
    int qos;
    bool retain;
    base::Timestamp time;
  };

  std::deque<Kept> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace hearth::integrations::mqtt
