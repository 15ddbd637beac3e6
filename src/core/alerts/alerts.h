// SPDX-License-Identifier: Apache-2.0
// Follows the bus and keeps the list of what needs somebody's attention, by the table of alert_rules.h. Readers get a
// published list and never wait. A change of an entity that cannot alert costs well below a microsecond.
//
// Each alert that comes, changes or goes fires alert_updated, after the list that says so is published. A danger is
// published at once, warnings after a quarter of a second, together with those that come meanwhile. Waits are measured
// by the steady clock: a jump of the wall clock neither raises an alert nor delays it.
//
// Bounds: at most one alert for each entity and each device; the list has the gravest kMaxListed.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text/text_map.h"
#include "base/threads/published.h"
#include "core/alerts/alert_rules.h"
#include "core/bus/event_bus.h"
#include "core/registry/registry.h"
#include "core/states/state_machine.h"

namespace hearth::core {

struct Alert {
  const AlertRule* rule = nullptr;
  // <kind>.<the entity's registry id, or the device's id>: stays if the entity is renamed. Of an entity without an
  // entry in the registry it ends with the entity's id.
  std::string id = {};
  std::string entity_id = {};  // of a device that does not answer: one of its entities
  std::string device_id = {};  // empty if it belongs to none
  std::string area_id = {};    // likewise
  base::Timestamp since = {};
  std::vector<std::string> members = {};  // if it is a group

  bool operator==(const Alert&) const = default;
};

using AlertPtr = std::shared_ptr<const Alert>;
using AlertList = std::vector<AlertPtr>;

class Alerts final : private EventListener {
 public:
  static constexpr std::size_t kMaxListed = 2'000;
  static constexpr base::Duration kGathering = std::chrono::milliseconds(250);

  // All must outlive this.
  Alerts(EventBus& bus, const StateMachine& states, Registry& registry, const base::Clock& clock)
      : bus_(bus),
        states_(states),
        registry_(registry),
        clock_(clock),
        list_(std::make_shared<const AlertList>()),
        lasting_(std::make_shared<const AlertList>()) {}

  // Once, after states and registry were restored and before the bus starts.
  void start();

  // Any thread. Danger first, those of one kind together, the latest first.
  std::shared_ptr<const AlertList> list() const { return list_.load(); }
  // Any thread. Devices that have not answered for kLongSilence: they are no longer in the list.
  std::shared_ptr<const AlertList> lasting() const { return lasting_.load(); }

 private:
  enum class Stage { waiting, raised, lasting };
  struct Entry {
    AlertPtr alert;
    Stage stage = Stage::waiting;
    std::optional<base::SteadyTime> due = {};  // of the next stage
  };
  using Entries = base::TextMap<Entry>;

  void on_event(const EventPtr& event) override;
  void on_state(const StateChange& change);
  void look_at(std::string_view entity_id, const State* state);
  void look_at_later(std::string_view device_id);
  void settle();
  void look_at_devices();
  void look_at_device(const std::string& device_id);
  // Begins an alert that has been true since `changed`, or changes the one that there is.
  void put(std::string key, Alert alert, base::Timestamp changed);
  void end(Entries::iterator entry);
  void wait(const std::string& key, Entry& entry, base::Duration wait);
  void wait_for_next();
  void advance();  // what is due
  void tell(AlertRule::Grade grade);
  void publish();
  bool is_told_otherwise(const Alert& alert, const std::set<std::string_view>& measured) const;
  void wait_for_snoozes();

  EventBus& bus_;
  const StateMachine& states_;
  Registry& registry_;
  const base::Clock& clock_;
  base::Published<AlertList> list_, lasting_;
  // The rest is the bus thread's.
  Entries entries_;  // by entity id, or by device_key
  std::set<std::pair<base::SteadyTime, std::string>> due_;
  std::set<std::string, std::less<>> devices_;  // to be looked at
  bool settles_ = false;                        // then they are looked at
  bool silent_too_ = false;                     // and all that are silent now
  bool posted_ = false;                         // publish, for a danger
  bool gathers_ = false;                        // publish, for others
  Timer next_, devices_timer_, gathering_, snoozes_timer_;
  Subscription subscription_;  // last
};

// The area of an entity, or of its device; empty if it is in none.
std::string alert_area(const RegistryData& registry, const RegisteredEntity* entity);

// The data of the event.
std::string alert_event(std::string_view action, const Alert& alert);

}  // namespace hearth::core
