// SPDX-License-Identifier: Apache-2.0
// The states of a past moment, as the difference to the present.
#pragma once

#include <map>
#include <string>

#include "core/states/state.h"

namespace hearth::templates {

// Former states of entities, by id; null if there was none. An entity that is not in it was as it is now.
using PastStates = std::map<std::string, core::StatePtr, std::less<>>;

}  // namespace hearth::templates
