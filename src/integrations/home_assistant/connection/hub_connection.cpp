// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/hub_connection.h"

#include <algorithm>
#include <utility>

#include "integrations/home_assistant/connection/hub_end.h"

namespace hearth::integrations::home_assistant {
namespace {

// For a task of the bus: a whole picture is larger than what the bus lets wait.
constexpr std::size_t kMaxWeight = 256 * 1024;
constexpr std::size_t kReserve = 4'096;  // nothing is lost: HubArrival::Waiting is the bound

net::PostToBus light_poster(const domains::IntegrationBus& bus) {
  return [post = bus.poster()](std::size_t bytes, std::function<void()> task) {
    return post(std::min(bytes, kMaxWeight), std::move(task));
  };
}

}  // namespace

HubConnection::HubConnection(net::Reactor& reactor, domains::IntegrationBus& bus, const Options&, std::string,
                             Take take)
    : bus_(bus),
      take_(std::make_shared<const Take>(std::move(take))),
      queue_(
          light_poster(bus), [this](net::BusQueue<HubArrival>::Batch batch) { arrived(std::move(batch)); }, kReserve),
      end_(reactor, [] { return std::make_unique<HubEnd>(); }) {}

HubConnection::~HubConnection() = default;

void HubConnection::arrived(net::BusQueue<HubArrival>::Batch batch) {
  std::ranges::move(batch.items, std::back_inserter(arrivals_));
  if (!turn_waits_) turn();
}

void HubConnection::turn_soon() {
  if (std::exchange(turn_waits_, true)) return;
  bus_.post_past_bound([run = life_.guard([this] {
    turn_waits_ = false;
    turn();
  })] mutable { run(); });
}

void HubConnection::turn() {
  const auto take = take_;
  const auto waiting = waiting_;
  const net::Life::Watch watch = life_.watch();
  for (std::size_t changes = 0; !arrivals_.empty() && changes < kChangesInATurn;) {
    HubArrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    changes += arrival.changes;
    (*take)(std::move(arrival.news));
    waiting->changes -= arrival.changes;
    waiting->bytes -= arrival.bytes;
    if (watch.over()) return;
  }
  if (!arrivals_.empty()) turn_soon();
}

void HubConnection::answer_unreachable(std::uint64_t number) {
  arrivals_.push_back({Answer{.number = number, .outcome = Answer::Outcome::unreachable}, 0, 0});
  turn_soon();
}

void HubConnection::send(std::uint64_t number, json::object, std::chrono::milliseconds) {
  answer_unreachable(number);
}

void HubConnection::subscribe(std::uint64_t number, json::object) {
  answer_unreachable(number);
}

void HubConnection::unsubscribe(std::uint64_t) {}
void HubConnection::reconnect() {}
void HubConnection::ask_again() {}

}  // namespace hearth::integrations::home_assistant
