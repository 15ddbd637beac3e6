// SPDX-License-Identifier: Apache-2.0
// The import of another hub's home asks these of the layers above it: which words this hub reads, its databases, and a
// look at the finished home.
#pragma once

#include <span>

#include "app/settings/settings.h"
#include "import_ha/import.h"

namespace hearth::app {

// The integrations must outlive the hooks. `progress` and `go_on` are the caller's to set.
import_ha::ImportHooks import_hooks(std::span<const KnownIntegration> integrations);

}  // namespace hearth::app
