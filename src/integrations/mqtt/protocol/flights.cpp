// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/flights.h"

#include <algorithm>
#include <utility>

namespace hearth::integrations::mqtt {

std::optional<Publish> Flights::next() {
  if (full() || waiting_.empty()) return {};
  Publish message = std::move(waiting_.front());
  waiting_.pop_front();
  return message;
}

void Flights::depart(std::uint16_t id, Publish message) {
  const std::size_t bytes = size_of(message);
  under_way_.emplace(id, UnderWay{++last_turn_, std::move(message), bytes});
}

std::optional<Flights::Landed> Flights::land(std::uint16_t id) {
  const auto found = under_way_.find(id);
  if (found == under_way_.end()) return {};
  Landed landed{std::move(found->second.message.topic), found->second.bytes};
  under_way_.erase(found);
  return landed;
}

bool Flights::receive(std::uint16_t id) {
  const auto found = under_way_.find(id);
  if (found == under_way_.end() || found->second.message.qos != 2) return false;
  found->second.received = true;
  found->second.message.payload = {};
  return true;
}

Flights::Rest Flights::drain() {
  Rest rest;
  std::vector<UnderWay> ordered;
  for (auto& [id, flight] : std::exchange(under_way_, {})) {
    if (!flight.received) {
      ordered.push_back(std::move(flight));
      continue;
    }
    ++rest.messages;
    rest.bytes += flight.bytes;
  }
  std::ranges::sort(ordered, {}, &UnderWay::turn);
  for (UnderWay& flight : ordered) rest.unconfirmed.push_back(std::move(flight.message));
  std::ranges::move(std::exchange(waiting_, {}), std::back_inserter(rest.unconfirmed));
  return rest;
}

}  // namespace hearth::integrations::mqtt
