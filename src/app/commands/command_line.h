// SPDX-License-Identifier: Apache-2.0
// The program: `hearth serve`, `hearth user …`, `hearth token …`, `hearth backup`, `hearth restore`,
// `hearth check`, `hearth version`.
#pragma once

#include "app/connections/integrations.h"

namespace hearth::app {

// Returns the exit code; a failure has written one clear line to standard error.
int run_program(int argc, char** argv, Integrations integrations = all_integrations());

}  // namespace hearth::app
