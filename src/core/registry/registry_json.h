// SPDX-License-Identifier: Apache-2.0
// Floors, areas, devices, entities and items as JSON, with the keys that clients know; times in seconds since 1970.
// Fields without a key, such as `provided`, are left out. Any thread.
#pragma once

#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/registry_data.h"

namespace hearth::core {

json::object to_json(const Floor& floor);
json::object to_json(const Area& area);
json::object to_json(const Device& device);
json::object to_json(const RegisteredEntity& entity);
json::object to_json(const Item& item);
// With what clients do not see so.
json::object to_stored_json(const Device& device);
json::object to_stored_json(const RegisteredEntity& entity);

// The reverse: a missing field keeps its default. Fails with invalid; the message names the field.
base::Result<Floor> floor_from_json(const json::object& object);
base::Result<Area> area_from_json(const json::object& object);
base::Result<Device> device_from_json(const json::object& object);
base::Result<RegisteredEntity> entity_from_json(const json::object& object);
base::Result<Item> item_from_json(const json::object& object);

}  // namespace hearth::core
