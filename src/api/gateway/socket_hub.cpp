// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/socket_hub.h"

#include <atomic>
#include <unordered_map>

#include "api/gateway/live_batch.h"
#include "base/log/log.h"
#include "core/bus/inbox.h"

namespace hearth::api {

// One worker's connections. All but `deliver` and `wanted` belongs to the worker's thread.
class SocketHub::Fanout {
 public:
  explicit Fanout(http::Worker& worker) : worker_(worker) {}

  http::Worker& worker() { return worker_; }

  // Any thread.
  void deliver(const core::EventPtr& event);
  void deliver(const UserDataChangePtr& change);
  bool wanted() const { return listeners_.load(std::memory_order_seq_cst) > 0; }

  // Around a subscription to the bus, so that no event passes by.
  void announce() { listeners_.fetch_add(1, std::memory_order_seq_cst); }
  void withdraw() { listeners_.fetch_sub(1, std::memory_order_seq_cst); }

  std::unordered_map<std::uint64_t, Connection*>& connections() { return connections_; }
  void check_callers();
  void deliver_later(Connection& connection);

 private:
  void drain();
  // A reader that misses something has no use for later events, and nobody else is to miss anything.
  template <class Action>
  static void cut_if_thrown(Connection& connection, const Action& action) {
    try {
      action();
    } catch (const std::exception& failure) {
      base::log_error("websocket", "a connection is cut, because its events cannot be sent: {}", failure.what());
      connection.cut();
    }
  }
  void cut_subscribed();

  http::Worker& worker_;
  std::unordered_map<std::uint64_t, Connection*> connections_;
  std::atomic<std::size_t> listeners_{0};
  std::atomic<std::size_t> change_bytes_{0};  // posted, not delivered yet
  std::atomic<bool> change_lost_{false};
  core::Inbox<core::EventPtr> inbox_{kMaxInbox, kMaxInboxBytes};
};

void SocketHub::Fanout::deliver(const core::EventPtr& event) {
  inbox_.put(event, event->weight(), [this] { worker_.post([this] { drain(); }); });
}

void SocketHub::Fanout::drain() {
  auto taken = inbox_.drain();
  if (taken.lost) return cut_subscribed();
  if (taken.items.empty()) return;
  const auto batch = std::make_shared<LiveBatch>(std::move(taken.items));
  // A connection that ends now is destroyed later: the map stays as it is.
  for (const auto& [session, connection] : connections_) {
    if (!connection->subscribed()) continue;
    cut_if_thrown(*connection, [&, &to = *connection] { to.deliver(batch); });
  }
  if (batch.use_count() > 1) return;  // somebody gets the rest of it later
  taken.items = batch->take_events();
  inbox_.recycle(std::move(taken));
}

void SocketHub::Fanout::deliver_later(Connection& connection) {
  worker_.post([this, session = connection.session()] {
    const auto found = connections_.find(session);
    if (found == connections_.end()) return;
    cut_if_thrown(*found->second, [&to = *found->second] { to.deliver_rest(); });
  });
}

void SocketHub::Fanout::deliver(const UserDataChangePtr& change) {
  const std::size_t weight = change->weight();
  if (change_bytes_.fetch_add(weight) >= kMaxInboxBytes) {
    change_bytes_ -= weight;
    change_lost_ = true;  // for those that wait before it
    return;
  }
  worker_.post([this, change, weight] {
    change_bytes_ -= weight;
    if (change_lost_.exchange(false)) return cut_subscribed();
    for (const auto& [session, connection] : connections_) {
      cut_if_thrown(*connection, [&change, &to = *connection] { to.deliver(*change); });
    }
  });
}

void SocketHub::Fanout::cut_subscribed() {
  base::log_error("websocket", "worker {} fell behind, or an event was lost: its connections are cut", worker_.index());
  for (const auto& [session, connection] : connections_) {
    if (connection->subscribed()) connection->cut();
  }
}

void SocketHub::Fanout::check_callers() {
  for (const auto& [session, connection] : connections_) {
    cut_if_thrown(*connection, [&caller = *connection] { caller.check_caller(); });
  }
}

SocketHub::SocketHub(core::Hub& hub, const Parts& parts) : hub_(hub), parts_(parts) {}

SocketHub::~SocketHub() = default;

void SocketHub::attach(const std::vector<std::unique_ptr<http::Worker>>& workers) {
  for (const auto& worker : workers) fanouts_.push_back(std::make_unique<Fanout>(*worker));
}

void SocketHub::check_callers() {
  for (const auto& fanout : fanouts_) fanout->worker().post([&fanout = *fanout] { fanout.check_callers(); });
}

void SocketHub::deliver(const UserDataChangePtr& change) {
  for (const auto& fanout : fanouts_) fanout->deliver(change);
}

SocketHub::Counts SocketHub::counts() const {
  Counts counts;
  for (const auto& fanout : fanouts_) {
    counts.connections += fanout->worker().session_count();
    counts.streams += fanout->worker().stream_count();
    counts.websockets += fanout->worker().websocket_count();
  }
  return counts;
}

http::RequestCounts::Totals SocketHub::request_counts() const {
  std::vector<const http::RequestCounts*> workers;
  for (const auto& fanout : fanouts_) workers.push_back(&fanout->worker().request_counts());
  return http::RequestCounts::sum(workers);
}

void SocketHub::deliver_later(Connection& connection) {
  fanouts_[connection.worker().index()]->deliver_later(connection);
}

void SocketHub::add(Connection& connection) {
  fanouts_[connection.worker().index()]->connections().emplace(connection.session(), &connection);
}

void SocketHub::remove(Connection& connection) {
  fanouts_[connection.worker().index()]->connections().erase(connection.session());
}

Connection* SocketHub::find(std::size_t worker, std::uint64_t session) {
  const auto& connections = fanouts_[worker]->connections();
  const auto found = connections.find(session);
  return found == connections.end() ? nullptr : found->second;
}

SocketHub::Listener SocketHub::listen(core::EventFilter filter, http::Worker& worker) {
  return Listener(*fanouts_[worker.index()], hub_.bus, *this, std::move(filter));
}

void SocketHub::on_event(const core::EventPtr& event) {
  for (const auto& fanout : fanouts_) {
    if (fanout->wanted()) fanout->deliver(event);
  }
}

SocketHub::Listener::Listener(Fanout& fanout, core::EventBus& bus, core::EventListener& listener,
                              core::EventFilter filter)
    : fanout_(&fanout) {
  fanout.announce();
  subscription_ = bus.listen(std::move(filter), listener);
}

SocketHub::Listener::Listener(Listener&& other) noexcept
    : fanout_(std::exchange(other.fanout_, nullptr)), subscription_(std::move(other.subscription_)) {}

SocketHub::Listener::~Listener() {
  if (!fanout_) return;
  subscription_ = {};
  fanout_->withdraw();
}

}  // namespace hearth::api
