// SPDX-License-Identifier: Apache-2.0
// Messages with a quality of service above 0 on their way to the broker, by the identifiers of their packets, and those
// that wait because the maximum is under way. The connection's thread only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "integrations/mqtt/protocol/outbound.h"
#include "integrations/mqtt/protocol/packets.h"

namespace hearth::integrations::mqtt {

class Flights {
 public:
  // At most so many are under way, if the broker does not want fewer.
  static constexpr std::size_t kMost = 100;

  void limit(std::size_t most) { most_ = std::min(most, kMost); }
  bool full() const { return under_way_.size() >= most_; }
  bool contains(std::uint16_t id) const { return under_way_.contains(id); }
  bool empty() const { return under_way_.empty() && waiting_.empty(); }

  void wait(Publish message) { waiting_.push_back(std::move(message)); }
  // The next that may go. REQUIRES: it is then given to `depart`.
  std::optional<Publish> next();
  void depart(std::uint16_t id, Publish message);

  struct Landed {
    std::string topic;
    std::size_t bytes;
  };
  // The broker has all of it, or refuses it. Null if none such is under way.
  std::optional<Landed> land(std::uint16_t id);
  // The broker has a message of quality of service 2, and is told to pass it on. False if none such is under way.
  bool receive(std::uint16_t id);

  struct Rest {
    std::vector<Publish> unconfirmed;  // in the order in which they were to go
    std::size_t messages = 0;          // that the broker has, but did not complete
    std::size_t bytes = 0;             // of those
  };
  // The connection has ended.
  Rest drain();

 private:
  struct UnderWay {
    std::uint64_t turn;
    Publish message;
    std::size_t bytes;
    bool received = false;
  };

  std::map<std::uint16_t, UnderWay> under_way_;
  std::deque<Publish> waiting_;
  std::size_t most_ = kMost;
  std::uint64_t last_turn_ = 0;
};

}  // namespace hearth::integrations::mqtt
