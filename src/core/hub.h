// SPDX-License-Identifier: Apache-2.0
// The core of the home: each part that needs the home gets a reference to it. Owned by the app, never global.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/threads/published.h"
#include "core/alerts/alerts.h"
#include "core/bus/entity_listeners.h"
#include "core/bus/event_bus.h"
#include "core/registry/registry.h"
#include "core/repairs.h"
#include "core/services/service_registry.h"
#include "core/states/pictures.h"
#include "core/states/state_machine.h"
#include "core/values/counters.h"
#include "core/values/customizations.h"
#include "core/values/hub_config.h"
#include "core/values/integration_status.h"
#include "core/values/limits.h"
#include "core/webhooks.h"

namespace hearth::core {

enum class RunState { not_running, starting, running, stopping, final_write };

// As GET /api/core/state returns it: RUNNING and so on.
std::string_view to_string(RunState state);

class MqttBroker;
class OtherHubs;
std::shared_ptr<OtherHubs> make_other_hubs();

struct Hub {
  explicit Hub(const base::Clock& used_clock, const Limits& used_limits = {})
      : clock(used_clock),
        limits(used_limits),
        config(std::make_shared<const HubConfig>()),
        customizations(std::make_shared<const Customizations>()),
        integrations(std::make_shared<const IntegrationList>()),
        bus(clock),
        entity_listeners(bus),
        states(bus, used_limits),
        registry(bus, used_clock),
        services(bus, states, registry, clock),
        webhooks(bus, clock),
        repairs(bus, clock),
        alerts(bus, states, registry, clock) {}

  // Events, timers and tasks on the bus thread use these objects: stop the bus before they are destroyed.
  const base::Clock& clock;
  const Limits limits;
  const base::Timestamp started_at = clock.now();
  const base::SteadyTime steady_start = clock.steady_now();
  base::Published<HubConfig> config;
  base::Published<Customizations> customizations;
  base::Published<IntegrationList> integrations;
  EventBus bus;
  EntityListeners entity_listeners;
  StateMachine states;
  Registry registry;
  ServiceRegistry services;
  Webhooks webhooks;
  Repairs repairs;
  Alerts alerts;
  Pictures pictures;
  Counters counters;
  const std::shared_ptr<OtherHubs> other_hubs = make_other_hubs();  // never null
  MqttBroker* mqtt = nullptr;                                       // bus thread only; null if there is none
  std::atomic<std::uint16_t> port{0};                               // where the hub listens; 0 before it does
  std::atomic<RunState> run_state{RunState::not_running};
};

// Publishes the configuration and fires core_config_updated with a JSON object of the keys that differ. One thread at a
// time.
void update_config(Hub& hub, HubConfig config, const Context& context, std::string changes_json = "{}");

}  // namespace hearth::core
