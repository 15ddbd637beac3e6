// SPDX-License-Identifier: Apache-2.0
// Helpers with their ids: those with a file of their own, zones, persons and tags among them, and those that are
// entries of integrations. Each becomes an item of this hub's collection of that name; entries of `template` become
// YAML, and so do devices of MQTT. Entries of other integrations are told: built in, left, or what can be done instead.
//
// One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "import_ha/files/files_step.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"
#include "import_ha/steps/mqtt_devices.h"
#include "import_ha/steps/registry_step.h"

namespace hearth::import_ha {

struct HelpersPlan {
  const Source& source;
  core::RegistryData& data;          // items are added
  const OldRegistry& old;            // entity ids by registry id
  std::filesystem::path home;        // the new home, as it is made: templates and pictures go there
  std::set<std::string> users = {};  // ids of users that are there
  std::string zone = "UTC";          // of the home
  bool mqtt = false;                 // there is a connection to the broker
  CheckComponents check_components = {};
};

// Fails with unavailable or invalid if a file cannot be used.
base::Result<void> import_helpers(const HelpersPlan& plan, Report& report);

}  // namespace hearth::import_ha
