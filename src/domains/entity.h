// SPDX-License-Identifier: Apache-2.0
// Something of the home with one state: what all domains' entities have in common. An integration reports what the
// device is doing, the entity turns it into a state value and attributes; a service commands the device through the
// entity. Bus thread only.
#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "core/hub.h"
#include "domains/failures.h"

namespace hearth::domains {

// What an integration says of an entity once and for all.
struct EntityInfo {
  std::string integration;        // its folder's name
  std::string unique_id;          // the integration's own name of it, which never changes
  std::string object_id;          // wanted: the entity id becomes <domain>.<object_id>
  std::string name;               // for people
  std::string device_class = {};  // empty: none
  std::string icon = {};          // mdi:…; empty: the domain's
  std::optional<std::string> device_id = {};
  std::optional<std::string> area_id = {};  // at first, where it differs from the device's
  std::string entity_category = {};         // config or diagnostic; empty: what the entity is there for
  bool has_entity_name = false;             // the device's name is not in `name`
  std::optional<std::string> translation_key = {};
  bool disabled = false;  // at first: until the user enables it
  bool available = true;  // whether the device can be reached at first
};

// The device behind an entity, as its integration drives it. Each domain adds its commands; a command reports when it
// is done, at once or later.
class EntityDevice {
 public:
  virtual ~EntityDevice() = default;
  // Asks the device what it is doing; the answer is reported. False where there is nothing to ask: what was reported
  // last holds.
  virtual bool refresh() { return false; }
};

class Entity {
 public:
  virtual ~Entity() = default;
  Entity(const Entity&) = delete;
  Entity& operator=(const Entity&) = delete;

  const EntityInfo& info() const { return info_; }
  std::string_view domain() const { return domain_; }
  std::string_view entity_id() const { return id_ ? id_->str() : std::string_view(); }  // empty until added
  bool available() const { return available_; }
  // Disabled, by the user perhaps, it has no state and takes no commands.
  bool enabled() const { return enabled_; }

  // Whether the device can be reached. The state follows.
  void set_available(bool available);

  // Runs the action, which commands the device, for the service call with this context: the call waits for the next
  // report, and the reports of the next 5 s carry its context. False if the device's code threw.
  bool command(const core::Context& context, const std::function<void()>& action);
  // Runs the question, which asks the device. False if the device's code threw.
  bool ask(const std::function<void()>& question);
  // The last command's. A device that can tell which command it answers keeps it, and gives it back with the report.
  const core::Context& command_context() const { return command_context_; }
  // Asks the device for a report.
  void refresh();

  // Whether the entity has what a service without fields needs of it. Fails with invalid; the message names the entity.
  virtual base::Result<void> supports(std::string_view /*service*/) const { return {}; }

  static constexpr base::Duration kCommandReach = std::chrono::seconds(5);

 protected:
  Entity(std::string_view domain, EntityInfo info, EntityDevice* device)
      : domain_(domain), info_(std::move(info)), device_(device), available_(info_.available) {}

  // Writes value and attributes; what is beyond the limits of a state is refused, and the entity keeps its last one.
  // Numbers that are none become null. `cause`: the command that is answered, where the device can tell; else it is the
  // last command of the past 5 s, else none.
  void write(const core::Context* cause = nullptr);

  // REQUIRES: added().
  core::Pictures& pictures() const { return hub_->pictures; }
  core::EventBus& bus() const { return hub_->bus; }
  std::string_view registry_id() const { return registry_id_; }  // empty until added

  // Whether it is in the home; only then there is a hub.
  bool added() const { return hub_ != nullptr; }
  const core::Hub& hub() const { return *hub_; }

  // `unknown` where nothing was reported yet.
  virtual std::string value() const = 0;
  // What the entity can do, also while it is unavailable; and what it is doing.
  virtual void add_capabilities(json::object& /*attributes*/) const {}
  virtual void add_attributes(json::object& /*attributes*/) const {}

 private:
  friend class EntityTable;

  static constexpr std::size_t kMaxWaiting = 64;  // past it the oldest call waits its time out

  // Takes on what the registry says of it, its id included. False where nothing of that shows.
  bool adopt(const core::RegisteredEntity& registered, const core::RegistryData& registry);
  core::Context context_of_report(const core::Context* cause) const;
  std::string attributes_json();

  std::string domain_;
  EntityInfo info_;
  EntityDevice* device_;
  core::Hub* hub_ = nullptr;  // all set when added
  Failures* failures_ = nullptr;
  std::source_location where_;  // it was added, which is who holds the bus while its device is commanded
  std::optional<core::EntityId> id_;
  std::string registry_id_;
  bool enabled_ = false;
  bool available_;
  std::string name_, icon_, device_class_;  // as the registry has them
  core::Context command_context_;
  std::optional<base::SteadyTime> commanded_;
  std::vector<core::Context> waiting_;  // commands that no report has answered
  // Each is logged once: a device that is wrong is wrong at every report.
  bool logged_refusal_ = false, logged_repair_ = false;
};

// The error for a call that wants what the entity cannot do: "light.hall cannot change its colour temperature."
std::unexpected<base::Error> cannot(const Entity& entity, std::string_view what);
std::unexpected<base::Error> cannot(std::string_view entity_id, std::string_view what);

}  // namespace hearth::domains
