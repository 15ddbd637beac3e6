// SPDX-License-Identifier: Apache-2.0
// render_template: renders a template again whenever something that it read changes, and each minute if it reads the
// time. Worker thread only.
//
// Bounds: a rendering has kLimits. All templates together have a fifth of a worker's time, and 20 ms in a row; further
// renderings wait, and one that takes longer than kQuick moves to another thread (rendering.h). A template that reads a
// whole domain or all states is rendered at most once a second. Of several changes meanwhile only the last counts.
// While the token has used up its time for templates, they wait.
//
// Nothing that the client gets, not even the time of an event, depends on an entity that the caller may not read.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "api/gateway/connection.h"
#include "api/gateway/socket_hub.h"
#include "template/language/template.h"

namespace hearth::api {

// For the client, with its line.
CommandError template_error(const hearth::templates::Failure& failure);

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

  // Once, when the connection has it. The first rendering answers the command: if it could not be rendered at all, the
  // answer is an error, and the subscription ends.
  void begin(CommandReply reply);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Rendering;
  struct Task;

  Task task() const;
  std::chrono::seconds template_wait() const;  // of the caller's token; 0: it has time left
  bool concerned(const core::Event& event) const;
  void render_or_wait();
  void render_elsewhere();
  void take(Rendering rendering);
  void wait_until(Time time);
  void wait_for_minute();
  // Runs the work; if it throws, the connection is cut.
  template <class Work>
  void guarded(Work&& work);

  const std::int64_t id_;
  const core::View home_;
  Connection& connection_;
  const std::shared_ptr<const Order> order_;
  const SocketHub::Listener listener_;
  std::optional<CommandReply> reply_;  // until the first rendering is there
  hearth::templates::Dependencies seen_;
  std::size_t sight_ = 0;  // at the last rendering
  std::string sent_;       // the last event
  Time earliest_;          // of the next rendering
  bool due_ = false;
  bool slow_ = false;               // the last rendering took longer than kQuick
  bool elsewhere_ = false;          // it is being rendered on the other thread
  Time waits_until_ = Time::max();  // max if the timer does not run
  boost::asio::steady_timer timer_;
  const std::shared_ptr<LiveTemplate*> alive_;  // for what runs later
};

}  // namespace hearth::api
