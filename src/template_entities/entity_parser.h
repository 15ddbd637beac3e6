// SPDX-License-Identifier: Apache-2.0
// Reads one template entity. Errors are noted in the reader. Any thread.
#pragma once

#include <string>

#include "automation/config/parsing.h"
#include "template_entities/plan.h"

namespace hearth::template_entities {

enum class Spelling { block, platform };  // of `template:`, or of the old `platform: template`

// The form, the ids and the place are there already.
void read_entity(base::ConfigReader& in, const base::ConfigNode& node, Spelling spelling, EntityPlan& plan);
// The steps under that key, as an item whose runs are its own; `owner` tells it apart. Null if there are none.
std::shared_ptr<const automation::Item> read_steps(base::ConfigReader& in, const base::ConfigNode* node,
                                                   const std::string& key, std::string_view owner);

}  // namespace hearth::template_entities
