// SPDX-License-Identifier: Apache-2.0
// Tries connections to a broker for people who set one up: connects once, reports the result, and disconnects. Bus
// thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "domains/entities/integration_bus.h"
#include "integrations/mqtt/connection/reconnector.h"
#include "integrations/mqtt/protocol/options.h"

namespace hearth::integrations::mqtt {

class Trials {
 public:
  static constexpr base::Duration kLimit = std::chrono::seconds(10);
  // Threads of earlier trials that the system still keeps in a call, such as finding a host; with so many there is no
  // other trial.
  static constexpr std::size_t kMaxHanging = 4;
  // The version of MQTT that is spoken, or why there is no connection.
  using Done = std::function<void(base::Result<std::string> protocol)>;

  // Both must outlive this.
  Trials(core::Hub& hub, domains::Failures& failures) : hub_(hub), bus_(hub, failures, "mqtt") {}
  ~Trials() { stop(); }
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  // Calls `done` within kLimit; at once, with unavailable, while another trial runs.
  void start(Options options, Done done);
  // A running trial is not answered.
  void stop();

 private:
  void drain();
  void finish(base::Result<std::string> protocol);

  core::Hub& hub_;
  domains::IntegrationBus bus_;
  std::unique_ptr<Reconnector> reconnector_;
  Done done_;
  core::Timer limit_;
  std::vector<std::weak_ptr<const void>> hanging_;
};

}  // namespace hearth::integrations::mqtt
