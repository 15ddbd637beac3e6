// SPDX-License-Identifier: Apache-2.0
// render_template: a template that is rendered again whenever what it has looked at changes, and each minute if it
// looks at the time. Worker thread only.
//
// Bounds: a rendering has kLimits. All of a worker's have a fifth of its time, and 20 ms in a row; what is beyond
// waits. One that looks at a whole domain or at all states is rendered once a second at most. Of several changes
// meanwhile only the last counts.
//
// Nothing depends on what the caller may not read, not even the time of an event, whatever the template names.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "api/gateway/connection.h"
#include "api/gateway/socket_hub.h"
#include "template/template.h"

namespace hearth::api {

class LiveTemplate final : public LiveSubscription {
 public:
  static constexpr std::size_t kMostBytes = 64 * 1024;  // of the template
  static constexpr hearth::templates::Limits kLimits{.units = 300'000, .milliseconds = 150};

  struct Order {
    hearth::templates::Template compiled;
    hearth::templates::Variables variables;
    hearth::templates::Limits limits;
    std::vector<std::string> entity_ids;  // to listen to besides those that it looks at
    bool strict, report_errors;
  };

  // The connection owns the subscription. `listener` must hear states, the registry and the configuration.
  LiveTemplate(std::int64_t id, core::View home, Connection& connection, Order order, SocketHub::Listener listener);

  using LiveSubscription::deliver;
  void deliver(LiveBatch& batch, http::WebSocket& socket) override;

  // Once, before anything is delivered. Fails if it could not be rendered at all; if there is no time, that is seen
  // later.
  std::expected<void, hearth::templates::Failure> begin();
  // Sends what begin() has rendered.
  void send_first();

 private:
  using Time = std::chrono::steady_clock::time_point;

  std::expected<hearth::templates::Value, hearth::templates::Failure> rendered();
  bool concerned(const core::Event& event) const;
  // A fingerprint of the entities that the caller may read, of those that the template looks at.
  std::size_t sight(const core::ReadableRegistry& registry) const;
  void render();
  void render_or_wait();
  void send(const std::expected<hearth::templates::Value, hearth::templates::Failure>& result);
  std::string listeners_json() const;
  void wait_until(Time time);
  void wait_for_minute();

  const std::int64_t id_;
  const core::View home_;
  Connection& connection_;
  const Order order_;
  const SocketHub::Listener listener_;
  hearth::templates::Dependencies seen_;
  std::expected<hearth::templates::Value, hearth::templates::Failure> first_;
  std::size_t sight_ = 0;  // at the last rendering
  std::string sent_;       // the last event
  Time earliest_;          // of the next rendering
  bool due_ = false;
  Time waits_until_ = Time::max();  // max if the timer does not run
  boost::asio::steady_timer timer_;
  const std::shared_ptr<LiveTemplate*> alive_;  // for the timer's handler, which may run once more
};

}  // namespace hearth::api
