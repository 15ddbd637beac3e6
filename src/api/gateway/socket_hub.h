// SPDX-License-Identifier: Apache-2.0
// Carries events from the bus to the WebSocket connections that have subscribed: the bus thread puts an event into the
// inbox of each worker with subscriptions; the worker takes all of them at once and makes the messages for its
// connections.
//
// Changes of the data that pages store for a user come from the accounts' thread and not over the bus, because nobody
// else may learn of them.
//
// Inbox: at most kMaxInbox events and kMaxInboxBytes; waiting changes of user data have kMaxInboxBytes of their own.
// Beyond that the worker is so far behind that all its subscribed connections are cut.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "api/gateway/connection.h"
#include "api/parts.h"
#include "core/bus/event_bus.h"
#include "http/worker.h"

namespace hearth::api {

class SocketHub final : public core::EventListener {
 public:
  static constexpr std::size_t kMaxInbox = 65'536;
  static constexpr std::size_t kMaxInboxBytes = 64 * 1024 * 1024;

  // Both must outlive this.
  SocketHub(core::Hub& hub, const Parts& parts);
  ~SocketHub() override;

  // Once, before the workers start: those whose requests may open sockets.
  void attach(const std::vector<std::unique_ptr<http::Worker>>& workers);

  // Any thread. Ends the connections of callers who may no longer be here; each worker does so on its own thread, soon.
  void check_callers();
  // The accounts' thread. Behind what it has posted to the worker before, as replies to commands.
  void deliver(const UserDataChangePtr& change);

  // Any thread. The open connections of all workers.
  struct Counts {
    std::size_t connections = 0;  // of every kind
    std::size_t streams = 0;
    std::size_t websockets = 0;
  };
  Counts counts() const;
  // Any thread. The answered requests of all workers.
  http::RequestCounts::Totals request_counts() const;

  const Parts& parts() const { return parts_; }
  // For a connection, which makes its caller's view of it.
  core::Hub& hub() const { return hub_; }

  // The rest is for the connections, each on its own worker.
  void add(Connection& connection);
  void remove(Connection& connection);
  Connection* find(std::size_t worker, std::uint64_t session);  // null where it has gone
  // Calls deliver_rest when others have had their turn, if the connection is still there then.
  void deliver_later(Connection& connection);
  // Listens for events that a subscription of this worker wants. They are delivered from the sequence number of the
  // listener's start on, for as long as the listener lives.
  class Listener;
  Listener listen(core::EventFilter filter, http::Worker& worker);

 private:
  class Fanout;

  void on_event(const core::EventPtr& event) override;

  core::Hub& hub_;
  const Parts& parts_;
  std::vector<std::unique_ptr<Fanout>> fanouts_;  // by worker index
};

// Move-only; its own worker's thread.
class SocketHub::Listener {
 public:
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();
  std::uint64_t start() const { return subscription_.start(); }

 private:
  friend class SocketHub;
  Listener(Fanout& fanout, core::EventBus& bus, core::EventListener& listener, core::EventFilter filter);

  Fanout* fanout_;  // null once moved from
  core::Subscription subscription_;
};

}  // namespace hearth::api
