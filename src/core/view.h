// SPDX-License-Identifier: Apache-2.0
// The home as one caller may see and change it. What the caller may not read is treated as absent: not found, and
// missing from lists, events and history. What the caller may read but not do is forbidden. Handlers of the API use
// this instead of the hub.
//
// Any thread; a value, cheap to copy. The hub must outlive it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/alerts/snoozes.h"
#include "core/hub.h"
#include "core/readable_registry.h"
#include "core/rights/rights.h"

namespace hearth::core {

class OtherHub;
class OtherHubs;

// The states of one moment that a caller may read. Immutable.
class ReadableStates {
 public:
  // All states.
  explicit ReadableStates(StateMachine::Snapshot table) : table_(std::move(table)) {}
  ReadableStates(StateMachine::Snapshot table, std::shared_ptr<const RegistryData> registry, Rights rights)
      : table_(std::move(table)), registry_(std::move(registry)), rights_(std::move(rights)) {}

  // The sequence number of the last event whose change is included.
  std::uint64_t sequence() const { return table_->sequence(); }

  // As in StateTable.
  static constexpr std::size_t kParts = StateTable::kParts;
  template <class Function>
  void for_each_in_part(std::size_t part, Function&& function) const {
    if (rights_.reads_all()) return table_->for_each_in_part(part, function);
    table_->for_each_in_part(part, [&](const State& state) {
      if (rights_.reads(state.entity_id(), *registry_)) function(state);
    });
  }
  template <class Function>
  void for_each(Function&& function) const {
    for (std::size_t part = 0; part < kParts; ++part) for_each_in_part(part, function);
  }

 private:
  StateMachine::Snapshot table_;
  std::shared_ptr<const RegistryData> registry_;  // null if everything may be read
  Rights rights_;
};

class View {
 public:
  View(Hub& hub, Rights rights) : hub_(&hub), rights_(std::move(rights)) {}

  const Rights& rights() const { return rights_; }

  // Not restricted.
  const base::Clock& clock() const { return hub_->clock; }
  const Limits& limits() const { return hub_->limits; }
  std::shared_ptr<const HubConfig> config() const { return hub_->config.load(); }
  RunState run_state() const { return hub_->run_state; }
  std::vector<EventBus::ListenerCount> listener_counts() const { return hub_->bus.listener_counts(); }
  // The integrations' states; errors, which may name anything, are only for callers that read everything.
  IntegrationList integrations() const;
  // Issues of the home, which may name anything: none unless the caller reads everything.
  std::shared_ptr<const std::vector<Issue>> issues() const;
  // The alerts that may be read, in the order of core::Alerts. A device that does not answer is told by
  // an entity of it that may be read.
  AlertList alerts() const;
  std::optional<base::Timestamp> snoozed_until(std::string_view user_id, const Alert& alert) const {
    return core::snoozed_until(*hub_->registry.snapshot(), user_id, alert, hub_->clock.now());
  }
  // The alerts of `ids` that the caller may read, for this user; the others are ignored. Fails with not_found if no
  // such alert is there, otherwise as core::snooze and core::unsnooze.
  base::Result<void> snooze(const std::string& user_id, const std::vector<std::string>& ids,
                            const Context& context) const;
  base::Result<void> unsnooze(const std::string& user_id, const std::vector<std::string>& ids,
                              const Context& context) const {
    return core::unsnooze(hub_->registry, user_id, ids, hub_->clock.now(), context);
  }
  bool on_bus_thread() const { return hub_->bus.on_bus_thread(); }
  // Runs the task on the bus thread, after earlier writes. Fails with unavailable if the bus is full.
  base::Result<void> post(std::size_t weight, EventBus::Task task,
                          const std::source_location& where = std::source_location::current()) const {
    return hub_->bus.post(IfFull::fail, weight, std::move(task), where);
  }
  // The whole hub. REQUIRES: the caller is an administrator.
  Hub& administered() const;

  // States. None of these waits for the bus: they fail with unavailable if it is full.
  StatePtr find(std::string_view entity_id) const;
  ReadableStates states() const;
  bool reads(std::string_view entity_id) const;
  // True if the text of somebody's JSON names an entity, a device, an area or a floor that the caller may not read.
  bool names_hidden(std::string_view json_text) const;
  // Removes the ids that the caller may not read.
  void keep_readable(std::vector<std::string>& entity_ids) const;
  // As StateMachine's; also fails with forbidden.
  base::Result<StateMachine::Written> set(const EntityId& id, StateMachine::Write write) const;
  base::Result<StatePtr> remove(std::string_view entity_id, const Context& context) const;

  // The entity's picture, for who may read the entity, or has its picture's token. Fails with not_found.
  base::Result<PicturePtr> picture(std::string_view entity_id, std::string_view token) const;

  // The name of the hub elsewhere that has the entity; empty if it is here. Readable, or opened by its picture's token.
  std::string elsewhere(std::string_view entity_id, std::string_view picture_token = {}) const;
  // Asks the hub elsewhere of that name, on the bus thread; null if it is not there any more. Fails with unavailable.
  base::Result<void> ask_elsewhere(const std::string& name, std::size_t weight,
                                   std::function<void(OtherHub* hub)> ask) const;
  const OtherHubs& other_hubs() const { return *hub_->other_hubs; }
  // Destroys it on the bus thread, where it belongs. Any thread.
  void end_on_bus(std::shared_ptr<void> source) const;

  ReadableRegistry registry() const { return {hub_->registry.snapshot(), rights_}; }

  // True if the caller may receive it: entities and registry entries must be readable; other events must reveal
  // nothing, unless the caller reads everything.
  bool receives(const Event& event) const;
  // An event that the caller receives, without former values of a registry entry that name what may not be read.
  EventPtr shown(const EventPtr& event) const;
  // As EventBus's, as a client's event; also fails with forbidden, because an event belongs to no entity.
  base::Result<void> fire(std::string_view type, std::string data_json, Origin origin, const Context& context) const;

  // As Webhooks': who knows the id may call it.
  base::Result<void> call_webhook(WebhookCall call) const { return hub_->webhooks.call(std::move(call)); }

  // As ServiceRegistry's, with the caller's rights, and the PIN that is the field `pin` of the data, from where it is
  // removed. The result contains readable states only.
  void call(ServiceRequest request, ServiceRegistry::Done done) const;
  // Fails with forbidden.
  base::Result<void> may_control(std::string_view entity_id) const;
  // The services that the caller knows of.
  std::shared_ptr<const ServiceRegistry::Services> services() const;
  // True if the caller may call it at all, whatever its target. Fails with forbidden.
  base::Result<void> may_call(std::string_view domain, std::string_view service) const {
    return hub_->services.may_call(domain, service, rights_);
  }

 private:
  Hub* hub_;
  Rights rights_;
};

}  // namespace hearth::core
