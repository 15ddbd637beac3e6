// SPDX-License-Identifier: Apache-2.0
// The entities that integrations and providers bring.
#include <fmt/format.h>

#include "base/random_id.h"
#include "base/text/utf8.h"
#include "core/registry/former_entries.h"
#include "core/registry/registry.h"
#include "core/registry/registry_editor.h"

namespace hearth::core {
namespace {

using base::Result;

std::unexpected<base::Error> no_entity(std::string_view id) {
  return base::fail(base::ErrorCode::not_found, fmt::format("There is no entity {}.", base::utf8_excerpt(id)));
}

// Registers the entity as Registry::put_entity says.
Result<RegisteredEntity> place(RegistryEditor& editor, const Registry::Wanted& wanted, const std::string& new_id) {
  const RegistryData& data = editor.data();
  RegisteredEntity entity = wanted.entity;
  const EntityIdentity identity(entity.integration, wanted.id.domain(), wanted.entity.unique_id);
  entity.provided = true;
  entity.suggested_object_id = wanted.id.object_id();
  if (const auto* const former = data.find_entity(entity.integration, wanted.id.domain(), entity.unique_id)) {
    entity.id = former->id;
    entity.entity_id = former->entity_id;
    keep_user_fields(*former, entity);
  } else {
    const auto gone = editor.take_back(identity);
    const auto its_id = gone ? former_entity_id(*gone, wanted.id) : Result<EntityId>(wanted.id);
    const auto free = its_id && !data.entities.contains(its_id->str()) ? its_id : free_entity_id(wanted.id, data);
    if (!free) return std::unexpected(free.error());
    if (gone) entity.id = gone->id;
    if (entity.id.empty() || data.find_entity_by_id(entity.id)) entity.id = new_id;
    entity.entity_id = free->str();
    if (gone) keep_user_fields(*gone, entity);
  }
  std::string id = entity.entity_id;
  editor.put(std::move(entity));
  return editor.data().entities.at(id);
}

// Its area, name and labels, where the device has none.
Device with_places(Device device, const Device& from) {
  if (!device.area_id) device.area_id = from.area_id;
  if (!device.name_by_user) device.name_by_user = from.name_by_user;
  if (device.labels.empty()) device.labels = from.labels;
  return device;
}

}  // namespace

Result<RegisteredEntity> Registry::put_entity(const EntityId& wanted, RegisteredEntity entity) {
  const Wanted fresh{wanted, std::move(entity)};
  const std::string new_id = base::make_random_id();
  auto placed = Result<RegisteredEntity>(RegisteredEntity());
  auto done = change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    placed = place(editor, fresh, new_id);
    if (!placed) return std::unexpected(placed.error());
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return placed;
}

std::vector<Result<RegisteredEntity>> Registry::provide_entities(const std::vector<Wanted>& wanted) {
  std::vector<Result<RegisteredEntity>> placed;
  auto done = change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    placed.clear();
    for (const Wanted& each : wanted) {
      const RegisteredEntity& entity = each.entity;
      const auto* const known = editor.data().find_entity(entity.integration, each.id.domain(), entity.unique_id);
      if (known && known->provided && known->provider != entity.provider)
        placed.emplace_back(*known);
      else
        placed.push_back(place(editor, each, base::make_random_id()));
    }
    return {};
  });
  if (!done) placed.assign(wanted.size(), std::unexpected(done.error()));
  return placed;
}

void Registry::release_entities(const Texts& entity_ids) {
  static_cast<void>(change(IfFull::wait, Context::create(clock_.now()), [&](RegistryEditor& editor) -> Result<void> {
    for (const std::string& id : entity_ids) {
      const RegisteredEntity* const known = editor.data().entities.find(id);
      if (!known || !known->provided) continue;
      RegisteredEntity released = *known;
      released.provided = false;
      released.provider.clear();
      released.origin.reset();
      released.hops = 0;
      editor.put(released);
    }
    return {};
  }));
}

Result<RegisteredEntity> Registry::replace_entity(const std::string& from, const std::string& to,
                                                  const Context& context) {
  const std::string new_id = base::make_random_id();
  RegisteredEntity taking;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const RegisteredEntity* const left = editor.data().entities.find(from);
    if (!left) return no_entity(from);
    const RegisteredEntity* const known = editor.data().entities.find(to);
    if (!known) return no_entity(to);
    if (from == to || left->domain() != known->domain()) {
      return base::fail(base::ErrorCode::invalid, fmt::format("{} cannot take the place of {}: expected another entity "
                                                              "of the same domain",
                                                              base::utf8_excerpt(to), base::utf8_excerpt(from)));
    }
    taking = *known;
    RegisteredEntity rest = *left;
    keep_user_fields(rest, taking);
    taking.disabled_by = known->disabled_by;
    if (taking.pin_hash.empty()) taking.pin_hash = known->pin_hash;
    taking.entity_id = from;
    const auto free = free_entity_id(EntityId::parse(from).value(), editor.data());
    if (!free) return std::unexpected(free.error());
    const Device* const its_device = editor.data().device_of(rest);
    const Device* const device = editor.data().device_of(taking);
    if (device && its_device && device != its_device) editor.put(with_places(*device, *its_device));
    rest.options = {{rest.provider.empty() ? rest.integration : rest.provider, {{"moved_to", taking.id}}}};
    rest.id = new_id;
    rest.entity_id = free->str();
    rest.disabled_by = ChangedBy::integration;
    editor.replace(from, to, taking);
    editor.put(std::move(rest));
    taking = editor.data().entities.at(from);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return taking;
}

}  // namespace hearth::core
