// SPDX-License-Identifier: Apache-2.0
// Functions of areas, floors, labels and devices. What the caller may not read is absent.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "template/language/builtins.h"
#include "template/language/home.h"
#include "template/language/render.h"

namespace hearth::templates {
namespace {

using Registry = core::ReadableRegistry;
using Ids = std::set<std::string>;

// The registry that the caller may read; null without a home.
std::optional<Registry> registry_of(Call& call) {
  call.render.saw_registry();
  if (!call.render.environment.home) return {};
  return call.render.environment.home->registry();
}

Value list_of(const Ids& ids) {
  Values values;
  for (const std::string& id : ids) values.emplace_back(std::string_view(id));
  return Value::list(std::move(values));
}

Value optional(const core::OptionalText& text) {
  return text ? Value(*text) : Value();
}

// The entity's own area, otherwise its device's.
core::OptionalText area_of(const Registry& registry, const core::RegisteredEntity& entity) {
  if (entity.area_id) return entity.area_id;
  const auto* const device = entity.device_id ? registry.find_device(*entity.device_id) : nullptr;
  return device ? device->area_id : std::nullopt;
}

// The id of the area that an id or name, an entity or a device leads to.
core::OptionalText area_id_of(const Registry& registry, std::string_view key) {
  core::OptionalText found;
  registry.for_each_area([&](const core::Area& area) {
    charge();
    if (area.id == key || area.name == key || area.aliases.contains(std::string(key))) found = area.id;
  });
  if (found) return found;
  if (const auto* entity = registry.find_entity(key)) return area_of(registry, *entity);
  const auto* const device = registry.find_device(key);
  return device ? device->area_id : std::nullopt;
}

core::OptionalText floor_id_of(const Registry& registry, std::string_view key) {
  core::OptionalText found;
  registry.for_each_floor([&](const core::Floor& floor) {
    charge();
    if (floor.id == key || floor.name == key || floor.aliases.contains(std::string(key))) found = floor.id;
  });
  if (found) return found;
  const auto area_id = area_id_of(registry, key);
  const auto* const area = area_id ? registry.find_area(*area_id) : nullptr;
  return area ? area->floor_id : std::nullopt;
}

template <class Function>
Value with(Call& call, std::string_view name, Value otherwise, Function&& function) {
  const Parameters in(call, name, {"lookup_value"}, 1);
  const auto registry = registry_of(call);
  if (!registry) return otherwise;
  return function(*registry, in.text(0, ""));
}

Value areas(Call& call) {
  const Parameters in(call, "areas", {}, 0);
  const auto registry = registry_of(call);
  Ids ids;
  if (registry) registry->for_each_area([&](const core::Area& area) { ids.insert(area.id); });
  return list_of(ids);
}

Value floors(Call& call) {
  const Parameters in(call, "floors", {}, 0);
  const auto registry = registry_of(call);
  Ids ids;
  if (registry) registry->for_each_floor([&](const core::Floor& floor) { ids.insert(floor.id); });
  return list_of(ids);
}

Value area_name(Call& call) {
  return with(call, "area_name", {}, [](const Registry& registry, const std::string& key) -> Value {
    const auto id = area_id_of(registry, key);
    const auto* const area = id ? registry.find_area(*id) : nullptr;
    return area ? Value(area->name) : Value();
  });
}

Value floor_name(Call& call) {
  return with(call, "floor_name", {}, [](const Registry& registry, const std::string& key) -> Value {
    const auto id = floor_id_of(registry, key);
    const auto* const floor = id ? registry.find_floor(*id) : nullptr;
    return floor ? Value(floor->name) : Value();
  });
}

void add_entities_of_area(const Registry& registry, std::string_view area_id, Ids& ids) {
  Ids devices;
  registry.for_each_device([&](const core::Device& device) {
    charge();
    if (device.area_id == area_id) devices.insert(device.id);
  });
  registry.for_each_entity([&](const core::RegisteredEntity& entity) {
    charge();
    const bool by_device = !entity.area_id && entity.device_id && devices.contains(*entity.device_id);
    if (by_device || entity.area_id == area_id) ids.insert(entity.entity_id);
  });
}

Value area_entities(Call& call) {
  return with(call, "area_entities", list_of({}), [](const Registry& registry, const std::string& key) {
    Ids ids;
    if (const auto id = area_id_of(registry, key)) add_entities_of_area(registry, *id, ids);
    return list_of(ids);
  });
}

Value area_devices(Call& call) {
  return with(call, "area_devices", list_of({}), [](const Registry& registry, const std::string& key) {
    Ids ids;
    if (const auto id = area_id_of(registry, key)) {
      registry.for_each_device([&](const core::Device& device) {
        charge();
        if (device.area_id == *id) ids.insert(device.id);
      });
    }
    return list_of(ids);
  });
}

Value floor_areas(Call& call) {
  return with(call, "floor_areas", list_of({}), [](const Registry& registry, const std::string& key) {
    Ids ids;
    if (const auto id = floor_id_of(registry, key)) {
      registry.for_each_area([&](const core::Area& area) {
        charge();
        if (area.floor_id == *id) ids.insert(area.id);
      });
    }
    return list_of(ids);
  });
}

Value floor_entities(Call& call) {
  return with(call, "floor_entities", list_of({}), [](const Registry& registry, const std::string& key) {
    Ids ids;
    if (const auto id = floor_id_of(registry, key)) {
      registry.for_each_area([&](const core::Area& area) {
        charge();
        if (area.floor_id == *id) add_entities_of_area(registry, area.id, ids);
      });
    }
    return list_of(ids);
  });
}

core::OptionalText device_id_of(const Registry& registry, std::string_view key) {
  if (const auto* entity = registry.find_entity(key)) return entity->device_id;
  core::OptionalText found;
  if (const auto* device = registry.find_device(key)) return device->id;
  registry.for_each_device([&](const core::Device& device) {
    charge();
    if (!found && device.name_by_user.value_or(device.name.value_or("")) == key) found = device.id;
  });
  return found;
}

Value device_entities(Call& call) {
  return with(call, "device_entities", list_of({}), [](const Registry& registry, const std::string& key) {
    Ids ids;
    for (const std::string& id : registry.entities_of_device(key)) ids.insert(id);
    return list_of(ids);
  });
}

Value device_name(Call& call) {
  return with(call, "device_name", {}, [](const Registry& registry, const std::string& key) -> Value {
    const auto id = device_id_of(registry, key);
    const auto* const device = id ? registry.find_device(*id) : nullptr;
    return device ? optional(device->name_by_user ? device->name_by_user : device->name) : Value();
  });
}

Value attribute_of_device(const core::Device& device, std::string_view name) {
  const auto pairs = [](const auto& set) {
    Values values;
    for (const auto& [first, second] : set) values.push_back(Value::tuple({Value(first), Value(second)}));
    return Value::list(std::move(values));
  };
  if (name == "id") return Value(device.id);
  if (name == "name") return optional(device.name);
  if (name == "name_by_user") return optional(device.name_by_user);
  if (name == "area_id") return optional(device.area_id);
  if (name == "manufacturer") return optional(device.manufacturer);
  if (name == "model") return optional(device.model);
  if (name == "model_id") return optional(device.model_id);
  if (name == "sw_version") return optional(device.sw_version);
  if (name == "hw_version") return optional(device.hw_version);
  if (name == "serial_number") return optional(device.serial_number);
  if (name == "via_device_id") return optional(device.via_device_id);
  if (name == "configuration_url") return optional(device.configuration_url);
  if (name == "entry_type") return optional(device.entry_type);
  if (name == "identifiers") return pairs(device.identifiers);
  if (name == "connections") return pairs(device.connections);
  if (name == "labels") return list_of(device.labels);
  fail(FailureKind::value, fmt::format("a device has no attribute '{}'", name));
}

std::optional<Value> find_device_attribute(Call& call, const Parameters& in) {
  const auto registry = registry_of(call);
  const auto id = registry ? device_id_of(*registry, in.text(0, "")) : std::nullopt;
  const auto* const device = id ? registry->find_device(*id) : nullptr;
  if (!device) return {};
  return attribute_of_device(*device, in.text(1, ""));
}

Value device_attribute(Call& call) {
  const Parameters in(call, "device_attr", {"device_or_entity_id", "attr_name"}, 2);
  return find_device_attribute(call, in).value_or(Value());
}

Value is_device_attribute(Call& call) {
  const Parameters in(call, "is_device_attr", {"device_or_entity_id", "attr_name", "attr_value"}, 3);
  const auto found = find_device_attribute(call, in);
  return found && equal(*found, in[2]);
}

Value integration_entities(Call& call) {
  return with(call, "integration_entities", list_of({}), [](const Registry& registry, const std::string& integration) {
    Ids ids;
    registry.for_each_entity([&](const core::RegisteredEntity& entity) {
      charge();
      if (entity.integration == integration) ids.insert(entity.entity_id);
    });
    return list_of(ids);
  });
}

Value is_hidden(Call& call) {
  return with(call, "is_hidden_entity", false, [](const Registry& registry, const std::string& id) -> Value {
    const auto* const entity = registry.find_entity(id);
    return entity && entity->hidden_by.has_value();
  });
}

Value config_entry(Call& call) {
  return with(call, "config_entry_id", {}, [&](const Registry& registry, const std::string& id) -> Value {
    const auto* const entity = registry.find_entity(id);
    if (!entity || !call.render.environment.home) return {};
    for (const core::IntegrationStatus& status : call.render.environment.home->integrations())
      if (core::is_provided_by(*status.connection, *entity)) return Value(status.connection->entry_id);
    return {};
  });
}

Value area_id(Call& call) {
  return with(call, "area_id", {},
              [](const Registry& registry, const std::string& key) { return optional(area_id_of(registry, key)); });
}

Value device_id(Call& call) {
  return with(call, "device_id", {},
              [](const Registry& registry, const std::string& key) { return optional(device_id_of(registry, key)); });
}

Value floor_id(Call& call) {
  return with(call, "floor_id", {},
              [](const Registry& registry, const std::string& key) { return optional(floor_id_of(registry, key)); });
}

// A function that limited templates do not know.
template <Value (*function)(Call& call)>
Value beyond_lists(Call& call) {
  call.render.saw_beyond_lists();
  return function(call);
}

constexpr Builtin kRegistryFunctions[] = {
    {"area_devices", area_devices},
    {"area_entities", area_entities},
    {"area_id", beyond_lists<area_id>},
    {"area_name", beyond_lists<area_name>},
    {"areas", areas},
    {"config_entry_id", config_entry},
    {"device_attr", beyond_lists<device_attribute>},
    {"device_entities", device_entities},
    {"device_id", beyond_lists<device_id>},
    {"device_name", device_name},
    {"floor_areas", floor_areas},
    {"floor_entities", floor_entities},
    {"floor_id", beyond_lists<floor_id>},
    {"floor_name", beyond_lists<floor_name>},
    {"floors", floors},
    {"integration_entities", integration_entities},
    {"is_device_attr", beyond_lists<is_device_attribute>},
    {"is_hidden_entity", beyond_lists<is_hidden>},
};

}  // namespace

std::span<const Builtin> registry_functions() {
  return kRegistryFunctions;
}

}  // namespace hearth::templates
