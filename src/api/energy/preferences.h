// SPDX-License-Identifier: Apache-2.0
// The home's meters, as people have set them on pages. Any thread.
#pragma once

#include <set>
#include <string>

#include "core/view.h"
#include "energy/meters.h"

namespace hearth::api {

// Null if nothing is set, or the caller may not read what it names. Lives as long as the registry's.
const core::Item* find_energy_preferences(const core::View& home, const core::ReadableRegistry& registry);

// All that are named: meters, prices, money, devices.
std::set<std::string> statistics_of(const energy::Meters& meters);

}  // namespace hearth::api
