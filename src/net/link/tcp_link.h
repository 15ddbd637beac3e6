// SPDX-License-Identifier: Apache-2.0
// The link that make_link returns. Thread `net` only.
#pragma once

#include <optional>

#include "net/link/connector.h"
#include "net/link/link.h"
#include "net/reactor/timer.h"

namespace hearth::net {

class TcpLink final : public Link, private Connection::Handler {
 public:
  TcpLink(Reactor& reactor, LinkOptions options, Link::Handler& handler);

  State state() const override { return state_; }
  const Target& target() const override { return options_.target; }
  void write(std::string_view bytes) override;
  void set_ready() override;
  void fail(Failure why) override;
  void retry_now() override;
  void set_target(Target target) override { options_.target = std::move(target); }
  void stop() override;
  void pause_reading() override;
  void resume_reading() override;

 private:
  void on_bytes(std::string_view bytes) override { handler_.on_bytes(bytes); }
  void on_end(const std::optional<Failure>& why) override;

  void connect();
  void on_attempt(std::expected<std::unique_ptr<Stream>, Failure> result);
  // Until the next attempt; returns how long.
  std::chrono::milliseconds wait();
  // Calls the handler last: it may destroy this.
  void lose(const Failure& why);

  Reactor& reactor_;
  LinkOptions options_;
  Link::Handler& handler_;
  State state_ = State::connecting;
  Backoff backoff_;
  std::chrono::steady_clock::time_point ready_since_;
  bool reading_paused_ = false;
  bool failing_ = false;  // a posted failure is on its way
  std::string peer_;      // of the present attempt, for messages
  Timer timer_;           // the pause, or the limit of the greeting
  std::optional<Connector> connector_;
  std::optional<Connection> connection_;
  Life life_;  // of an attempt and its connection
};

}  // namespace hearth::net
