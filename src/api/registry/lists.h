// SPDX-License-Identifier: Apache-2.0
// Lists the parts of the registry that a caller may read, as JSON arrays, for commands and GET /api/registry. Any
// thread.
#pragma once

#include <string>

#include "api/integrations/config_entry.h"
#include "core/view.h"

namespace hearth::api {

// In the order that people gave them.
std::string area_list(const core::ReadableRegistry& registry);
std::string floor_list(const core::ReadableRegistry& registry);
// By their ids.
std::string device_list(const core::ReadableRegistry& registry, const ConfigEntryIds& entries);
// The entities that have an entry, without the fields that only the page about one entity shows.
std::string entity_list(const core::ReadableRegistry& registry, const ConfigEntryIds& entries);

}  // namespace hearth::api
