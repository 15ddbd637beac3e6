// SPDX-License-Identifier: Apache-2.0
// The triggers of zones, of notifications, and of devices. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "automation/triggers/trigger_watch.h"

namespace hearth::automation {

class ZoneWatch final : public TriggerWatch {
 public:
  ZoneWatch(const Trigger& trigger, Home& home, Fire fire, std::optional<std::uint64_t> since);

 private:
  void on_change(const core::StateChange& change, const core::Event& event) const;

  const Trigger& trigger_;
  const ZoneTrigger& kind_;
  Home& home_;
  const Fire fire_;
  core::EntityListeners::Listening listening_;
};

class NotificationWatch final : public TriggerWatch {
 public:
  NotificationWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  void on_update(const core::Event& event);
  void fire(const std::string& id, std::string_view update, json::object fields, const core::Context& cause) const;

  const Trigger& trigger_;
  const NotificationTrigger& kind_;
  Home& home_;
  const Fire fire_;
  std::map<std::string, json::object, std::less<>> known_;  // fields, by id: also of one that is removed
  core::Subscription updates_;
};

// A trigger of an entity that may be named by its id in the registry.
class DeviceWatch final : public TriggerWatch {
 public:
  DeviceWatch(const Trigger& trigger, Home& home, templates::Variables variables, std::string place, Fire fire,
              std::optional<std::uint64_t> since);

 private:
  const std::shared_ptr<const Trigger> of_entity_;  // with the entity's present id
  std::unique_ptr<TriggerWatch> watch_;
};

}  // namespace hearth::automation
