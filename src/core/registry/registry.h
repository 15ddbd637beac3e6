// SPDX-License-Identifier: Apache-2.0
// The home's registry: floors, areas, devices and entities, and the items of collections. Readers take an immutable
// published version; each effective change publishes the next version and fires its events in one turn of the bus, so
// that events are in the order of the versions.
//
// Any thread. A reader never waits.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/threads/published.h"
#include "core/bus/event_bus.h"
#include "core/registry/integration_parts.h"
#include "core/registry/registry_data.h"
#include "core/values/entity_id.h"

namespace hearth::core {

class RegistryEditor;

// The fields to change; absent ones stay. Within a field, null deletes the value.
struct FloorEdit {
  std::optional<std::string> name = {};
  std::optional<std::optional<int>> level = {};
  std::optional<OptionalText> icon = {};
  std::optional<Texts> aliases = {};
};

struct AreaEdit {
  std::optional<std::string> name = {};
  std::optional<OptionalText> floor_id = {}, icon = {}, picture = {};
  std::optional<OptionalText> temperature_entity_id = {}, humidity_entity_id = {};
  std::optional<Texts> aliases = {}, labels = {};
};

struct DeviceEdit {
  std::optional<OptionalText> name_by_user = {}, area_id = {};
  std::optional<std::optional<ChangedBy>> disabled_by = {};
  std::optional<Texts> labels = {};
};

struct EntityEdit {
  std::optional<OptionalText> name = {}, icon = {}, device_class = {}, area_id = {};
  std::optional<std::optional<ChangedBy>> disabled_by = {}, hidden_by = {};
  std::optional<Texts> labels = {}, aliases = {};
  std::optional<std::map<std::string, OptionalText>> categories = {};  // scopes that are not named stay
  std::optional<std::string> new_entity_id = {};
  // Of a domain, such as `sensor`; null deletes them.
  std::optional<std::pair<std::string, std::optional<json::object>>> options = {};
};

// One of many devices that change together.
struct DeviceChange {
  std::string id;
  DeviceEdit edit = {};
  std::optional<bool> hidden = {};  // all of its entities, except those that its integration hides
};

class Registry {
 public:
  static constexpr std::size_t kMaxTextLength = 255;     // code points of a name, an icon, an alias, a label
  static constexpr std::size_t kMaxTexts = 100;          // aliases, labels
  static constexpr std::size_t kMaxOptions = 16 * 1024;  // bytes of an entity's options as JSON

  Registry(EventBus& bus, const base::Clock& clock)
      : bus_(bus), clock_(clock), data_(std::make_shared<const RegistryData>()) {}

  std::shared_ptr<const RegistryData> snapshot() const { return data_.load(); }

  // Restores what the last run stored, without events. Call before anybody changes something.
  void restore(RegistryData data);

  // The user's changes. Each fails with not_found if its subject does not exist, with invalid for a wrong value, with
  // conflict if a name or an id is taken, with unavailable if the bus is full, because it does not wait. The message is
  // for the client. Names of areas are compared without case and spaces, and so are those of floors.
  base::Result<Floor> create_floor(FloorEdit edit, const Context& context);
  base::Result<Floor> update_floor(const std::string& id, FloorEdit edit, const Context& context);
  base::Result<void> delete_floor(const std::string& id, const Context& context);
  base::Result<Area> create_area(AreaEdit edit, const Context& context);
  base::Result<Area> update_area(const std::string& id, AreaEdit edit, const Context& context);
  base::Result<void> delete_area(const std::string& id, const Context& context);
  // Fails with invalid unless the list has each floor once; each area once.
  base::Result<void> reorder_floors(const std::vector<std::string>& ids, const Context& context);
  base::Result<void> reorder_areas(const std::vector<std::string>& ids, const Context& context);
  base::Result<Device> update_device(const std::string& id, DeviceEdit edit, const Context& context);
  // `unregistered`: the entry that an entity gets by this if it has none; its original fields replace those of one that
  // has.
  // In one version. Devices that cannot change as asked stay as they are; the result has a place for each change, in
  // their order, with its error. Fails with unavailable as above: then nothing has changed.
  base::Result<std::vector<base::Result<void>>> update_devices(const std::vector<DeviceChange>& changes,
                                                               const Context& context);
  base::Result<RegisteredEntity> update_entity(const std::string& entity_id, EntityEdit edit, const Context& context,
                                               const RegisteredEntity* unregistered = nullptr);
  // Fails with conflict while its integration provides it.
  base::Result<void> remove_entity(const std::string& entity_id, const Context& context);

