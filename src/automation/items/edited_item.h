// SPDX-License-Identifier: Apache-2.0
// An automation that somebody is still writing, checked among those of a configuration. Any thread.
#pragma once

#include <string_view>

#include "automation/items/sections.h"

namespace hearth::automation {

// Puts the automation in the place of the one that has the same `id`; after all others if there is none. Secrets that
// it has masked, as clients see them, are those of the former one at the same place. Fails with invalid if it has no
// `id`.
base::Result<void> put_edited(Sections& sections, const base::ConfigNode& automation);

}  // namespace hearth::automation
