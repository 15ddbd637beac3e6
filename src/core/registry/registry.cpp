// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "core/registry/former_entries.h"
#include "core/registry/registry_edit.h"
#include "core/registry/registry_editor.h"

namespace hearth::core {
namespace {

using base::Result;

std::unexpected<base::Error> not_found(std::string_view what, std::string_view id) {
  return base::fail(base::ErrorCode::not_found, fmt::format("There is no {} {}.", what, base::utf8_excerpt(id)));
}

// The slug of the name, with a number appended if it is taken.
std::string free_id(const std::string& name, std::string_view otherwise, const auto& taken) {
  std::string slug = slugify(name);
  if (slug.empty()) slug = otherwise;
  std::string id = slug;
  for (int n = 2; taken.contains(id); ++n) id = fmt::format("{}_{}", slug, n);
  return id;
}

Area new_area(const std::string& name, const RegistryData& data) {
  int position = 0;
  for (const auto& [id, area] : data.areas) position = std::max(position, area.position + 1);
  return {.id = free_id(name, "area", data.areas), .name = {}, .position = position};
}

Floor new_floor(const std::string& name, const RegistryData& data) {
  int position = 0;
  for (const auto& [id, floor] : data.floors) position = std::max(position, floor.position + 1);
  return {.id = free_id(name, "floor", data.floors), .name = {}, .position = position};
}

bool share_mark(const Device& one, const Device& other) {
  const auto share = [](const auto& marks, const auto& others) {
    return std::ranges::any_of(marks, [&](const auto& mark) { return others.contains(mark); });
  };
  return share(one.identifiers, other.identifiers) || share(one.connections, other.connections);
}

// The same device, if nobody but providers has its entities. Null if there is none.
const Device* find_device_elsewhere(const RegistryData& data, const Device& device) {
  if (data.entities_elsewhere == 0) return nullptr;  // so that the many devices of a broker cost nothing
  for (const auto& [id, known] : data.devices) {
    const auto* const members = data.entities_of_device.find(id);
    if (!members || !share_mark(known, device)) continue;
    const bool all =
        std::ranges::all_of(*members, [](const auto& entry) { return !provider_of(entry.second).empty(); });
    if (all && known.integration != kFleetIntegration) return &known;
  }
  return nullptr;
}

Result<void> update(RegistryEditor& editor, const DeviceChange& change) {
  const Device* const former = editor.data().devices.find(change.id);
  if (!former) return not_found("device", change.id);
  Device device = *former;
  if (auto applied = apply(change.edit, device, editor.data()); !applied) return applied;
  editor.put(std::move(device));
  const auto* const members = editor.data().entities_of_device.find(change.id);
  if (!change.hidden || !members) return {};
  // A copy, because the index changes meanwhile.
  for (const auto group = *members; const auto& [entity_id, entry] : group) {
    if (entry.hidden_by == ChangedBy::integration) continue;
    RegisteredEntity entity = entry;
    entity.hidden_by = *change.hidden ? std::optional(ChangedBy::user) : std::nullopt;
    editor.put(std::move(entity));
  }
  return {};
}

bool has_each_once(const std::vector<std::string>& ids, const auto& entries) {
  const Texts named(ids.begin(), ids.end());
  return named.size() == ids.size() && ids.size() == entries.size() &&
         std::ranges::all_of(named, [&](const std::string& id) { return entries.contains(id); });
}

}  // namespace

Result<void> Registry::change(IfFull if_full, const Context& context, const Apply& apply) {
  for (;;) {
    // Freed after the turn, not within it.
    const auto before = data_.load_once();
    RegistryEditor editor(*before, clock_.now());
    if (Result<void> done = apply(editor); !done) return done;
    if (!editor.changed()) return {};
    if (Result<void> done = editor.finish(); !done) return done;
    auto next = std::make_shared<RegistryData>(editor.data());
    next->version = before->version + 1;
    std::vector<std::shared_ptr<Event>> events;
    for (const auto& note : editor.notes()) {
      events.push_back(std::make_shared<Event>(note.type, note.data_json, Origin::local, context));
      events.back()->registry_change = std::make_shared<const RegistryChange>(note.change);
    }
    EventBus::Turn turn(bus_, if_full, events.size());
    if (!turn) return EventBus::full();
    if (data_.load_once() != before) continue;
    data_.publish(std::move(next));
    for (auto& event : events) turn.fire(std::move(event));
    return {};
  }
}

void Registry::restore(RegistryData data) {
  data.add_missing_labels(clock_.now());
  data_.publish(std::make_shared<const RegistryData>(std::move(data)));
}

Result<Floor> Registry::create_floor(FloorEdit edit, const Context& context) {
  Floor floor;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!edit.name) edit.name.emplace();
    floor = new_floor(*edit.name, editor.data());
    if (auto applied = apply(edit, floor, editor.data()); !applied) return applied;
    editor.put(floor);
    floor = editor.data().floors.at(floor.id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return floor;
}

Result<Floor> Registry::update_floor(const std::string& id, FloorEdit edit, const Context& context) {
  Floor floor;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const Floor* const former = editor.data().floors.find(id);
    if (!former) return not_found("floor", id);
    floor = *former;
    if (auto applied = apply(edit, floor, editor.data()); !applied) return applied;
    editor.put(floor);
    floor = editor.data().floors.at(id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return floor;
}

Result<void> Registry::delete_floor(const std::string& id, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!editor.data().floors.contains(id)) return not_found("floor", id);
    editor.erase_floor(id);
    return {};
  });
}

Result<Area> Registry::create_area(AreaEdit edit, const Context& context) {
  Area area;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!edit.name) edit.name.emplace();
    area = new_area(*edit.name, editor.data());
    if (auto applied = apply(edit, area, editor.data()); !applied) return applied;
    editor.put(area);
    area = editor.data().areas.at(area.id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return area;
}