  // Labels and categories: `given` are their fields, as CollectionType of the collection reads them; null takes one
  // away. A new label's id is a slug of its name. Names are unique, those of categories within their scope, and
  // compared as those of areas. Deleting one takes it off everything. A label that something gets without having been
  // made is made by that, with its text as id and name.
  base::Result<Item> create_label(const json::object& given, const Context& context);
  base::Result<Item> update_label(const std::string& id, const json::object& given, const Context& context);
  base::Result<void> delete_label(const std::string& id, const Context& context);
  base::Result<Item> create_category(const json::object& given, const Context& context);
  base::Result<Item> update_category(const std::string& id, const json::object& given, const Context& context);
  base::Result<void> delete_category(const std::string& scope, const std::string& id, const Context& context);

  // Items. These fail with not_found, with invalid beyond the bounds of a collection, with conflict if `revision` is
  // not the item's, and with unavailable if the bus is full. `fields` replace the former ones. An empty id: a new one.
  base::Result<Item> create_item(const std::string& collection, std::string id, json::object fields,
                                 const Context& context, IfFull if_full = IfFull::fail);
  base::Result<Item> update_item(const std::string& collection, const std::string& id, json::object fields,
                                 std::optional<int> revision, const Context& context, IfFull if_full = IfFull::fail);
  // All of them or none.
  base::Result<void> delete_items(const std::string& collection, std::span<const std::string> ids,
                                  const Context& context, IfFull if_full = IfFull::fail);

  // The integrations' changes, which wait while the bus is full. Returns the floor or area of this name; creates it if
  // absent.
  Floor ensure_floor(const std::string& name, std::optional<int> level = {});
  Area ensure_area(const std::string& name, OptionalText floor_id = {}, OptionalText icon = {});
  // Registers the device, and returns it as registered. The user's fields count at its first registration only. One
  // that is new and shares an identifier, or else a connection, with one that is gone is that one: it has its id and
  // the user's fields. So is one that shares them with a device all of whose entities a provider has: it has moved
  // here.
  Device put_device(Device device);
  // Registers the entity under `wanted`, or wanted_2, _3 … if another entity has that id; an entity registered before
  // with the same integration, domain and unique id keeps its ids and all fields of the user, and so does one that is
  // gone. Returns the registered entity. Fails with invalid if the id is not valid.
  // The entity's `id` counts if it is new here and nothing else has it.
  base::Result<RegisteredEntity> put_entity(const EntityId& wanted, RegisteredEntity entity);
  // For a provider (core/services/provider.h): as put_entity for each, in one version; a result for each, in their
  // order. An entry that an integration here or another provider has stays with it, and is the result as it is.
  struct Wanted {
    EntityId id;
    RegisteredEntity entity;
  };
  std::vector<base::Result<RegisteredEntity>> provide_entities(const std::vector<Wanted>& wanted);
  // Removes the devices; their entities stay, without a device. No effect on those that are absent.
  void forget_devices(const Texts& ids);
  // Removes them for good, in one version. No effect on those that are absent.
  void forget_integration(const IntegrationParts& parts);
  // Nothing provides the entity any more: people may remove it. No effect if it is absent.
  void release_entity(const std::string& entity_id) { release_entities({entity_id}); }
  void release_entities(const Texts& entity_ids);
  // The entity `to` takes the place of `from`: it gets its entity id, with the history, and what people made of it and
  // of its device. `from` has another id from now on, is disabled, and says in its options, under the name of its
  // provider, which registry id took its place: {"moved_to": id}. Fails with not_found, and with invalid for entities
  // of two domains.
  base::Result<RegisteredEntity> replace_entity(const std::string& from, const std::string& to, const Context& context);
  // Removes the entity with this registry id. No effect if it is absent.
  void forget_entity(const std::string& id);

 private:
  // Runs apply(editor), which returns a Result<void>; repeats it if another change came first. Fails as it does.
  using Apply = std::function<base::Result<void>(RegistryEditor&)>;
  base::Result<void> change(IfFull if_full, const Context& context, const Apply& apply);
  // An empty id: a new one.
  base::Result<Item> put_named(std::string_view collection, const std::string& id, const json::object& given,
                               const Context& context);

  EventBus& bus_;  // its turn orders the changes
  const base::Clock& clock_;
  base::Published<RegistryData> data_;
};

}  // namespace hearth::core
