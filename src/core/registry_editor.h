// SPDX-License-Identifier: Apache-2.0
// A change of the registry in progress: the next version, and its events in order. An entry that ends up unchanged has
// no event. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/event.h"
#include "core/registry_data.h"

namespace hearth::core {

class RegistryEditor {
 public:
  struct Note {
    std::string_view type;
    std::string data_json;
    RegistryChange change;
  };

  RegistryEditor(const RegistryData& before, base::Timestamp now) : before_(before), data_(before), now_(now) {}

  const RegistryData& data() const { return data_; }

  // Each creates or updates by id, and sets the times.
  void put(Floor floor);
  void put(Area area);
  void put(Device device);
  void put(RegisteredEntity entity);
  // A new item is the last of its collection. Sets its revision, too. Fails with invalid beyond the bounds.
  base::Result<void> put(Item item);
  // REQUIRES: `former_id` exists and the new id does not.
  void rename(const std::string& former_id, RegisteredEntity entity);

  // REQUIRES: it exists. References to the area or floor are removed.
  void erase_floor(const std::string& id);
  void erase_area(const std::string& id);
  void erase_entity(const std::string& entity_id);
  void erase_item(const Item& item);

  // Sets a new order of the areas, with one event for all of them.
  void reorder(const std::vector<std::string>& area_ids);

  bool changed() const { return changed_; }
  // Call once, at the end. Adds events for labels that are new, or no longer used.
  const std::vector<Note>& finish();

 private:
  void put_entity(const RegisteredEntity* former, RegisteredEntity entity);
  void note(const Item& item, std::string_view action);
  void note(std::string_view type, std::string_view action, std::string_view id_key, std::string_view id,
            json::object changes = {}, std::string_view former_id = {});

  // The labels of something before and after its change.
  void relabel(const Texts& former, const Texts& now);

  const RegistryData before_;
  RegistryData data_;
  Texts labels_;  // labels that were added or removed somewhere
  base::Timestamp now_;
  bool changed_ = false;
  std::vector<Note> notes_;
};

}  // namespace hearth::core
