// SPDX-License-Identifier: Apache-2.0
// The key `mqtt` of configuration.yaml and of homeassistant.packages: the connection to the broker, and the components
// that people describe beside it; with a label, as `mqtt garden`, components alone. Any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"

namespace hearth::app {

constexpr std::string_view kMqttKey = "mqtt";

struct MqttSections {
  // The keys of the connection, as the file has them; null if there are none beside components, or no such section.
  std::optional<base::ConfigNode> connection = {};
  // The other sections, unchecked: as integrations::mqtt::joined_sections takes them.
  std::vector<base::ConfigNode> components = {};
};

// `mqtt`, or that with a label.
bool is_mqtt_section(std::string_view key);

// `packages`: null if there are none.
MqttSections read_mqtt_sections(const base::ConfigNode& root, const base::ConfigNode* packages);

}  // namespace hearth::app
