// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/connection/feed_end.h"

#include <fmt/format.h>

#include <utility>

#include "integrations/dsmr/protocol/telegram.h"
#include "net/link/serial_link.h"

namespace hearth::integrations::dsmr {
namespace {

std::unique_ptr<net::Link> make_feed_link(net::Reactor& reactor, const FeedOptions& options,
                                          net::Link::Handler& handler) {
  if (!options.device.empty()) {
    net::SerialOptions serial{.device = options.device};
    if (options.slow) {
      serial.baud = 9'600;
      serial.data_bits = 7;
      serial.parity = 'E';
    }
    return std::make_unique<net::SerialLink>(reactor, std::move(serial), handler);
  }
  return net::make_link(reactor, {.target = {.host = options.host, .port = options.port}, .greeting_limit = {}},
                        handler);
}

}  // namespace

FeedEnd::FeedEnd(net::Reactor& reactor, const FeedOptions& options, net::BusSender<Arrival> arrivals)
    : name_(options.str()), arrivals_(std::move(arrivals)), silence_(reactor), next_(reactor) {
  arrivals_.start(reactor, [this] { link_->resume_reading(); });
  link_ = make_feed_link(reactor, options, *this);
}

void FeedEnd::stop() {
  silence_.cancel();
  next_.cancel();
  link_->stop();
}

void FeedEnd::on_connected() {
  reader_.reset();
  wrong_.clear();
  told_wrong_ = {};
  in_window_ = 0;
  wait_for_telegram();
  put({Arrival::Kind::connected, {}});
}

void FeedEnd::wait_for_telegram() {
  silence_.start(Feed::kSilence, [this] {
    const std::string why = fmt::format("{} has sent no telegram for {} s.{}{}", name_, Feed::kSilence.count(),
                                        wrong_.empty() ? "" : " ", wrong_);
    link_->fail({net::Reason::timeout, why});
  });
}

void FeedEnd::on_bytes(std::string_view bytes) {
  const auto now = Steady::now();
  if (now - window_ >= std::chrono::seconds(1)) {
    window_ = now;
    in_window_ = 0;
  }
  in_window_ += bytes.size();
  if (in_window_ > Feed::kMaxBytesPerSecond) {
    reader_.reset();
    link_->fail({net::Reason::unsupported,
                 fmt::format("{} sends more than {} KiB within a second.", name_, Feed::kMaxBytesPerSecond / 1024)});
    return;
  }
  reader_.put(bytes, [this](std::string_view text) { take(text); });
}

void FeedEnd::take(std::string_view text) {
  const auto telegram = Telegram::parse(text);
  if (!telegram) {
    wrong_ = telegram.error().message;
    const auto now = Steady::now();
    if (now - told_wrong_ < Feed::kPauseOfWrong) return;
    told_wrong_ = now;
    put({Arrival::Kind::wrong, wrong_});
    return;
  }
  wrong_.clear();
  link_->set_ready();
  wait_for_telegram();
  pass_on(text);
}

void FeedEnd::pass_on(std::string_view text) {
  waiting_ = text;
  if (!next_.running()) put_waiting();
}

void FeedEnd::put_waiting() {
  if (waiting_.empty()) return;
  put({Arrival::Kind::telegram, std::exchange(waiting_, {})});
  next_.start(Feed::kShortestPause, [this] { put_waiting(); });
}

void FeedEnd::on_lost(const net::Failure& why, std::chrono::milliseconds) {
  silence_.cancel();
  put({Arrival::Kind::lost, {}, why});
}

void FeedEnd::put(Arrival arrival) {
  const std::size_t bytes = sizeof(Arrival) + arrival.text.size() + arrival.why.message.size();
  if (!arrivals_.put(std::move(arrival), bytes)) link_->pause_reading();
}

}  // namespace hearth::integrations::dsmr
