// SPDX-License-Identifier: Apache-2.0
// The end of the link on the thread `net`, which alone uses it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "integrations/home_assistant/connection/hub_connection.h"
#include "integrations/home_assistant/connection/session.h"
#include "net/reactor/life.h"
#include "net/reactor/timer.h"
#include "net/websocket/websocket_client.h"

namespace hearth::integrations::home_assistant {

class HubEnd final : private net::WebSocketClient::Handler, private SessionWire {
 public:
  // After a refused token; the hub there may ban who tries again and again.
  static constexpr std::chrono::hours kRefused{1};

  HubEnd(net::Reactor& reactor, net::WebSocketOptions options, SessionOptions session,
         std::shared_ptr<HubArrival::Waiting> waiting, net::BusSender<HubArrival> arrivals);

  Session& session() { return session_; }
  void reconnect();
  // The bus has taken what waited.
  void resume();

 private:
  void on_open() override { session_.opened(); }
  void on_message(std::string_view message, bool) override { session_.receive(message); }
  void on_lost(const net::Failure& why, std::chrono::milliseconds retry_in) override;

  void send(std::string text) override;
  void end(Lost::Why why, std::string message) override;
  void tell(News news) override;
  void wake_at(std::optional<base::SteadyTime> time) override;
  base::SteadyTime now() const override;
  base::Timestamp time() const override { return clock_.now(); }

  bool full() const;
  void pause();
  void refused(std::string message);

  const base::SystemClock clock_;
  const std::string url_;
  std::shared_ptr<HubArrival::Waiting> waiting_;
  net::BusSender<HubArrival> arrivals_;
  bool paused_ = false;
  base::SteadyTime paused_since_ = {}, resumed_ = {};
  base::Duration pauses_{0};  // all that have ended
  std::optional<base::SteadyTime> wake_at_;
  std::optional<Lost> ending_;  // what the session has said of the present connection
  net::Timer wake_, refused_;
  Session session_;
  net::Life life_;
  net::Reactor& reactor_;
  std::unique_ptr<net::WebSocketClient> client_;  // null if the URL is none; last: it uses the others
};

}  // namespace hearth::integrations::home_assistant
