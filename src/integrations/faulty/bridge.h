// SPDX-License-Identifier: Apache-2.0
// An integration with any number of connections, which pages add: for tests only, as Faulty. Each brings a device with
// a switch, and behaves as its host says: `sleeps…` waits, `locked…` needs a person, `fails…` does not start. Bus
// thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/connection_flow.h"
#include "domains/entities/thing.h"
#include "domains/integration.h"

namespace hearth::integrations::faulty {

class Bridge final : public domains::Integration, public domains::ThingDevice {
 public:
  struct Options {
    std::string host;

    // Of one of `hosts`, or of the whole section. Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& node);
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& node);
    static Options of(const core::Connection& connection);
  };

  Bridge(const domains::IntegrationHome& home, Options options);

  // bridge: {hosts: [..]}
  static std::vector<domains::FileConnection> connections(const base::ConfigNode& section);
  // Asks for a host, and then for a PIN, which is 1234. The host `nobody` does not answer, `throws` throws, `aborts`
  // ends the flow.
  static std::unique_ptr<domains::ConnectionFlow> flow(const domains::FlowHome& home, const domains::Discovered* found);

  // Asks for the PIN again; with the right one a `locked…` is unlocked.
  static std::unique_ptr<domains::ConnectionFlow> change_flow(const domains::FlowHome& home,
                                                              domains::ConnectionChange change);

  base::Result<void> start() override;
  void stop() override {}
  void unpair() override;
  json::object diagnosis() const override;
  void act(const domains::Action& action, const json::object& data) override;

 private:
  const domains::IntegrationHome home_;
  const Options options_;
  domains::Thing* relay_ = nullptr;
};

}  // namespace hearth::integrations::faulty
