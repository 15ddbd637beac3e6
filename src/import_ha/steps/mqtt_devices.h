// SPDX-License-Identifier: Apache-2.0
// Devices that people described on the old hub's pages of MQTT, the subentries of its entry, as components of the
// section mqtt of configuration.yaml: with the same unique ids and the same device, so that they take their entries of
// the registry. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/config/config_node.h"
#include "base/json/json.h"
#include "import_ha/report/report.h"
#include "import_ha/steps/config_entries.h"

namespace hearth::import_ha {

// Says what is wrong with the components of a section mqtt.
using CheckComponents = std::function<std::vector<std::string>(const base::ConfigNode& section)>;

// Adds each device's components to the lists of `section`, by component, and tells its fate.
void take_mqtt_devices(const ConfigEntry& entry, const CheckComponents& check, json::object& section, Report& report);

}  // namespace hearth::import_ha
