// SPDX-License-Identifier: Apache-2.0
// The section http for a home whose configuration.yaml has none: what the old hub had in force is in .storage/http. One
// thread.
#pragma once

#include <string>

#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

// Lines for the end of configuration.yaml; empty if all is as it is by default. Fails as Source::read_storage.
base::Result<std::string> stored_http(const Source& source, bool side_by_side, Report& report);

constexpr std::string_view kCastOrigin = "https://cast.home-assistant.io";  // allowed there by default

// TLS of the old hub, which does not come.
void leave_tls(const std::string& key, std::string file, int line, Report& report);

}  // namespace hearth::import_ha
