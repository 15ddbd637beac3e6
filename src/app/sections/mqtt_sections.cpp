// SPDX-License-Identifier: Apache-2.0
#include "app/sections/mqtt_sections.h"

#include <fmt/format.h>

#include <utility>

#include "integrations/mqtt/manual/manual_items.h"

namespace hearth::app {
namespace {

using base::ConfigNode;

// The entries of a map that are about components, or those that are not.
ConfigNode part_of(const ConfigNode& section, bool components) {
  ConfigNode::Map part;
  for (const ConfigNode::Entry& entry : section.entries()) {
    if (integrations::mqtt::is_manual(entry) == components) part.push_back(entry);
  }
  return ConfigNode(section.place(), std::move(part));
}

// Adds the components of a section that has no connection; `where` is for the error of one that has.
void add_components(MqttSections& read, const ConfigNode& section, std::string_view where) {
  if (section.is_map() && !part_of(section, false).entries().empty()) {
    read.components.emplace_back(
        section.place(), section.error(fmt::format("{} may describe components, such as sensor; the connection belongs "
                                                   "into configuration.yaml itself",
                                                   where)));
    read.components.push_back(part_of(section, true));
  } else {
    read.components.push_back(section);
  }
}

}  // namespace

bool is_mqtt_section(std::string_view key) {
  return key.substr(0, key.find(' ')) == kMqttKey;
}

MqttSections read_mqtt_sections(const ConfigNode& root, const ConfigNode* packages) {
  MqttSections read;
  if (const ConfigNode* const section = root.find(kMqttKey)) {
    const bool has_components = section->is_list() || section->broken();
    ConfigNode components = has_components ? *section : part_of(*section, true);
    const bool found = has_components || !components.entries().empty();
    if (found) read.components.push_back(std::move(components));
    if (!section->is_map()) {
      if (!has_components) read.connection = *section;
    } else if (ConfigNode connection = part_of(*section, false); !connection.entries().empty() || !found) {
      read.connection = std::move(connection);
    }
  }
  for (const ConfigNode::Entry& entry : root.entries()) {
    if (entry.key != kMqttKey && is_mqtt_section(entry.key))
      add_components(read, entry.value, fmt::format("the section {}", entry.key));
  }
  if (!packages) return read;
  for (const ConfigNode::Entry& package : packages->entries()) {
    for (const ConfigNode::Entry& entry : package.value.entries()) {
      if (is_mqtt_section(entry.key)) add_components(read, entry.value, fmt::format("the package {}", package.key));
    }
  }
  return read;
}

}  // namespace hearth::app
