// SPDX-License-Identifier: Apache-2.0
// The home's MQTT broker: the connection to it, services to publish and to look at messages, and the entities of
// devices that describe themselves or that configuration.yaml describes. Bus thread only.
#pragma once

#include <memory>
#include <string>

#include "domains/integration.h"
#include "integrations/mqtt/connection/client.h"
#include "integrations/mqtt/discovery/discovery.h"
#include "integrations/mqtt/manual/manual_items.h"
#include "integrations/mqtt/protocol/options.h"
#include "integrations/mqtt/services.h"

namespace hearth::integrations::mqtt {

class Mqtt final : public domains::Integration {
 public:
  struct Options {
    mqtt::Options connection;
    ManualItems components;

    // `section`: as joined_sections makes it. Fails with invalid, with a line for each error of the connection.
    static base::Result<Options> parse(const base::ConfigNode& section);
    // Errors of the connection, whose keys alone `section` has.
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& section) {
      return mqtt::Options::check(section);
    }
  };

  Mqtt(const domains::IntegrationHome& home, Options options);
  ~Mqtt() override;

  base::Result<void> start() override;
  void stop() override;
  // Takes other options while it runs; what they do not change stays, and so do subscriptions of others. False if it
  // has to be started anew.
  bool change(Options options);

 private:
  base::Result<void> start_discovery(const ManualItems& components);
  void stop_discovery();

  domains::IntegrationHome home_;
  ManualItems components_;  // until the start
  std::string prefix_;      // of discovery; empty: none
  Client client_;
  std::unique_ptr<Discovery> discovery_;  // its entities are there until this is destroyed
  std::unique_ptr<Services> services_;
};

}  // namespace hearth::integrations::mqtt
