// SPDX-License-Identifier: Apache-2.0
// A change of the registry in progress: the next version, and its events in order. An entry that ends up unchanged has
// no event. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/bus/event.h"
#include "core/registry/registry_data.h"

namespace hearth::core {

class RegistryEditor {
 public:
  struct Note {
    std::string_view type;
    std::string data_json;
    RegistryChange change;
  };

  RegistryEditor(const RegistryData& before, base::Timestamp now) : data_(before), now_(now) {}

  const RegistryData& data() const { return data_; }

  // Each creates or updates by id, and sets the times.
  void put(Floor floor);
  void put(Area area);
  void put(Device device);
  void put(RegisteredEntity entity);
  // A new item is the last of its collection. Sets its revision, too. Fails with invalid beyond the bounds.
  base::Result<void> put(Item item);
  // REQUIRES: the new id does not exist. `former_id` may be that of an entity without an entry.
  void rename(const std::string& former_id, RegisteredEntity entity);
  // As `rename` of the one with the id `to`, to the id of `from`, whose entry goes. REQUIRES: both exist, and the
  // entity's id is `from`.
  void replace(const std::string& from, const std::string& to, RegisteredEntity entity);

  // REQUIRES: it exists. References to it are removed.
  void erase_floor(const std::string& id);
  void erase_area(const std::string& id);
  void erase_entity(const std::string& entity_id);
  void erase_item(const Item& item);
  void erase_label(const std::string& id);
  void erase_category(const Item& category);

  // Before they are erased: what they are if they come back. Of entities only those of devices are kept.
  void remember_entity(const std::string& entity_id);
  void remember_devices(const Texts& ids);
  // The one of this identity, and the one that shares an identifier or a connection, as it was when it went; without
  // references to what is gone since. It is not remembered any more. Null if there is none.
  std::optional<RegisteredEntity> take_back(const EntityIdentity& identity);
  std::optional<Device> take_back(const Device& device);

  // Removes those of the ids that exist, and references to them.
  void erase_devices(const Texts& ids);

  // Sets a new order of the floors or areas, with one event for all of them.
  void reorder_floors(const std::vector<std::string>& ids);
  void reorder_areas(const std::vector<std::string>& ids);

  bool changed() const { return changed_; }
  // Call once, at the end, before notes(). Makes the labels that nobody has made. Fails with invalid beyond the bounds.
  base::Result<void> finish();
  const std::vector<Note>& notes() const { return notes_; }

 private:
  void put_entity(const RegisteredEntity* former, const std::string& former_id, RegisteredEntity entity);
  // In the areas that show it.
  void replace_sensor(const std::string& former_id, const OptionalText& now);
  void reorder(auto& entries, const std::vector<std::string>& ids, std::string_view type, std::string_view id_key);
  void note(const Item& item, std::string_view action);
  void note(std::string_view type, std::string_view action, std::string_view id_key, std::string_view id,
            json::object changes = {}, std::string_view former_id = {});

  RegistryData data_;
  Texts labels_;  // of everything that was put
  base::Timestamp now_;
  bool changed_ = false;
  std::vector<Note> notes_;
};

}  // namespace hearth::core
