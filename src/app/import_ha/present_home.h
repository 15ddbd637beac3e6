// SPDX-License-Identifier: Apache-2.0
// Looks at the running home for the list of what is still to do after an import. Any thread that may read the disk; it
// takes as long as `hearth check`.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "app/import_ha/to_do.h"
#include "app/settings/settings.h"
#include "base/result.h"
#include "core/hub.h"

namespace hearth::app {

// Calls `use` with the home, which lives that long. Fails if its databases or files cannot be read.
base::Result<void> with_present_home(const std::filesystem::path& folder, const core::Hub& hub,
                                     std::span<const KnownIntegration> integrations,
                                     const std::function<void(const PresentHome&)>& use);

}  // namespace hearth::app
