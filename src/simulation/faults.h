// SPDX-License-Identifier: Apache-2.0
// Reads the parts of a simulated home from its configuration, and collects their faults. Any thread.
#pragma once

#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "simulation/world.h"

namespace hearth::simulation {

Parts parts_of(const automation::Sections& sections, const Imports& imports);
// Each once.
std::vector<std::string> faults_of(const Parts& parts);

}  // namespace hearth::simulation
