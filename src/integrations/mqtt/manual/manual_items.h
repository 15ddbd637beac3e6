// SPDX-License-Identifier: Apache-2.0
// The components that people describe in configuration.yaml under `mqtt`, beside the keys of the connection:
//   mqtt:
//     sensor:
//       - {name: Balcony, state_topic: balcony/temperature}
// or as a list of such maps. What is wrong with one says so and keeps the others from nothing. Any thread.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"
#include "integrations/mqtt/components/message_templates.h"
#include "integrations/mqtt/discovery/message.h"

namespace hearth::integrations::mqtt {

struct ManualItem {
  std::string component;
  base::ConfigNode node;  // a map
};

// Something that is no item.
struct ManualFault {
  std::string place, reason;

  // As it is shown: the place, unless the reason names another one itself.
  std::string text() const;
};

struct ManualItems {
  std::vector<ManualItem> items = {};
  std::vector<ManualFault> faults = {};
  // Components of which something could not be read; empty text: everything. What they had before is not given up.
  std::set<std::string, std::less<>> unread = {};

  bool may_have(std::string_view component) const { return unread.contains("") || unread.contains(component); }
};

// True if an entry of the section `mqtt` is about components, not about the connection.
bool is_manual(const base::ConfigNode::Entry& entry);
// The keys of the connection, and a list for each component that one of the sections has: each a map, a list of maps,
// or broken.
base::ConfigNode joined_sections(const base::ConfigNode& connection, std::span<const base::ConfigNode> sections);
// Of such a joined section, or of one map.
ManualItems read_manual_items(const base::ConfigNode& section);

// An item as a message of discovery would say it.
struct ManualDescription {
  Description description;                // keys that the component does not know are dropped
  std::string place;                      // configuration.yaml:14: mqtt.sensor[0]
  std::string text;                       // equal ones say the same
  std::vector<std::string> secrets = {};  // keys whose values must not be shown
};
ManualDescription describe_item(const ManualItem& item);
// The id of an item without unique_id; more than one may have it.
std::string own_id(const ManualItem& item);

// The item's error, as people read it: file, line, component, key.
std::vector<std::string> faults_of(const ManualItem& item, const std::vector<DroppedKey>& dropped,
                                   std::string_view refusal);
// Everything that is wrong with the items of the section, without a home.
std::vector<std::string> check_manual_items(const base::ConfigNode& section);

}  // namespace hearth::integrations::mqtt
