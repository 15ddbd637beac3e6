// SPDX-License-Identifier: Apache-2.0
// Makes the parts that descriptions of components describe: entities, triggers and readers of tags. It makes no
// difference whether a description comes from a discovery message or from configuration.yaml. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integrations/mqtt/components/mqtt_entity.h"
#include "integrations/mqtt/discovery/devices.h"
#include "integrations/mqtt/discovery/message.h"
#include "integrations/mqtt/discovery/trigger.h"

namespace hearth::integrations::mqtt {

struct Source;

// The result for one component.
struct Part {
  const Source* source = nullptr;
  std::string component, name;  // name: its key in a device message
  std::string device_id;
  std::unique_ptr<MqttEntity> entity;
  std::unique_ptr<Trigger> trigger;
  std::unique_ptr<TagReader> reader;
  std::vector<DroppedKey> dropped;
  std::string refusal;
};

// One place that describes components. It stays where it is in memory.
struct Source {
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  std::string refusal;     // of all of it
  bool migrating = false;  // another one may take over its entities
  std::vector<std::unique_ptr<Part>> parts;
};

class Parts {
 public:
  static constexpr std::size_t kMaxSubscriptions = 250'000;  // of all entities

  Parts(const domains::IntegrationHome& home, core::MqttBroker& broker);

  // Makes what is described, or changes it in place; what it was stays if the new description is refused.
  void apply(Source& source, Description description);
  // Ends the parts that are not described any more.
  void end_others(Source& source, const std::vector<Description>& described);
  // All of it leaves the home for good.
  void end(Source& source);
  // Listens no more; the entities stay as they are.
  static void stop(Source& source);
  void stop();
  static void connection_changed(const Source& source);

  // A row for each part, as GET /api/mqtt/discovery returns it; one if all of it is refused.
  static void report(json::array& rows, std::string_view place, const Source& source);
  // The answer of mqtt/device/debug_info about the device's parts. `keys_of` gives a part's keys.
  void debug_info(json::object& info, std::string_view place, const Source& source, std::string_view device_id,
                  const std::function<json::object(const Part& part)>& keys_of) const;

  EntityHome& home() { return entity_home_; }
  Devices& devices() { return devices_; }

 private:
  using Identity = std::pair<std::string_view, std::string_view>;  // domain, unique id
  // Of parts with an entity in the home, by that.
  struct ByIdentity {
    using is_transparent = void;
    static Identity of(const Part* part);
    static Identity of(const Identity& identity) { return identity; }
    bool operator()(const auto& one, const auto& other) const { return of(one) < of(other); }
  };

  base::Result<void> make(Part& part, Description& description);
  base::Result<void> make_entity(Part& part, Description& description, const core::Device& device);
  void end(Part& part);    // its entity leaves the home for good
  void leave(Part& part);  // another one takes over
  void move(Part& part, const std::string& device_id);

  MessageTemplates templates_;
  Complaints complaints_;
  LastValues last_values_;
  EntityHome entity_home_;
  Devices devices_;
  std::set<Part*, ByIdentity> owners_;
};

}  // namespace hearth::integrations::mqtt
