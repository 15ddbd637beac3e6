// SPDX-License-Identifier: Apache-2.0
// The base of all domains' entities, each with one state. An integration reports what the device does, and the entity
// turns it into a state value and attributes; a service commands the device through the entity. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "core/hub.h"
#include "domains/entities/failures.h"
#include "domains/entities/later_answers.h"

namespace hearth::domains {

// An integration's description of an entity, which never changes.
struct EntityInfo {
  std::string integration;        // the integration's folder
  std::string unique_id;          // the integration's own id, which never changes
  std::string object_id;          // wanted: the entity id becomes <domain>.<object_id>; empty once it is in the home
  std::string name;               // for people
  std::string device_class = {};  // empty if there is none
  std::string icon = {};          // mdi:…; empty for the domain's
  core::OptionalText device_id = {};
  core::OptionalText area_id = {};   // initially, if it differs from the device's
  std::string entity_category = {};  // config or diagnostic; empty for the entity's main purpose
  bool has_entity_name = false;      // `name` lacks the device's name
  core::OptionalText translation_key = {};
  bool disabled = false;      // initially: until the user enables it
  bool available = true;      // whether the device is reachable initially
  bool force_update = false;  // each report is an event, even if nothing differs
  std::string entry_id = {};  // the connection that brings it; empty: the only one of its integration
};

// The device of an entity, controlled by its integration. Each domain adds its commands; a command reports when it is
// done, at once or later.
class EntityDevice {
 public:
  virtual ~EntityDevice() = default;
  // Asks the device for its status, which is reported. False if there is nothing to ask: the last report is still
  // right.
  virtual bool refresh() { return false; }
};

// The parts of the home that its entities use.
struct EntityHome {
  core::Hub& hub;
  Failures& failures;
  LaterAnswers answers;
};

class Entity {
 public:
  virtual ~Entity() = default;
  Entity(const Entity&) = delete;
  Entity& operator=(const Entity&) = delete;

  const EntityInfo& info() const { return info_; }
  std::string_view domain() const { return domain_; }
  std::string_view entity_id() const { return id_ ? id_->str() : std::string_view(); }  // empty until added
  std::string_view registry_id() const { return registry_id_; }                         // empty until added
  bool available() const { return available_; }
  // A disabled entity, perhaps disabled by the user, has no state and takes no commands.
  bool enabled() const { return enabled_; }

  // True if the device is reachable. Updates the state. `cause`: of the change, if it is known.
  void set_available(bool available, const core::Context* cause = nullptr);

  // Attributes beyond those of the domain, which win; shown while the entity is available. Part of the next write.
  void set_extra_attributes(json::object attributes) { extra_ = std::move(attributes); }
  const json::object& extra_attributes() const { return extra_; }

  // Runs the action, which commands the device, for the service call with this context: the call waits for the next
  // report, and reports of the next 5 s carry its context. False if the device's code threw.
  bool command(const core::Context& context, const std::function<void()>& action);
  // For its device, while it is being commanded: the answer to this command comes later, and the service call waits for
  // it. Each answer counts, if several are asked for.
  CommandAnswer answer_later() const { return added() ? home_->answers.expect(*this) : CommandAnswer(); }
  // Runs the question, which asks the device. False if the device's code threw.
  bool ask(const std::function<void()>& question);
  // The last command's. A device that knows which command it answers keeps it, and passes it with the report.
  const core::Context& command_context() const { return commands().last; }
  // Entities that the caller whose call is checked and obeyed now may reach by this entity.
  void set_caller(const core::Rights& rights) { own_commands().caller = rights; }
  const core::Rights& caller() const { return commands().caller; }
  // Asks the device for a report.
  void refresh();

  // True if the entity can do its domain's service with these data, which fit the fields. Fails as a call would, and
  // with unsupported if it lacks a feature; the message names the entity.
  virtual base::Result<void> can(std::string_view /*service*/, const json::object& /*data*/) const { return {}; }

  static constexpr base::Duration kCommandReach = std::chrono::seconds(5);

 protected:
  Entity(std::string_view domain, EntityInfo info, EntityDevice* device)
      : domain_(domain), info_(std::move(info)), device_(device), available_(info_.available) {}

  // Writes value and attributes; a state beyond the limits is refused, and the entity keeps its last one. NaN and
  // infinity become null. `cause`: the command that this answers, if the device knows; otherwise the last command of
  // the past 5 s.
  void write(const core::Context* cause = nullptr);

  // REQUIRES: added().
  core::Pictures& pictures() const { return home_->hub.pictures; }
  core::EventBus& bus() const { return home_->hub.bus; }

  // True if it has been added to the home: only then there is a hub.
  bool added() const { return home_ != nullptr; }
  const core::Hub& hub() const { return home_->hub; }

  // `unknown` before the first report.
  virtual std::string value() const = 0;
  // The entity's abilities, also while it is unavailable; and its present attributes.
  virtual void add_capabilities(json::object& /*attributes*/) const {}
  virtual void add_attributes(json::object& /*attributes*/) const {}

 private:
  friend class EntityTable;

  static constexpr std::size_t kMaxWaiting = 64;  // beyond, the oldest call waits until its time limit

  struct Commands {
    core::Context last;
    core::Rights caller;
    std::optional<base::SteadyTime> time;  // of the last
    std::vector<core::Context> waiting;    // that no report has answered yet
  };
  const Commands& commands() const;
  Commands& own_commands();

  // Takes over the registry's fields, including the id. False if this changes nothing visible.
  bool adopt(const core::RegisteredEntity& registered, const core::RegistryData& registry);
  core::Context context_of_report(const core::Context* cause) const;
  json::object attributes();

  std::string domain_;
  EntityInfo info_;
  EntityDevice* device_;
  EntityHome* home_ = nullptr;  // this and what follows: set when added
  std::source_location where_;  // where it was added: named if its device's command holds the bus
  std::optional<core::EntityId> id_;
  std::string registry_id_;
  bool enabled_ = false;
  bool available_;
  std::string name_;                               // this and what follows: as in the registry
  core::OptionalText icon_, device_class_, unit_;  // unit_: that the user wants
  json::object customized_;                        // attributes that win over all others
  json::object extra_;
  std::unique_ptr<Commands> commands_;  // null before the first: most entities are sensors
  // Each is logged once: a faulty device is faulty at every report.
  bool logged_refusal_ = false, logged_repair_ = false;
};

// The error for a missing feature, with the code unsupported: "light.hall cannot change its colour temperature."
std::unexpected<base::Error> cannot(const Entity& entity, std::string_view what);
std::unexpected<base::Error> cannot(std::string_view entity_id, std::string_view what);
// Logs that a command goes on without a field that the entity cannot honour.
void leave_out(std::string_view entity_id, std::string_view field, std::string_view cannot);

}  // namespace hearth::domains
