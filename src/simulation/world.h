// SPDX-License-Identifier: Apache-2.0
// A home in memory with the hub's own engine, whose clock goes from one due timer to the next. It can restart, with the
// data that a hub finds on its disk. One thread.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "automation/items/helper_parser.h"
#include "automation/items/item_parser.h"
#include "automation/items/scene_parser.h"
#include "core/memory_journal.h"
#include "core/registry/registry_data.h"
#include "derived/sensors/plan_parser.h"
#include "simulation/device.h"
#include "simulation/scenario.h"
#include "simulation/simulated_history.h"
#include "simulation/timeline.h"
#include "template/values/environment.h"
#include "template_entities/plan_parser.h"

namespace hearth::simulation {

// The parts of the home.
struct Parts {
  automation::Configuration automations;
  automation::HelperConfiguration helpers;
  automation::SceneConfiguration scenes;
  template_entities::Configuration templates;
  derived::Configuration sensors;  // made of others; not in a home of recorded states, which has them among these
  std::function<std::shared_ptr<const templates::Imports>()> imports;  // null if templates import nothing
  std::vector<std::string> services;  // that are called, such as notify.phone, beside those that the automations name
  // Entities with another id than their alias or name makes: of those that automations make themselves, such as
  // template entities; not of devices.
  std::vector<core::RegisteredEntity> registered = {};
};

// A home whose entities are as history says.
struct Recorded {
  const std::set<std::string, std::less<>>& entities;  // they obey no calls
  core::EventListener& listener;                       // hears kHeard, in place of the timeline
  static constexpr std::array<std::string_view, 3> kHeard{"automation_triggered", "script_started", "call_service"};
};

class World {
 public:
  // It begins at once. `parts`, and what `recorded` names, must outlive it.
  World(const Parts& parts, const core::HubConfig& home, const GivenStates& states, base::Timestamp now,
        std::optional<Recorded> recorded = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  base::Timestamp now() const;
  const Timeline& timeline() const { return timeline_; }
  // Of all entities after the first start.
  const std::map<std::string, core::StatePtr, std::less<>>& first_states() const { return first_states_; }
  core::StatePtr find(std::string_view entity_id) const;
  // The entity id of the automation or script with that id; empty if there is none.
  std::string entity_of(std::string_view domain, const std::string& id) const;

  // Runs everything that is due until then, and at that time.
  void advance_to(base::Timestamp time);
  // They are so now. Fails with invalid if one cannot be; the others are.
  base::Result<void> set(const GivenStates& states);
  // It is so now, by history: in that context if nothing in this home makes its state; not at all if the home derives
  // it from others. Null: it is removed.
  struct RecordedState {
    std::string_view value, attributes;  // a JSON object
  };
  void follow(const std::string& id, const std::optional<RecordedState>& state, const core::Context& context);
  void fire(const std::string& type, const json::object& data);
  base::Result<void> call(const std::string& service, const json::object& data, bool announced = true);
  // The hub ends, and another one begins after that time; `kill`: without an orderly end.
  base::Result<void> restart(base::Duration down, bool kill);
  // The parts that could not be as given.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  class Journal;
  struct Hub;  // everything that ends with a hub

  base::Result<void> set(const std::string& id, const GivenState& state);
  base::Result<void> set_own(const std::string& id, const GivenState& state);
  void begin(base::Timestamp now, const GivenStates& states, std::vector<core::StatePtr> restored,
             core::RegistryData registry);
  void add_services();
  std::vector<std::string> wanted_entities() const;
  core::Context own_context();
  void hear();
  void leave();

  const Parts& parts_;
  const core::HubConfig home_;
  const std::optional<Recorded> recorded_;
  std::set<std::string, std::less<>> own_;  // helpers of the configuration
  core::Subscription heard_;
  Timeline timeline_;
  core::EventBus* bus_ = nullptr;
  std::unique_ptr<Journal> journal_;
  SimulatedHistory history_;
  std::unique_ptr<Hub> hub_;
  std::map<std::string, core::StatePtr, std::less<>> first_states_;
  std::vector<std::string> faults_;
};

}  // namespace hearth::simulation
