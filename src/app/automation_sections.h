// SPDX-License-Identifier: Apache-2.0
// The keys of configuration.yaml that say what happens by itself: automation, script, scene and template, domains with
// lists of platforms, such as sensor, and helpers, such as input_boolean. Each also with a label (`automation
// kitchen`), and in homeassistant.packages. Any thread.
#pragma once

#include <string_view>

#include "app/yaml_files.h"
#include "automation/sections.h"
#include "base/config_node.h"
#include "base/config_reader.h"

namespace hearth::app {

constexpr std::string_view kPackagesKey = "packages";

// Whether an error at this key, which counts from the whole file, leaves the rest of the configuration in force.
bool tolerates_faults(std::string_view key);

// `home`: the reader of the section home, which may hold the packages.
automation::Sections read_automation_sections(base::ConfigReader& in, base::ConfigReader& home,
                                              const base::ConfigNode& root);

// Adds automations.yaml, scripts.yaml and scenes.yaml, which count even if nothing includes them.
void read_files_besides(YamlFiles& files, automation::Sections& sections);

// Adds the keys of one part of a configuration, such as a scenario's; others are faults.
void read_parts(automation::Sections& sections, const base::ConfigNode& part);
// Adds the parts. A script or helper that both have is the one of `parts`.
void add_parts(automation::Sections& sections, automation::Sections parts);

}  // namespace hearth::app
