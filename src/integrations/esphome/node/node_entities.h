// SPDX-License-Identifier: Apache-2.0
// The entities of a node: made of what it describes, kept as long as it describes them in the same way, and told when
// it comes and goes. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "integrations/esphome/entities/component.h"
#include "integrations/esphome/node/node_devices.h"

namespace hearth::integrations::esphome {

class NodeEntities {
 public:
  // Removed from the home if the node has not described them for so long.
  static constexpr base::Duration kGoneLimit = std::chrono::hours(7 * 24);

  // Both must outlive this.
  NodeEntities(NodeContext& node, const NodeDevices& devices) : node_(node), devices_(devices) {}
  ~NodeEntities() = default;

  // A new description begins.
  void begin() { listed_.clear(); }
  // One of its entities. False if it cannot be read.
  bool take(const Component& component, std::string_view description);
  // The description is complete: adds, replaces and withdraws entities. `mac` and `node_name` make their ids.
  void finish(const std::string& mac, std::string_view node_name, bool available);

  // A state. False if it cannot be read.
  bool receive(const Component& component, std::string_view state) { return component.receive(index_, state); }
  void set_available(bool available);
  void node_is_ready();
  // Takes all out of the home, which keeps their states and registry entries.
  void withdraw();

  // Entities that the node described once and does not describe any more.
  struct Gone {
    std::string domain, unique_id;
    base::Timestamp since;
  };
  const std::vector<Gone>& gone() const { return gone_; }
  std::size_t size() const { return entities_.size(); }
  bool all_available() const { return available_; }

  // {"entities": [{"component", "description": hexadecimal}…], "gone": […]}, to be restored after a restart.
  json::object description() const;
  // Takes what description() gave; what cannot be read is left out. finish() follows.
  void restore(const json::object& kept);

 private:
  struct Listed {
    const Component* component;
    std::string description;
  };
  struct Held {
    std::unique_ptr<NodeEntity> entity;
    std::string description;
  };
  using Entities = std::map<std::string, Held>;  // by unique id

  domains::EntityInfo info_of(const NodeEntity& entity, const std::string& unique_id, std::string_view node_name,
                              bool available) const;
  void withdraw(Held& held);
  void note_gone(const Entities& before);
  void remove_long_gone();

  NodeContext& node_;
  const NodeDevices& devices_;
  std::vector<Listed> listed_;
  Entities entities_;
  EntityIndex index_;
  std::vector<Gone> gone_;
  bool available_ = false;
};

}  // namespace hearth::integrations::esphome
