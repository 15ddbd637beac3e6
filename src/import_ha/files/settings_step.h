// SPDX-License-Identifier: Apache-2.0
// The settings that the old hub's pages have set: the home's name, place and units of core.config, and the connection
// of its entry of mqtt. Certificates become files of the new home.
//
// One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/config/config_node.h"
#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

struct SettingsPlan {
  const Source& source;
  std::filesystem::path home;        // the new home, as it is made: certificates go there
  std::filesystem::path final_home;  // where it will be in the end; absolute
  bool side_by_side = false;         // the old hub goes on running
  bool credentials = true;           // with the password of the broker
  // Names the errors of values as app::HomeSettings stores them; each call has one key. With several errors all count.
  std::function<base::Result<void>(const base::ConfigNode& values)> check_home;
  // Of all values as app::MqttSettings stores them, together.
  std::function<base::Result<void>(const base::ConfigNode& values)> check_mqtt;
};

// Keys and values as texts, as they would stand in configuration.yaml.
struct CarriedSettings {
  std::map<std::string, std::string> home;  // rows of the table home_settings
  std::map<std::string, std::string> mqtt;  // rows of the table mqtt_settings; empty: no connection
  std::optional<double> radius;             // of zone.home, metres
};

// Fails with invalid if a file of the source is wrong, with unavailable if one cannot be read or written.
base::Result<CarriedSettings> carry_settings(const SettingsPlan& plan, Report& report);

}  // namespace hearth::import_ha
