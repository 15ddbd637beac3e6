// SPDX-License-Identifier: Apache-2.0
// Dashboards with their resources, for the frontend of the old hub that this one can serve; the meters of energy; what
// its pages keep of the home as a whole.
//
// One thread.
#pragma once

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

// Adds items to `data`. Fails with unavailable or invalid if a file cannot be used.
base::Result<void> import_dashboards(const Source& source, core::RegistryData& data, Report& report);

}  // namespace hearth::import_ha
