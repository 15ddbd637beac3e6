// SPDX-License-Identifier: Apache-2.0
// The parts of a simulated home as a configuration writes them, and what is wrong with them. Any thread.
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
