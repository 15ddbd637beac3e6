// SPDX-License-Identifier: Apache-2.0
// Runs the connections of the integrations, and isolates failures of one from the others and from the hub. If one fails
// to start or throws, everything that it added is removed, and it is started again after kFirstRetry, then twice as
// long each time, up to kLongestRetry. The states are published in hub.integrations, those of disabled ones, too.
//
// Bus thread only, except construction and destruction, which need the bus stopped or not started.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/hub.h"
#include "domains/integration.h"

namespace hearth::app {

class IntegrationRunner {
 public:
  static constexpr base::Duration kFirstRetry = std::chrono::seconds(5);
  static constexpr base::Duration kLongestRetry = std::chrono::minutes(5);
  using Create = std::function<std::unique_ptr<domains::Integration>(const domains::IntegrationHome& home)>;
  // Gives other options to an integration that runs. False if it has to be started anew.
  using Change = std::function<bool(domains::Integration& integration)>;

  // All must outlive this.
  IntegrationRunner(core::Hub& hub, domains::Domains& domains);
  ~IntegrationRunner();

  // Before start.
  void add(core::ConnectionPtr connection, Create create);
  // Called after an integration has started or gone that had not when `start` returned. Set before start.
  void on_change(std::function<void()> callback) { on_change_ = std::move(callback); }
  // Integrations get these besides the home. Set before start.
  void use(net::Reactor& reactor, net::HttpClient& http) {
    reactor_ = &reactor;
    http_ = &http;
  }

  void start();
  // In reverse order. Nothing is started again.
  void stop();

  // While all run: adds the connection and starts it, unless it is disabled. If there is one of this id, it gets other
  // options: by `change`, or by a new start with `create`.
  void put(core::ConnectionPtr connection, Create create, const Change& change = [](auto&) { return false; });
  // While all run: it has another title, or is disabled or not; all else is the same.
  void describe(core::ConnectionPtr connection);
  // While all run: stops it and starts it anew. False if there is none, or it is disabled.
  bool reload(std::string_view entry_id);
  // While all run: stops it. Its entities are unavailable, and stay in the registry. `for_good`: its device is told.
  // No effect if it is absent.
  void remove(std::string_view entry_id, bool for_good = false);

  // The device of one that runs announces itself. No effect on others.
  void found(std::string_view entry_id, const domains::Discovered& device);

  // Null if there is none.
  core::ConnectionPtr find(std::string_view entry_id) const;
  // Null unless it runs.
  domains::Integration* running(std::string_view entry_id) const;

 private:
  struct One;

  using Place = std::vector<std::unique_ptr<One>>::iterator;
  One& add_one(core::ConnectionPtr connection, Create create);
  Place place_of(std::string_view entry_id);
  void start(One& one);
  void stop(One& one);
  // The error; empty on success.
  std::string try_start(One& one);
  void call_stop(One& one);
  void take_down(One& one);
  void clear(One& one);
  void retry_later(One& one, std::string error);
  void heard(One& one, domains::ConnectionHealth health);
  void set_state(One& one, core::IntegrationStatus::State state, std::string error = {});
  void tell(const One& one);
  void publish();

  core::Hub& hub_;
  domains::Domains& domains_;
  std::vector<std::unique_ptr<One>> all_;
  std::function<void()> on_change_;
  net::Reactor* reactor_ = nullptr;
  net::HttpClient* http_ = nullptr;
  bool running_ = false;  // from start to stop
};

}  // namespace hearth::app
