// SPDX-License-Identifier: Apache-2.0
// Reads what the configuration says of template entities: `template:` and the old `platform: template` of their
// domains. One with errors is there all the same, with the text of its errors. Any thread.
#pragma once

#include "automation/sections.h"
#include "template_entities/plan.h"

namespace hearth::template_entities {

Configuration parse_configuration(const automation::Sections& sections);

// Every error, of entities and of the rest, in lines.
std::vector<std::string> errors_of(const Configuration& configuration);

}  // namespace hearth::template_entities