Result<Area> Registry::update_area(const std::string& id, AreaEdit edit, const Context& context) {
  Area area;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const Area* const former = editor.data().areas.find(id);
    if (!former) return not_found("area", id);
    area = *former;
    if (auto applied = apply(edit, area, editor.data()); !applied) return applied;
    editor.put(area);
    area = editor.data().areas.at(id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return area;
}

Result<void> Registry::delete_area(const std::string& id, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!editor.data().areas.contains(id)) return not_found("area", id);
    editor.erase_area(id);
    return {};
  });
}

Result<void> Registry::reorder_areas(const std::vector<std::string>& ids, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!has_each_once(ids, editor.data().areas))
      return base::fail(base::ErrorCode::invalid, "area_ids: expected the id of each area once");
    editor.reorder_areas(ids);
    return {};
  });
}

Result<void> Registry::reorder_floors(const std::vector<std::string>& ids, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!has_each_once(ids, editor.data().floors))
      return base::fail(base::ErrorCode::invalid, "floor_ids: expected the id of each floor once");
    editor.reorder_floors(ids);
    return {};
  });
}

Result<Device> Registry::update_device(const std::string& id, DeviceEdit edit, const Context& context) {
  Device device;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const Device* const former = editor.data().devices.find(id);
    if (!former) return not_found("device", id);
    device = *former;
    if (auto applied = apply(edit, device, editor.data()); !applied) return applied;
    editor.put(device);
    device = editor.data().devices.at(id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return device;
}

Result<std::vector<Result<void>>> Registry::update_devices(const std::vector<DeviceChange>& changes,
                                                           const Context& context) {
  std::vector<Result<void>> results;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    results.clear();
    for (const DeviceChange& each : changes) results.push_back(update(editor, each));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return results;
}

Result<RegisteredEntity> Registry::update_entity(const std::string& entity_id, EntityEdit edit, const Context& context,
                                                 const RegisteredEntity* unregistered) {
  RegisteredEntity entity;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const RegisteredEntity* const former = editor.data().entities.find(entity_id);
    if (!former && !unregistered) return not_found("entity", entity_id);
    entity = former ? *former : *unregistered;
    if (former && unregistered) {
      entity.original_name = unregistered->original_name;
      entity.original_icon = unregistered->original_icon;
      entity.original_device_class = unregistered->original_device_class;
    }
    if (auto applied = apply(edit, entity, editor.data()); !applied) return applied;
    if (entity.entity_id == entity_id)
      editor.put(entity);
    else
      editor.rename(entity_id, entity);
    entity = editor.data().entities.at(entity.entity_id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return entity;
}

Result<void> Registry::remove_entity(const std::string& entity_id, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const RegisteredEntity* const entity = editor.data().entities.find(entity_id);
    if (!entity) return not_found("entity", entity_id);
    if (entity->provided) {
      return base::fail(base::ErrorCode::conflict,
                        fmt::format("{} is there as long as {} brings it; it can be disabled.", entity_id,
                                    entity->provider.empty() ? entity->integration : entity->provider));
    }
    editor.remember_entity(entity_id);
    editor.erase_entity(entity_id);
    return {};
  });
}

Floor Registry::ensure_floor(const std::string& name, std::optional<int> level) {
  Floor floor;
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    for (const auto& [id, known] : editor.data().floors) {
      if (!same_name(known.name, name)) continue;
      floor = known;
      return {};
    }
    floor = new_floor(name, editor.data());
    floor.name = name;
    floor.level = level;
    editor.put(floor);
    return {};
  }));
  return floor;
}

Area Registry::ensure_area(const std::string& name, OptionalText floor_id, OptionalText icon) {
  Area area;
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    for (const auto& [id, known] : editor.data().areas) {
      if (!same_name(known.name, name)) continue;
      area = known;
      return {};
    }
    area = new_area(name, editor.data());
    area.name = name;
    area.floor_id = floor_id;
    area.icon = icon;
    editor.put(area);
    return {};
  }));
  return area;
}

Device Registry::put_device(Device device) {
  const Device fresh = std::move(device);
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    device = fresh;
    if (const Device* const former = editor.data().devices.find(device.id)) {
      keep_user_fields(*former, device);
    } else if (const auto gone = editor.take_back(device)) {
      if (!editor.data().devices.contains(gone->id)) device.id = gone->id;
      keep_user_fields(*gone, device);
    } else if (const Device* const elsewhere = find_device_elsewhere(editor.data(), device)) {
      device.id = elsewhere->id;
      keep_user_fields(*elsewhere, device);
    }
    editor.put(device);
    device = editor.data().devices.at(device.id);
    return {};
  }));
  return device;
}

void Registry::forget_devices(const Texts& ids) {
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    editor.remember_devices(ids);
    editor.erase_devices(ids);
    return {};
  }));
}

void Registry::forget_integration(const IntegrationParts& parts) {
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    for (const std::string& id : parts.entities)
      if (editor.data().entities.contains(id)) editor.erase_entity(id);
    editor.erase_devices(parts.devices);
    for (const std::string& id : parts.areas)
      if (editor.data().areas.contains(id)) editor.erase_area(id);
    for (const std::string& id : parts.floors)
      if (editor.data().floors.contains(id)) editor.erase_floor(id);
    return {};
  }));
}

void Registry::forget_entity(const std::string& id) {
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    const RegisteredEntity* const entity = editor.data().find_entity_by_id(id);
    if (!entity) return {};
    const std::string entity_id = entity->entity_id;
    editor.remember_entity(entity_id);
    editor.erase_entity(entity_id);
    return {};
  }));
}

}  // namespace hearth::core
