// SPDX-License-Identifier: Apache-2.0
#include "net/link/tcp_link.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "base/log/guarded.h"
#include "base/log/log.h"

namespace hearth::net {

std::unique_ptr<Link> make_link(Reactor& reactor, LinkOptions options, Link::Handler& handler) {
  return std::make_unique<TcpLink>(reactor, std::move(options), handler);
}

TcpLink::TcpLink(Reactor& reactor, LinkOptions options, Link::Handler& handler)
    : reactor_(reactor), options_(std::move(options)), handler_(handler), backoff_(options_.pauses), timer_(reactor) {
  connect();
}

void TcpLink::connect() {
  life_.renew();
  state_ = State::connecting;
  failing_ = false;
  connection_.reset();
  timer_.cancel();
  try {
    peer_ = options_.target.str();
    connector_.emplace(
        reactor_, options_.target, [this](auto result) { on_attempt(std::move(result)); }, options_.connect_limit);
  } catch (const std::exception& failure) {
    connector_.reset();
    base::log_warning("net", "{} is not tried now: {}", peer_, failure.what());
    wait();
  }
}

std::chrono::milliseconds TcpLink::wait() {
  const auto pause = backoff_.next();
  state_ = State::waiting;
  timer_.start(pause, [this] { connect(); });
  return pause;
}

void TcpLink::on_attempt(std::expected<std::unique_ptr<Stream>, Failure> result) {
  if (!result) return lose(result.error());
  const Life::Watch watch = life_.watch();
  try {
    // The connector has called this, and does nothing more.
    connector_.reset();
    connection_.emplace(reactor_, std::move(*result), static_cast<Connection::Handler&>(*this));
    if (reading_paused_) connection_->pause_reading();
    state_ = State::connected;
    if (options_.greeting_limit.count() > 0) {
      timer_.start(options_.greeting_limit, [this] {
        lose({Reason::timeout, fmt::format("{} does not answer within {:g} s", peer_,
                                           std::chrono::duration<double>(options_.greeting_limit).count())});
      });
    }
    handler_.on_connected();
  } catch (...) {
    if (watch.over()) throw;
    lose(failure_of_exception(peer_));
  }
}

void TcpLink::on_end(const std::optional<Failure>& why) {
  lose(why ? Failure{why->reason, fmt::format("{}: {}", peer_, why->message)}
           : Failure{Reason::cannot_connect, fmt::format("{} has closed the connection", peer_)});
}

void TcpLink::lose(const Failure& why) {
  const Failure told = why;  // it may be a part of what ends here
  life_.renew();
  failing_ = false;
  timer_.cancel();
  connector_.reset();
  connection_.reset();
  if (state_ == State::ready && std::chrono::steady_clock::now() - ready_since_ >= options_.pauses.proven)
    backoff_.reset();
  const auto pause = wait();
  base::log_debug("net", "{}; the next attempt is in {} ms", told.message, pause.count());
  base::run_guarded("net", "what hears of a lost link", [&] { handler_.on_lost(told, pause); });
}

void TcpLink::write(std::string_view bytes) {
  if (connection_ && !failing_) connection_->write(bytes);
}

void TcpLink::set_ready() {
  if (state_ != State::connected) return;
  state_ = State::ready;
  timer_.cancel();
  ready_since_ = std::chrono::steady_clock::now();
}

void TcpLink::fail(Failure why) {
  if (state_ == State::waiting || state_ == State::stopped || std::exchange(failing_, true)) return;
  boost::asio::post(reactor_.io(), life_.guard([this, why = std::move(why)] { lose(why); }));
  if (connection_) connection_->pause_reading();
}

void TcpLink::retry_now() {
  if (state_ == State::waiting || state_ == State::stopped) connect();
}

void TcpLink::stop() {
  life_.renew();
  failing_ = false;
  timer_.cancel();
  connector_.reset();
  connection_.reset();
  state_ = State::stopped;
}

void TcpLink::pause_reading() {
  reading_paused_ = true;
  if (connection_) connection_->pause_reading();
}

void TcpLink::resume_reading() {
  reading_paused_ = false;
  if (connection_ && !failing_) connection_->resume_reading();
}

}  // namespace hearth::net
