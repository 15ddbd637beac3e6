// SPDX-License-Identifier: Apache-2.0
// Runs the integrations, and keeps what goes wrong in one of them from the others and from the hub. One that does not
// start, because it says so or throws, is taken down with all that it brought and tried again: after kFirstRetry, and
// twice as long each time, up to kLongestRetry. How they do is published in hub.integrations.
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

  // All must outlive it.
  IntegrationRunner(core::Hub& hub, domains::Domains& domains);
  ~IntegrationRunner();

  void add(std::string name, Create create);
  // Called after one that had failed has started after all. Before start.
  void on_recovery(std::function<void()> callback) { on_recovery_ = std::move(callback); }

  void start();
  // In the reverse order. None is started again.
  void stop();

 private:
  struct One;

  void start(One& one);
  void stop(One& one);
  // What went wrong; empty if nothing did.
  std::string try_start(One& one);
  void call_stop(One& one);
  void take_down(One& one);
  void retry_later(One& one, std::string error);
  void set_state(One& one, core::IntegrationStatus::State state);
  void publish();

  core::Hub& hub_;
  domains::Domains& domains_;
  std::vector<std::unique_ptr<One>> all_;
  std::function<void()> on_recovery_;
};

}  // namespace hearth::app
