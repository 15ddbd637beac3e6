// SPDX-License-Identifier: Apache-2.0
// Answers what this hub reads of configuration.yaml by reading it, for the import of another hub's home. Any thread.
#pragma once

#include <span>

#include "app/settings/settings.h"
#include "import_ha/files/known_configuration.h"

namespace hearth::app {

// The integrations must outlive it.
import_ha::KnownConfiguration known_words(std::span<const KnownIntegration> integrations);

}  // namespace hearth::app
