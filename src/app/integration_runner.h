// SPDX-License-Identifier: Apache-2.0
// Runs the integrations, and isolates failures of one from the others and from the hub. If one fails to start or
// throws, everything that it added is removed, and it is started again after kFirstRetry, then twice as long each time,
// up to kLongestRetry. The states are published in hub.integrations.
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

  void add(std::string name, Create create);
  // Called after an integration has started or gone that had not when `start` returned. Set before start.
  void on_change(std::function<void()> callback) { on_change_ = std::move(callback); }

  void start();
  // In reverse order. Nothing is started again.
  void stop();

  // While all run: adds the integration and starts it. If there is one of this name, it gets other options: by
  // `change`, or by a new start with `create`.
  void put(std::string name, Create create, const Change& change);
  // While all run: stops it. Its entities are unavailable, and stay in the registry. No effect if it is absent.
  void remove(std::string_view name);

 private:
  struct One;

  One& add_one(std::string name, Create create);
  void start(One& one);
  void stop(One& one);
  // The error; empty on success.
  std::string try_start(One& one);
  void call_stop(One& one);
  void take_down(One& one);
  void retry_later(One& one, std::string error);
  void set_state(One& one, core::IntegrationStatus::State state);
  void publish();

  core::Hub& hub_;
  domains::Domains& domains_;
  std::vector<std::unique_ptr<One>> all_;
  std::function<void()> on_change_;
  bool running_ = false;  // from start to stop
};

}  // namespace hearth::app
