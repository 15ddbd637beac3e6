// SPDX-License-Identifier: Apache-2.0
// The entries of core.config_entries: what people added on the old hub's pages, by integration. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

struct ConfigEntry {
  std::string id, domain, title;
  json::object values;  // data, over which options win
  struct Part {
    std::string id, kind, title;
    json::object values;
  };
  std::vector<Part> parts = {};  // subentries
};

// In their order; entries without an id or a domain are reported as broken. Fails with unavailable or invalid if the
// file cannot be used.
base::Result<std::vector<ConfigEntry>> read_config_entries(const Source& source, Report& report);

}  // namespace hearth::import_ha
