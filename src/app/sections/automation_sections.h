// SPDX-License-Identifier: Apache-2.0
// Reads the keys of configuration.yaml for automations and the like: automation, script, scene and template, domains
// with lists of platforms, such as sensor, helpers, such as input_boolean, and services by name, such as shell_command.
// Each also with a label (`automation
// kitchen`), and in homeassistant.packages. Any thread.
#pragma once

#include <functional>
#include <string_view>

#include "app/files/finding.h"
#include "app/files/yaml_files.h"
#include "automation/items/sections.h"
#include "base/config/config_node.h"
#include "base/config/config_reader.h"

namespace hearth::app {

constexpr std::string_view kPackagesKey = "packages";

// `home`: the section home, which may hold the packages; null if there is none. Packages may also have sections whose
// name `is_read_elsewhere`. What a package has besides is left out, with a finding.
automation::Sections read_automation_sections(base::ConfigReader& in, const base::ConfigNode* home,
                                              const base::ConfigNode& root,
                                              const std::function<bool(std::string_view)>& is_read_elsewhere,
                                              Findings& findings);

// True if entities or services are made of such an item of a domain's list.
bool knows_platform(std::string_view domain, std::string_view platform);

// Adds automations.yaml, scripts.yaml and scenes.yaml, which count even if nothing includes them.
void read_files_besides(YamlFiles& files, automation::Sections& sections);

// Adds the keys of one part of a configuration, such as a scenario's; others are faults.
void read_parts(automation::Sections& sections, const base::ConfigNode& part);
// Adds the parts. A script or helper that both have is the one of `parts`.
void add_parts(automation::Sections& sections, automation::Sections parts);

}  // namespace hearth::app
