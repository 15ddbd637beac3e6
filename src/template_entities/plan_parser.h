// SPDX-License-Identifier: Apache-2.0
// Reads the template entities of the configuration: `template:` and the old `platform: template` of their domains. An
// entity with errors is kept, with the text of its errors. Any thread.
#pragma once

#include "automation/items/sections.h"
#include "template_entities/plan.h"

namespace hearth::template_entities {

// Skips items of platforms that knows_platform does not know.
Configuration parse_configuration(const automation::Sections& sections);
// True if anybody reads `platform: NAME` in the domain's list: template entities, groups, sensors made of others.
bool knows_platform(std::string_view domain, std::string_view platform);

// Every error, of entities and of the rest, in lines.
std::vector<std::string> errors_of(const Configuration& configuration);

}  // namespace hearth::template_entities
