// SPDX-License-Identifier: Apache-2.0
// One hub of the section modbus: a line to devices, and their entities. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "domains/integration.h"
#include "integrations/modbus/connection/channel.h"
#include "integrations/modbus/entities/poller.h"
#include "integrations/modbus/entities/sensors.h"
#include "integrations/modbus/options/options.h"

namespace hearth::integrations::modbus {

class ModbusHub final : private Channel::Events {
 public:
  // A lost connection shows nothing for kGrace; after a start, the connection is waited for kStartGrace.
  static constexpr base::Duration kGrace = std::chrono::seconds(5), kStartGrace = std::chrono::seconds(10);

  // Adds the entities and begins to connect. `changed`: the health may be another. REQUIRES: the home has a reactor.
  ModbusHub(const domains::IntegrationHome& home, HubOptions options, std::function<void()> changed);

  const std::string& name() const { return options_.name; }
  // Empty: connected.
  const std::string& trouble() const { return trouble_; }
  json::object diagnosis() const;

  // Fails by the answer; see Channel.
  void command(Request request, Channel::Done done) { channel_.command(std::move(request), std::move(done)); }
  // Ends the connection until `restart`; entities become unavailable.
  void disconnect();
  void restart();
  // For good; entities stay as they are.
  void stop();

 private:
  void on_connected() override;
  void on_lost(const net::Failure& why) override;
  void wait(base::Duration grace);
  void set_trouble(std::string trouble);

  const domains::IntegrationHome& home_;
  const HubOptions options_;
  const std::function<void()> changed_;
  HubHome entity_home_;
  std::string trouble_;
  bool connected_ = false;
  Channel channel_;
  Poller poller_;
  std::vector<std::unique_ptr<HubEntity>> entities_;
  core::Timer grace_;
};

}  // namespace hearth::integrations::modbus
