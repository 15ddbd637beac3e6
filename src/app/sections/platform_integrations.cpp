// SPDX-License-Identifier: Apache-2.0
#include "app/sections/platform_integrations.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "automation/config/parsing.h"

namespace hearth::app {
namespace {

using base::ConfigNode;

ConfigNode::List parts_of(const ConfigNode& section) {
  if (section.is_list()) return section.items();
  return section.is_empty() ? ConfigNode::List() : ConfigNode::List{section};
}

void append(ConfigNode::Map& sections, std::string_view name, const ConfigNode& added) {
  const auto section = std::ranges::find(sections, name, &ConfigNode::Entry::key);
  if (section == sections.end()) return static_cast<void>(sections.push_back({std::string(name), added}));
  ConfigNode::List parts = parts_of(section->value);
  std::ranges::move(parts_of(added), std::back_inserter(parts));
  section->value = ConfigNode(section->value.place(), std::move(parts));
}

}  // namespace

std::string_view integration_of_platform(std::string_view domain, std::string_view platform) {
  const bool known = (domain == "calendar" && platform == "caldav") || (domain == "sensor" && platform == "dsmr");
  return known ? platform : std::string_view();
}

ConfigNode::Map with_other_places(ConfigNode::Map sections, std::span<const std::string_view> integrations,
                                  const ConfigNode* packages, const automation::Sections& automations) {
  if (packages) {
    for (const ConfigNode::Entry& package : packages->entries()) {
      for (const ConfigNode::Entry& entry : package.value.entries())
        if (std::ranges::find(integrations, entry.key) != integrations.end()) append(sections, entry.key, entry.value);
    }
  }
  for (const auto& [domain, list] : automations.platforms) {
    for (const ConfigNode& item : automation::one_or_many(&list)) {
      const ConfigNode* const platform = item.find("platform");
      const auto name = platform ? platform->text() : std::string();
      if (!name) continue;
      const std::string_view integration = integration_of_platform(domain, *name);
      if (!integration.empty()) append(sections, integration, ConfigNode(item.place(), ConfigNode::List{item}));
    }
  }
  return sections;
}

}  // namespace hearth::app
