// SPDX-License-Identifier: Apache-2.0
// An event, in the one order that all listeners share. Immutable after it was fired. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/bus/context.h"
#include "core/states/state.h"

namespace hearth::core {

// A label that clients see. Decisions must use Event::by_client instead.
enum class Origin { local, remote };
// True if the hub fired an event, or a client through one of the APIs.
enum class FiredBy { hub, client };

// The data of state_changed, state_reported and state_confirmed. A side is null if the entity did not or does not
// exist.
struct StateChange {
  StatePtr old_state;
  StatePtr new_state;

  std::string_view entity_id() const { return (new_state ? new_state : old_state)->entity_id(); }
};

// The meaning of …_registry_updated and collection_updated, and of service_registered and service_removed if the
// service stands for an entity, for the hub itself.
struct RegistryChange {
  std::string id;                     // of the floor, area, device, entity or item; empty if all areas are meant
  std::string former_entity_id = {};  // if an entity was renamed
  std::string collection = {};        // of the item
};

struct Event {
  using Data = std::variant<std::string, StateChange>;

  Event(std::string_view name, Data value, Origin from, const Context& cause, std::uint64_t number = 0,
        base::Timestamp time = {})
      : type(name), data(std::move(value)), origin(from), context(cause), sequence(number), time_fired(time) {}

  std::string type;
  Data data;  // the text of a JSON object, or the values to make it of
  Origin origin;
  // A client fired it, whatever its type: the hub must not act on it as on its own.
  bool by_client = false;
  // Set by the bus: somebody listens to the entity of this change by name (EntityListeners).
  bool named = false;
  // This change of a state only says that the hub where the entity lives cannot be reached, or can again.
  bool by_connection = false;
  Context context;
  std::uint64_t sequence;        // set by the bus, increasing by one with each event
  base::Timestamp time_fired;    // set by the bus
  base::Timestamp time_there{};  // when another hub fired it, whose event this is; clients are told this time

  std::shared_ptr<const RegistryChange> registry_change = {};  // besides the data; null for any other event

  const StateChange* state_change() const { return std::get_if<StateChange>(&data); }
  // About how many bytes it keeps alive.
  std::size_t weight() const;
};

using EventPtr = std::shared_ptr<const Event>;

// {"event_type":…,"data":…,"origin":…,"time_fired":…,"context":…}: the form that streams and sockets send.
void write_json(std::string& out, const Event& event);
void write_data_json(std::string& out, const Event& event);

namespace event_type {
constexpr std::string_view kStateChanged = "state_changed";
constexpr std::string_view kStateReported = "state_reported";
constexpr std::string_view kStateConfirmed = "state_confirmed";
constexpr std::string_view kCallService = "call_service";
constexpr std::string_view kServiceRegistered = "service_registered";
constexpr std::string_view kServiceRemoved = "service_removed";
constexpr std::string_view kCoreConfigUpdated = "core_config_updated";
constexpr std::string_view kFloorRegistryUpdated = "floor_registry_updated";
constexpr std::string_view kAreaRegistryUpdated = "area_registry_updated";
constexpr std::string_view kDeviceRegistryUpdated = "device_registry_updated";
constexpr std::string_view kEntityRegistryUpdated = "entity_registry_updated";
constexpr std::string_view kLabelRegistryUpdated = "label_registry_updated";
constexpr std::string_view kCategoryRegistryUpdated = "category_registry_updated";
constexpr std::string_view kCollectionUpdated = "collection_updated";
constexpr std::string_view kIntegrationUpdated = "integration_updated";
constexpr std::string_view kFlowUpdated = "connection_flow_updated";
constexpr std::string_view kLovelaceUpdated = "lovelace_updated";
constexpr std::string_view kPanelsUpdated = "panels_updated";
constexpr std::string_view kRepairsUpdated = "repairs_issue_registry_updated";
constexpr std::string_view kAlertUpdated = "alert_updated";
constexpr std::string_view kPlatformStart = "platform_start";
constexpr std::string_view kPlatformStarted = "platform_started";
constexpr std::string_view kPlatformStop = "platform_stop";
constexpr std::string_view kPlatformFinalWrite = "platform_final_write";
// The same moments by the names that existing clients wait for.
constexpr std::string_view kHomeassistantStart = "homeassistant_start";
constexpr std::string_view kHomeassistantStarted = "homeassistant_started";
constexpr std::string_view kHomeassistantStop = "homeassistant_stop";
constexpr std::string_view kHomeassistantFinalWrite = "homeassistant_final_write";
constexpr std::string_view kStreamGap = "stream_gap";

// Frequent events that usually report no change: delivered only to listeners that name them.
constexpr bool only_by_name(std::string_view type) {
  return type == kStateReported || type == kStateConfirmed;
}
}  // namespace event_type

}  // namespace hearth::core
