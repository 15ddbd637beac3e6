// SPDX-License-Identifier: Apache-2.0
// Devices that move over: what an integration here provides is not mirrored any more, and comes back if that goes. Bus
// thread only.
#pragma once

#include <string>

#include "domains/integration.h"
#include "integrations/home_assistant/mirror/mirrored_devices.h"
#include "integrations/home_assistant/mirror/mirrored_table.h"
#include "integrations/home_assistant/mirror/registrar.h"
#include "integrations/home_assistant/mirror/state_writer.h"
#include "integrations/home_assistant/session/hub_link.h"

namespace hearth::integrations::home_assistant {

class Moves {
 public:
  // How long a new device here has to bring its entities, before they are compared.
  static constexpr base::Duration kSettle = std::chrono::seconds(2);

  // All must outlive it.
  Moves(const domains::IntegrationHome& home, const Options& options, MirroredTable& table, MirroredDevices& devices,
        Registrar& registrar, StateWriter& states, HubLink& link)
      : home_(home),
        options_(options),
        table_(table),
        devices_(devices),
        registrar_(registrar),
        states_(states),
        link_(link) {}

  void start();
  void stop();
  // As Mirror::adopt.
  base::Result<void> adopt(const std::string& from, const std::string& to, const core::Context& context);
  // There may be devices that both hubs have.
  void look_again();

 private:
  void follow(const core::RegistryChange& change);
  void follow(MirroredEntity& entity, const core::RegistryData& data);
  void bring_back(MirroredEntity& entity);
  // An entity of this hub's own has come, has changed or has gone.
  void note_own(const std::string& entity_id, const core::RegistryData& data);
  void settle();
  // Entities of the device that both hubs have: the own one takes over.
  void take_over(const core::Device& device);
  void look_for_lost();

  const domains::IntegrationHome& home_;
  const Options& options_;
  MirroredTable& table_;
  MirroredDevices& devices_;
  Registrar& registrar_;
  StateWriter& states_;
  HubLink& link_;
  core::Subscription updates_;
  core::Timer settling_;
  core::Texts own_devices_;  // to be compared
  bool settles_ = false, some_went_ = false;
};

}  // namespace hearth::integrations::home_assistant
