// SPDX-License-Identifier: Apache-2.0
// Makes the plan of an entity from its description: its settings, names and ids. Bus thread only.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "integrations/mqtt/components/mqtt_entity.h"
#include "integrations/mqtt/discovery/message.h"

namespace hearth::integrations::mqtt {

// `device_name`: as the registry has it, empty if there is no device; `device_id` likewise. Drops what is wrong, and
// adds it to description.dropped. Fails with invalid if the entity cannot be made.
base::Result<EntityPlan> plan_entity(Description& description, std::string_view device_id, std::string_view device_name,
                                     TemplateTexts& templates);

// The name of an entity that has none of its own: "Temperature" for temperature.
std::string name_of_class(std::string_view device_class);

}  // namespace hearth::integrations::mqtt
