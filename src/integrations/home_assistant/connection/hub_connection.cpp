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

net::WebSocketOptions socket_options(const Options& options) {
  std::string_view url = options.url;
  while (url.ends_with('/')) url.remove_suffix(1);
  return {.url = std::string(url) + "/api/websocket",
          .verify_certificate = options.verify_certificate,
          .authorities = options.certificate,
          .max_message = 64 * 1024 * 1024,
          .ping = std::chrono::hours(24),  // the session has its own
          .pauses = {.proven = std::chrono::seconds(60)}};
}

SessionOptions session_options(const Options& options, std::string language) {
  return {.token = options.token,
          .language = std::move(language),
          .filter = options.filter,
          .receive = options.receive,
          .max_updates = options.max_updates};
}

}  // namespace

HubConnection::HubConnection(net::Reactor& reactor, domains::IntegrationBus& bus, const Options& options,
                             std::string language, Take take)
    : bus_(bus),
      take_(std::make_shared<const Take>(std::move(take))),
      queue_(
          light_poster(bus), [this](net::BusQueue<HubArrival>::Batch batch) { arrived(std::move(batch)); }, kReserve),
      end_(reactor,
           [&reactor, socket = socket_options(options), session = session_options(options, std::move(language)),
            waiting = waiting_, sender = queue_.sender()]() mutable {
             return std::make_unique<HubEnd>(reactor, std::move(socket), std::move(session), std::move(waiting),
                                             std::move(sender));
           }) {}

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
  const net::Life::Watch watch = life_.watch();
  for (std::size_t changes = 0; !arrivals_.empty() && changes < kChangesInATurn;) {
    HubArrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    changes += arrival.changes;
    took(arrival);
    try {
      (*take)(std::move(arrival.news));
    } catch (...) {
      // It is counted as the integration's failure; what follows is told nevertheless.
      if (!watch.over() && !arrivals_.empty()) turn_soon();
      throw;
    }
    if (watch.over()) return;
  }
  if (!arrivals_.empty()) turn_soon();
}

void HubConnection::took(const HubArrival& arrival) {
  const std::size_t changes = waiting_->changes -= arrival.changes;
  const std::size_t bytes = waiting_->bytes -= arrival.bytes;
  if (changes < kMaxChanges / 2 && bytes < kMaxBytes / 2 && waiting_->paused.exchange(false))
    end_.call([](HubEnd& end) { end.resume(); });
}

void HubConnection::answer_unreachable(std::uint64_t number) {
  arrivals_.push_back({Answer{.number = number, .outcome = Answer::Outcome::unreachable}, 0, 0});
  turn_soon();
}

void HubConnection::send(std::uint64_t number, json::object command, std::chrono::milliseconds limit) {
  const bool posted = end_.call([number, command = std::move(command), limit](HubEnd& end) mutable {
    end.session().send(number, std::move(command), limit);
  });
  if (!posted) answer_unreachable(number);
}

void HubConnection::subscribe(std::uint64_t number, json::object command) {
  const bool posted = end_.call([number, command = std::move(command)](HubEnd& end) mutable {
    end.session().subscribe(number, std::move(command));
  });
  if (!posted) answer_unreachable(number);
}

void HubConnection::unsubscribe(std::uint64_t number) {
  end_.call([number](HubEnd& end) { end.session().unsubscribe(number); });
}

void HubConnection::reconnect() {
  end_.call([](HubEnd& end) { end.reconnect(); });
}

void HubConnection::ask_again() {
  end_.call([](HubEnd& end) { end.session().ask_again(); });
}

void HubConnection::tell_again(const std::string& entity_id) {
  end_.call([entity_id](HubEnd& end) { end.session().tell_again(entity_id); });
}

}  // namespace hearth::integrations::home_assistant
