// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/hub_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/json/json_memory.h"

namespace hearth::integrations::home_assistant {
namespace {

// So long after a pause a lost connection may be its consequence.
constexpr base::Duration kTooSlow = std::chrono::seconds(10);

std::size_t bytes_of(const OtherState& state) {
  return sizeof(Change) + state.entity_id.size() + state.value.size() + base::memory_of(state.attributes);
}

std::size_t bytes_of(const OtherEntity& entity) {
  return sizeof entity + 400 + base::memory_of(entity.options) + base::memory_of(entity.capabilities);
}

// About how many bytes the news keep alive.
std::size_t bytes_of(const News& news) {
  std::size_t bytes = sizeof(News);
  if (const auto* const changes = std::get_if<Changes>(&news)) {
    for (const Change& one : changes->changes) bytes += one.state ? bytes_of(*one.state) : sizeof one;
  } else if (const auto* const picture = std::get_if<Picture>(&news)) {
    for (const OtherState& one : picture->states) bytes += bytes_of(one);
  } else if (const auto* const registries = std::get_if<Registries>(&news)) {
    for (const OtherEntity& one : registries->entities) bytes += bytes_of(one);
    bytes += registries->devices.size() * (sizeof(OtherDevice) + 400);
  } else if (const auto* const services = std::get_if<Services>(&news)) {
    for (const OtherService& one : services->services) bytes += sizeof one + base::memory_of(one.description);
  } else if (const auto* const event = std::get_if<OtherEvent>(&news)) {
    bytes += base::memory_of(event->data);
  } else if (const auto* const answer = std::get_if<Answer>(&news)) {
    bytes += base::memory_of(answer->result) + base::memory_of(answer->error);
  } else if (const auto* const message = std::get_if<Message>(&news)) {
    bytes += base::memory_of(message->event);
  }
  return bytes;
}

std::size_t changes_of(const News& news) {
  if (const auto* const changes = std::get_if<Changes>(&news)) return changes->changes.size();
  if (const auto* const picture = std::get_if<Picture>(&news)) return picture->states.size();
  return 1;
}

}  // namespace

HubEnd::HubEnd(net::Reactor& reactor, net::WebSocketOptions options, SessionOptions session,
               std::shared_ptr<HubArrival::Waiting> waiting, net::BusSender<HubArrival> arrivals)
    : url_(options.url),
      waiting_(std::move(waiting)),
      arrivals_(std::move(arrivals)),
      wake_(reactor),
      refused_(reactor),
      session_(std::move(session), *this),
      reactor_(reactor) {
  arrivals_.start(reactor, [] {});
  auto client = net::WebSocketClient::create(reactor, std::move(options), *this);
  if (client)
    client_ = std::move(*client);
  else
    session_.lost({.why = Lost::Why::protocol, .message = client.error().message});
}

base::SteadyTime HubEnd::now() const {
  return (paused_ ? paused_since_ : clock_.steady_now()) - pauses_;
}

void HubEnd::send(std::string text) {
  if (client_) client_->send(text);
}

void HubEnd::tell(News news) {
  HubArrival arrival{.news = std::move(news), .changes = 0, .bytes = 0};
  arrival.changes = changes_of(arrival.news);
  arrival.bytes = bytes_of(arrival.news);
  waiting_->changes += arrival.changes;
  waiting_->bytes += arrival.bytes;
  const std::size_t bytes = arrival.bytes;
  // Its own bound is not asked: Waiting counts what the bus has not taken, too.
  static_cast<void>(arrivals_.put(std::move(arrival), bytes));
  if (full()) pause();
}

bool HubEnd::full() const {
  return waiting_->changes >= HubConnection::kMaxChanges || waiting_->bytes >= HubConnection::kMaxBytes;
}

void HubEnd::pause() {
  if (paused_ || !client_) return;
  paused_since_ = clock_.steady_now();
  paused_ = true;
  client_->pause_reading();
  wake_.cancel();
  waiting_->paused = true;
  // The bus may have taken it all before it could know of the pause.
  if (!full() && waiting_->paused.exchange(false)) resume();
}

void HubEnd::resume() {
  if (!std::exchange(paused_, false)) return;
  resumed_ = clock_.steady_now();
  pauses_ += resumed_ - paused_since_;
  client_->resume_reading();
  wake_at(wake_at_);
}

void HubEnd::wake_at(std::optional<base::SteadyTime> time) {
  wake_at_ = time;
  if (!time) return wake_.cancel();
  if (paused_) return;
  wake_.start(std::max(*time - now(), base::Duration(0)), [this] { session_.on_time(); });
}

void HubEnd::end(Lost::Why why, std::string message) {
  message = fmt::format("{} {}", url_, message);
  if (why == Lost::Why::refused) {
    boost::asio::post(reactor_.io(), life_.guard([this, message] { refused(message); }));
    return;
  }
  ending_ = Lost{.why = why, .message = message};
  client_->fail({net::Reason::unknown, std::move(message)});
}

void HubEnd::refused(std::string message) {
  client_->stop();
  refused_.start(kRefused, [this] { client_->retry_now(); });
  session_.lost({.why = Lost::Why::refused, .message = std::move(message), .retry_in = kRefused});
}

void HubEnd::on_lost(const net::Failure& why, std::chrono::milliseconds retry_in) {
  Lost lost = std::exchange(ending_, {})
                  .value_or(Lost{.why = why.reason == net::Reason::unsupported ? Lost::Why::protocol : Lost::Why::link,
                                 .message = why.message});
  lost.retry_in = retry_in;
  if (paused_ || (resumed_ != base::SteadyTime() && clock_.steady_now() - resumed_ < kTooSlow))
    lost.message += ", perhaps because it was read too slowly";
  session_.lost(std::move(lost));
}

void HubEnd::reconnect() {
  if (!client_) return;
  refused_.cancel();
  using State = net::Link::State;
  if (client_->state() != State::waiting && client_->state() != State::stopped) {
    client_->stop();
    ending_.reset();
    session_.lost({.message = fmt::format("{} is connected anew", url_)});
  }
  client_->retry_now();
}

}  // namespace hearth::integrations::home_assistant
