// SPDX-License-Identifier: Apache-2.0
// The files that people wrote: configuration.yaml, line by line, with all that it includes; automations, scripts and
// scenes; secrets; blueprints, templates and www; dashboards of YAML. What this hub does not read goes, commented out,
// into left-behind.yaml.
//
// One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "import_ha/files/known_configuration.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"
#include "storage/database.h"

namespace hearth::import_ha {

struct FilesPlan {
  const Source& source;
  std::filesystem::path home;  // the new home, as it is made; exists
  const KnownConfiguration& known;
  bool side_by_side = false;  // the old hub goes on running: its port is not taken
  storage::GoOn go_on = [] { return true; };
};

struct CarriedFiles {
  // The file of history that `db_url` names, as it stands there, for Source::open_history; empty: the usual one.
  std::filesystem::path database = {};
  bool database_elsewhere = false;       // it is in a server: there is none to carry, and the report says so
  std::vector<std::string> left = {};    // sections that are not carried, such as rest_command
  std::optional<std::string> keep = {};  // of recorder, as this hub writes it: 30d, forever; null: its default
};

// Entries of `template` that were made on the old hub's pages; another step has written the file by then, if there are
// any, and configuration.yaml includes it.
constexpr std::string_view kTemplatesFile = "ha-templates.yaml";
// Likewise devices of MQTT.
constexpr std::string_view kMqttFile = "ha-mqtt.yaml";
constexpr std::string_view kLeftBehindFile = "left-behind.yaml";
constexpr std::string_view kLeftBehindFolder = "left-behind";

// Fails with invalid if the source has neither configuration.yaml nor core.config, with unavailable if a file cannot be
// read or written, or go_on says no.
base::Result<CarriedFiles> carry_files(const FilesPlan& plan, Report& report);

}  // namespace hearth::import_ha
