// SPDX-License-Identifier: Apache-2.0
// Floors, areas, devices and entities as JSON, under the names by which clients know their fields; times in seconds
// since 1970. What has no place there, as `provided`, is left out. Any thread.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "core/registry_data.h"

namespace hearth::core {

json::object to_json(const Floor& floor);
json::object to_json(const Area& area);
json::object to_json(const Device& device);
json::object to_json(const RegisteredEntity& entity);

// The other way: a field that is missing is as in a new one. Fails with invalid; the message names the field.
base::Result<Floor> floor_from_json(const json::object& object);
base::Result<Area> area_from_json(const json::object& object);
base::Result<Device> device_from_json(const json::object& object);
base::Result<RegisteredEntity> entity_from_json(const json::object& object);

}  // namespace hearth::core
