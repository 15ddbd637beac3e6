// SPDX-License-Identifier: Apache-2.0
// Changes the home's name, place and units while the hub runs, and checks configuration.yaml. The app implements it.
#pragma once

#include <string>

#include "base/config/config_node.h"
#include "base/result.h"
#include "core/bus/context.h"

namespace hearth::api {

class HomeSettings {
 public:
  virtual ~HomeSettings() = default;

  // A map of keys, named as GET /api/config has them, with values as configuration.yaml has them; all are set, or none.
  // Returns when they are on disk, in force, and core_config_updated is fired for those that differ. Waits for the
  // disk: the accounts' thread only. Fails with invalid where a value is wrong, conflict where configuration.yaml sets
  // the key and so it can be changed only there.
  virtual base::Result<void> change(const base::ConfigNode& changes, const core::Context& context) = 0;

  // Reads configuration.yaml. A line for each word that has no meaning here; empty if there are none. Waits for the
  // disk: the configuration's thread only. Fails with invalid; the message has a line for each error.
  virtual base::Result<std::string> check_file() const = 0;
};

}  // namespace hearth::api
